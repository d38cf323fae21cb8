/* check.c - whether a compressed tree is the one for its boxes. Way in:
 * wi_ctree_validate. */
#include "broad/compressed/nodes.h"

#include <string.h>

#include "base/hash.h"

#define NONE UINT32_MAX

static const char *validate_split(const wi_ctree *t, const wi_ctree_node *n)
{
    if (n->bits == 0) return "B10: a unit cell is split";
    if (wi_ctree_only_half(t, n) != NONE)
        return "B11: a cell is split that does not part its corners";
    for (uint32_t half = 0; half < wi_ctree_split_size(t); half++) {
        const wi_ctree_node *child = &t->nodes.items[n->child + half];
        if (child->bits + 1 != n->bits || wi_cell_half(t->axes, n->bits, &child->at) != half ||
            !wi_cell_has_cell(n, t->axes, child))
            return "B10: a half is elsewhere";
    }
    return NULL;
}

static const char *validate_compressed(const wi_ctree *t, const wi_ctree_node *n)
{
    const wi_ctree_node *hole = &t->nodes.items[n->child], *donut = hole + 1;
    if (hole->bits >= n->bits || !wi_cell_has_cell(n, t->axes, hole))
        return "B10: a hole is elsewhere";
    if (donut->kind != WI_CTREE_DONUT || donut->bits != n->bits || donut->points != 0)
        return "B10: a donut is not around its hole";
    if (hole->kind == WI_CTREE_SPLIT) return NULL;
    return hole->kind == WI_CTREE_LEAF && hole->bits == 0 && hole->points > 1
               ? NULL
               : "B11: a hole is not the smallest cell with its corners";
}

static const char *validate_node(const wi_ctree *t, uint32_t number)
{
    const wi_ctree_node *n = &t->nodes.items[number];
    const wi_cell_at at = wi_cell_around(t->axes, n->bits, &n->at);
    if (memcmp(&at, &n->at, sizeof at) != 0) return "B10: a cell is not canonical";
    for (uint32_t i = 0; i < wi_ctree_child_count(t, n); i++) {
        if (n->child + i >= t->nodes.count) return "B10: a child is not there";
        if (t->nodes.items[n->child + i].parent != number) return "B10: a child has another parent";
    }
    if (n->kind == WI_CTREE_SPLIT) return validate_split(t, n);
    if (n->kind == WI_CTREE_COMPRESSED) return validate_compressed(t, n);
    if (n->points > 1 && n->bits > 0) return "B11: a leaf with two corners is not split";
    if (n->points > 0 && !wi_cell_has_unit(n, t->axes, &n->point))
        return "B12: a corner is elsewhere";
    return NULL;
}

static uint64_t hash_unit(const wi_cell_at *at)
{
    uint64_t hash = WI_HASH_START;
    for (int axis = 0; axis < 3; axis++) hash = wi_hash_u64(hash, at->x[axis]);
    return hash;
}

/* As many corners in every unit as boxes have there: the same sum of hashes. */
static bool has_all_corners(const wi_ctree *t, const bool *is_alive, uint32_t box_count)
{
    uint64_t wanted = 0, found = 0;
    for (uint32_t i = 0; i < box_count; i++)
        for (uint32_t corner = 0; is_alive[i] && corner < wi_ctree_split_size(t); corner++) {
            const wi_cell_at at = wi_cell_corner(&t->ranges.items[i], corner);
            wanted += hash_unit(&at);
        }
    for (size_t i = 0; i < t->nodes.count; i++) {
        const wi_ctree_node *n = &t->nodes.items[i];
        if (n->kind == WI_CTREE_LEAF && n->points > 0) found += n->points * hash_unit(&n->point);
    }
    return wanted == found;
}

/* Lists have each box that meets the leaf: those in them do, none is twice, and there are as many
 * as the tree counts, which is as many as a search from the root finds. */
static const char *validate_lists(const wi_ctree *t, bool is_small, size_t *out)
{
    for (size_t i = 0; i < t->nodes.count; i++) {
        const wi_ctree_node *n = &t->nodes.items[i];
        if (!wi_ctree_is_leaf(n)) continue;
        for (uint32_t e = n->entry; e != NONE; e = t->entries.items[e].next) {
            if (!wi_ctree_leaf_meets(t, n, &t->ranges.items[t->entries.items[e].box]))
                return "B13: a box is in the list of a leaf that it does not meet";
            for (uint32_t k = t->entries.items[e].next; k != NONE && is_small;
                 k = t->entries.items[k].next)
                if (t->entries.items[k].box == t->entries.items[e].box)
                    return "B13: a box is in a list twice";
            ++*out;
        }
    }
    return NULL;
}

/* Without a stack that could fail: from every leaf, which a box meets or does not. */
static size_t count_meetings(const wi_ctree *t, const bool *is_alive, uint32_t box_count)
{
    size_t count = 0;
    for (size_t i = 0; i < t->nodes.count; i++) {
        const wi_ctree_node *n = &t->nodes.items[i];
        for (uint32_t k = 0; k < box_count && wi_ctree_is_leaf(n); k++)
            count += is_alive[k] && wi_ctree_leaf_meets(t, n, &t->ranges.items[k]);
    }
    return count;
}

/* Beyond so many, asking every leaf about every box takes longer than a check may. */
enum { CHECKED_BOXES = 100 };

const char *wi_ctree_validate(const wi_ctree *t, const bool *is_alive, uint32_t box_count)
{
    size_t in_use = 0, listed = 0;
    for (uint32_t i = 0; i < t->nodes.count; i++) {
        if (t->nodes.items[i].kind == WI_CTREE_FREE) continue;
        const char *broken = validate_node(t, i);
        if (broken) return broken;
        in_use++;
    }
    if (in_use != t->node_count) return "B10: a node is neither in use nor free";
    if (!has_all_corners(t, is_alive, box_count)) return "B12: a corner is not there once";
    const char *broken = validate_lists(t, box_count <= CHECKED_BOXES, &listed);
    if (broken) return broken;
    if (listed != t->entry_count) return "B13: an entry is neither in use nor free";
    if (box_count <= CHECKED_BOXES && listed != count_meetings(t, is_alive, box_count))
        return "B13: a box is not in the list of a leaf that it meets";
    return NULL;
}
