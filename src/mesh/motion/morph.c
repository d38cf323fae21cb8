/* morph.c - takes the targets of morphs in, and refuses bad ones with a reason (C7).
 *
 * Way in: wi_morph_make. Offsets are looked at twice: once to check them and to count those that
 * are not zero, which says how they are stored, and once to store them. */
#include "mesh/motion/morph.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/larger.h"
#include "mesh/assemble.h"
#include "mesh/motion/birth.h"
#include "mesh/motion/trial.h"

/* A value of a list costs as much as of all, and there is a bit for every vertex. */
enum { SPARSE_PART = 2 };

/* One array of the user's: values of all vertices, or of those that are listed. */
typedef struct source {
    const char *values;
    size_t stride;
    const uint32_t *vertices; /* NULL: all */
    uint32_t count;
    uint32_t target; /* its number, for messages; NO_TARGET: the base */
} source;

#define NO_TARGET UINT32_MAX

static const float *value_at(const source *s, uint32_t i)
{
    return (const float *)(const void *)(s->values + i * s->stride);
}

static uint32_t vertex_at(const source *s, uint32_t i) { return s->vertices ? s->vertices[i] : i; }

static bool stands_for_itself(const wi_morph_vertices *v, uint32_t vertex)
{
    return v->stand_in == NULL || v->stand_in[vertex] == vertex;
}

/* What the user has for it is not looked at. */
static bool is_removed(const wi_morph_vertices *v, uint32_t vertex)
{
    return v->stand_in && v->stand_in[vertex] == WI_NO_VERTEX;
}

static bool is_zero(const float *p) { return p[0] == 0.0F && p[1] == 0.0F && p[2] == 0.0F; }

/* ---- memory ---- */

static size_t value_floats(uint32_t count) { return 3 * (size_t)count + WI_MORPH_SHAPE_SPARE; }

static void free_shape(wi_memory *memory, wi_morph_shape *shape)
{
    wi_free_array(memory, shape->values, value_floats(shape->room), sizeof *shape->values);
    wi_ranks_free(memory, &shape->has);
}

void wi_morph_free(wi_memory *memory, wi_morph *morph)
{
    for (uint32_t i = 0; i < morph->shape_count && morph->shapes; i++)
        free_shape(memory, &morph->shapes[i]);
    wi_free_array(memory, morph->shapes, morph->shape_count, sizeof *morph->shapes);
    wi_free_array(memory, morph->terms, morph->shape_count, sizeof *morph->terms);
    wi_free_array(memory, morph->weights, morph->target_count, sizeof *morph->weights);
    *morph = (wi_morph){0};
}

size_t wi_morph_bytes(const wi_morph *morph)
{
    size_t bytes = morph->shape_count * (sizeof *morph->shapes + sizeof *morph->terms) +
                   morph->target_count * sizeof *morph->weights;
    for (uint32_t i = 0; i < morph->shape_count; i++)
        bytes += value_floats(morph->shapes[i].room) * sizeof(float) +
                 wi_ranks_bytes(&morph->shapes[i].has);
    return bytes;
}

static bool allocate(wi_memory *memory, wi_morph *morph)
{
    const size_t shapes = morph->shape_count, targets = morph->target_count;
    if (shapes == 0) return true;
    morph->shapes = wi_alloc_array(memory, shapes, sizeof *morph->shapes);
    if (morph->shapes) memset(morph->shapes, 0, shapes * sizeof *morph->shapes);
    morph->terms = wi_alloc_array(memory, shapes, sizeof *morph->terms);
    if (targets > 0) morph->weights = wi_alloc_array(memory, targets, sizeof *morph->weights);
    return morph->shapes && morph->terms && (targets == 0 || morph->weights);
}

/* ---- what is refused ---- */

static willow_result check_layout(const source *s, wi_message *message)
{
    const size_t unit = sizeof(float);
    char name[32] = "the base";
    if (s->target != NO_TARGET) (void)snprintf(name, sizeof name, "target %u", s->target);
    if (s->count > 0 && (s->values == NULL || (uintptr_t)s->values % unit != 0))
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the values of %s are %s", name,
                       s->values ? "not aligned to 4 bytes" : "NULL");
    if (s->stride < 3 * unit || s->stride % unit != 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a stride of %zu bytes in %s: it must be a multiple of 4 and at least 12",
                       s->stride, name);
    return WILLOW_OK;
}

static willow_result check_def(const willow_morph *def, wi_message *message)
{
    if (def->kind != WILLOW_MORPH_OFFSETS && def->kind != WILLOW_MORPH_ABSOLUTE)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no kind of morph", (int)def->kind);
    if (def->targets == NULL && def->target_count > 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%u targets, which are NULL",
                       def->target_count);
    if (def->kind == WILLOW_MORPH_ABSOLUTE && def->target_count == 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "an absolute morph of no targets");
    if (def->target_count > UINT32_MAX - 1)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "a morph of %u targets", def->target_count);
    if (def->kind == WILLOW_MORPH_ABSOLUTE && def->base)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "an absolute morph has no base");
    for (uint32_t i = 0; i < def->target_count && def->kind == WILLOW_MORPH_ABSOLUTE; i++)
        if (def->targets[i].vertices)
            return wi_fail(message, WILLOW_BAD_ARGUMENT,
                           "target %u of an absolute morph is not of all vertices", i);
    return WILLOW_OK;
}

static willow_result check_value(const source *s, uint32_t i, wi_message *message)
{
    const float *p = value_at(s, i);
    for (int axis = 0; axis < 3; axis++) {
        if (fabsf(p[axis]) <= FLT_MAX) continue;
        if (s->target == NO_TARGET)
            return wi_fail(message, WILLOW_BAD_MESH,
                           "vertex %u of the base is at (%g, %g, %g): not finite", i, (double)p[0],
                           (double)p[1], (double)p[2]);
        return wi_fail(message, WILLOW_BAD_MESH,
                       "vertex %u of target %u has (%g, %g, %g): not finite", vertex_at(s, i),
                       s->target, (double)p[0], (double)p[1], (double)p[2]);
    }
    return WILLOW_OK;
}

/* ---- shapes ---- */

static void measure(wi_morph_shape *shape, const float *p)
{
    for (int axis = 0; axis < 3; axis++)
        if (fabs((double)p[axis]) > shape->size) shape->size = fabs((double)p[axis]);
}

static void store(const source *s, const wi_morph_vertices *v, wi_morph_shape *shape)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t vertex = vertex_at(s, i);
        if (!stands_for_itself(v, vertex)) continue;
        const float *p = value_at(s, i);
        const uint32_t place = v->place[vertex];
        measure(shape, p);
        if (shape->has.bits && !wi_ranks_has(&shape->has, place)) continue; /* zero */
        const size_t at = shape->has.bits ? wi_ranks_of(&shape->has, place) : place;
        memcpy(shape->values + 3 * at, p, 3 * sizeof *p);
    }
}

/* Room for `count` values, all 0. */
static willow_result allocate_values(wi_memory *memory, uint32_t count, wi_message *message,
                                     wi_morph_shape *shape)
{
    shape->values = wi_alloc_array(memory, value_floats(count), sizeof *shape->values);
    if (shape->values == NULL) return wi_fail_memory(message, "the targets of a morph");
    shape->count = shape->room = count;
    memset(shape->values, 0, value_floats(count) * sizeof *shape->values);
    return WILLOW_OK;
}

static willow_result take_all(wi_memory *memory, const source *s, const wi_morph_vertices *v,
                              wi_message *message, wi_morph_shape *shape)
{
    willow_result result = check_layout(s, message);
    for (uint32_t i = 0; i < s->count && result == WILLOW_OK; i++)
        if (!is_removed(v, vertex_at(s, i))) result = check_value(s, i, message);
    if (result == WILLOW_OK) result = allocate_values(memory, v->count, message, shape);
    if (result == WILLOW_OK) store(s, v, shape);
    return result;
}

/* Checks the values, and notes which vertices are named; then which places have values. */
static willow_result note_offsets(const source *s, const wi_morph_vertices *v, wi_message *message,
                                  wi_ranks *named, wi_ranks *has)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t vertex = vertex_at(s, i);
        if (vertex >= v->count)
            return wi_fail(message, WILLOW_BAD_MESH, "target %u names vertex %u; the mesh has %u",
                           s->target, vertex, v->count);
        if (wi_ranks_has(named, vertex))
            return wi_fail(message, WILLOW_BAD_MESH, "target %u names vertex %u twice", s->target,
                           vertex);
        wi_ranks_add(named, vertex);
        if (is_removed(v, vertex)) continue;
        willow_result result = check_value(s, i, message);
        if (result != WILLOW_OK) return result;
        if (stands_for_itself(v, vertex) && !is_zero(value_at(s, i)))
            wi_ranks_add(has, v->place[vertex]);
    }
    return WILLOW_OK;
}

static willow_result take_offsets(wi_memory *memory, const source *s, const wi_morph_vertices *v,
                                  wi_message *message, wi_morph_shape *shape)
{
    wi_ranks named = {0};
    willow_result result = check_layout(s, message);
    if (result != WILLOW_OK) return result;
    if (!wi_ranks_make(memory, v->count, &shape->has) || !wi_ranks_make(memory, v->count, &named))
        return wi_fail_memory(message, "the targets of a morph");
    result = note_offsets(s, v, message, &named, &shape->has);
    wi_ranks_free(memory, &named);
    if (result != WILLOW_OK) return result;
    uint32_t count = wi_ranks_count(&shape->has);
    if (count > v->count / SPARSE_PART) {
        wi_ranks_free(memory, &shape->has);
        count = v->count;
    }
    result = allocate_values(memory, count, message, shape);
    if (result == WILLOW_OK) store(s, v, shape);
    return result;
}

/* As it is stored now. */
static willow_result take_base(wi_memory *memory, const willow_morph *def,
                               const wi_morph_vertices *v, wi_message *message,
                               wi_morph_shape *shape)
{
    if (def->base) {
        const size_t stride = def->base_stride != 0 ? def->base_stride : 3 * sizeof(float);
        const source s = {def->base, stride, NULL, v->count, NO_TARGET};
        return take_all(memory, &s, v, message, shape);
    }
    willow_result result = allocate_values(memory, v->count, message, shape);
    for (uint32_t vertex = 0; vertex < v->count && result == WILLOW_OK; vertex++) {
        if (!stands_for_itself(v, vertex)) continue; /* nothing is stored where it could be */
        const uint32_t place = v->place[vertex];
        const void *p = (const char *)v->positions + place * v->stride;
        memcpy(shape->values + 3 * (size_t)place, p, 3 * sizeof(float));
        measure(shape, shape->values + 3 * (size_t)place);
    }
    return result;
}

static willow_result take_target(wi_memory *memory, const willow_morph *def, uint32_t number,
                                 const wi_morph_vertices *v, wi_message *message,
                                 wi_morph_shape *shape)
{
    const willow_morph_target *t = &def->targets[number];
    const source s = {t->values, t->stride != 0 ? t->stride : 3 * sizeof(float), t->vertices,
                      t->vertices ? t->vertex_count : v->count, number};
    return def->kind == WILLOW_MORPH_OFFSETS ? take_offsets(memory, &s, v, message, shape)
                                             : take_all(memory, &s, v, message, shape);
}

static willow_result take_shapes(wi_memory *memory, const willow_morph *def,
                                 const wi_morph_vertices *v, wi_message *message, wi_morph *morph)
{
    willow_result result = WILLOW_OK;
    if (morph->has_base) result = take_base(memory, def, v, message, &morph->shapes[0]);
    for (uint32_t i = 0; i < def->target_count && result == WILLOW_OK; i++) {
        wi_morph_shape *shape = &morph->shapes[i + morph->has_base];
        result = take_target(memory, def, i, v, message, shape);
        morph->has_sparse = morph->has_sparse || shape->has.bits;
    }
    return result;
}

/* Of a morph whose weights the user did not give: a shape that is there. */
static void rest_weights(wi_morph *morph)
{
    for (uint32_t i = 0; i < morph->target_count; i++)
        morph->weights[i] = i == 0 && !morph->has_base ? 1.0F : 0.0F;
    morph->term_count = wi_morph_terms(morph, morph->weights, morph->terms);
}

willow_result wi_morph_make(wi_memory *memory, const willow_morph *def,
                            const wi_morph_vertices *vertices, wi_message *message, wi_morph *morph)
{
    *morph = (wi_morph){.vertex_count = vertices->count};
    willow_result result = check_def(def, message);
    if (result != WILLOW_OK) return result;
    morph->has_base = def->kind == WILLOW_MORPH_OFFSETS;
    morph->target_count = def->target_count;
    morph->shape_count = def->target_count + morph->has_base;
    if (!allocate(memory, morph)) result = wi_fail_memory(message, "a morph");
    if (result == WILLOW_OK) result = take_shapes(memory, def, vertices, message, morph);
    if (result == WILLOW_OK) rest_weights(morph);
    if (result == WILLOW_OK && def->weights)
        result = wi_morph_set_weights(morph, def->weights, morph->target_count, message);
    if (result != WILLOW_OK) wi_morph_free(memory, morph);
    return result;
}

/* ---- weights ---- */

uint32_t wi_morph_terms(const wi_morph *morph, const float *weights, wi_term *terms)
{
    uint32_t count = 0;
    if (morph->has_base) terms[count++] = (wi_term){1.0, 0};
    for (uint32_t i = 0; i < morph->target_count; i++)
        if (weights[i] != 0.0F) terms[count++] = (wi_term){(double)weights[i], i + morph->has_base};
    return count;
}

willow_result wi_morph_check_weights(const wi_morph *morph, const float *weights, uint32_t count,
                                     wi_message *message)
{
    if (count != morph->target_count)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%u weights; the morph has %u targets", count,
                       morph->target_count);
    if (weights == NULL && count > 0)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "the weights are NULL");
    for (uint32_t i = 0; i < count; i++)
        if (!(fabsf(weights[i]) <= FLT_MAX))
            return wi_fail(message, WILLOW_BAD_ARGUMENT, "the weight of target %u is %g", i,
                           (double)weights[i]);
    return WILLOW_OK;
}

willow_result wi_morph_set_weights(wi_morph *morph, const float *weights, uint32_t count,
                                   wi_message *message)
{
    willow_result result = wi_morph_check_weights(morph, weights, count, message);
    if (result != WILLOW_OK) return result;
    if (count > 0) memcpy(morph->weights, weights, count * sizeof *weights);
    morph->term_count = wi_morph_terms(morph, morph->weights, morph->terms);
    return WILLOW_OK;
}

/* ---- another order ---- */

static void permute_all(wi_morph_shape *shape, uint32_t first, uint32_t count,
                        const uint32_t *moved, float (*scratch)[3])
{
    float *at = shape->values + 3 * (size_t)first;
    for (uint32_t i = 0; i < count; i++)
        memcpy(scratch[moved[i] - first], at + 3 * (size_t)i, sizeof *scratch);
    memcpy(at, scratch, count * sizeof *scratch);
}

/* All values are finite, so what is not a number says that there is none. */
static void permute_some(wi_morph_shape *shape, uint32_t first, uint32_t count,
                         const uint32_t *moved, float (*scratch)[3])
{
    uint32_t next = wi_ranks_of(&shape->has, first), from = next;
    for (uint32_t i = 0; i < count; i++) scratch[i][0] = NAN;
    for (uint32_t i = 0; i < count; i++) {
        if (!wi_ranks_has(&shape->has, first + i)) continue;
        memcpy(scratch[moved[i] - first], shape->values + 3 * (size_t)from++, sizeof *scratch);
        wi_ranks_remove(&shape->has, first + i);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (isnan(scratch[i][0])) continue;
        memcpy(shape->values + 3 * (size_t)next++, scratch[i], sizeof *scratch);
        wi_ranks_add(&shape->has, first + i);
    }
    (void)wi_ranks_count(&shape->has);
}

void wi_morph_permute(wi_morph *morph, uint32_t first, uint32_t count, const uint32_t *moved,
                      void *scratch)
{
    for (uint32_t i = 0; i < morph->shape_count && count > 0; i++)
        if (morph->shapes[i].has.bits)
            permute_some(&morph->shapes[i], first, count, moved, scratch);
        else
            permute_all(&morph->shapes[i], first, count, moved, scratch);
}

/* ---- vertices come ---- */

/* Room for `count` values. */
static bool grow_values(wi_memory *memory, uint32_t count, wi_morph_shape *shape)
{
    if (count <= shape->room) return true;
    const uint32_t room = wi_grown_room(shape->room, count);
    float *values = wi_alloc_array(memory, value_floats(room), sizeof *values);
    if (values == NULL) return false;
    memset(values, 0, value_floats(room) * sizeof *values);
    if (shape->values) memcpy(values, shape->values, 3 * (size_t)shape->count * sizeof *values);
    wi_free_array(memory, shape->values, value_floats(shape->room), sizeof *values);
    shape->values = values;
    shape->room = room;
    return true;
}

static bool grow_places(wi_memory *memory, uint32_t limit, wi_ranks *has)
{
    wi_ranks larger;
    if (limit <= has->limit) return true;
    if (!wi_ranks_make(memory, limit, &larger)) return false;
    memcpy(larger.bits, has->bits, wi_ranks_words(has->limit) * sizeof *has->bits);
    (void)wi_ranks_count(&larger);
    wi_ranks_free(memory, has);
    *has = larger;
    return true;
}

static bool morph_grow(wi_memory *memory, wi_mesh *mesh, uint32_t count, uint32_t added)
{
    wi_morph *morph = wi_mesh_morph(mesh);
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        wi_morph_shape *shape = &morph->shapes[i];
        const bool is_sparse = shape->has.bits != NULL;
        if (is_sparse && !grow_places(memory, wi_grown_room(shape->has.limit, count), &shape->has))
            return false;
        if (!grow_values(memory, is_sparse ? shape->count + added : count, shape)) return false;
    }
    return true;
}

/* A value where a sparse shape had none. New vertices have the last places, mostly, so few values
 * are behind it. */
static float *insert_value(wi_morph_shape *shape, uint32_t place)
{
    const uint32_t rank = wi_ranks_of(&shape->has, place);
    float *at = shape->values + 3 * (size_t)rank;
    WI_ASSERT(shape->count < shape->room && rank <= shape->count);
    memmove(at + 3, at, 3 * (size_t)(shape->count - rank) * sizeof *at);
    wi_ranks_add(&shape->has, place);
    for (uint32_t word = place / 64 + 1; word <= wi_ranks_words(shape->has.limit); word++)
        shape->has.before[word]++;
    shape->count++;
    return at;
}

/* Offsets of a vertex with a position of its own are 0. */
static void value_of_birth(const wi_mesh *mesh, const wi_birth *birth, const wi_morph *morph,
                           uint32_t number, float out[3])
{
    const bool is_offset = morph->has_base && number > 0;
    const float *of[WI_MAX_PARENTS] = {0};
    for (uint32_t i = 0; i < birth->parent_count; i++)
        of[i] = wi_morph_shape_at(&morph->shapes[number], mesh->place[birth->parents[i]]);
    if (is_offset)
        wi_birth_sum(birth, of, out);
    else
        wi_birth_value(birth, of, out);
}

static void morph_add(wi_mesh *mesh, const wi_birth *birth)
{
    wi_morph *morph = wi_mesh_morph(mesh);
    const uint32_t place = mesh->place[birth->vertex];
    morph->vertex_count = mesh->vertex_count;
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        wi_morph_shape *shape = &morph->shapes[i];
        const bool is_sparse = shape->has.bits != NULL;
        float value[3], *at;
        if (!is_sparse) shape->count = mesh->vertex_count;
        value_of_birth(mesh, birth, morph, i, value);
        if (!is_sparse)
            at = shape->values + 3 * (size_t)place;
        else if (wi_ranks_has(&shape->has, place)) /* of a vertex that was removed */
            at = shape->values + 3 * (size_t)wi_ranks_of(&shape->has, place);
        else if (is_zero(value))
            continue;
        else
            at = insert_value(shape, place);
        memcpy(at, value, sizeof value);
        measure(shape, value);
    }
}

/* ---- pieces of several ---- */

/* The value of a shape for the i-th vertex of a piece; NULL where it has none, or 0. */
static const float *assembled_value(const wi_piece *piece, uint32_t shape, uint32_t i)
{
    const wi_morph *from = wi_mesh_morph(piece->from);
    if (!wi_piece_has(piece, i)) return NULL;
    const float *value = wi_morph_shape_at(&from->shapes[shape], wi_piece_place(piece, i));
    return value && !is_zero(value) ? value : NULL;
}

static uint32_t count_assembled(const wi_assembly *a, uint32_t shape)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < a->piece_count; k++)
        for (uint32_t i = 0; i < a->pieces[k].vertex_count; i++)
            count += assembled_value(&a->pieces[k], shape, i) != NULL;
    return count;
}

static void note_assembled(const wi_assembly *a, uint32_t shape, wi_ranks *has)
{
    for (uint32_t k = 0; k < a->piece_count; k++)
        for (uint32_t i = 0; i < a->pieces[k].vertex_count; i++)
            if (assembled_value(&a->pieces[k], shape, i))
                wi_ranks_add(has, wi_piece_new(&a->pieces[k], i));
    (void)wi_ranks_count(has);
}

/* What is stored for few or for all is chosen as it is for targets that come in. */
static bool assemble_shape(wi_memory *memory, const wi_assembly *a, uint32_t number,
                           bool may_be_sparse, wi_morph_shape *shape)
{
    wi_message silent = {0};
    const uint32_t count = may_be_sparse ? count_assembled(a, number) : a->vertex_count;
    const bool is_sparse = may_be_sparse && count <= a->vertex_count / SPARSE_PART;
    if (is_sparse) {
        if (!wi_ranks_make(memory, a->vertex_count, &shape->has)) return false;
        note_assembled(a, number, &shape->has);
    }
    if (allocate_values(memory, is_sparse ? count : a->vertex_count, &silent, shape) != WILLOW_OK)
        return false;
    for (uint32_t k = 0; k < a->piece_count; k++)
        for (uint32_t i = 0; i < a->pieces[k].vertex_count; i++) {
            const float *value = assembled_value(&a->pieces[k], number, i);
            const uint32_t place = wi_piece_new(&a->pieces[k], i);
            if (value == NULL) continue;
            const size_t at = is_sparse ? wi_ranks_of(&shape->has, place) : place;
            memcpy(shape->values + 3 * at, value, 3 * sizeof *value);
            measure(shape, value);
        }
    return true;
}

static bool assemble_shapes(wi_memory *memory, const wi_assembly *a, wi_morph *morph)
{
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        const bool is_offset = morph->has_base && i > 0;
        if (!assemble_shape(memory, a, i, is_offset, &morph->shapes[i])) return false;
        morph->has_sparse = morph->has_sparse || morph->shapes[i].has.bits;
    }
    return true;
}

wi_morph *wi_morph_assemble(wi_memory *memory, const wi_assembly *a)
{
    const wi_morph *like = wi_mesh_morph(a->pieces[0].from);
    wi_morph *morph = wi_alloc(memory, sizeof *morph);
    if (morph == NULL) return NULL;
    *morph = (wi_morph){.vertex_count = a->vertex_count,
                        .target_count = like->target_count,
                        .shape_count = like->shape_count,
                        .has_base = like->has_base,
                        .number = like->number};
    if (!allocate(memory, morph) || !assemble_shapes(memory, a, morph)) {
        wi_morph_free(memory, morph);
        wi_free(memory, morph, sizeof *morph);
        return NULL;
    }
    if (like->target_count > 0)
        memcpy(morph->weights, like->weights, like->target_count * sizeof *morph->weights);
    morph->term_count = wi_morph_terms(morph, morph->weights, morph->terms);
    return morph;
}

static void *morph_assemble(wi_memory *memory, const wi_assembly *a)
{
    return wi_morph_assemble(memory, a);
}

static const char *morph_differ(const wi_mesh *a, const wi_mesh *b)
{
    const wi_morph *p = wi_mesh_morph(a), *q = wi_mesh_morph(b);
    if (p->has_base != q->has_base) return "has another kind of morph";
    if (p->target_count != q->target_count) return "has another number of targets";
    const bool is_same = p->target_count == 0 ||
                         memcmp(p->weights, q->weights, p->target_count * sizeof *p->weights) == 0;
    return is_same ? NULL : "has other weights";
}

/* ---- soundness ---- */

static const char *validate_shape(const wi_morph *morph, const wi_morph_shape *shape)
{
    uint32_t count = 0;
    for (uint32_t place = 0; place < morph->vertex_count; place++) {
        if (shape->has.bits && wi_ranks_has(&shape->has, place) &&
            wi_ranks_of(&shape->has, place) != count)
            return "M10: the values of a shape are not in the order of places";
        const float *value = wi_morph_shape_at(shape, place);
        if (value == NULL) continue;
        count++;
        for (int axis = 0; axis < 3; axis++)
            if (!(fabs((double)value[axis]) <= shape->size))
                return "M11: a shape is larger than it says";
    }
    return count == shape->count ? NULL : "M10: a shape has other values than it says";
}

const char *wi_morph_validate(const wi_morph *morph)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        const char *broken = validate_shape(morph, &morph->shapes[i]);
        if (broken) return broken;
        const bool is_base = morph->has_base && i == 0;
        const double weight = is_base ? 1.0 : (double)morph->weights[i - morph->has_base];
        if (weight == 0.0) continue;
        if (next >= morph->term_count || morph->terms[next].shape != i ||
            morph->terms[next].weight != weight)
            return "M12: the terms of a morph are not its weights";
        next++;
    }
    return next == morph->term_count ? NULL : "M12: the terms of a morph are not its weights";
}

/* ---- as a motion ---- */

static void morph_read64(const wi_mesh *mesh, wi_spot spot, double out[3])
{
    wi_morph_read(wi_mesh_morph(mesh), spot, out);
}

/* Where vertices are follows from their shapes and weights; however these are stored. */
static uint64_t morph_hash(uint64_t hash, const wi_mesh *mesh)
{
    const wi_morph *morph = wi_mesh_morph(mesh);
    hash = wi_hash_u64(hash, (uint64_t)morph->target_count << 1 | morph->has_base);
    if (morph->target_count > 0)
        hash = wi_hash_bytes(hash, morph->weights, morph->target_count * sizeof *morph->weights);
    for (uint32_t i = 0; i < morph->shape_count; i++)
        for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
            if (!wi_mesh_stands_for_itself(mesh, vertex)) continue;
            const float *value = wi_morph_shape_at(&morph->shapes[i], mesh->place[vertex]);
            const float zero[3] = {0};
            hash = wi_hash_bytes(hash, value ? value : zero, sizeof zero);
        }
    return hash;
}

static void morph_free(wi_memory *memory, wi_mesh *mesh)
{
    wi_morph_free(memory, wi_mesh_morph(mesh));
    wi_free(memory, mesh->state.morph, sizeof *mesh->state.morph);
}

static size_t morph_bytes(const wi_mesh *mesh)
{
    return sizeof(wi_morph) + wi_morph_bytes(wi_mesh_morph(mesh));
}

static void morph_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                          void *scratch)
{
    wi_morph_permute(wi_mesh_morph(mesh), first, count, moved, scratch);
}

static const char *morph_validate(const wi_mesh *mesh)
{
    return wi_morph_validate(wi_mesh_morph(mesh));
}

_Static_assert(sizeof(wi_morph) % _Alignof(wi_term) == 0, "terms follow a morph in an end state");

static uint64_t morph_shape_number(const wi_mesh *mesh) { return wi_mesh_morph(mesh)->number; }

static size_t morph_end_bytes(const wi_mesh *mesh)
{
    return sizeof(wi_morph) + wi_mesh_morph(mesh)->shape_count * sizeof(wi_term);
}

/* The same shapes, with the weights of the trial and terms of its own. */
static void morph_trial_end(const wi_trial *trial, void *block, wi_mesh *end)
{
    wi_morph *morph = block;
    *morph = *wi_mesh_morph(end);
    morph->terms = (wi_term *)(morph + 1);
    morph->weights = trial->weights;
    morph->term_count = wi_morph_terms(morph, trial->weights, morph->terms);
    end->state.morph = morph;
}

extern const wi_motion_ops wi_motion_morph;

const wi_motion_ops wi_motion_morph = {.is_computed = true,
                                       .is_finer = true,
                                       .has_shapes = true,
                                       .read64 = morph_read64,
                                       .hash = morph_hash,
                                       .free = morph_free,
                                       .bytes = morph_bytes,
                                       .permute = morph_permute,
                                       .grow = morph_grow,
                                       .add = morph_add,
                                       .differ = morph_differ,
                                       .assemble = morph_assemble,
                                       .validate = morph_validate,
                                       .shape_number = morph_shape_number,
                                       .end_bytes = morph_end_bytes,
                                       .trial_end = morph_trial_end};
