/* edit_script.c - see edit_script.h. */
#include "support/edit_script.h"

#include <math.h>
#include <stdlib.h>
#include "support/edit_state.h"
#include "support/script_words.h"

static const uint64_t masks[3] = {0, 4, 6}; /* group 1 meets 2 only, which meets itself, too */

/* ---- numbers ---- */

static float number(edit_script *s) { return (float)choose_number(s->c, s->is_coarse); }

/* Holes have NaN, which nobody may read. */
static void fill(edit_script *s, vertex *out, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) out[i][k] = s->vertices[first + i].is_there ? number(s) : NAN;
}

static uint32_t choose_range(edit_script *s, uint32_t *count)
{
    const uint32_t first = choose(s->c, s->vertex_count), most = s->vertex_count - first;
    *count = 1 + choose(s->c, most < 8 ? most : 8);
    if (*count > most) *count = most;
    return first;
}

static bool has_tri(const edit_script *s, uint32_t slot) { return s->tris[slot].is_there; }

/* ---- setters: the same for all bodies ---- */

/* All have the same result, which is OK, or BAD_ARGUMENT where that may be. */
#define ALL(s, may_be_refused, function, ...)                                                      \
    do {                                                                                           \
        const willow_result result_0 = function((s)->world, (s)->bodies[0], __VA_ARGS__);          \
        if (result_0 != WILLOW_OK && !((may_be_refused) && result_0 == WILLOW_BAD_ARGUMENT))       \
            return script_fail(#function, willow_world_message((s)->world));                       \
        for (uint32_t copy = 1; copy < COPIES; copy++)                                             \
            if (function((s)->world, (s)->bodies[copy], __VA_ARGS__) != result_0)                  \
                return script_fail(#function, "another result with another method");               \
    } while (false)

static bool set_all(edit_script *s)
{
    vertex at[MOST_VERTICES];
    fill(s, at, 0, s->vertex_count);
    if (s->borrows) {
        for (uint32_t i = 0; i < COPIES; i++)
            if (willow_body_begin_vertices(s->world, s->bodies[i]) != WILLOW_OK)
                return script_fail("begin_vertices", willow_world_message(s->world));
        memcpy(s->borrowed[s->array], at, s->vertex_count * sizeof *at);
        return true;
    }
    ALL(s, false, willow_body_set_vertices, 0, s->vertex_count, at, 0);
    s->targets = 0;
    s->is_deformed = false;
    return true;
}

static bool set_some(edit_script *s)
{
    vertex at[MOST_VERTICES];
    uint32_t count;
    const uint32_t first = choose_range(s, &count);
    fill(s, at, first, count);
    ALL(s, s->borrows, willow_body_set_vertices, first, count, at, 0);
    if (!s->borrows) s->targets = 0;
    if (!s->borrows) s->is_deformed = false;
    return true;
}

static void end_shapes(edit_script *s)
{
    if (s->borrows) return;
    s->targets = 0;
    s->is_deformed = false;
}

static bool set_velocities(edit_script *s)
{
    vertex v[MOST_VERTICES];
    uint32_t count = s->vertex_count;
    const uint32_t first = choose_one_in(s->c, 2) ? choose_range(s, &count) : 0;
    fill(s, v, first, count);
    if (choose_one_in(s->c, 3))
        ALL(s, s->borrows, willow_body_set_accelerations, first, count, v, 0);
    else
        ALL(s, s->borrows, willow_body_set_velocities, first, count, v, 0);
    end_shapes(s);
    return true;
}

static bool set_flightplan(edit_script *s)
{
    const double times[KEYS] = {s->time - 0.5, s->time + 0.75, s->time + 2.0};
    static vertex keys[KEYS * MOST_VERTICES];
    willow_flightplan plan = willow_flightplan_default();
    for (uint32_t i = 0; i < KEYS; i++)
        fill(s, keys + (size_t)i * s->vertex_count, 0, s->vertex_count);
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = KEYS;
    ALL(s, s->borrows, willow_body_set_flightplan, &plan);
    end_shapes(s);
    return true;
}

static bool set_morph(edit_script *s)
{
    static vertex values[2][MOST_VERTICES];
    uint32_t numbers[MOST_VERTICES], count = 0;
    const uint32_t kind = choose(s->c, 3);
    const float weights[2] = {number(s), number(s)};
    willow_morph_target targets[2] = {{.values = values[0]}, {.values = values[1]}};
    willow_morph morph = willow_morph_default();
    for (int i = 0; i < 2; i++) fill(s, values[i], 0, s->vertex_count);
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (i % 5 == 1) numbers[count++] = i;
    for (uint32_t i = 0; i < count && kind == 2; i++)
        memcpy(values[1][i], values[0][numbers[i]], sizeof(vertex));
    if (kind == 2) { /* few have one; holes among them are passed over */
        targets[1].vertices = numbers;
        targets[1].vertex_count = count;
    }
    morph.kind = kind == 0 ? WILLOW_MORPH_ABSOLUTE : WILLOW_MORPH_OFFSETS;
    morph.targets = targets;
    morph.target_count = 2;
    morph.weights = weights;
    ALL(s, s->borrows, willow_body_set_morph_targets, &morph);
    end_shapes(s);
    if (!s->borrows) s->targets = 2;
    return true;
}

static bool set_weights(edit_script *s)
{
    const float weights[2] = {number(s), number(s)};
    if (choose_one_in(s->c, 2))
        ALL(s, s->targets == 0, willow_body_set_morph_weights, weights, 2);
    else
        ALL(s, s->targets == 0, willow_body_set_target_weights, weights, 2);
    return true;
}

static bool has_skin(const edit_script *s)
{
    willow_body_info info;
    return willow_body_get_info(s->world, s->bodies[0], &info) == WILLOW_OK && info.has_skin;
}

/* Two joints; holes have weights that are refused elsewhere. Bodies with plans, deformations or
 * borrowed vertices refuse it. */
static bool set_skin(edit_script *s)
{
    willow_affine matrices[2];
    static uint32_t joints[MOST_VERTICES][2];
    static float weights[MOST_VERTICES][2];
    willow_skin skin = willow_skin_default();
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 12; k++)
            matrices[i].row[k / 4][k % 4] = (double)number(s) / 8 + (k / 4 == k % 4);
    for (uint32_t i = 0; i < s->vertex_count; i++)
        for (uint32_t k = 0; k < 2; k++) {
            joints[i][k] = k;
            weights[i][k] =
                s->vertices[i].is_there ? (float)choose(s->c, 4) + (float)(k == 0) : NAN;
        }
    const uint32_t kind = has_skin(s) ? choose(s->c, 4) : 3;
    skin.joint_count = skin.weights_per_vertex = 2;
    skin.matrices = matrices;
    skin.joints = joints[0];
    skin.weights = weights[0];
    if (kind == 0)
        ALL(s, false, willow_body_set_joints, matrices, 2);
    else if (kind == 1)
        ALL(s, false, willow_body_set_target_joints, matrices, 2);
    else
        ALL(s, true, willow_body_set_skin, kind == 2 ? NULL : &skin);
    return true;
}

static bool deform(edit_script *s)
{
    const willow_deformation deformation = bend_deformation(&s->now);
    if (s->is_deformed && choose_one_in(s->c, 2)) {
        ALL(s, false, willow_body_set_target_deformation, &s->end);
        return true;
    }
    ALL(s, s->borrows, willow_body_set_deformation, &deformation);
    end_shapes(s);
    s->is_deformed = !s->borrows;
    return true;
}

static bool set_pose(edit_script *s)
{
    willow_pose pose = willow_pose_identity();
    if (choose_one_in(s->c, 2))
        pose = (willow_pose){{number(s) / 4, number(s) / 4, number(s) / 4},
                             {number(s) / 2, number(s) / 2, number(s) / 2, 1}};
    if (choose_one_in(s->c, 3))
        ALL(s, false, willow_body_set_target_pose, &pose);
    else
        ALL(s, false, willow_body_set_pose, &pose);
    return true;
}

static bool set_target(edit_script *s)
{
    vertex at[MOST_VERTICES];
    uint32_t count = s->vertex_count;
    const uint32_t first = choose_one_in(s->c, 2) ? choose_range(s, &count) : 0;
    fill(s, at, first, count);
    ALL(s, false, willow_body_set_target, first, count, at, 0);
    return true;
}

/* Leaves of one triangle below nodes of two children are of an AVL tree, once they are edited. */
static void choose_leaves(choices *c, willow_tree_def *def)
{
    def->leaf_triangles = 1 + choose(c, 3);
    if (def->leaf_triangles == 1) def->arity = choose_one_in(c, 2) ? 2 : 0;
}

/* One of them is kept in another way from the next update on. */
static bool set_tree(edit_script *s)
{
    willow_tree_def def = willow_tree_def_default();
    const uint32_t copy = 1 + choose(s->c, COPIES - 1);
    def.method = s->methods[copy] = (willow_method)choose(s->c, WILLOW_METHOD_COUNT);
    choose_leaves(s->c, &def);
    return script_check(NULL, s->world, willow_body_set_tree(s->world, s->bodies[copy], &def),
                        "set_tree");
}

/* ---- edits ---- */

typedef struct plan {
    willow_edit edit;
    willow_new_vertex born[MOST_NEW];
    uint32_t gone[MOST_NEW], added[MOST_NEW][3], others[MOST_NEW][3];
    willow_tri removed[MOST_NEW], replaced[MOST_NEW];
    uint16_t groups[MOST_NEW], other_groups[MOST_NEW];
    uint32_t labels[MOST_NEW], other_labels[MOST_NEW];
    willow_tri labelled[MOST_NEW];
} plan;

static uint32_t choose_tri(edit_script *s, const plan *p)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        const uint32_t slot = choose(s->c, s->tri_count);
        bool is_free = has_tri(s, slot);
        for (uint32_t i = 0; i < p->edit.remove_triangle_count; i++)
            is_free = is_free && p->removed[i] != slot;
        for (uint32_t i = 0; i < p->edit.replace_triangle_count; i++)
            is_free = is_free && p->replaced[i] != slot;
        if (is_free) return slot;
    }
    return UINT32_MAX;
}

static bool is_gone(const plan *p, uint32_t v)
{
    for (uint32_t i = 0; i < p->edit.remove_vertex_count; i++)
        if (p->gone[i] == v) return true;
    return false;
}

/* A vertex that is there; UINT32_MAX: none was met. */
static uint32_t choose_vertex(edit_script *s, const plan *p)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        const uint32_t v = choose(s->c, s->vertex_count);
        if (s->vertices[v].is_there && (p == NULL || !is_gone(p, v))) return v;
    }
    return UINT32_MAX;
}

static bool names(const uint32_t tri[3], uint32_t v)
{
    return tri[0] == v || tri[1] == v || tri[2] == v;
}

/* No triangle that stays has it, and nothing is merged with it. */
static bool is_unused(const edit_script *s, const plan *p, uint32_t v)
{
    for (uint32_t slot = 0; slot < s->tri_count; slot++) {
        bool stays = has_tri(s, slot);
        for (uint32_t i = 0; i < p->edit.remove_triangle_count; i++)
            stays = stays && p->removed[i] != slot;
        for (uint32_t i = 0; i < p->edit.replace_triangle_count; i++)
            stays = stays && p->replaced[i] != slot;
        if (stays && names(s->corners[slot], v)) return false;
    }
    for (uint32_t i = 0; i < s->vertex_count; i++)
        if (i != v && s->vertices[i].is_there && s->stand_in[i] == v && !is_gone(p, i))
            return false;
    return true;
}

/* How many more the model has room for: numbers that were never used, and holes that may be, which
 * those of merged vertices never are. */
static uint32_t room_of(const edit_script *s, uint32_t count, uint32_t most, const life *lives,
                        const uint32_t *stand_in)
{
    uint32_t room = most - count;
    for (uint32_t i = 0; i < count; i++)
        room += !lives[i].is_there && lives[i].removed_at + 2 <= s->update_count &&
                (stand_in == NULL || stand_in[i] == i);
    return room < MOST_NEW ? room + 1 : MOST_NEW;
}

static void choose_births(edit_script *s, plan *p)
{
    static const float shares[4] = {0.25F, 0.5F, -0.5F, 0.3F};
    const uint32_t most_born = room_of(s, s->vertex_count, MOST_VERTICES, s->vertices, s->stand_in);
    for (uint32_t left = choose(s->c, most_born); left > 0; left--) {
        willow_new_vertex *v = &p->born[p->edit.add_vertex_count];
        float sum = 0;
        *v = (willow_new_vertex){.position = {number(s), number(s), number(s)}};
        for (uint32_t most = choose(s->c, WILLOW_MAX_PARENTS + 1); v->parent_count < most;) {
            const uint32_t parent = choose_vertex(s, NULL);
            if (parent == UINT32_MAX) break;
            v->parents[v->parent_count] = parent;
            v->weights[v->parent_count] = shares[choose(s->c, 4)];
            sum += v->weights[v->parent_count++];
        }
        if (v->parent_count > 0) v->weights[0] += 1.0F - sum;
        p->edit.add_vertex_count += v->parent_count > 0 || !has_skin(s);
    }
}

/* False if there are too few vertices. */
static bool choose_corners(edit_script *s, const plan *p, uint32_t out[3])
{
    const uint32_t news = p->edit.add_vertex_count;
    for (int i = 0; i < 3; i++) {
        if (news > 0 && choose_one_in(s->c, 2))
            out[i] = WILLOW_NEW_VERTEX + choose(s->c, news);
        else
            out[i] = choose_vertex(s, p);
        if (out[i] == UINT32_MAX) return false;
    }
    return true;
}

static void choose_edit(edit_script *s, plan *p)
{
    willow_edit *e = &p->edit;
    *p = (plan){.edit = willow_edit_default()};
    for (uint32_t left = choose(s->c, MOST_NEW); left > 0; left--) {
        const uint32_t slot = choose_tri(s, p);
        if (slot != UINT32_MAX) p->removed[e->remove_triangle_count++] = slot;
    }
    for (uint32_t left = choose(s->c, MOST_NEW); left > 0 && choose_one_in(s->c, 2); left--) {
        const uint32_t slot = choose_tri(s, p);
        if (slot != UINT32_MAX) p->replaced[e->replace_triangle_count++] = slot;
    }
    choose_births(s, p);
    for (uint32_t left = choose(s->c, MOST_NEW); left > 0; left--) {
        const uint32_t v = choose_vertex(s, p);
        if (v != UINT32_MAX && is_unused(s, p, v)) p->gone[e->remove_vertex_count++] = v;
    }
    const uint32_t most_added = room_of(s, s->tri_count, MOST_TRIS, s->tris, NULL);
    for (uint32_t left = choose(s->c, most_added); left > 0; left--) {
        if (!choose_corners(s, p, p->added[e->add_triangle_count])) break;
        p->groups[e->add_triangle_count++] = (uint16_t)choose(s->c, 3);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->replace_triangle_count; i++) {
        p->other_groups[kept] = (uint16_t)choose(s->c, 3);
        p->replaced[kept] = p->replaced[i];
        kept += choose_corners(s, p, p->others[kept]);
    }
    e->replace_triangle_count = kept; /* vertices of those that stay after all are still named */
    for (uint32_t i = 0; i < e->remove_vertex_count;)
        if (is_unused(s, p, p->gone[i]))
            i++;
        else
            p->gone[i] = p->gone[--e->remove_vertex_count];
    for (uint32_t left = choose(s->c, MOST_NEW); left > 0; left--) {
        p->labels[left] = choose(s->c, 3);
        const uint32_t slot = choose_tri(s, p); /* neither removed nor replaced */
        if (slot == UINT32_MAX) continue;
        p->labelled[e->label_count] = slot;
        p->other_labels[e->label_count++] = choose(s->c, 3);
    }
    e->label_triangles = p->labelled;
    e->labels = p->other_labels;
    if (choose_one_in(s->c, 2)) e->add_labels = p->labels;
    e->add_vertices = p->born;
    e->remove_vertices = p->gone;
    e->add_indices = p->added[0];
    e->replace_triangles = p->replaced;
    e->replace_indices = p->others[0];
    e->remove_triangles = p->removed;
    if (choose_one_in(s->c, 2)) e->add_groups = p->groups;
    if (choose_one_in(s->c, 2)) e->replace_groups = p->other_groups;
    if (choose_one_in(s->c, 8)) e->reserve_vertices = s->vertex_count + choose(s->c, 32);
    if (choose_one_in(s->c, 8)) e->reserve_triangles = s->tri_count + choose(s->c, 32);
}

/* One thing that is wrong; false if there was nothing to spoil. */
static bool spoil(edit_script *s, plan *p)
{
    willow_edit *e = &p->edit;
    switch (choose(s->c, 8)) {
    case 0: return e->remove_triangle_count > 0 ? (p->removed[0] = s->tri_count, true) : false;
    case 1:
        if (e->remove_triangle_count < 2) return false;
        p->removed[1] = p->removed[0];
        return true;
    case 2: return e->add_triangle_count > 0 ? (p->added[0][2] = s->vertex_count, true) : false;
    case 3:
        if (e->add_triangle_count == 0) return false;
        p->added[0][1] = WILLOW_NEW_VERTEX + e->add_vertex_count;
        return true;
    case 4:
        if (e->add_vertex_count == 0 || p->born[0].parent_count == 0) return false;
        p->born[0].weights[0] += 1.0F;
        return true;
    case 5:
        if (e->add_vertex_count == 0 || p->born[0].parent_count > 0 || s->borrows) return false;
        p->born[0].position.y = NAN;
        return true;
    case 6:
        if (e->remove_vertex_count < 2) return false;
        p->gone[1] = p->gone[0];
        return true;
    default:
        if (e->remove_vertex_count == 0 || e->add_triangle_count == 0) return false;
        p->added[0][0] = p->gone[0];
        return true;
    }
}

static bool refuse(edit_script *s, const plan *p)
{
    const uint64_t before = willow_world_hash(s->world);
    for (uint32_t i = 0; i < COPIES; i++) {
        const willow_result result = willow_body_edit(s->world, s->bodies[i], &p->edit, NULL, NULL);
        if (result != WILLOW_BAD_ARGUMENT && result != WILLOW_BAD_MESH)
            return script_fail(NULL, "a bad edit was not refused");
        if (willow_world_message(s->world)[0] == '\0')
            return script_fail(NULL, "an edit was refused without a word");
    }
    s->tally->refused++;
    return willow_world_hash(s->world) == before ||
           script_fail(NULL, "an edit that was refused changed something");
}

/* A number that comes is new, or was removed at least two updates before. */
static bool enter(edit_script *s, uint32_t got, uint32_t *count, life *lives)
{
    if (got > *count || (got < *count && lives[got].is_there))
        return script_fail(NULL, "a new number is not the next one, or one in use");
    if (got < *count && s->update_count < lives[got].removed_at + 2)
        return script_fail(NULL, "a number was used again too soon");
    s->tally->reused += got < *count;
    if (got == *count) ++*count;
    lives[got] = (life){.is_there = true};
    return true;
}

static uint32_t named_by(const edit_script *s, const uint32_t *vertices, uint32_t v)
{
    return v >= WILLOW_NEW_VERTEX ? vertices[v - WILLOW_NEW_VERTEX] : s->stand_in[v];
}

/* The model follows. */
static bool follow(edit_script *s, const plan *p, const willow_tri *tris, const uint32_t *vertices)
{
    const willow_edit *e = &p->edit;
    for (uint32_t i = 0; i < e->add_vertex_count; i++) {
        if (!enter(s, vertices[i], &s->vertex_count, s->vertices)) return false;
        s->stand_in[vertices[i]] = vertices[i];
    }
    for (uint32_t i = 0; i < e->replace_triangle_count; i++) {
        const uint32_t slot = p->replaced[i];
        for (int k = 0; k < 3; k++) s->corners[slot][k] = named_by(s, vertices, p->others[i][k]);
        if (e->replace_groups) s->groups[slot] = e->replace_groups[i];
    }
    for (uint32_t i = 0; i < e->add_triangle_count; i++) {
        if (!enter(s, tris[i], &s->tri_count, s->tris)) return false;
        for (int k = 0; k < 3; k++) s->corners[tris[i]][k] = named_by(s, vertices, p->added[i][k]);
        s->groups[tris[i]] = e->add_groups ? e->add_groups[i] : 1;
        s->labels[tris[i]] = e->add_labels ? e->add_labels[i] : 0;
    }
    for (uint32_t i = 0; i < e->label_count; i++) s->labels[p->labelled[i]] = p->other_labels[i];
    for (uint32_t i = 0; i < e->remove_triangle_count; i++)
        s->tris[p->removed[i]] = (life){.removed_at = s->update_count};
    for (uint32_t i = 0; i < e->remove_vertex_count; i++)
        s->vertices[p->gone[i]] = (life){.removed_at = s->update_count};
    s->tally->removed += e->remove_triangle_count;
    return true;
}

/* Borrowed arrays are handed over anew: all old vertices where they are, and numbers for any that
 * may come. */
static void hand_over(edit_script *s, plan *p)
{
    vertex *from = s->borrowed[s->array], *to = s->borrowed[1 - s->array];
    for (uint32_t i = 0; i < MOST_VERTICES; i++)
        for (int k = 0; k < 3; k++)
            to[i][k] = i < s->vertex_count && s->vertices[i].is_there ? from[i][k] : number(s);
    p->edit.positions = to;
}

static bool edit(edit_script *s)
{
    plan p;
    willow_tri tris[2][MOST_NEW] = {{0}};
    uint32_t vertices[2][MOST_NEW] = {{0}};
    choose_edit(s, &p);
    if (s->borrows) hand_over(s, &p);
    if (choose_one_in(s->c, 6) && spoil(s, &p)) return refuse(s, &p);
    for (uint32_t i = 0; i < COPIES; i++) {
        if (!script_check(
                NULL, s->world,
                willow_body_edit(s->world, s->bodies[i], &p.edit, tris[i > 0], vertices[i > 0]),
                "edit"))
            return false;
        if (i > 0 && (memcmp(tris[0], tris[1], sizeof tris[0]) != 0 ||
                      memcmp(vertices[0], vertices[1], sizeof vertices[0]) != 0))
            return script_fail(NULL, "other numbers with another method");
    }
    if (s->borrows) s->array = 1 - s->array;
    s->tally->edits++;
    return follow(s, &p, tris[0], vertices[0]);
}

/* ---- what is compared ---- */

static bool compare_vertices(const edit_script *s)
{
    willow_vec3 first[MOST_VERTICES], at[MOST_VERTICES];
    for (uint32_t i = 0; i < COPIES; i++) {
        willow_body_info info;
        if (willow_body_copy_vertices(s->world, s->bodies[i], 0, s->vertex_count,
                                      i == 0 ? first : at) != WILLOW_OK ||
            willow_body_get_info(s->world, s->bodies[i], &info) != WILLOW_OK)
            return script_fail(NULL, "vertices cannot be read");
        if (info.vertex_count != s->vertex_count || info.triangle_count != s->tri_count)
            return script_fail(NULL, "counts are not those of the model");
        if (i > 0 && memcmp(first, at, s->vertex_count * sizeof *at) != 0)
            return script_fail(NULL, "a vertex is elsewhere with another method");
    }
    return true;
}

static bool validate(const edit_script *s)
{
    char reason[200] = "";
    return willow_world_validate(s->world, reason, sizeof reason) || script_fail(NULL, reason);
}

static willow_query_options options_of(const edit_script *s, const willow_body_id *bodies,
                                       size_t count)
{
    willow_query_options o = willow_query_options_default();
    o.bodies = bodies;
    o.body_count = count;
    o.use_threads = s->workers > 1;
    o.near_distance = 0.125;
    return o;
}

static uint64_t add(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 7);
}

/* How the sides of cracks are left out. */
typedef enum crack_view { CRACKS_SHOWN, CRACKS_SKIPPED, CRACKS_FILTERED } crack_view;

/* By the model. The wall has no labels. */
static bool is_no_crack(void *context, willow_tri_ref a, willow_tri_ref b)
{
    const edit_script *s = context;
    const bool is_within = a.body.index1 == b.body.index1;
    return !is_within || s->labels[a.tri] == 0 || s->labels[a.tri] != s->labels[b.tri];
}

/* All answers about a body and the wall. */
static uint64_t hash_answers(edit_script *s, uint32_t copy, crack_view cracks, bool *is_ok)
{
    const willow_body_id both[2] = {s->bodies[copy], s->wall};
    willow_query_options o = options_of(s, both, 2);
    o.skip_cracks = cracks == CRACKS_SKIPPED;
    if (cracks == CRACKS_FILTERED) o.filter = is_no_crack;
    o.filter_context = s;
    willow_pairs pairs;
    willow_impacts impacts;
    willow_near near;
    *is_ok = willow_find_pairs(s->world, s->scratch, &o, &pairs) == WILLOW_OK;
    uint64_t hash = pairs.count;
    for (size_t i = 0; i < pairs.count && *is_ok; i++)
        hash = add(hash, (uint64_t)pairs.items[i].tri_a << 32 | pairs.items[i].tri_b);
    s->tally->pairs += pairs.count;
    *is_ok = *is_ok && willow_find_near(s->world, s->scratch, &o, &near) == WILLOW_OK;
    for (size_t i = 0; i < near.count && *is_ok; i++)
        hash = add(add(hash, near.items[i].a.number[0]), near.items[i].b.number[0]);
    s->tally->near += near.count;
    *is_ok = *is_ok && willow_find_impacts(s->world, s->scratch, &o, &impacts) == WILLOW_OK;
    for (size_t i = 0; i < impacts.count && *is_ok; i++) {
        uint64_t bits;
        memcpy(&bits, &impacts.items[i].time, sizeof bits);
        hash = add(add(hash, bits), impacts.items[i].a.number[0]);
        hash = add(hash, impacts.items[i].b.number[0]);
    }
    s->tally->impacts += impacts.count;
    if (!*is_ok) (void)script_fail(NULL, willow_scratch_message(s->scratch));
    return hash;
}

static bool compare_answers(edit_script *s)
{
    bool is_ok = true;
    const crack_view cracks = choose_one_in(s->c, 2) ? CRACKS_SKIPPED : CRACKS_SHOWN;
    const uint64_t first = hash_answers(s, 0, cracks, &is_ok);
    for (uint32_t i = 1; i < COPIES && is_ok; i++)
        if (hash_answers(s, i, cracks, &is_ok) != first && is_ok)
            return script_fail(willow_method_name(s->methods[i]), "other answers than with BRUTE");
    if (is_ok && cracks == CRACKS_SKIPPED && hash_answers(s, 0, CRACKS_FILTERED, &is_ok) != first)
        return script_fail(NULL, "other cracks are left out than the model has");
    return is_ok;
}

/* ---- a world made afresh ---- */

static const float wall[3 * WALL_TRIS][3] = {
    {-2, -2, 0.0625F},    {2, -2, 0.125F}, {0, 2, 0},        {-2, 0.25F, -2},
    {2, 0, -2},           {0, 0.125F, 2},  {0.25F, -2, -2},  {0.25F, 2, -2},
    {0.5F, 0, 2},         {-1, -1, -1},    {1, -1, -0.75F},  {0, 1, -0.5F},
    {-0.5F, -0.5F, 0.5F}, {0.5F, 0, 0.5F}, {0, 0.5F, 0.25F}, {0.75F, 0.75F, -1},
    {-1, 0.75F, 1},       {0, -1, 0.5F}};

static willow_body_def wall_def(void)
{
    static uint32_t indices[3 * WALL_TRIS];
    willow_body_def def = willow_body_def_default();
    for (uint32_t i = 0; i < 3 * WALL_TRIS; i++) indices[i] = i;
    def.mesh = (willow_mesh_def){.positions = wall,
                                 .vertex_count = 3 * WALL_TRIS,
                                 .indices = indices,
                                 .triangle_count = WALL_TRIS};
    def.category_bits = 2;
    def.mask_bits = 1;
    return def;
}

/* The triangles that are left, where they are now; `slots` says which each was. */
static willow_body_def fresh_def(const edit_script *s, const willow_vec3 *at,
                                 uint32_t indices[MOST_TRIS][3], uint16_t *groups, uint32_t *slots)
{
    willow_body_def def = willow_body_def_default();
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < s->tri_count; slot++) {
        if (!has_tri(s, slot)) continue;
        memcpy(indices[count], s->corners[slot], sizeof indices[count]);
        groups[count] = s->groups[slot];
        slots[count++] = slot;
    }
    def.mesh = (willow_mesh_def){.positions = at,
                                 .vertex_count = s->vertex_count,
                                 .indices = indices,
                                 .triangle_count = count,
                                 .triangle_groups = groups,
                                 .group_masks = s->has_masks ? masks : NULL,
                                 .group_count = s->has_masks ? 3 : 0};
    def.mask_bits = 2;
    def.self = true;
    def.tree.leaf_triangles = 2;
    return def;
}

/* Pairs of the body with the wall and within it, in the order of C3, which slots keep. */
static bool compare_pairs(edit_script *s, const willow_pairs *here, const willow_pairs *there,
                          const uint32_t *slots, willow_body_id fresh)
{
    if (here->count != there->count || here->run_count != there->run_count)
        return script_fail(NULL, "other pairs than in a world made afresh");
    for (size_t run = 0; run < here->run_count; run++) {
        const bool is_self = here->runs[run].body_a.index1 == here->runs[run].body_b.index1;
        const bool is_there = there->runs[run].body_a.index1 == fresh.index1;
        for (size_t i = here->runs[run].first; i < here->runs[run].first + here->runs[run].count;
             i++) {
            const willow_tri_pair a = here->items[i], b = there->items[i];
            if (!is_there || a.tri_a != slots[b.tri_a] ||
                a.tri_b != (is_self ? slots[b.tri_b] : b.tri_b))
                return script_fail(NULL, "other pairs than in a world made afresh");
            s->tally->selves += is_self;
        }
    }
    return true;
}

static bool compare_with(edit_script *s, willow_world *world, willow_scratch *scratch,
                         const willow_body_def *def, const uint32_t *slots)
{
    const uint32_t copy = choose(s->c, COPIES);
    const willow_body_id both[2] = {s->bodies[copy], s->wall};
    const willow_query_options o = options_of(s, both, 2), all = willow_query_options_default();
    const willow_body_def other = wall_def();
    willow_body_id fresh, id;
    willow_pairs here, there;
    if (!script_check("afresh", world, willow_body_create(world, def, &fresh), "create") ||
        !script_check("afresh", world, willow_body_create(world, &other, &id), "create") ||
        !script_check("afresh", world, willow_world_update(world, 0, NULL), "update") ||
        !script_check(NULL, s->world, willow_find_pairs(s->world, s->scratch, &o, &here), "pairs"))
        return false;
    return script_check("afresh", world, willow_find_pairs(world, scratch, &all, &there),
                        "pairs") &&
           compare_pairs(s, &here, &there, slots, fresh);
}

static bool compare_afresh(edit_script *s)
{
    static uint32_t indices[MOST_TRIS][3], slots[MOST_TRIS];
    static uint16_t groups[MOST_TRIS];
    willow_vec3 at[MOST_VERTICES];
    const willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    if (willow_body_copy_vertices(s->world, s->bodies[0], 0, s->vertex_count, at) != WILLOW_OK)
        return script_fail(NULL, "vertices cannot be read");
    const willow_body_def body = fresh_def(s, at, indices, groups, slots);
    bool is_right = willow_world_create(&def, &world) == WILLOW_OK &&
                    willow_scratch_create(world, &scratch) == WILLOW_OK &&
                    compare_with(s, world, scratch, &body, slots);
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    s->tally->fresh++;
    return is_right;
}

static bool update(edit_script *s)
{
    s->time += choose_one_in(s->c, 3) ? 0.0 : 0.25;
    s->now.shear = number(s) / 4;
    s->now.curve = number(s) / 8;
    for (uint32_t i = 0; i < COPIES && s->is_deformed; i++)
        if (willow_body_touch_deformation(s->world, s->bodies[i]) != WILLOW_OK)
            return script_fail("touch_deformation", willow_world_message(s->world));
    if (!script_check(NULL, s->world, willow_world_update(s->world, s->time, NULL), "update"))
        return false;
    s->update_count++;
    s->tally->updates++;
    return validate(s) && compare_vertices(s) && compare_answers(s) &&
           (!choose_one_in(s->c, 2) || compare_afresh(s));
}

/* ---- scripts ---- */

static const struct {
    const char *name;
    uint32_t weight;
    bool (*call)(edit_script *s);
} calls[] = {
    {"edit", 8, edit},           {"update", 6, update},
    {"vertices", 1, set_all},    {"some vertices", 1, set_some},
    {"plan", 2, set_velocities}, {"keyframes", 1, set_flightplan},
    {"morph", 1, set_morph},     {"weights", 2, set_weights},
    {"deformation", 1, deform},  {"pose", 1, set_pose},
    {"target", 1, set_target},   {"tree", 1, set_tree},
    {"skin", 3, set_skin},       {"split", 1, edit_state_split},
};

static bool call_one(edit_script *s)
{
    uint32_t total = 0, i = 0;
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) total += calls[k].weight;
    for (uint32_t at = choose(s->c, total); at >= calls[i].weight; i++) at -= calls[i].weight;
    s->tally->calls++;
    if (calls[i].call(s) && compare_vertices(s)) return true;
    script_words_add(calls[i].name);
    return false;
}

static void begin_mesh(edit_script *s)
{
    for (uint32_t y = 0; y < GRID; y++)
        for (uint32_t x = 0; x < GRID; x++) {
            const uint32_t v = s->vertex_count++;
            s->vertices[v].is_there = true;
            s->stand_in[v] = v;
            s->borrowed[0][v][0] = (float)x / 2 - 0.75F;
            s->borrowed[0][v][1] = (float)y / 2 - 0.75F;
            s->borrowed[0][v][2] = number(s) / 4;
            if (x + 1 == GRID || y + 1 == GRID) continue;
            const uint32_t tris[2][3] = {{v, v + 1, v + GRID}, {v + 1, v + GRID + 1, v + GRID}};
            for (int i = 0; i < 2; i++, s->tri_count++) {
                memcpy(s->corners[s->tri_count], tris[i], sizeof tris[i]);
                s->tris[s->tri_count].is_there = true;
                s->groups[s->tri_count] = (uint16_t)(1 + choose(s->c, 2));
            }
        }
    memcpy(s->borrowed[0][GRID + 1], s->borrowed[0][GRID], sizeof(vertex)); /* welding merges it */
}

static void weld_model(edit_script *s)
{
    s->stand_in[GRID + 1] = GRID;
    for (uint32_t slot = 0; slot < s->tri_count; slot++)
        for (int k = 0; k < 3; k++) s->corners[slot][k] = s->stand_in[s->corners[slot][k]];
}

static bool make_bodies(edit_script *s)
{
    willow_body_def def = willow_body_def_default(), other = wall_def();
    const bool has_groups = choose_one_in(s->c, 2), welds = choose_one_in(s->c, 3);
    s->has_masks = has_groups && choose_one_in(s->c, 2);
    s->borrows = choose_one_in(s->c, 5);
    def.mesh = (willow_mesh_def){.positions = s->borrowed[0],
                                 .vertex_count = s->vertex_count,
                                 .indices = s->corners,
                                 .triangle_count = s->tri_count,
                                 .triangle_groups = has_groups ? s->groups : NULL,
                                 .group_masks = s->has_masks ? masks : NULL,
                                 .group_count = s->has_masks ? 3 : 0,
                                 .weld_exact = welds,
                                 .borrow = s->borrows};
    def.mask_bits = 2;
    def.self = true;
    def.keep_rest = choose_one_in(s->c, 2);
    def.thickness = 0.03125F;
    for (uint32_t i = 0; i < COPIES; i++) {
        s->methods[i] = def.tree.method =
            i == 0 ? WILLOW_METHOD_BRUTE : (willow_method)choose(s->c, WILLOW_METHOD_COUNT);
        choose_leaves(s->c, &def.tree);
        if (!script_check(NULL, s->world, willow_body_create(s->world, &def, &s->bodies[i]),
                          "create"))
            return false;
    }
    for (uint32_t i = 0; i < s->tri_count && !has_groups; i++) s->groups[i] = 1;
    if (welds) weld_model(s);
    return script_check(NULL, s->world, willow_body_create(s->world, &other, &s->wall), "create");
}

const char *edit_script_run(choices *c, uint32_t count, uint32_t workers, edit_tally *tally)
{
    edit_script *s = calloc(1, sizeof *s);
    willow_world_def def = willow_world_def_default();
    script_words_clear();
    s->c = c;
    s->tally = tally;
    s->workers = workers;
    s->is_coarse = choose_one_in(c, 3);
    s->now = s->end = bend_straight();
    s->end.shear = 0.125F;
    def.thread_count = workers;
    if (choose_one_in(c, 4)) def.kernel = WILLOW_KERNEL_SCALAR;
    begin_mesh(s);
    bool is_right = willow_world_create(&def, &s->world) == WILLOW_OK &&
                    willow_scratch_create(s->world, &s->scratch) == WILLOW_OK && make_bodies(s);
    for (; count > 0 && is_right && !choices_are_over(c); count--) is_right = call_one(s);
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
    tally->scripts++;
    free(s);
    return script_words(is_right);
}
