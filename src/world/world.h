/* world.h - the inside of a world: bodies, what changed, and what queries may see. */
#ifndef WI_WORLD_WORLD_H
#define WI_WORLD_WORLD_H

#include "base/backoff.h"
#include "base/containers/id_pool.h"
#include "base/threads.h"
#include "broad/kept.h"
#include "mesh/assemble.h"
#include "mesh/split.h"
#include "pairs/separation.h"
#include "query/question.h"
#include "update/step_end.h"
#include "willow/stats.h"
#include "willow/watch.h"
#include "world/asked.h"
#include "world/geometry.h"

/* How much of a body waits for the next update; each includes those before it. */
typedef enum wi_body_state {
    WI_BODY_CURRENT,
    WI_BODY_MOVED,  /* its pose is another: it has to be placed */
    WI_BODY_DIRTY,  /* its vertices are elsewhere */
    WI_BODY_UNBUILT /* there is no tree yet, or it is to be another */
} wi_body_state;

/* What a body with a geometry of its own has beside it. */
typedef struct wi_body_more {
    wi_pose placed;        /* its pose, ready for use */
    wi_trial trial;        /* the step that the user tries out, if any */
    wi_step_end *step_end; /* what queries see of it, unless needs_step_end; NULL: none was made */
    wi_motion motion;      /* the same for queries, if there is an end */
    wi_box *loose;         /* that it promises to stay inside; NULL: none. world/loose.c */
} wi_body_more;

/* A world may have millions of bodies, so that all which few of them have is elsewhere. Most of
 * them are light (world/light.c): what they show is lent to them, or one small block. */
typedef struct wi_body {
    wi_shown shown;
    wi_geometry *geometry; /* NULL: it is light */
    union {
        wi_body_more *more;  /* of one that is not light */
        wi_geometry *lender; /* of one that is light, if its tree is lent */
    };
    uint32_t followed;       /* changes of the lender of a light body that it knows of */
    uint8_t state;           /* a wi_body_state */
    bool needs_step_end : 1; /* the end may be of another step, or of none */
    bool is_named : 1;       /* in a list that is looked at, which may have it once */
    bool rests : 1;          /* it is left alone since its last update */
    bool waits : 1;          /* during an update: it may be left alone */
    bool is_met : 1;         /* and that its promise, or that of a neighbour, meets something */
    bool makes_stops : 1;    /* on its way in an update: see wi_watches_find_stop */
} wi_body;

static inline bool wi_body_is_light(const wi_body *body) { return body->geometry == NULL; }

/* More of a body waits for the next update. */
static inline void wi_body_raise(wi_body *body, wi_body_state state)
{
    if (body->state < state) body->state = (uint8_t)state;
}

/* What one pair of bodies is asked again and again: world/watch.c. */
struct willow_watch {
    willow_world *world;
    willow_body_id a, b; /* the lower index first; they may be gone */
    willow_watch_def def;
    wi_front front;
    wi_separation list;    /* kept in updates, where bodies suit it; world/watch_list.c */
    wi_backoff list_tries; /* in updates: a list that does not pay, or has no room, is dropped */
    uint32_t list_updates; /* since it was last seen whether it does */
    uint64_t list_looks, list_queries; /* counts at that time */
    bool makes_stops;                  /* its bodies do, in this update */
    uint64_t queries, from_roots;
    uint64_t searched;          /* of these: that the last first pair did not answer */
    bool has_first;             /* the last question for a first pair found one */
    wi_pair_key first;          /* which */
    uint64_t recognised;        /* times that it was still one */
    willow_watch_kind last;     /* what the last query did; AUTO: there was none */
    bool is_limited;            /* it began at the roots because of max_bytes */
    wi_backoff front_tries;     /* the same for the front, in queries from the roots */
    uint32_t looks;             /* queries since it was last seen whether the front pays */
    uint64_t kept, looked_into; /* its counts at that time */
};

/* What waits for the next update of the tree over the bodies; each includes those before it. */
typedef enum wi_tree_state {
    WI_TREE_CURRENT,
    WI_TREE_MOVED, /* boxes are others */
    WI_TREE_OTHERS /* bodies are */
} wi_tree_state;

/* What the last merge said, for its caller to read. */
typedef struct wi_merge {
    willow_merged_body *bodies;
    uint32_t body_count;
    size_t number_count; /* of triangles and vertices of all */
    uint32_t *numbers;   /* body after body: those of triangles, then those of vertices */
} wi_merge;

/* A tree over the boxes of bodies: world/target_tree.c. */
typedef struct wi_target_tree {
    wi_body_tree tree;
    wi_tree_state state;
    double fresh_spread; /* when it was built */
    wi_asked asked;      /* for boxes, points and rays, or for pairs that are not about now */
    bool is_true;        /* queries may use it */
} wi_target_tree;

/* The pairs of bodies whose boxes meet: world/target_pairs.c. */
typedef struct wi_target_pairs {
    wi_kept kept;           /* boxes are by the index of the body */
    WI_ARRAY(wi_box) boxes; /* the same, of the last update; empty where there is no body */
    wi_asked asked;
    bool is_made; /* `kept` is */
    bool is_true; /* queries may use it */
} wi_target_pairs;

/* What bodies have promised: world/loose.c. */
typedef struct wi_loose {
    uint32_t count;         /* of promises */
    wi_kept kept;           /* of these and the boxes of all others, by the index of the body */
    WI_ARRAY(wi_box) boxes; /* the same */
    bool is_made;           /* `kept` is */
} wi_loose;

struct willow_world {
    wi_memory memory;
    wi_message message;
    willow_kernel kernel;
    willow_broad broad;
    const wi_refit_kernels *refit;
    wi_pool *pool; /* NULL with a host's tasks or one thread */
    willow_tasks tasks;
    wi_workspace *workspaces; /* one per worker, for builds */
    wi_id_pool ids;
    willow_tree_def small_def;       /* the default, resolved: of bodies that may be small */
    WI_ARRAY(wi_body *) bodies;      /* by index; NULL where there is none */
    WI_ARRAY(wi_query_body) targets; /* the bodies alive, in order, as of the last update */
    uint64_t targets_revision;       /* when they were listed */
    wi_target_tree tree;             /* over the targets, where that pays */
    wi_target_pairs pairs;           /* of bodies, the same */
    wi_loose loose;
    WI_ARRAY(willow_watch *) watches; /* in the order in which they were made */
    WI_ARRAY(wi_update) updates;      /* of the dirty bodies, during an update */
    wi_split split;                   /* what the last split, or merge, said, for its caller */
    wi_merge merge;
    double time;
    double target_time;    /* until which bodies try out their plans; -infinity: they do not */
    uint64_t revision;     /* the last one given to a state of a body */
    uint64_t update_count; /* that succeeded */
    uint32_t body_count;
    uint16_t number;
    bool is_stale;
};

/* The place of the body among the targets; their count if it came after the last update. */
size_t wi_target_number(const willow_world *world, willow_body_id id);

/* Before the target of this number gets other bounds: the tree may have to. */
void wi_target_tree_note(willow_world *world, size_t number, const wi_query_body *target);

/* Bodies come or go. */
void wi_target_tree_note_others(willow_world *world);

/* Makes the tree over the targets true, or drops it where it does not pay. False if there is no
 * memory: calling it again resumes. */
bool wi_target_tree_follow(willow_world *world);
void wi_target_tree_free(willow_world *world);

/* NULL, or the words for the invariant that is broken (W9, B1 to B4). */
const char *wi_target_tree_validate(const willow_world *world);

/* For queries: the tree, or NULL, and one is wanted from the next update on; and pairs, the same.
 */
const wi_body_tree *wi_target_tree_ask(const willow_world *world);
const wi_body_pairs *wi_target_pairs_ask(const willow_world *world);

/* The pairs if they are there. */
const wi_body_pairs *wi_target_pairs_get(const willow_world *world);

/* Makes the pairs true, or drops them where nobody asks. False if there is no memory: calling it
 * again resumes. */
bool wi_target_pairs_follow(willow_world *world);
void wi_target_pairs_free(willow_world *world);

/* NULL, or the words for the invariant that is broken (W10, B5 to B13). */
const char *wi_target_pairs_validate(const willow_world *world);

/* The box of a body as of the last update; empty if it came after that. */
wi_box wi_target_bounds(const willow_world *world, const wi_body *body);

/* The body, or NULL with a message if the id is null, dead or another world's. Most calls begin
 * with it, so it clears the message of an earlier one. */
wi_body *wi_body_get(const willow_world *world, willow_body_id id, wi_message *message);

/* The same for calls on a const world, whose message may not change: NULL without a word. */
const wi_body *wi_body_find(const willow_world *world, willow_body_id id);

/* The same of one that is to change more than its pose and what it shows: it has a geometry after
 * that. BAD_HANDLE, or OUT_OF_MEMORY, with a message; *out is NULL then. */
willow_result wi_body_get_whole(willow_world *world, willow_body_id id, wi_body **out);

/* A light body gets a geometry, which it goes on as it was with. False if there is no memory. */
bool wi_body_make_whole(willow_world *world, wi_body *body);

/* Gives a body, which is new and has none, a geometry: `more` is zeros but for its pose. */
void wi_body_give_geometry(wi_body *body, wi_geometry *geometry, wi_body_more *more);

/* A body of a def that suits becomes a small one, or one whose tree is lent. UNSUPPORTED, without a
 * message, if it is to be made in full, for whatever reason, or OUT_OF_MEMORY. The second cannot
 * fail. */
willow_result wi_body_become_small(willow_world *world, wi_body *body, const willow_body_def *def);
void wi_body_become_lent(wi_body *body, wi_geometry *lender, wi_body_state state);
bool wi_geometry_can_lend_lightly(const wi_geometry *lender);

/* What a light body holds is given back. */
void wi_light_free(willow_world *world, wi_body *body);

/* A small body is taken in by an update; its tree is of this revision. */
void wi_small_take_in(wi_body *body, uint64_t revision);

/* The geometry that a body borrows from; NULL if it does not. */
wi_geometry *wi_body_lender(const wi_body *body);

/* How its tree is to be kept. */
const willow_tree_def *wi_body_wanted(const wi_body *body);

/* The tree of a body, and its mesh, under its pose, as of the last update but for the pose: put
 * together in the room where it is light. */
const wi_tree *wi_body_see_tree(const wi_body *body, wi_instance *room);

/* A body that is not in the world yet. Fails as willow_body_create does; *out is then NULL. Any
 * worker may call it for a def that shares nothing. */
willow_result wi_body_make(willow_world *world, const willow_body_def *def, wi_message *message,
                           wi_body **out);
void wi_body_free(willow_world *world, wi_body *body);

/* Room for so many more bodies; false if there is no memory. Then they enter: the lowest free id
 * first. */
bool wi_bodies_reserve(willow_world *world, uint32_t count);
void wi_body_enter(willow_world *world, wi_body *body);

/* Its id is gone, and it is freed. */
void wi_body_leave(willow_world *world, wi_body *body);

/* A body that is made of pieces of others and has the pose and the settings of `like`; it has no id
 * before it enters. BAD_MESH or OUT_OF_MEMORY, with a message, and *out is NULL. */
willow_result wi_body_assemble(willow_world *world, const wi_body *like,
                               const wi_assembly *assembly, wi_body **out);

/* Before the old bodies leave: new ones get of their trees what stays whole. Neither fails. */
void wi_split_keep_trees(willow_world *world, wi_body *whole, wi_body *const *made);
void wi_merge_keep_trees(willow_world *world, wi_body *const *bodies, uint32_t count,
                         wi_body *whole);

/* Forgets what the last split or merge said. */
void wi_parts_forget(willow_world *world);

/* Another pose, which is valid. The caller says that the world is stale. Any worker may call it for
 * a body that has no step end. */
void wi_body_put(willow_world *world, wi_body *body, const willow_pose *pose);

/* What a body had while it shared its geometry: to be given up, or taken up again. */
typedef struct wi_owning {
    wi_geometry *shared; /* NULL: it was its own */
    wi_body_more *more;  /* for who takes it over; NULL: nobody has to */
    wi_body_state state;
    bool needs_step_end, was_stale;
} wi_owning;

/* Around all that changes the geometry of a body: where it is shared, the body goes on with a copy,
 * unless the change fails with `result`, which the second returns. The first is false, with a
 * message, if there is no memory, and nothing has changed. */
bool wi_body_begin_own(willow_world *world, wi_body *body, wi_owning *own);
willow_result wi_body_end_own(willow_world *world, wi_body *body, const wi_owning *own,
                              willow_result result);

/* A body in this state gives up its geometry, which others may have, and is about to go or has
 * another one. Where a light body takes the geometry over it gets *more, which is then NULL. */
void wi_body_leave_geometry(willow_world *world, const wi_body *leaving, wi_geometry *shared,
                            wi_body_state state, wi_body_more **more);

/* Whether nothing of a body need be computed in an update to this time if its loose box meets
 * nothing. */
bool wi_body_may_rest(const willow_world *world, const wi_body *body, double time);

/* Where all other bodies are placed: says of all whether a promise meets something. False if there
 * is no memory. */
bool wi_loose_find(willow_world *world);

/* A body that waits is left alone. */
void wi_body_rest(willow_world *world, wi_body *body);
void wi_loose_forget(willow_world *world, wi_body *body);
void wi_loose_free(willow_world *world);

/* NULL, or the words for the invariant that is broken (W11). */
const char *wi_loose_validate(const wi_body *body);

/* The body is where its tree and its pose say. */
void wi_body_place(willow_world *world, wi_body *body);

/* After lenders have changed in an update. */
void wi_bodies_follow_lenders(willow_world *world);

/* NULL, or the words for what is broken (W7). */
const char *wi_body_validate_sharing(const wi_body *body);

/* All watches that are left; with the world. */
void wi_watches_free(willow_world *world);

/* Before bodies go on to a time, and when they are there: separation lists are kept. At a stop on
 * the way only those that make stops. */
void wi_watches_run_out(willow_world *world, double time, bool is_stop);
void wi_watches_follow(willow_world *world);
void wi_watches_follow_stop(willow_world *world);

/* The next stop on the way to a time, for bodies that make stops: *last, which is -infinity before
 * the first one, becomes that. False if there is none. */
bool wi_watches_find_stop(willow_world *world, double time, double *last);

/* The list of a watch is true now. */
bool wi_watch_has_list(const willow_watch *watch);
const char *wi_watch_validate_list(const willow_watch *watch);

/* NULL, or the words for the invariant that is broken (W6). */
const char *wi_watches_validate(const willow_world *world);

/* The user has changed where the body is, or will be. */
void wi_body_touch(willow_world *world, wi_body *body);

/* The next update builds the tree of the body anew. */
void wi_body_drop_tree(willow_world *world, wi_body *body);

/* BAD_ARGUMENT with a message unless these can be positions for [first, first + count). */
willow_result wi_body_check_vertices(willow_world *world, const wi_body *body, uint32_t first,
                                     uint32_t count, const void *positions, size_t stride);

/* Vertices of a body that follows plans stand still at these positions from now on. */
willow_result wi_body_put_vertices(willow_world *world, wi_body *body, uint32_t first,
                                   uint32_t count, wi_source source);

/* The same for a pose, and for a layer. */
willow_result wi_check_pose(wi_message *message, const willow_pose *pose);
willow_result wi_check_thickness(wi_message *message, float thickness);

/* False with a message if the body has no morph. */
bool wi_body_morphs(willow_world *world, const wi_body *body);

/* False with a message if the body has no skin. */
bool wi_body_has_skin(willow_world *world, const wi_body *body);

/* What was known of the vertices of now is of no use in the next update: weights, joints or more
 * have changed. */
void wi_body_note_shapes(willow_world *world, wi_body *body);

/* Ends the morph, the skin or the deformation of a body: these vertices are moved, and all others
 * stay. */
willow_result wi_body_leave_morph(willow_world *world, wi_body *body, uint32_t first,
                                  uint32_t count, wi_source source);

#endif
