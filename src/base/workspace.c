/* workspace.c - a block that grows and is handed out from the front. */
#include "base/workspace.h"

#include "base/check.h"

bool wi_workspace_reserve(wi_memory *memory, wi_workspace *workspace, size_t size)
{
    workspace->used = 0;
    if (size <= workspace->size) return true;
    wi_workspace_free(memory, workspace);
    workspace->block = wi_alloc(memory, size);
    if (workspace->block == NULL) return false;
    workspace->size = size;
    return true;
}

void *wi_workspace_take(wi_workspace *workspace, size_t count, size_t item_size)
{
    void *piece = workspace->block + workspace->used;
    workspace->used += wi_workspace_size(count, item_size);
    WI_ASSERT(workspace->used <= workspace->size);
    WI_ASSERT((uintptr_t)piece % WI_ALIGNMENT == 0);
    return piece;
}

void wi_workspace_free(wi_memory *memory, wi_workspace *workspace)
{
    wi_free(memory, workspace->block, workspace->size);
    *workspace = (wi_workspace){0};
}
