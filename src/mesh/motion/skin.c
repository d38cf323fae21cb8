/* skin.c - takes skins in, and refuses bad ones with a reason (C7); and the skin as a motion.
 *
 * Way in: wi_skin_make. Influences are looked at twice: once to check and to count them, and once
 * to store them. */
#include "mesh/motion/skin.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/larger.h"
#include "mesh/assemble.h"
#include "mesh/motion/birth.h"
#include "mesh/motion/trial.h"

/* ---- what the user gave ---- */

/* Joints and weights of one vertex, in the user's memory. */
typedef struct given {
    const uint32_t *joints;
    const float *weights;
    uint32_t count;
} given;

static given given_at(const willow_skin *def, uint32_t vertex)
{
    const size_t n = def->weights_per_vertex;
    if (def->first) {
        const uint32_t first = def->first[vertex];
        return (given){def->joints + first, def->weights + first, def->first[vertex + 1] - first};
    }
    const size_t joint_stride = def->joint_stride != 0 ? def->joint_stride : n * sizeof(uint32_t);
    const size_t weight_stride = def->weight_stride != 0 ? def->weight_stride : n * sizeof(float);
    const char *joints = (const char *)def->joints + vertex * joint_stride;
    const char *weights = (const char *)def->weights + vertex * weight_stride;
    return (given){(const uint32_t *)(const void *)joints, (const float *)(const void *)weights,
                   def->weights_per_vertex};
}

/* ---- what is refused ---- */

static bool is_matrix(const willow_affine *m)
{
    for (int i = 0; i < 12; i++)
        if (!(fabs(m->row[i / 4][i % 4]) <= (double)FLT_MAX)) return false;
    return true;
}

static willow_result check_matrices(const willow_affine *matrices, uint32_t count, const char *name,
                                    wi_message *message)
{
    for (uint32_t i = 0; i < count; i++)
        if (!is_matrix(&matrices[i]))
            return wi_fail(message, WILLOW_BAD_ARGUMENT,
                           "the %s of joint %u has a number that is not finite, or beyond floats",
                           name, i);
    return WILLOW_OK;
}

willow_result wi_skin_check_joints(const wi_skin *skin, const willow_affine *joints, uint32_t count,
                                   wi_message *message)
{
    if (count != skin->joint_count)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%u matrices; the skin has %u joints", count,
                       skin->joint_count);
    if (joints == NULL) return wi_fail(message, WILLOW_BAD_ARGUMENT, "the matrices are NULL");
    return check_matrices(joints, count, "matrix", message);
}

static willow_result check_stride(const char *name, size_t stride, uint32_t count,
                                  wi_message *message)
{
    if (stride == 0 || (stride % 4 == 0 && stride / 4 >= count)) return WILLOW_OK;
    return wi_fail(
        message, WILLOW_BAD_ARGUMENT,
        "a stride of %zu bytes for the %s of a vertex: it must be a multiple of 4 and at "
        "least %zu",
        stride, name, 4 * (size_t)count);
}

static willow_result check_def(const willow_skin *def, uint32_t vertex_count, wi_message *message)
{
    if (def->joint_count == 0) return wi_fail(message, WILLOW_BAD_ARGUMENT, "a skin of no joints");
    if (def->matrices == NULL)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the matrices of the joints are NULL");
    if (vertex_count > 0 && (def->joints == NULL || def->weights == NULL))
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the %s of the vertices are NULL",
                       def->joints ? "weights" : "joints");
    if (def->first == NULL && def->weights_per_vertex == 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "vertices of no weights");
    willow_result result =
        check_stride("joints", def->joint_stride, def->weights_per_vertex, message);
    if (result == WILLOW_OK)
        result = check_stride("weights", def->weight_stride, def->weights_per_vertex, message);
    if (result == WILLOW_OK && def->inverse_bind)
        result = check_matrices(def->inverse_bind, def->joint_count, "bind matrix", message);
    if (result == WILLOW_OK)
        result = check_matrices(def->matrices, def->joint_count, "matrix", message);
    for (uint32_t i = 0; i < vertex_count && def->first && result == WILLOW_OK; i++)
        if (def->first[i] > def->first[i + 1])
            result =
                wi_fail(message, WILLOW_BAD_ARGUMENT,
                        "the weights of vertex %u begin at %u, and those of the next one at %u", i,
                        def->first[i], def->first[i + 1]);
    return result;
}

/* One weight at least is above 0, and all name joints that are there. */
static willow_result check_vertex(const willow_skin *def, uint32_t vertex, wi_message *message)
{
    const given g = given_at(def, vertex);
    bool has_weight = false;
    for (uint32_t i = 0; i < g.count; i++) {
        if (!(g.weights[i] >= 0.0F && g.weights[i] <= FLT_MAX))
            return wi_fail(message, WILLOW_BAD_MESH,
                           "vertex %u has a weight of %g: weights are finite and not negative",
                           vertex, (double)g.weights[i]);
        if (g.joints[i] >= def->joint_count)
            return wi_fail(message, WILLOW_BAD_MESH, "vertex %u names joint %u; the skin has %u",
                           vertex, g.joints[i], def->joint_count);
        has_weight = has_weight || g.weights[i] > 0.0F;
    }
    if (has_weight) return WILLOW_OK;
    return wi_fail(message, WILLOW_BAD_MESH, "vertex %u follows no joint: its weights are all 0",
                   vertex);
}

static bool skin_keeps(const wi_morph_vertices *v, uint32_t vertex)
{
    return v->stand_in == NULL || v->stand_in[vertex] == vertex;
}

/* Checks all, and counts what is stored: influences of vertices that stand for themselves. */
static willow_result count_influences(const willow_skin *def, const wi_morph_vertices *v,
                                      wi_message *message, wi_skin *skin)
{
    uint64_t all = 0;
    for (uint32_t vertex = 0; vertex < v->count; vertex++) {
        if (v->stand_in && v->stand_in[vertex] == WI_NO_VERTEX) continue; /* it was removed */
        willow_result result = check_vertex(def, vertex, message);
        if (result != WILLOW_OK) return result;
        if (!skin_keeps(v, vertex)) continue;
        const given g = given_at(def, vertex);
        uint32_t count = 0;
        for (uint32_t i = 0; i < g.count; i++) count += g.weights[i] > 0.0F;
        all += count;
        if (count > skin->span_most) skin->span_most = count;
    }
    if (all > UINT32_MAX)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "more than %u weights", UINT32_MAX);
    skin->influence_count = (uint32_t)all;
    return WILLOW_OK;
}

/* ---- memory ---- */

void wi_skin_free(wi_memory *memory, wi_skin *skin)
{
    const size_t joints = skin->joint_count;
    wi_free_array(memory, skin->binds, joints, sizeof *skin->binds);
    wi_free_array(memory, skin->joints, joints, sizeof *skin->joints);
    wi_free_array(memory, skin->frames, joints, sizeof *skin->frames);
    wi_free_array(memory, skin->moves, joints, sizeof *skin->moves);
    wi_free_array(memory, skin->spans, skin->span_room, sizeof *skin->spans);
    wi_free_array(memory, skin->influences, skin->influence_room, sizeof *skin->influences);
    *skin = (wi_skin){0};
}

static bool skin_allocate(wi_memory *memory, wi_skin *skin)
{
    const size_t joints = skin->joint_count;
    skin->span_room = skin->vertex_count;
    skin->influence_room = skin->influence_count;
    skin->binds = wi_alloc_array(memory, joints, sizeof *skin->binds);
    skin->joints = wi_alloc_array(memory, joints, sizeof *skin->joints);
    skin->frames = wi_alloc_array(memory, joints, sizeof *skin->frames);
    skin->moves = wi_alloc_array(memory, joints, sizeof *skin->moves);
    if (!(skin->binds && skin->joints && skin->frames && skin->moves)) return false;
    if (skin->vertex_count == 0) return true;
    skin->spans = wi_alloc_array(memory, skin->vertex_count, sizeof *skin->spans);
    if (skin->influence_count == 0) return skin->spans != NULL;
    skin->influences = wi_alloc_array(memory, skin->influence_count, sizeof *skin->influences);
    return skin->spans && skin->influences;
}

/* ---- making it ---- */

static double sum_of(const given *g)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < g->count; i++) sum += (double)g->weights[i];
    return sum;
}

static void store_influences(const willow_skin *def, const wi_morph_vertices *v, wi_skin *skin)
{
    uint32_t next = 0;
    for (uint32_t place = 0; place < v->count; place++) skin->spans[place] = (wi_influence_span){0};
    for (uint32_t vertex = 0; vertex < v->count; vertex++) {
        if (!skin_keeps(v, vertex)) continue;
        const given g = given_at(def, vertex);
        const double sum = sum_of(&g);
        wi_influence_span *span = &skin->spans[v->place[vertex]];
        span->first = next;
        for (uint32_t i = 0; i < g.count; i++)
            if (g.weights[i] > 0.0F)
                skin->influences[next++] = (wi_influence){(double)g.weights[i] / sum, g.joints[i]};
        span->count = next - span->first;
    }
    WI_ASSERT(next == skin->influence_count);
}

/* A number of joint times bind. */
static double product_at(const willow_affine *joint, const willow_affine *bind, int row, int column)
{
    const double *j = joint->row[row];
    const double m =
        (j[0] * bind->row[0][column] + j[1] * bind->row[1][column]) + j[2] * bind->row[2][column];
    return column == 3 ? m + j[3] : m;
}

void wi_skin_place_joints(const wi_skin *skin, const willow_affine *joints, wi_columns *frames,
                          wi_columns *moves)
{
    for (uint32_t i = 0; i < skin->joint_count; i++)
        for (int column = 0; column < 4; column++) {
            for (int row = 0; row < 3; row++) {
                frames[i].column[column][row] = joints[i].row[row][column];
                moves[i].column[column][row] = product_at(&joints[i], &skin->binds[i], row, column);
            }
            frames[i].column[column][3] = moves[i].column[column][3] = 0.0;
        }
}

static void take_matrices(const willow_skin *def, wi_skin *skin)
{
    const willow_affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        skin->binds[i] = def->inverse_bind ? def->inverse_bind[i] : identity;
        skin->joints[i] = def->matrices[i];
    }
    wi_skin_place_joints(skin, skin->joints, skin->frames, skin->moves);
}

willow_result wi_skin_make(wi_memory *memory, const willow_skin *def,
                           const wi_morph_vertices *vertices, wi_message *message, wi_skin *skin)
{
    *skin = (wi_skin){.vertex_count = vertices->count, .joint_count = def->joint_count};
    willow_result result = check_def(def, vertices->count, message);
    if (result == WILLOW_OK) result = count_influences(def, vertices, message, skin);
    if (result != WILLOW_OK) return result;
    if (!skin_allocate(memory, skin)) {
        wi_skin_free(memory, skin);
        return wi_fail_memory(message, "a skin");
    }
    take_matrices(def, skin);
    store_influences(def, vertices, skin);
    return WILLOW_OK;
}

/* ---- as a motion ---- */

static const wi_motion_ops *source_ops(void) { return wi_motions[WI_MOTION_MORPH]; }

static void skin_read64(const wi_mesh *mesh, wi_spot spot, double out[3])
{
    wi_skin_read(wi_mesh_skin(mesh), spot, out);
}

/* However influences are stored. */
static uint64_t skin_hash(uint64_t hash, const wi_mesh *mesh)
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    hash = source_ops()->hash(hash, mesh);
    hash = wi_hash_u64(hash, (uint64_t)skin->joint_count << 1 | skin->has_morph);
    hash = wi_hash_bytes(hash, skin->binds, skin->joint_count * sizeof *skin->binds);
    hash = wi_hash_bytes(hash, skin->joints, skin->joint_count * sizeof *skin->joints);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        const wi_influence_span span = skin->spans[mesh->place[vertex]];
        for (uint32_t i = 0; i < span.count; i++) {
            const wi_influence *influence = &skin->influences[span.first + i];
            hash = wi_hash_bytes(wi_hash_u64(hash, influence->joint), &influence->weight,
                                 sizeof influence->weight);
        }
    }
    return hash;
}

static void skin_free(wi_memory *memory, wi_mesh *mesh)
{
    wi_skin *skin = wi_mesh_skin(mesh);
    if (skin->source) {
        wi_morph_free(memory, skin->source);
        wi_free(memory, skin->source, sizeof *skin->source);
    }
    wi_skin_free(memory, skin);
    wi_free(memory, skin, sizeof *skin);
}

static size_t skin_bytes(const wi_mesh *mesh)
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    return sizeof *skin + source_ops()->bytes(mesh) +
           skin->joint_count * (sizeof *skin->binds + sizeof *skin->joints + sizeof *skin->frames +
                                sizeof *skin->moves) +
           skin->span_room * sizeof *skin->spans + skin->influence_room * sizeof *skin->influences;
}

static void skin_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                         void *scratch)
{
    wi_influence_span *spans = wi_mesh_skin(mesh)->spans + first, *room = scratch;
    _Static_assert(sizeof *spans <= 3 * sizeof(float), "see wi_plan_permute");
    source_ops()->permute(mesh, first, count, moved, scratch);
    for (uint32_t i = 0; i < count; i++) room[moved[i] - first] = spans[i];
    if (count > 0) memcpy(spans, room, count * sizeof *spans);
}

/* ---- vertices come and go ---- */

/* The most that a new vertex may follow: all that its parents do. */
static uint32_t most_inherited(const wi_skin *skin)
{
    return wi_smaller_u32(WI_MAX_PARENTS * skin->span_most, skin->joint_count);
}

static bool grow_spans(wi_memory *memory, uint32_t count, wi_skin *skin)
{
    if (count <= skin->span_room) return true;
    wi_influence_span *spans = wi_alloc_array(memory, count, sizeof *spans);
    if (spans == NULL) return false;
    memset(spans, 0, count * sizeof *spans);
    if (skin->vertex_count > 0) memcpy(spans, skin->spans, skin->vertex_count * sizeof *spans);
    wi_free_array(memory, skin->spans, skin->span_room, sizeof *spans);
    skin->spans = spans;
    skin->span_room = count;
    return true;
}

/* Those of all vertices, which have room for them, in the order of places; what removed vertices
 * followed is left behind. False if there is no memory. */
static bool order_influences(wi_memory *memory, uint32_t room, wi_skin *skin)
{
    wi_influence *influences = wi_alloc_array(memory, room, sizeof *influences);
    if (influences == NULL) return false;
    uint32_t next = 0;
    for (uint32_t place = 0; place < skin->vertex_count; place++) {
        wi_influence_span *span = &skin->spans[place];
        if (span->count > 0)
            memcpy(influences + next, skin->influences + span->first,
                   span->count * sizeof *influences);
        span->first = next;
        next += span->count;
    }
    wi_free_array(memory, skin->influences, skin->influence_room, sizeof *influences);
    skin->influences = influences;
    WI_ASSERT(next <= room);
    skin->influence_count = next;
    skin->influence_room = room;
    return true;
}

/* Room for `more`. */
static bool grow_influences(wi_memory *memory, uint64_t more, wi_skin *skin)
{
    uint64_t kept = 0;
    if (skin->influence_count + more <= skin->influence_room) return true;
    for (uint32_t place = 0; place < skin->vertex_count; place++) kept += skin->spans[place].count;
    if (kept + more > UINT32_MAX) return false;
    return order_influences(memory, wi_grown_room((uint32_t)kept, (uint32_t)(kept + more)), skin);
}

static void skin_settle(wi_memory *memory, wi_mesh *mesh)
{
    wi_skin *skin = wi_mesh_skin(mesh);
    if (skin->influence_room > 0) (void)order_influences(memory, skin->influence_room, skin);
}

static bool skin_grow(wi_memory *memory, wi_mesh *mesh, uint32_t count, uint32_t added)
{
    wi_skin *skin = wi_mesh_skin(mesh);
    return source_ops()->grow(memory, mesh, count, added) && grow_spans(memory, count, skin) &&
           grow_influences(memory, (uint64_t)added * most_inherited(skin), skin);
}

/* Adds to the weight of a joint among those from `first` on. */
static void inherit(wi_skin *skin, uint32_t first, uint32_t joint, double weight)
{
    uint32_t i = first;
    while (i < skin->influence_count && skin->influences[i].joint != joint) i++;
    if (i == skin->influence_count) {
        WI_ASSERT(skin->influence_count < skin->influence_room);
        skin->influences[skin->influence_count++] = (wi_influence){0.0, joint};
    }
    skin->influences[i].weight += weight;
}

/* What is not above 0 is left out, and the rest sums up to one. */
static wi_influence_span tidy_inherited(wi_skin *skin, uint32_t first)
{
    double sum = 0.0;
    uint32_t kept = first;
    for (uint32_t i = first; i < skin->influence_count; i++)
        if (skin->influences[i].weight > 0.0) {
            skin->influences[kept] = skin->influences[i];
            sum += skin->influences[kept++].weight;
        }
    for (uint32_t i = first; i < kept; i++) skin->influences[i].weight /= sum;
    skin->influence_count = kept;
    return (wi_influence_span){first, kept - first};
}

/* The weight of each joint is the sum over the parents: where weights of parents are below 0 it may
 * be, too, but not that of all joints. */
static void skin_add(wi_mesh *mesh, const wi_birth *birth)
{
    wi_skin *skin = wi_mesh_skin(mesh);
    const uint32_t first = skin->influence_count;
    WI_ASSERT(birth->parent_count > 0 && mesh->vertex_count <= skin->span_room);
    source_ops()->add(mesh, birth);
    skin->vertex_count = mesh->vertex_count;
    for (uint32_t i = 0; i < birth->parent_count; i++) {
        const wi_influence_span span = skin->spans[mesh->place[birth->parents[i]]];
        for (uint32_t k = 0; k < span.count; k++) {
            const wi_influence influence = skin->influences[span.first + k];
            inherit(skin, first, influence.joint, birth->weights[i] * influence.weight);
        }
    }
    const wi_influence_span span = tidy_inherited(skin, first);
    skin->spans[mesh->place[birth->vertex]] = span;
    if (span.count > skin->span_most) skin->span_most = span.count;
}

static void skin_remove(wi_mesh *mesh, uint32_t vertex)
{
    if (wi_mesh_stands_for_itself(mesh, vertex))
        wi_mesh_skin(mesh)->spans[mesh->place[vertex]] = (wi_influence_span){0};
}

/* A base beyond floats in the frame of a joint is refused, as in check_frames. */
static const char *skin_refuse(const wi_mesh *mesh, const wi_birth *birth)
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    const float *of[WI_MAX_PARENTS] = {0};
    float base[3];
    if (birth->parent_count == 0) return "has no parents, so that it follows no joint of the skin";
    if (!skin->source->has_base) return NULL;
    for (uint32_t i = 0; i < birth->parent_count; i++)
        of[i] = wi_morph_shape_at(&skin->source->shapes[0], mesh->place[birth->parents[i]]);
    wi_birth_sum(birth, of, base);
    for (uint32_t i = 0; i < birth->parent_count; i++) {
        const wi_influence_span span = skin->spans[mesh->place[birth->parents[i]]];
        for (uint32_t k = 0; k < span.count; k++)
            for (int row = 0; row < 3; row++) {
                const willow_affine *bind = &skin->binds[skin->influences[span.first + k].joint];
                if (!(fabs(wi_skin_bind_row(bind, row, base)) <= (double)FLT_MAX))
                    return "is taken beyond floats by a bind matrix";
            }
    }
    return NULL;
}

/* ---- pieces of several ---- */

static wi_influence_span assembled_span(const wi_piece *piece, uint32_t i)
{
    if (!wi_piece_has(piece, i)) return (wi_influence_span){0};
    return wi_mesh_skin(piece->from)->spans[wi_piece_place(piece, i)];
}

/* False if there are more than can be counted. */
static bool count_assembled_influences(const wi_assembly *a, wi_skin *skin)
{
    uint64_t all = 0;
    for (uint32_t k = 0; k < a->piece_count; k++)
        for (uint32_t i = 0; i < a->pieces[k].vertex_count; i++) {
            const wi_influence_span span = assembled_span(&a->pieces[k], i);
            all += span.count;
            if (span.count > skin->span_most) skin->span_most = span.count;
        }
    skin->influence_count = (uint32_t)all;
    return all <= UINT32_MAX;
}

static void assemble_influences(const wi_piece *piece, uint32_t *next, wi_skin *skin)
{
    const wi_skin *from = wi_mesh_skin(piece->from);
    for (uint32_t i = 0; i < piece->vertex_count; i++) {
        const wi_influence_span span = assembled_span(piece, i);
        skin->spans[wi_piece_new(piece, i)] = (wi_influence_span){*next, span.count};
        if (span.count > 0)
            memcpy(skin->influences + *next, from->influences + span.first,
                   span.count * sizeof *skin->influences);
        *next += span.count;
    }
}

static void copy_joints(const wi_skin *from, wi_skin *skin)
{
    const size_t joints = skin->joint_count;
    memcpy(skin->binds, from->binds, joints * sizeof *skin->binds);
    memcpy(skin->joints, from->joints, joints * sizeof *skin->joints);
    wi_skin_place_joints(skin, skin->joints, skin->frames, skin->moves);
}

static bool assemble_all(wi_memory *memory, const wi_assembly *a, wi_skin *skin)
{
    uint32_t next = 0;
    if (!count_assembled_influences(a, skin) || !skin_allocate(memory, skin)) return false;
    skin->source = wi_morph_assemble(memory, a);
    if (skin->source == NULL) return false;
    copy_joints(wi_mesh_skin(a->pieces[0].from), skin);
    for (uint32_t k = 0; k < a->piece_count; k++) assemble_influences(&a->pieces[k], &next, skin);
    WI_ASSERT(next == skin->influence_count);
    return true;
}

static void *skin_assemble(wi_memory *memory, const wi_assembly *a)
{
    const wi_skin *like = wi_mesh_skin(a->pieces[0].from);
    wi_skin *skin = wi_alloc(memory, sizeof *skin);
    if (skin == NULL) return NULL;
    *skin = (wi_skin){.has_morph = like->has_morph,
                      .vertex_count = a->vertex_count,
                      .joint_count = like->joint_count,
                      .number = like->number};
    if (assemble_all(memory, a, skin)) return skin;
    wi_skin_free(memory, skin); /* no source was made */
    wi_free(memory, skin, sizeof *skin);
    return NULL;
}

static const char *skin_differ(const wi_mesh *a, const wi_mesh *b)
{
    const wi_skin *p = wi_mesh_skin(a), *q = wi_mesh_skin(b);
    const size_t joints = p->joint_count;
    if (p->has_morph != q->has_morph) return "has another kind of motion before the skin";
    if (p->joint_count != q->joint_count) return "has another number of joints";
    if (memcmp(p->binds, q->binds, joints * sizeof *p->binds) != 0)
        return "has other bind matrices";
    if (memcmp(p->joints, q->joints, joints * sizeof *p->joints) != 0) return "has other joints";
    return source_ops()->differ(a, b);
}

/* ---- soundness ---- */

static const char *validate_influences(const wi_mesh *mesh, const wi_skin *skin)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
        const wi_influence_span span = skin->spans[mesh->place[vertex]];
        double sum = 0.0;
        if (span.count == 0 || span.count > skin->span_most ||
            (uint64_t)span.first + span.count > skin->influence_count)
            return "M15: a vertex of a skin follows nothing, or more than there is";
        for (uint32_t i = 0; i < span.count; i++) {
            const wi_influence *influence = &skin->influences[span.first + i];
            if (influence->joint >= skin->joint_count)
                return "M15: a vertex of a skin follows a joint that is not there";
            if (!(influence->weight > 0.0)) return "M16: a weight of a skin is not above 0";
            sum += influence->weight;
        }
        if (!(fabs(sum - 1.0) <= 0x1p-52 * (double)span.count))
            return "M16: the weights of a vertex do not sum up to one";
    }
    return NULL;
}

/* Of joints as they are now, which at the end of a step are others. */
static const char *skin_validate(const wi_mesh *mesh)
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    if (skin->source == NULL || skin->vertex_count != mesh->vertex_count ||
        (!skin->has_morph && skin->source->target_count > 0))
        return "M15: a skin has no source, or another";
    const char *broken = source_ops()->validate(mesh);
    return broken ? broken : validate_influences(mesh, skin);
}

static uint64_t skin_shape_number(const wi_mesh *mesh) { return wi_mesh_skin(mesh)->number; }

/* An end state; behind it the columns of joints, frames and then moves, and the terms of the
 * source. */
typedef struct skin_end {
    alignas(wi_columns) wi_skin skin;
    wi_morph source;
} skin_end;

_Static_assert(alignof(skin_end) <= WI_ALIGNMENT && sizeof(wi_columns) % alignof(wi_term) == 0,
               "parts of an end state follow each other");

static size_t skin_end_bytes(const wi_mesh *mesh)
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    return sizeof(skin_end) + 2 * (size_t)skin->joint_count * sizeof(wi_columns) +
           skin->source->shape_count * sizeof(wi_term);
}

/* The same shapes and influences, with the weights or the joints of the trial. */
static void skin_trial_end(const wi_trial *trial, void *block, wi_mesh *end)
{
    skin_end *state = block;
    wi_skin *skin = &state->skin;
    *skin = *wi_mesh_skin(end);
    wi_columns *columns = (wi_columns *)(state + 1);
    if (wi_trial_moves_weights(trial)) {
        wi_morph *source = &state->source;
        *source = *skin->source;
        source->terms = (wi_term *)(columns + 2 * (size_t)skin->joint_count);
        source->weights = trial->weights;
        source->term_count = wi_morph_terms(source, trial->weights, source->terms);
        skin->source = source;
    }
    if (wi_trial_moves_joints(trial)) {
        skin->joints = trial->joints;
        skin->frames = columns;
        skin->moves = columns + skin->joint_count;
        wi_skin_place_joints(skin, trial->joints, skin->frames, skin->moves);
    }
    end->state.skin = skin;
}

extern const wi_motion_ops wi_motion_skin;

const wi_motion_ops wi_motion_skin = {.is_computed = true,
                                      .is_finer = true,
                                      .has_shapes = true,
                                      .read64 = skin_read64,
                                      .hash = skin_hash,
                                      .free = skin_free,
                                      .bytes = skin_bytes,
                                      .permute = skin_permute,
                                      .settle = skin_settle,
                                      .refuse = skin_refuse,
                                      .grow = skin_grow,
                                      .add = skin_add,
                                      .differ = skin_differ,
                                      .assemble = skin_assemble,
                                      .remove = skin_remove,
                                      .validate = skin_validate,
                                      .shape_number = skin_shape_number,
                                      .end_bytes = skin_end_bytes,
                                      .trial_end = skin_trial_end};
