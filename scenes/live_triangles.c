/* live_triangles.c - see live_triangles.h. */
#include "live_triangles.h"

#include <stdlib.h>
#include <string.h>

uint16_t *live_triangle_groups(const scene_body *body, uint32_t frame)
{
    uint16_t *groups = malloc(((size_t)body->triangle_count + 1) * sizeof *groups);
    for (uint32_t t = 0; groups != NULL && t < body->triangle_count; t++)
        groups[t] = scene_has_triangle(body, t, frame);
    return groups;
}

/* What changes between two frames. */
typedef struct changes {
    willow_tri *tris;
    uint32_t (*corners)[3];
    uint16_t *groups;
    uint32_t count;
} changes;

static void changes_find(changes *c, const scene_body *body, uint32_t from, uint32_t to)
{
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        const bool is_there = scene_has_triangle(body, t, to);
        if (scene_has_triangle(body, t, from) == is_there) continue;
        c->tris[c->count] = t;
        memcpy(c->corners[c->count], body->indices + 3 * (size_t)t, sizeof *c->corners);
        c->groups[c->count++] = is_there;
    }
}

willow_result live_triangles_edit(willow_world *world, willow_body_id id, const scene_body *body,
                                  uint32_t from, uint32_t to)
{
    const size_t most = (size_t)body->triangle_count + 1;
    changes c = {.tris = malloc(most * sizeof *c.tris),
                 .corners = malloc(most * sizeof *c.corners),
                 .groups = malloc(most * sizeof *c.groups)};
    willow_result result = WILLOW_OUT_OF_MEMORY;
    if (c.tris != NULL && c.corners != NULL && c.groups != NULL) {
        willow_edit edit = willow_edit_default();
        changes_find(&c, body, from, to);
        edit.replace_triangles = c.tris;
        edit.replace_indices = c.corners[0];
        edit.replace_groups = c.groups;
        edit.replace_triangle_count = c.count;
        result = c.count > 0 ? willow_body_edit(world, id, &edit, NULL, NULL) : WILLOW_OK;
    }
    free(c.tris);
    free(c.corners);
    free(c.groups);
    return result;
}
