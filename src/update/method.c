/* method.c - the list of methods, their names, and what defaults stand for. */
#include "update/method.h"

#include <float.h>

#include "base/check.h"
#include "base/names.h"
#include "base/threads.h"
#include "tree/build/inherited.h"
#include "tree/linked/links.h"
#include "update/blend/shapes.h"

/* All methods of tree.h, which has their names. X(enum, functions) */
#define METHODS(X)                                                                                 \
    X(AUTO, wi_auto_ops)                                                                           \
    X(BRUTE, wi_brute_ops)                                                                         \
    X(REBUILD, wi_rebuild_ops)                                                                     \
    X(BOTTOM_UP, wi_bottom_up_ops)                                                                 \
    X(TOP_DOWN, wi_top_down_ops)                                                                   \
    X(HYBRID, wi_hybrid_ops)                                                                       \
    X(KINETIC_AABB, wi_kinetic_aabb_ops)                                                           \
    X(KINETIC_BOXTREE, wi_kinetic_boxtree_ops)                                                     \
    X(BLEND, wi_blend_ops)                                                                         \
    X(SKIN, wi_skin_ops)                                                                           \
    X(BALANCED, wi_balanced_ops)                                                                   \
    X(SPHERE, wi_sphere_ops)

/* Methods that only some tests have: they compile this file again, for themselves. */
#ifdef WILLOW_EXTRA_METHODS
#    include "update/extra_methods.h"
#else
#    define WI_EXTRA_METHODS(X)
#endif

/* Their numbers follow those of tree.h. */
enum {
    LAST_OF_TREE_H = WILLOW_METHOD_COUNT - 1,
#define ENTRY(name, words, ops) WILLOW_METHOD_##name,
    WI_EXTRA_METHODS(ENTRY)
#undef ENTRY
        METHOD_COUNT
};

#define ENTRY(name, ops) extern const wi_method_ops ops;
#define EXTRA_ENTRY(name, words, ops) ENTRY(name, ops)
METHODS(ENTRY)
WI_EXTRA_METHODS(EXTRA_ENTRY)
#undef ENTRY

#define ENTRY(name, ops) +1
_Static_assert(METHODS(ENTRY) == WILLOW_METHOD_COUNT, "a method has no functions");
#undef ENTRY

static const wi_method_ops *const table[METHOD_COUNT] = {
#define ENTRY(name, ops) [WILLOW_METHOD_##name] = &ops,
    METHODS(ENTRY) WI_EXTRA_METHODS(EXTRA_ENTRY)
#undef ENTRY
#undef EXTRA_ENTRY
};

const wi_method_ops *wi_method_ops_for(willow_method method)
{
    WI_ASSERT((unsigned)method < METHOD_COUNT);
    return table[method];
}

/* Places in even runs, one for each task. */
typedef struct store {
    wi_mesh *mesh;
    wi_mesh_fill *fill;
    uint32_t task_count;
} store;

static void run_store(void *arg, uint32_t task, uint32_t worker)
{
    const store *s = arg;
    const uint64_t places = s->mesh->vertex_count;
    WI_ASSERT(task < s->task_count);
    (void)worker;
    s->fill(s->mesh, (uint32_t)(places * task / s->task_count),
            (uint32_t)(places * (task + 1) / s->task_count));
}

void wi_update_store_plan(wi_update *u)
{
    enum { PLACES_PER_TASK = 512 }; /* a microsecond's work */
    if (!wi_mesh_is_computed(u->mesh) || u->is_stored) return;
    store s = {u->mesh, wi_mesh_fill_for(u->kernel),
               wi_task_count(&u->tasks, u->mesh->vertex_count, PLACES_PER_TASK)};
    u->tasks.parallel_for(u->tasks.context, s.task_count, run_store, &s);
    wi_update_end_store(u);
}

void wi_update_end_store(wi_update *u)
{
    WI_ASSERT(u->mesh->positions || u->mesh->vertex_count == 0);
    u->mesh->stored = WI_STORED_NOW;
    u->is_stored = true;
    u->vertices_evaluated += u->mesh->vertex_count;
}

willow_result wi_update_build(wi_update *u)
{
    /* Nothing of a linked tree is of use to a packed one. */
    if (wi_shape_is_linked(u->h->shape)) wi_tree_destroy(u->memory, u->h);
    u->is_inherited = u->inherited && wi_inherited_fits(u->inherited, u->mesh, u->def);
    willow_result result =
        u->is_inherited ? wi_tree_build_inherited(u->memory, u->workspace, u->kernel, u->mesh,
                                                  u->def, u->inherited, u->h)
                        : wi_tree_build(u->memory, u->workspace, u->kernel, u->mesh, u->def, u->h);
    if (result == WILLOW_OK) u->outcome = WI_OUTCOME_BUILT;
    return result;
}

static const char *const method_names[METHOD_COUNT] = {
#define ENTRY(name, words, what) [WILLOW_METHOD_##name] = words,
    WILLOW_METHODS(ENTRY) WI_EXTRA_METHODS(ENTRY)
#undef ENTRY
};

static const char *const build_names[] = {
#define ENTRY(name, words, what) [WILLOW_BUILD_##name] = words,
    WILLOW_BUILDS(ENTRY)
#undef ENTRY
};

_Static_assert(sizeof build_names / sizeof *build_names == WILLOW_BUILD_COUNT,
               "a builder has a name");

static const char *const events_names[] = {
#define ENTRY(name, words, what) [WILLOW_EVENTS_##name] = words,
    WILLOW_EVENTS(ENTRY)
#undef ENTRY
};

_Static_assert(sizeof events_names / sizeof *events_names == WILLOW_EVENTS_COUNT,
               "a way to handle events has a name");

static const char *const reference_names[] = {
#define ENTRY(name, words, what) [WILLOW_REFERENCE_##name] = words,
    WILLOW_REFERENCES(ENTRY)
#undef ENTRY
};

_Static_assert(sizeof reference_names / sizeof *reference_names == WILLOW_REFERENCE_COUNT,
               "a reference shape has a name");

static const char *const cells_names[] = {
#define ENTRY(name, words, what) [WILLOW_CELLS_##name] = words,
    WILLOW_CELLS(ENTRY)
#undef ENTRY
};

_Static_assert(sizeof cells_names / sizeof *cells_names == WILLOW_CELLS_COUNT,
               "a way to halve cells has a name");

static const char *const volume_names[] = {
#define ENTRY(name, words, what) [WILLOW_VOLUME_##name] = words,
    WILLOW_VOLUMES(ENTRY)
#undef ENTRY
};

_Static_assert(sizeof volume_names / sizeof *volume_names == WILLOW_VOLUME_COUNT,
               "a volume has a name");

const char *willow_method_name(willow_method method)
{
    return (unsigned)method < METHOD_COUNT ? method_names[method] : NULL;
}

const char *willow_build_name(willow_build build)
{
    return (unsigned)build < WILLOW_BUILD_COUNT ? build_names[build] : NULL;
}

const char *willow_events_name(willow_events events)
{
    return (unsigned)events < WILLOW_EVENTS_COUNT ? events_names[events] : NULL;
}

const char *willow_reference_name(willow_reference reference)
{
    return (unsigned)reference < WILLOW_REFERENCE_COUNT ? reference_names[reference] : NULL;
}

const char *willow_volume_name(willow_volume volume)
{
    return (unsigned)volume < WILLOW_VOLUME_COUNT ? volume_names[volume] : NULL;
}

const char *willow_cells_name(willow_cells cells)
{
    return (unsigned)cells < WILLOW_CELLS_COUNT ? cells_names[cells] : NULL;
}

bool willow_method_from_name(const char *name, willow_method *out)
{
    int found = wi_name_find(method_names, METHOD_COUNT, name);
    if (found >= 0) *out = (willow_method)found;
    return found >= 0;
}

bool willow_build_from_name(const char *name, willow_build *out)
{
    int found = wi_name_find(build_names, WILLOW_BUILD_COUNT, name);
    if (found >= 0) *out = (willow_build)found;
    return found >= 0;
}

bool willow_events_from_name(const char *name, willow_events *out)
{
    int found = wi_name_find(events_names, WILLOW_EVENTS_COUNT, name);
    if (found >= 0) *out = (willow_events)found;
    return found >= 0;
}

bool willow_reference_from_name(const char *name, willow_reference *out)
{
    int found = wi_name_find(reference_names, WILLOW_REFERENCE_COUNT, name);
    if (found >= 0) *out = (willow_reference)found;
    return found >= 0;
}

bool willow_cells_from_name(const char *name, willow_cells *out)
{
    int found = wi_name_find(cells_names, WILLOW_CELLS_COUNT, name);
    if (found >= 0) *out = (willow_cells)found;
    return found >= 0;
}

bool willow_volume_from_name(const char *name, willow_volume *out)
{
    int found = wi_name_find(volume_names, WILLOW_VOLUME_COUNT, name);
    if (found >= 0) *out = (willow_volume)found;
    return found >= 0;
}

willow_tree_def willow_tree_def_default(void)
{
    return (willow_tree_def){.struct_size = sizeof(willow_tree_def)};
}

/* Measured on `bumpy`: fewer triangles per leaf make the update slower, more the query. */
enum { DEFAULT_LEAF_TRIANGLES = 16 };

/* Measured on `stir` and `twist`, which decay beyond it, and on all other scenes, which do not. */
static const float DEFAULT_REBUILD_RATIO = 2.0F;

/* The larger depth and the time of Rodriguez and Franquesa 2005, Table 3. */
enum { DEFAULT_COLLISION_DEPTH = 6 };
static const float DEFAULT_MAX_TIME = 2.0F;

willow_result wi_tree_def_resolve(willow_tree_def *def, wi_message *message)
{
    if ((unsigned)def->method >= METHOD_COUNT)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no method", (int)def->method);
    if ((unsigned)def->build >= WILLOW_BUILD_COUNT)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no builder", (int)def->build);
    if ((unsigned)def->events >= WILLOW_EVENTS_COUNT)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no way to handle events",
                       (int)def->events);
    if ((unsigned)def->reference >= WILLOW_REFERENCE_COUNT)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no reference shape",
                       (int)def->reference);
    if (!(def->quality_limit >= 0.0F))
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "a quality limit of %g: it is 0 or more",
                       (double)def->quality_limit);
    if (def->in_between > WI_MAX_BETWEEN)
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "%u shapes between two targets: %d is the most", def->in_between,
                       WI_MAX_BETWEEN);
    if ((unsigned)def->volume >= WILLOW_VOLUME_COUNT)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no volume", (int)def->volume);
    if ((unsigned)def->cells >= WILLOW_CELLS_COUNT)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%d is no way to halve cells",
                       (int)def->cells);
    if (def->collision_depth > WILLOW_MAX_CELL_DEPTH)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "a collision depth of %u: %d is the most",
                       def->collision_depth, WILLOW_MAX_CELL_DEPTH);
    if (!(def->max_time >= 0.0F))
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a max_time of %g: it must be above 0, or 0 for the default",
                       (double)def->max_time);
    if (def->arity != 0 && def->arity != 2 && def->arity != 4 && def->arity != 8)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "an arity of %u: it must be 2, 4 or 8",
                       def->arity);
    if (def->leaf_triangles > WI_MAX_LEAF_TRIS)
        return wi_fail(message, WILLOW_BAD_ARGUMENT, "%u triangles per leaf: %d is the most",
                       def->leaf_triangles, WI_MAX_LEAF_TRIS);
    if (!(def->margin >= 0.0F && def->margin <= FLT_MAX))
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a margin of %g: it must be 0 or more, and finite", (double)def->margin);
    if (!(def->rebuild_ratio == 0.0F || def->rebuild_ratio >= 1.0F))
        return wi_fail(message, WILLOW_BAD_ARGUMENT,
                       "a rebuild ratio of %g: it must be 1 or more, or 0 for the default",
                       (double)def->rebuild_ratio);
    if (def->arity == 0) def->arity = WI_LANES;
    if (def->build == WILLOW_BUILD_AUTO) def->build = WILLOW_BUILD_MEDIAN;
    if (def->leaf_triangles == 0)
        def->leaf_triangles = def->method == WILLOW_METHOD_SPHERE
                                  ? (uint32_t)WI_MAX_LEAF_TRIS
                                  : (uint32_t)DEFAULT_LEAF_TRIANGLES;
    if (def->collision_depth == 0) def->collision_depth = DEFAULT_COLLISION_DEPTH;
    if (def->max_time == 0.0F) def->max_time = DEFAULT_MAX_TIME;
    if (def->rebuild_ratio == 0.0F) def->rebuild_ratio = DEFAULT_REBUILD_RATIO;
    WI_ASSERT(def->arity <= WI_LANES && def->leaf_triangles > 0 && def->rebuild_ratio >= 1.0F);
    return WILLOW_OK;
}
