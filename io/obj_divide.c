/* obj_divide.c - bodies of an OBJ file. Way in: obj_divide; obj.h says what becomes a body.
 *
 * Vertices are those of the file, so each body gets the ones that its faces use, in the order of
 * the file. All of it is linear in the corners, however many bodies there are. */
#include "io/obj.h"

#include <string.h>

typedef struct obj_divider {
    const mesh_input *input;
    obj_lists *lists;
    mesh_file *out;
    io_error *error;
    uint32_t *body_of; /* by run */
    uint32_t body_count;
    mesh_part *parts;      /* by body, until they are added */
    face_list *faces;      /* by body */
    uint32_t shared_count; /* vertices of more than one body */
} obj_divider;

static bool out_of_memory(const obj_divider *d)
{
    return io_memory_fail(d->input->memory, d->error, d->input->path);
}

static uint32_t run_end(const obj_lists *l, uint32_t run)
{
    return run + 1 < l->run_count ? l->runs[run + 1].first_face : l->faces.face_count;
}

/* Corners of a run: from first up to end. */
static uint32_t run_first_corner(const obj_lists *l, uint32_t run)
{
    return face_first(&l->faces, l->runs[run].first_face);
}

static uint32_t run_end_corner(const obj_lists *l, uint32_t run)
{
    return face_end(&l->faces, run_end(l, run) - 1);
}

/* ---- groups that share vertices ---- */

static uint32_t find_root(uint32_t *parents, uint32_t at)
{
    while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    return at;
}

/* The lower number becomes the root: the group that was named first. */
static void unite(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find_root(parents, a);
    b = find_root(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

/* Faces without a group are one of their own, which has the number behind the last. */
static uint32_t group_of(const obj_lists *l, uint32_t run)
{
    return l->runs[run].group == OBJ_NONE ? l->groups.count : l->runs[run].group;
}

static void unite_groups(const obj_lists *l, uint32_t *parents, uint32_t *owners)
{
    for (uint32_t run = 0; run < l->run_count; run++) {
        const uint32_t group = group_of(l, run), end = run_end_corner(l, run);
        for (uint32_t i = run_first_corner(l, run); i < end; i++) {
            uint32_t *owner = &owners[l->faces.corners[i]];
            if (*owner != 0 && *owner != group + 1) unite(parents, *owner - 1, group);
            *owner = group + 1;
        }
    }
}

/* ---- which run belongs to which body ---- */

/* By run: the number of the object, or of the first group of those that hang together; `key_count`
 * numbers. */
static bool find_keys(obj_divider *d, uint32_t *keys, uint32_t *key_count)
{
    const obj_lists *l = d->lists;
    io_memory *m = d->input->memory;
    if (l->objects.count > 0) {
        *key_count = l->objects.count + 1;
        for (uint32_t i = 0; i < l->run_count; i++)
            keys[i] = l->runs[i].object == OBJ_NONE ? l->objects.count : l->runs[i].object;
        return true;
    }
    *key_count = l->groups.count + 1;
    uint32_t *parents = io_alloc(m, *key_count, sizeof *parents);
    uint32_t *owners = io_alloc(m, l->vertex_count, sizeof *owners);
    const bool has_room = parents != NULL && owners != NULL;
    if (has_room) {
        for (uint32_t i = 0; i < *key_count; i++) parents[i] = i;
        unite_groups(l, parents, owners);
        for (uint32_t i = 0; i < l->run_count; i++) keys[i] = find_root(parents, group_of(l, i));
    }
    io_free(m, owners);
    io_free(m, parents);
    return has_room || out_of_memory(d);
}

/* Bodies are numbered as their first faces come. */
static bool number_bodies(obj_divider *d)
{
    io_memory *m = d->input->memory;
    uint32_t key_count = 0;
    uint32_t *keys = d->body_of;
    if (!find_keys(d, keys, &key_count)) return false;
    uint32_t *bodies = io_alloc(m, key_count, sizeof *bodies); /* by key, plus one */
    if (bodies == NULL) return out_of_memory(d);
    for (uint32_t i = 0; i < d->lists->run_count; i++) {
        if (bodies[keys[i]] == 0) bodies[keys[i]] = ++d->body_count;
        d->body_of[i] = bodies[keys[i]] - 1;
    }
    io_free(m, bodies);
    return true;
}

/* ---- names ---- */

/* "torso", or "torso+arm" of groups that hang together; not longer than people can read. */
static bool add_group_name(io_memory *m, char **name, const char *group)
{
    enum { LONG = 100 };
    if (*name == NULL) return (*name = io_copy_text(m, group)) != NULL;
    const size_t length = strlen(*name);
    const bool is_long = length > LONG;
    if (is_long && strcmp(*name + length - 4, "+...") == 0) return true;
    const char *added = is_long ? "..." : group;
    char *grown = io_grow(m, *name, length + strlen(added) + 2, 1);
    if (grown == NULL) return false;
    grown[length] = '+';
    memcpy(grown + length + 1, added, strlen(added) + 1);
    *name = grown;
    return true;
}

/* Groups of each body, each once, in the order in which their faces come. */
static bool name_groups(obj_divider *d)
{
    const obj_lists *l = d->lists;
    io_memory *m = d->input->memory;
    uint8_t *is_named = io_alloc(m, (uint64_t)l->groups.count + 1, 1);
    bool is_fine = is_named != NULL;
    for (uint32_t i = 0; is_fine && i < l->run_count; i++) {
        const uint32_t group = l->runs[i].group;
        if (group == OBJ_NONE || is_named[group]) continue;
        is_named[group] = 1;
        is_fine = add_group_name(m, &d->parts[d->body_of[i]].name, l->groups.texts[group]);
    }
    io_free(m, is_named);
    return is_fine || out_of_memory(d);
}

static bool name_objects(obj_divider *d)
{
    const obj_lists *l = d->lists;
    for (uint32_t i = 0; i < l->run_count; i++) {
        char **name = &d->parts[d->body_of[i]].name;
        if (*name != NULL || l->runs[i].object == OBJ_NONE) continue;
        *name = io_copy_text(d->input->memory, l->objects.texts[l->runs[i].object]);
        if (*name == NULL) return out_of_memory(d);
    }
    return true;
}

/* ---- faces ---- */

/* Counts first, so that each array is taken once. */
static void count_faces(obj_divider *d)
{
    const obj_lists *l = d->lists;
    for (uint32_t i = 0; i < l->run_count; i++) {
        face_list *faces = &d->faces[d->body_of[i]];
        faces->end_capacity += run_end(l, i) - l->runs[i].first_face;
        faces->corner_capacity += run_end_corner(l, i) - run_first_corner(l, i);
    }
}

static bool reserve_faces(obj_divider *d)
{
    const face_list *all = &d->lists->faces;
    io_memory *m = d->input->memory;
    for (uint32_t i = 0; i < d->body_count; i++) {
        face_list *faces = &d->faces[i];
        const uint32_t face_count = faces->end_capacity;
        faces->corners = io_alloc(m, faces->corner_capacity, sizeof *faces->corners);
        if (faces->corners == NULL) return out_of_memory(d);
        if (all->ends != NULL) faces->ends = io_alloc(m, face_count, sizeof *faces->ends);
        if (all->ends != NULL && faces->ends == NULL) return out_of_memory(d);
        if (all->materials != NULL)
            faces->materials = io_alloc(m, face_count, sizeof *faces->materials);
        if (all->materials != NULL && faces->materials == NULL) return out_of_memory(d);
    }
    return true;
}

static void copy_run(obj_divider *d, uint32_t run)
{
    const obj_lists *l = d->lists;
    face_list *faces = &d->faces[d->body_of[run]];
    const uint32_t first = run_first_corner(l, run), count = run_end_corner(l, run) - first;
    memcpy(faces->corners + faces->corner_count, l->faces.corners + first,
           count * sizeof *faces->corners);
    for (uint32_t face = l->runs[run].first_face; face < run_end(l, run); face++) {
        if (faces->ends != NULL)
            faces->ends[faces->face_count] = l->faces.ends[face] - first + faces->corner_count;
        if (faces->materials != NULL)
            faces->materials[faces->face_count] = l->faces.materials[face];
        faces->face_count++;
    }
    faces->corner_count += count;
}

/* ---- vertices ---- */

/* Who uses a vertex: a chain of bodies for each of them. */
typedef struct vertex_users {
    uint32_t *last;   /* by vertex: its newest use plus one */
    uint32_t *older;  /* by use: the one before plus one */
    uint32_t *bodies; /* by use */
    uint32_t count;
} vertex_users;

static bool find_users(obj_divider *d, vertex_users *users)
{
    const obj_lists *l = d->lists;
    io_memory *m = d->input->memory;
    users->last = io_alloc(m, l->vertex_count, sizeof *users->last);
    users->older = io_alloc(m, l->faces.corner_count, sizeof *users->older);
    users->bodies = io_alloc(m, l->faces.corner_count, sizeof *users->bodies);
    if (users->last == NULL || users->older == NULL || users->bodies == NULL) return false;
    for (uint32_t body = 0; body < d->body_count; body++)
        for (uint32_t i = 0; i < d->faces[body].corner_count; i++) {
            uint32_t *last = &users->last[d->faces[body].corners[i]];
            if (*last != 0 && users->bodies[*last - 1] == body) continue;
            d->shared_count += *last != 0;
            users->older[users->count] = *last;
            users->bodies[users->count] = body;
            *last = ++users->count;
            d->parts[body].mesh.vertex_count++;
        }
    return true;
}

static bool reserve_vertices(obj_divider *d)
{
    io_memory *m = d->input->memory;
    for (uint32_t i = 0; i < d->body_count; i++) {
        mesh_part *part = &d->parts[i];
        const uint64_t count = part->mesh.vertex_count;
        part->mesh.positions = io_alloc(m, 3 * count, sizeof *part->mesh.positions);
        part->sources = io_alloc(m, count, sizeof *part->sources);
        if (part->mesh.positions == NULL || part->sources == NULL) return false;
        part->mesh.vertex_count = 0;
    }
    return true;
}

/* In the order of the file. */
static void hand_out_vertices(obj_divider *d, const vertex_users *users)
{
    for (uint32_t v = 0; v < d->lists->vertex_count; v++)
        for (uint32_t use = users->last[v]; use != 0; use = users->older[use - 1]) {
            mesh_part *part = &d->parts[users->bodies[use - 1]];
            const size_t to = part->mesh.vertex_count++;
            part->sources[to] = v;
            memcpy(part->mesh.positions + 3 * to, d->lists->positions + 3 * (size_t)v,
                   3 * sizeof(float));
        }
}

/* From numbers of the file to those of the body; `numbers` has room for those of all vertices. */
static void renumber_corners(const mesh_part *part, face_list *faces, uint32_t *numbers)
{
    for (uint32_t i = 0; i < part->mesh.vertex_count; i++) numbers[part->sources[i]] = i;
    for (uint32_t i = 0; i < faces->corner_count; i++)
        faces->corners[i] = numbers[faces->corners[i]];
}

static bool divide_vertices(obj_divider *d)
{
    io_memory *m = d->input->memory;
    vertex_users users = {0};
    const bool has_room = find_users(d, &users) && reserve_vertices(d);
    if (has_room) {
        hand_out_vertices(d, &users);
        for (uint32_t i = 0; i < d->body_count; i++)
            renumber_corners(&d->parts[i], &d->faces[i], users.last);
    }
    io_free(m, users.last);
    io_free(m, users.older);
    io_free(m, users.bodies);
    return has_room || out_of_memory(d);
}

/* ---- all of it ---- */

static bool add_parts(obj_divider *d)
{
    for (uint32_t i = 0; i < d->body_count; i++) {
        mesh_part part = d->parts[i];
        face_list faces = d->faces[i];
        d->parts[i] = (mesh_part){0};
        d->faces[i] = (face_list){0};
        if (!mesh_file_add(d->input, d->out, &part, &faces, false, d->error)) return false;
    }
    if (d->shared_count == 0) return true;
    return mesh_file_note(d->input, d->out, d->error,
                          "its objects have %u vertices in common, where they always touch",
                          d->shared_count);
}

/* One body: it has all vertices of the file, and all lists as they are. */
static bool add_whole(obj_divider *d)
{
    obj_lists *l = d->lists;
    mesh_part part = {.name = d->parts[0].name};
    /* Of several groups that hang together the file has the better name. */
    if (l->objects.count == 0 && l->groups.count > 1 && part.name != NULL) {
        io_free(d->input->memory, part.name);
        part.name = NULL;
    }
    d->parts[0].name = NULL;
    part.mesh.positions = l->positions;
    part.mesh.vertex_count = l->vertex_count;
    l->positions = NULL;
    return mesh_file_add(d->input, d->out, &part, &l->faces, false, d->error);
}

static bool divide(obj_divider *d)
{
    io_memory *m = d->input->memory;
    d->body_of = io_alloc(m, d->lists->run_count, sizeof *d->body_of);
    if (d->body_of == NULL) return out_of_memory(d);
    if (!number_bodies(d)) return false;
    d->parts = io_alloc(m, d->body_count, sizeof *d->parts);
    d->faces = io_alloc(m, d->body_count, sizeof *d->faces);
    if (d->parts == NULL || d->faces == NULL) return out_of_memory(d);
    if (!(d->lists->objects.count > 0 ? name_objects(d) : name_groups(d))) return false;
    if (d->body_count == 1) return add_whole(d);
    count_faces(d);
    if (!reserve_faces(d)) return false;
    for (uint32_t run = 0; run < d->lists->run_count; run++) copy_run(d, run);
    return divide_vertices(d) && add_parts(d);
}

static void free_divider(obj_divider *d)
{
    io_memory *m = d->input->memory;
    for (uint32_t i = 0; d->parts != NULL && i < d->body_count; i++) {
        io_free(m, d->parts[i].name);
        io_free(m, d->parts[i].sources);
        io_free(m, d->parts[i].mesh.positions);
    }
    for (uint32_t i = 0; d->faces != NULL && i < d->body_count; i++)
        face_list_free(m, &d->faces[i]);
    io_free(m, d->parts);
    io_free(m, d->faces);
    io_free(m, d->body_of);
}

bool obj_divide(const mesh_input *input, obj_lists *lists, mesh_file *out, io_error *error)
{
    obj_divider d = {.input = input, .lists = lists, .out = out, .error = error};
    out->vertex_count = lists->vertex_count;
    if (lists->faces.face_count == 0) return true;
    const bool is_divided = divide(&d);
    free_divider(&d);
    return is_divided;
}
