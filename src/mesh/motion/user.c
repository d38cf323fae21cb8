/* user.c - deformations that only the user knows: room for the rest shape, and its order. */
#include "mesh/motion/user.h"

#include <string.h>

#include "base/hash.h"
#include "mesh/assemble.h"
#include "mesh/motion/birth.h"
#include "mesh/motion/trial.h"

wi_user_motion *wi_user_motion_make(wi_memory *memory, uint32_t vertex_count)
{
    wi_user_motion *user = wi_alloc(memory, sizeof *user);
    if (user == NULL) return NULL;
    *user = (wi_user_motion){.room = vertex_count};
    if (vertex_count == 0) return user;
    user->vertex_at = wi_alloc_array(memory, vertex_count, sizeof *user->vertex_at);
    user->rest = wi_alloc_array(memory, vertex_count, sizeof *user->rest);
    if (user->vertex_at == NULL || user->rest == NULL) {
        wi_user_motion_free(memory, user);
        return NULL;
    }
    memset(user->vertex_at, 0xFF, vertex_count * sizeof *user->vertex_at);
    memset(user->rest, 0, vertex_count * sizeof *user->rest);
    return user;
}

void wi_user_motion_free(wi_memory *memory, wi_user_motion *user)
{
    const size_t count = user->room;
    wi_free_array(memory, user->vertex_at, count, sizeof *user->vertex_at);
    wi_free_array(memory, user->rest, count, sizeof *user->rest);
    wi_free(memory, user, sizeof *user);
}

/* ---- as a motion ---- */

static void user_read64(const wi_mesh *mesh, wi_spot spot, double out[3])
{
    float p[3];
    wi_user_motion_read(wi_mesh_user(mesh), spot, p);
    for (int axis = 0; axis < 3; axis++) out[axis] = (double)p[axis];
}

/* Where vertices are is all that is known of a deformation. */
static uint64_t user_hash(uint64_t hash, const wi_mesh *mesh)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_has_vertex(mesh, vertex)) continue;
        float p[3];
        wi_mesh_model_position(mesh, wi_mesh_stand_in(mesh, vertex), p);
        hash = wi_hash_bytes(hash, p, sizeof p);
    }
    return hash;
}

static void user_free(wi_memory *memory, wi_mesh *mesh)
{
    wi_user_motion_free(memory, wi_mesh_user(mesh));
}

static size_t user_bytes(const wi_mesh *mesh)
{
    const wi_user_motion *user = wi_mesh_user(mesh);
    return sizeof *user + user->room * (sizeof *user->vertex_at + sizeof *user->rest);
}

static void user_permute(wi_mesh *mesh, uint32_t first, uint32_t count, const uint32_t *moved,
                         void *scratch)
{
    wi_user_motion *user = wi_mesh_user(mesh);
    uint32_t *vertices = scratch;
    float(*rest)[3] = scratch;
    for (uint32_t i = 0; i < count; i++) vertices[moved[i] - first] = user->vertex_at[first + i];
    memcpy(user->vertex_at + first, vertices, count * sizeof *vertices);
    for (uint32_t i = 0; i < count; i++)
        memcpy(rest[moved[i] - first], user->rest[first + i], sizeof *rest);
    memcpy(user->rest + first, rest, count * sizeof *rest);
}

static bool user_grow(wi_memory *memory, wi_mesh *mesh, uint32_t count, uint32_t added)
{
    wi_user_motion *user = wi_mesh_user(mesh);
    (void)added;
    if (count <= user->room) return true;
    wi_user_motion *larger = wi_user_motion_make(memory, count);
    if (larger == NULL) return false;
    const wi_user_motion empty = *user;
    if (user->room > 0) {
        memcpy(larger->vertex_at, user->vertex_at, user->room * sizeof *user->vertex_at);
        memcpy(larger->rest, user->rest, user->room * sizeof *user->rest);
    }
    user->vertex_at = larger->vertex_at;
    user->rest = larger->rest;
    user->room = larger->room;
    larger->vertex_at = empty.vertex_at;
    larger->rest = empty.rest;
    larger->room = empty.room;
    wi_user_motion_free(memory, larger);
    return true;
}

static void user_add(wi_mesh *mesh, const wi_birth *birth)
{
    wi_user_motion *user = wi_mesh_user(mesh);
    const uint32_t place = mesh->place[birth->vertex];
    const float *of[WI_MAX_PARENTS] = {0};
    WI_ASSERT(mesh->vertex_count <= user->room);
    for (uint32_t i = 0; i < birth->parent_count; i++)
        of[i] = user->rest[mesh->place[birth->parents[i]]];
    wi_birth_value(birth, of, user->rest[place]);
    user->vertex_at[place] = birth->vertex;
}

/* It is not asked about again. */
static void user_remove(wi_mesh *mesh, uint32_t vertex)
{
    if (wi_mesh_stands_for_itself(mesh, vertex))
        wi_mesh_user(mesh)->vertex_at[mesh->place[vertex]] = WI_NO_VERTEX;
}

/* Functions are asked about the new numbers. */
static void *user_assemble(wi_memory *memory, const wi_assembly *a)
{
    const wi_user_motion *like = wi_mesh_user(a->pieces[0].from);
    wi_user_motion *user = wi_user_motion_make(memory, a->vertex_count);
    if (user == NULL) return NULL;
    user->hook = like->hook;
    user->number = like->number;
    for (uint32_t k = 0; k < a->piece_count; k++) {
        const wi_piece *piece = &a->pieces[k];
        for (uint32_t i = 0; i < piece->vertex_count; i++) {
            if (!wi_piece_has(piece, i)) continue;
            const uint32_t place = wi_piece_new(piece, i);
            user->vertex_at[place] = place;
            memcpy(user->rest[place], wi_mesh_user(piece->from)->rest[wi_piece_place(piece, i)],
                   sizeof *user->rest);
        }
    }
    return user;
}

static const char *user_differ(const wi_mesh *a, const wi_mesh *b)
{
    const willow_deformation *p = &wi_mesh_user(a)->hook, *q = &wi_mesh_user(b)->hook;
    if (p->position != q->position || p->bound != q->bound) return "has another deformation";
    return p->context == q->context ? NULL : "has a deformation with another context";
}

static const char *user_validate(const wi_mesh *mesh)
{
    const wi_user_motion *user = wi_mesh_user(mesh);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (wi_mesh_stands_for_itself(mesh, vertex) &&
            user->vertex_at[mesh->place[vertex]] != vertex)
            return "M13: a deformed vertex is not known at its place";
    return NULL;
}

static uint64_t user_shape_number(const wi_mesh *mesh) { return wi_mesh_user(mesh)->number; }

static size_t user_end_bytes(const wi_mesh *mesh)
{
    (void)mesh;
    return sizeof(wi_user_motion);
}

static void user_trial_end(const wi_trial *trial, void *block, wi_mesh *end)
{
    wi_user_motion *user = block;
    *user = *wi_mesh_user(end);
    user->hook.context = trial->context;
    end->state.user = user;
}

extern const wi_motion_ops wi_motion_user;

const wi_motion_ops wi_motion_user = {.is_computed = true,
                                      .has_shapes = true,
                                      .read64 = user_read64,
                                      .hash = user_hash,
                                      .free = user_free,
                                      .bytes = user_bytes,
                                      .permute = user_permute,
                                      .grow = user_grow,
                                      .add = user_add,
                                      .differ = user_differ,
                                      .assemble = user_assemble,
                                      .remove = user_remove,
                                      .validate = user_validate,
                                      .shape_number = user_shape_number,
                                      .end_bytes = user_end_bytes,
                                      .trial_end = user_trial_end};
