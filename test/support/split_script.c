/* split_script.c - bodies of a script are split and merged again, and the model follows.
 *
 * In between, parts have the triangles of the model, each once; their vertices are where they were,
 * to the bit; and their pairs, within them and with the wall, are those of the whole. */
#include <stdlib.h>
#include "support/edit_state.h"
#include "support/script_words.h"

enum { MOST_PARTS = MOST_TRIS, MOST_KEYS = 1 << 15, KINDS = 3 };

/* What became of the bodies, which is the same for all: the numbers that triangles and vertices of
 * parts had. */
typedef struct pieces {
    uint32_t count;
    willow_body_id bodies[COPIES][MOST_PARTS];
    uint32_t tri_count[MOST_PARTS], vertex_count[MOST_PARTS];
    uint32_t tris[MOST_PARTS][MOST_TRIS], vertices[MOST_PARTS][MOST_VERTICES];
} pieces;

static bool wrong(const char *what) { return script_fail("split", what); }

/* ---- labels ---- */

static uint32_t count_live(const edit_script *s)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < s->tri_count; slot++) count += s->tris[slot].is_there;
    return count;
}

/* Of a few names; those of holes are not looked at. */
static void choose_labels(edit_script *s, uint32_t *labels)
{
    static const uint32_t names[KINDS] = {7, 4000000000U, 0};
    const uint32_t kinds = 1 + choose(s->c, KINDS);
    for (uint32_t slot = 0; slot < s->tri_count; slot++)
        labels[slot] = s->tris[slot].is_there ? names[choose(s->c, kinds)] : WILLOW_NO_PART;
}

/* How many vertices there will be after the merge: copies, and merged ones with each. */
static uint32_t count_copies(const edit_script *s, const uint32_t *labels)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        uint32_t seen[KINDS + 1], kinds = 0;
        for (uint32_t slot = 0; slot < s->tri_count && s->vertices[v].is_there; slot++) {
            const uint32_t *tri = s->corners[slot], leader = s->stand_in[v];
            if (!s->tris[slot].is_there) continue;
            if (tri[0] != leader && tri[1] != leader && tri[2] != leader) continue;
            uint32_t i = 0;
            while (i < kinds && seen[i] != labels[slot]) i++;
            if (i == kinds) seen[kinds++] = labels[slot];
        }
        count += kinds;
    }
    return count;
}

/* ---- a split ---- */

static void note_pieces(const willow_split *split, pieces *p)
{
    p->count = split->part_count;
    for (uint32_t i = 0; i < p->count; i++) {
        const willow_split_part *part = &split->parts[i];
        p->tri_count[i] = part->triangle_count;
        p->vertex_count[i] = part->vertex_count;
        memcpy(p->tris[i], part->old_triangles, part->triangle_count * sizeof(uint32_t));
        memcpy(p->vertices[i], part->old_vertices, part->vertex_count * sizeof(uint32_t));
    }
}

static bool are_same_pieces(const willow_split *split, const pieces *p)
{
    bool is_same = p->count == split->part_count;
    for (uint32_t i = 0; i < p->count && is_same; i++) {
        const willow_split_part *part = &split->parts[i];
        is_same =
            p->tri_count[i] == part->triangle_count && p->vertex_count[i] == part->vertex_count &&
            memcmp(p->tris[i], part->old_triangles, part->triangle_count * sizeof(uint32_t)) == 0 &&
            memcmp(p->vertices[i], part->old_vertices, part->vertex_count * sizeof(uint32_t)) == 0;
    }
    return is_same;
}

/* Each triangle once, with its label; and those of one label in one part. */
static bool check_tris(const edit_script *s, const willow_split *split, const uint32_t *labels)
{
    uint32_t seen = 0;
    for (uint32_t slot = 0; slot < s->tri_count; slot++) {
        const willow_part_triangle at = split->triangles[slot];
        if (!s->tris[slot].is_there) {
            if (at.part != WILLOW_NO_PART) return wrong("a hole is in a part");
            continue;
        }
        seen++;
        if (at.part >= split->part_count ||
            split->parts[at.part].old_triangles[at.triangle] != slot ||
            (labels && split->parts[at.part].label != labels[slot]))
            return wrong("a triangle is in another part, or in none");
    }
    for (uint32_t i = 0; i < split->part_count; i++) {
        seen -= split->parts[i].triangle_count;
        if (i > 0 && (split->parts[i - 1].label >= split->parts[i].label ||
                      split->parts[i - 1].body.index1 >= split->parts[i].body.index1))
            return wrong("parts are not in the order of labels");
    }
    return seen == 0 || wrong("parts have other triangles than the whole");
}

/* Corners are the same vertices, at the same bits. */
static bool check_corners(const edit_script *s, const willow_split *split, uint32_t number,
                          const willow_vec3 *before)
{
    const willow_split_part *part = &split->parts[number];
    static willow_vec3 corners[3 * MOST_TRIS], at[MOST_VERTICES];
    if (willow_body_copy_triangles(s->world, part->body, NULL, part->triangle_count, corners) !=
            WILLOW_OK ||
        willow_body_copy_vertices(s->world, part->body, 0, part->vertex_count, at) != WILLOW_OK)
        return wrong("a part cannot be read");
    for (uint32_t v = 0; v < part->vertex_count; v++)
        if (memcmp(&at[v], &before[part->old_vertices[v]], sizeof *at) != 0)
            return wrong("a vertex of a part is elsewhere");
    for (uint32_t t = 0; t < part->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t old = s->corners[part->old_triangles[t]][k];
            size_t i = split->first_copy[old];
            while (i < split->first_copy[old + 1] && split->vertices[i].part != number) i++;
            if (i == split->first_copy[old + 1] ||
                part->old_vertices[split->vertices[i].vertex] != old)
                return wrong("a corner has no copy in its part");
            if (memcmp(&corners[3 * t + (uint32_t)k], &before[old], sizeof *before) != 0)
                return wrong("a corner of a part is elsewhere");
        }
    return true;
}

static bool split_copy(edit_script *s, uint32_t copy, const uint32_t *labels, pieces *p)
{
    willow_vec3 before[MOST_VERTICES];
    willow_split split;
    if (willow_body_copy_vertices(s->world, s->bodies[copy], 0, s->vertex_count, before) !=
        WILLOW_OK)
        return wrong("vertices cannot be read");
    if (!script_check("split", s->world,
                      willow_body_split(s->world, s->bodies[copy], labels, &split), "split"))
        return false;
    if (copy == 0) note_pieces(&split, p);
    if (!are_same_pieces(&split, p)) return wrong("other parts with another method");
    if (!check_tris(s, &split, labels)) return false;
    for (uint32_t i = 0; i < split.part_count; i++) {
        p->bodies[copy][i] = split.parts[i].body;
        if (!check_corners(s, &split, i, before)) return false;
    }
    return !willow_body_is_alive(s->world, s->bodies[copy]) || wrong("the old body is alive");
}

/* ---- answers ---- */

static int order_of_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct key_list {
    uint64_t items[MOST_KEYS];
    size_t count;
} key_list;

/* The part with this id; `count` for another body. */
static uint32_t part_of(const pieces *p, uint32_t copy, willow_body_id id)
{
    uint32_t i = 0;
    while (i < p->count && !willow_body_id_equal(p->bodies[copy][i], id)) i++;
    return i;
}

/* Pairs within bodies and with the wall, by the numbers of the whole; between parts there are none,
 * since their masks say so. Those with the wall have a bit of their own. */
static bool list_pairs(const edit_script *s, const willow_body_id *bodies, size_t count,
                       const pieces *p, uint32_t copy, key_list *out)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.bodies = bodies;
    options.body_count = count;
    if (!script_check("split", s->world, willow_find_pairs(s->world, s->scratch, &options, &pairs),
                      "pairs"))
        return false;
    if (pairs.count > MOST_KEYS) return wrong("more pairs than there can be");
    out->count = 0;
    for (size_t r = 0; r < pairs.run_count; r++) {
        const willow_pair_run *run = &pairs.runs[r];
        const bool is_self = willow_body_id_equal(run->body_a, run->body_b);
        const bool is_wall_first = willow_body_id_equal(run->body_a, s->wall);
        const uint32_t part = p ? part_of(p, copy, is_wall_first ? run->body_b : run->body_a) : 0;
        if (p && part == p->count) return wrong("a pair of a body that is no part");
        for (size_t i = run->first; i < run->first + run->count; i++) {
            uint32_t a = pairs.items[i].tri_a, b = pairs.items[i].tri_b;
            if (is_wall_first) a = pairs.items[i].tri_b, b = pairs.items[i].tri_a;
            if (p) a = p->tris[part][a];
            if (p && is_self) b = p->tris[part][b];
            out->items[out->count++] = (uint64_t)!is_self << 63 | (uint64_t)a << 32 | b;
        }
    }
    qsort(out->items, out->count, sizeof *out->items, order_of_keys);
    return true;
}

/* Those of the whole between triangles of different parts are gone. */
static void keep_within_parts(const pieces *p, key_list *list)
{
    uint32_t part_of_tri[MOST_TRIS] = {0};
    size_t kept = 0;
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t t = 0; t < p->tri_count[i]; t++) part_of_tri[p->tris[i][t]] = i;
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t key = list->items[i];
        const uint32_t a = (uint32_t)(key >> 32 & 0x7FFFFFFF), b = (uint32_t)key;
        const bool is_wall = (key >> 63) != 0;
        if (is_wall || part_of_tri[a] == part_of_tri[b]) list->items[kept++] = key;
    }
    list->count = kept;
}

static bool update_here(edit_script *s)
{
    char reason[200] = "";
    s->update_count++;
    return script_check("split", s->world, willow_world_update(s->world, s->time, NULL),
                        "update") &&
           (willow_world_validate(s->world, reason, sizeof reason) || wrong(reason));
}

static bool compare_parts(edit_script *s, uint32_t copy, const pieces *p, const key_list *whole)
{
    static key_list parts;
    willow_body_id bodies[MOST_PARTS + 1];
    memcpy(bodies, p->bodies[copy], p->count * sizeof *bodies);
    bodies[p->count] = s->wall;
    if (!list_pairs(s, bodies, p->count + 1, p, copy, &parts)) return false;
    s->tally->part_pairs += parts.count;
    return (parts.count == whole->count &&
            memcmp(parts.items, whole->items, parts.count * sizeof *parts.items) == 0) ||
           script_fail(willow_method_name(s->methods[copy]), "parts have other pairs");
}

/* ---- a merge ---- */

static bool merge_copy(edit_script *s, uint32_t copy, const pieces *p)
{
    willow_merge merge;
    uint32_t tris = 0, vertices = 0;
    if (!script_check("split", s->world,
                      willow_body_merge(s->world, p->bodies[copy], p->count, &merge), "merge"))
        return false;
    s->bodies[copy] = merge.body;
    for (uint32_t i = 0; i < p->count; i++) {
        const willow_merged_body *from = &merge.bodies[i];
        if (from->triangle_count != p->tri_count[i] || from->vertex_count != p->vertex_count[i])
            return wrong("a merged body had other numbers");
        for (uint32_t t = 0; t < p->tri_count[i]; t++)
            if (from->new_triangles[t] != tris++) return wrong("a merged triangle is another");
        for (uint32_t v = 0; v < p->vertex_count[i]; v++)
            if (from->new_vertices[v] != vertices++) return wrong("a merged vertex is another");
    }
    return true;
}

/* New numbers, part after part; no holes are left. */
static void follow_merge(edit_script *s, const pieces *p)
{
    static edit_script old;
    old = *s;
    s->vertex_count = s->tri_count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t new_of_old[MOST_VERTICES];
        for (uint32_t v = 0; v < p->vertex_count[i]; v++) {
            const uint32_t was = p->vertices[i][v], is = s->vertex_count++;
            new_of_old[was] = is;
            s->vertices[is] = (life){.is_there = true};
            s->stand_in[is] = new_of_old[old.stand_in[was]];
        }
        for (uint32_t t = 0; t < p->tri_count[i]; t++) {
            const uint32_t was = p->tris[i][t], is = s->tri_count++;
            for (int k = 0; k < 3; k++) s->corners[is][k] = new_of_old[old.corners[was][k]];
            s->groups[is] = old.groups[was];
            s->labels[is] = old.labels[was];
            s->tris[is] = (life){.is_there = true};
        }
    }
    s->borrows = false; /* parts have copies */
}

/* ---- all of it ---- */

/* Bodies of no triangles have no parts. */
static bool split_nothing(edit_script *s)
{
    willow_split split;
    const uint64_t before = willow_world_hash(s->world);
    return (willow_body_split(s->world, s->bodies[0], NULL, &split) == WILLOW_BAD_ARGUMENT &&
            willow_world_hash(s->world) == before) ||
           wrong("a body without triangles was split");
}

static bool list_whole(const edit_script *s, key_list *whole)
{
    const willow_body_id both[2] = {s->bodies[0], s->wall};
    return list_pairs(s, both, 2, NULL, 0, whole);
}

bool edit_state_split(edit_script *s)
{
    static pieces p;
    static key_list whole;
    uint32_t chosen[MOST_TRIS];
    const bool by_labels = choose_one_in(s->c, 2), asks = choose_one_in(s->c, 2);
    if (count_live(s) == 0) return split_nothing(s);
    choose_labels(s, chosen);
    const uint32_t *labels = by_labels && count_copies(s, chosen) < MOST_VERTICES ? chosen : NULL;
    if (asks && (!update_here(s) || !list_whole(s, &whole))) return false;
    for (uint32_t i = 0; i < COPIES; i++)
        if (!split_copy(s, i, labels, &p)) return false;
    s->tally->splits++;
    s->tally->parts += p.count;
    if (asks) {
        keep_within_parts(&p, &whole);
        if (!update_here(s)) return false;
        for (uint32_t i = 0; i < COPIES; i++)
            if (!compare_parts(s, i, &p, &whole)) return false;
    }
    for (uint32_t i = 0; i < COPIES; i++)
        if (!merge_copy(s, i, &p)) return false;
    follow_merge(s, &p);
    return true;
}
