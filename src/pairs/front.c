/* front.c - which pairs of leaves a front has, and where it keeps what is known of them.
 *
 * Ways in: wi_front_begin, wi_front_follow, wi_front_keep, in this order in every query; in between
 * the kernel measures motion and meets the pairs (front_kernel.c). All of this is done by one
 * thread, in the order of the walk, so that nothing depends on who found what (C10). A walk over
 * the same trees comes to the same pairs in the same order, so the pair that is looked for is
 * nearly always the one behind the last; else it is found among those of its leaf. */
#include "pairs/front.h"

#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "tree/linked/links.h"

extern const wi_front_kernels wi_front_kernels_scalar, wi_front_kernels_avx2;

const wi_front_kernels *wi_front_kernels_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, front_kernels);
}

#define NO_PAIR UINT32_MAX

/* ---- memory ---- */

static size_t side_bytes(const wi_front_side *side)
{
    return side->leaf_count * sizeof *side->places +
           side->leaves.capacity * sizeof *side->leaves.items +
           side->points.capacity * sizeof *side->points.items +
           side->free.capacity * sizeof *side->free.items;
}

size_t wi_front_bytes(const wi_front *front)
{
    return side_bytes(&front->sides[0]) + side_bytes(&front->sides[1]) +
           (front->pairs.capacity + front->last_pairs.capacity) * sizeof(wi_front_pair) +
           front->chains.capacity * sizeof(uint32_t) +
           (front->keys.capacity + front->spare_keys.capacity) * sizeof(wi_pair_key);
}

static void free_side(wi_memory *memory, wi_front_side *side)
{
    wi_free_array(memory, side->places, side->leaf_count, sizeof *side->places);
    wi_array_free(memory, &side->leaves);
    wi_array_free(memory, &side->points);
    wi_array_free(memory, &side->free);
    *side = (wi_front_side){.places = NULL};
}

void wi_front_drop(wi_memory *memory, wi_front *front)
{
    for (int i = 0; i < 2; i++) free_side(memory, &front->sides[i]);
    wi_array_free(memory, &front->pairs);
    wi_array_free(memory, &front->last_pairs);
    wi_array_free(memory, &front->chains);
    wi_array_free(memory, &front->keys);
    wi_array_free(memory, &front->spare_keys);
    front->structure[0] = front->structure[1] = 0;
}

/* Whether a block may be had as well. Growing holds the old one until the new one is filled. */
static bool front_is_within_limit(wi_front *front, size_t bytes)
{
    if (front->max_bytes == 0) return true;
    const size_t held = wi_front_bytes(front);
    if (held <= front->max_bytes && bytes <= front->max_bytes - held) return true;
    front->is_over = true;
    return false;
}

static size_t grown(size_t capacity, size_t wanted)
{
    const size_t least = 8, more = capacity + capacity / 2;
    const size_t size = more > wanted ? more : wanted;
    return size > least ? size : least;
}

/* wi_array_reserve under the limit. */
#define reserve(memory, front, array, wanted)                                                      \
    ((wanted) <= (array)->capacity ||                                                              \
     (front_is_within_limit(front, grown((array)->capacity, wanted) * sizeof *(array)->items) &&   \
      wi_array_reserve(memory, array, wanted)))

/* The places of leaves that the query does not meet. */
static void front_free_places(const wi_front *front, wi_front_side *side)
{
    for (uint32_t place = 0; place < side->leaves.count; place++) {
        wi_front_leaf *leaf = &side->leaves.items[place];
        if (leaf->leaf == WI_NO_LEAF || leaf->query == front->query) continue;
        side->places[leaf->leaf] = WI_NO_LEAF;
        leaf->leaf = WI_NO_LEAF;
        side->free.items[side->free.count++] = place; /* there is room for all */
    }
}

/* ---- beginning ---- */

static uint32_t front_most_vertices(const wi_tree *h)
{
    uint32_t most = 0;
    if (wi_shape_is_linked(h->shape)) return wi_links_of(h)->entries_per_leaf;
    if (wi_shape_is_grown(h->shape)) return 3 * h->def.leaf_triangles;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        if (h->shape->leaves[leaf].vertex_count > most) most = h->shape->leaves[leaf].vertex_count;
    return most;
}

static bool start_side(wi_memory *memory, wi_front *front, wi_front_side *side, const wi_tree *h)
{
    const size_t bytes = h->shape->leaf_count * sizeof *side->places;
    if (!front_is_within_limit(front, bytes)) return false;
    side->places = wi_alloc_array(memory, h->shape->leaf_count, sizeof *side->places);
    if (side->places == NULL) return false;
    side->leaf_count = h->shape->leaf_count;
    side->stride = front_most_vertices(h);
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) side->places[leaf] = WI_NO_LEAF;
    return true;
}

/* ---- edits ---- */

/* The leaves of a tree have the numbers that they had at a time, but for those that edits changed.
 */
static bool only_edited_since(const wi_tree *h, uint64_t structure)
{
    if (h->shape->structure == structure) return true;
    return wi_shape_is_linked(h->shape) && wi_links_of(h)->since <= structure;
}

/* There are more leaves now. */
static bool grow_places(wi_memory *memory, wi_front *front, wi_front_side *side, uint32_t count)
{
    if (count <= side->leaf_count) return true;
    if (!front_is_within_limit(front, count * sizeof *side->places)) return false;
    uint32_t *places = wi_alloc_array(memory, count, sizeof *places);
    if (places == NULL) return false;
    memcpy(places, side->places, side->leaf_count * sizeof *places);
    for (uint32_t leaf = side->leaf_count; leaf < count; leaf++) places[leaf] = WI_NO_LEAF;
    wi_free_array(memory, side->places, side->leaf_count, sizeof *side->places);
    side->places = places;
    side->leaf_count = count;
    return true;
}

/* Leaves that an edit has changed are as if they were met first: so are the pairs that they are in.
 */
static bool follow_edits(wi_memory *memory, wi_front *front, wi_front_side *side, const wi_tree *h,
                         uint64_t structure)
{
    if (h->shape->structure == structure) return true;
    const wi_links *links = wi_links_of(h);
    for (size_t place = 0; place < side->leaves.count; place++) {
        wi_front_leaf *leaf = &side->leaves.items[place];
        if (leaf->leaf != WI_NO_LEAF && links->leaf_revision[leaf->leaf] > structure)
            leaf->is_new = true;
    }
    return grow_places(memory, front, side, h->shape->leaf_count);
}

static bool front_follow_edits(wi_memory *memory, wi_front *front, const wi_tree *a,
                               const wi_tree *b)
{
    const wi_tree *trees[2] = {a, b};
    for (int i = 0; i < 2 - front->is_within; i++) {
        if (!follow_edits(memory, front, &front->sides[i], trees[i], front->structure[i]))
            return false;
    }
    front->structure[0] = a->shape->structure;
    front->structure[1] = b->shape->structure;
    return true;
}

static bool front_fail(wi_memory *memory, wi_front *front)
{
    wi_front_drop(memory, front);
    front->counts.restarts++;
    return false;
}

void wi_front_clear(wi_front *front)
{
    front->counts.shrunk += front->pairs.count;
    front->pairs.count = front->keys.count = front->in_use = 0;
    front->query++;
    for (int i = 0; i < 2; i++) front_free_places(front, &front->sides[i]);
}

/* Keys that were found by other rules are of no use. */
static void forget_keys(wi_front *front)
{
    front->keys.count = 0;
    for (size_t i = 0; i < front->pairs.count; i++) {
        wi_front_pair *pair = &front->pairs.items[i];
        pair->is_known = false;
        pair->first = pair->count = 0;
    }
}

bool wi_front_begin(wi_memory *memory, wi_front *front, const wi_tree *a, const wi_tree *b,
                    const wi_walk_rules *rules)
{
    front->is_over = false;
    front->query++;
    if (front->skip_neighbours != rules->skip_neighbours) forget_keys(front);
    front->skip_neighbours = rules->skip_neighbours;
    if (front->structure[0] == a->shape->structure && front->structure[1] == b->shape->structure)
        return true;
    if (front->structure[0] != 0 && only_edited_since(a, front->structure[0]) &&
        only_edited_since(b, front->structure[1]))
        return front_follow_edits(memory, front, a, b) || front_fail(memory, front);
    front->counts.restarts += front->structure[0] != 0;
    wi_front_drop(memory, front);
    front->is_within = a == b;
    if (!start_side(memory, front, &front->sides[0], a) ||
        (a != b && !start_side(memory, front, &front->sides[1], b)))
        return front_fail(memory, front);
    front->structure[0] = a->shape->structure;
    front->structure[1] = b->shape->structure;
    return true;
}

/* ---- sprouting and shrinking ---- */

static bool take_place(wi_memory *memory, wi_front *front, wi_front_side *side, uint32_t leaf)
{
    const size_t count = side->leaves.count;
    if (side->free.count > 0) {
        side->places[leaf] = side->free.items[--side->free.count];
    } else {
        if (!reserve(memory, front, &side->leaves, count + 1) ||
            !reserve(memory, front, &side->points, (count + 1) * side->stride) ||
            !reserve(memory, front, &side->free, count + 1))
            return false;
        side->places[leaf] = (uint32_t)count;
        side->leaves.count++;
        side->points.count += side->stride;
    }
    side->leaves.items[side->places[leaf]] =
        (wi_front_leaf){.leaf = leaf, .last_pair = NO_PAIR, .is_new = true};
    return true;
}

/* The place of a leaf that is met in this query. */
static bool place_leaf(wi_memory *memory, wi_front *front, wi_front_side *side, uint32_t leaf,
                       uint32_t *place)
{
    if (side->places[leaf] == WI_NO_LEAF && !take_place(memory, front, side, leaf)) return false;
    *place = side->places[leaf];
    side->leaves.items[*place].query = front->query;
    return true;
}

/* Chains the last pairs by leaf a. */
static void chain_pairs(wi_front *front)
{
    wi_front_leaf *leaves = front->sides[0].leaves.items;
    for (size_t i = 0; i < front->sides[0].leaves.count; i++) leaves[i].last_pair = NO_PAIR;
    for (uint32_t i = 0; i < front->last_pairs.count; i++) {
        wi_front_leaf *leaf = &leaves[front->last_pairs.items[i].place_a];
        front->chains.items[i] = leaf->last_pair;
        leaf->last_pair = i;
    }
    front->has_chains = true;
}

static uint32_t find_in_chain(wi_front *front, const wi_walk_item *pair)
{
    const uint32_t place = front->sides[0].places[pair->a];
    if (place == WI_NO_LEAF) return NO_PAIR;
    if (!front->has_chains) chain_pairs(front);
    uint32_t found = front->sides[0].leaves.items[place].last_pair;
    while (found != NO_PAIR && front->last_pairs.items[found].b != pair->b)
        found = front->chains.items[found];
    return found;
}

/* The number of a pair among the last ones, beginning where it is expected. */
static uint32_t find_pair(wi_front *front, uint32_t expected, const wi_walk_item *pair)
{
    const wi_front_pair *likely = &front->last_pairs.items[expected];
    if (expected < front->last_pairs.count && likely->a == pair->a && likely->b == pair->b)
        return expected;
    return front->last_pairs.count > 0 ? find_in_chain(front, pair) : NO_PAIR;
}

static bool sprout(wi_memory *memory, wi_front *front, const wi_walk_item *pair)
{
    wi_front_pair *next = &front->pairs.items[front->pairs.count];
    wi_front_side *side_b = &front->sides[!front->is_within];
    *next = (wi_front_pair){.a = pair->a, .b = pair->b};
    if (!place_leaf(memory, front, &front->sides[0], pair->a, &next->place_a) ||
        !place_leaf(memory, front, side_b, pair->b, &next->place_b))
        return false;
    front->pairs.count++;
    return true;
}

static void carry_on(wi_front *front, const wi_front_pair *pair)
{
    front->pairs.items[front->pairs.count++] = *pair;
    front->sides[0].leaves.items[pair->place_a].query = front->query;
    front->sides[!front->is_within].leaves.items[pair->place_b].query = front->query;
}

static bool front_follow(wi_memory *memory, wi_front *front, const wi_walk_item *pairs,
                         size_t count)
{
    uint32_t expected = 0, carried = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t found = find_pair(front, expected, &pairs[i]);
        if (found == NO_PAIR) {
            if (!sprout(memory, front, &pairs[i])) return false;
            continue;
        }
        carry_on(front, &front->last_pairs.items[found]);
        expected = found + 1;
        carried++;
    }
    front->counts.sprouted += count - carried;
    front->counts.shrunk += front->last_pairs.count - carried;
    return true;
}

/* The pairs become the last pairs, and the other way round. */
static void swap_pairs(wi_front *front)
{
    wi_front_pair *items = front->pairs.items;
    const size_t count = front->pairs.count, capacity = front->pairs.capacity;
    front->pairs.items = front->last_pairs.items;
    front->pairs.count = 0;
    front->pairs.capacity = front->last_pairs.capacity;
    front->last_pairs.items = items;
    front->last_pairs.count = count;
    front->last_pairs.capacity = capacity;
}

bool wi_front_follow(wi_memory *memory, wi_front *front, const wi_walk_item *pairs, size_t count)
{
    front->last_pairs.count = front->chains.count = 0; /* nothing to keep when they grow */
    if (count >= NO_PAIR || !reserve(memory, front, &front->last_pairs, count) ||
        !reserve(memory, front, &front->chains, front->pairs.count))
        return front_fail(memory, front);
    swap_pairs(front);
    front->has_chains = false;
    if (!front_follow(memory, front, pairs, count)) return front_fail(memory, front);
    front_free_places(front, &front->sides[0]);
    if (!front->is_within) front_free_places(front, &front->sides[1]);
    return true;
}

/* ---- keys ---- */

/* Moves those in use together, where most are not. */
static bool compact(wi_memory *memory, wi_front *front)
{
    front->spare_keys.count = 0;
    if (!reserve(memory, front, &front->spare_keys, front->in_use)) return false;
    for (size_t i = 0; i < front->pairs.count; i++) {
        wi_front_pair *pair = &front->pairs.items[i];
        if (pair->finder != 0) continue;
        const wi_pair_key *from = front->keys.items + pair->first;
        pair->first = (uint32_t)front->spare_keys.count;
        for (uint32_t k = 0; k < pair->count; k++)
            front->spare_keys.items[front->spare_keys.count++] = from[k];
    }
    wi_pair_key *items = front->keys.items;
    const size_t capacity = front->keys.capacity;
    front->keys.items = front->spare_keys.items;
    front->keys.count = front->spare_keys.count;
    front->keys.capacity = front->spare_keys.capacity;
    front->spare_keys.items = items;
    front->spare_keys.capacity = capacity;
    return true;
}

/* The keys that workers have found; of others those in use. */
static size_t count_keys(wi_front *front)
{
    size_t found = 0;
    front->in_use = 0;
    for (size_t i = 0; i < front->pairs.count; i++) {
        const wi_front_pair *pair = &front->pairs.items[i];
        if (pair->finder != 0)
            found += pair->count;
        else
            front->in_use += pair->count;
    }
    return found;
}

static void take_keys(wi_front *front, wi_front_pair *pair, const wi_pair_key *from)
{
    const uint32_t first = (uint32_t)front->keys.count;
    for (uint32_t i = 0; i < pair->count; i++) front->keys.items[first + i] = from[pair->first + i];
    front->keys.count += pair->count;
    pair->first = first;
}

bool wi_front_keep(wi_memory *memory, wi_front *front, wi_walk_of *walk_of, const void *context)
{
    enum { FEW = 64 };
    const size_t found = count_keys(front), wanted = front->in_use + found;
    uint64_t looked_into = 0;
    if (front->keys.count + found > 2 * wanted + FEW && !compact(memory, front))
        return front_fail(memory, front);
    if (front->keys.count + found > UINT32_MAX ||
        !reserve(memory, front, &front->keys, front->keys.count + found))
        return front_fail(memory, front);
    for (size_t i = 0; i < front->pairs.count; i++) {
        wi_front_pair *pair = &front->pairs.items[i];
        if (pair->finder == 0) continue;
        take_keys(front, pair, walk_of(context, pair->finder - 1)->kept_keys.items);
        pair->finder = 0;
        looked_into++;
    }
    front->counts.looked_into += looked_into;
    front->counts.kept += front->pairs.count - looked_into;
    return true;
}

/* ---- soundness ---- */

static const char *validate_side(const wi_front_side *side, const wi_tree *h)
{
    size_t placed = 0;
    if (side->leaf_count != h->shape->leaf_count) return "F1: a front is of another tree";
    if (side->points.count != side->leaves.count * side->stride)
        return "F2: a place of a front has no room for its vertices";
    for (uint32_t leaf = 0; leaf < side->leaf_count; leaf++) {
        const uint32_t place = side->places[leaf];
        if (place == WI_NO_LEAF) continue;
        if (place >= side->leaves.count || side->leaves.items[place].leaf != leaf)
            return "F2: a leaf of a front is not in its place";
        placed++;
    }
    return placed + side->free.count == side->leaves.count
               ? NULL
               : "F2: a place of a front is nobody's, or two leaves'";
}

static const char *front_validate_pair(const wi_front *front, const wi_front_pair *pair)
{
    const wi_front_side *a = &front->sides[0], *b = &front->sides[!front->is_within];
    if (pair->a >= a->leaf_count || pair->b >= b->leaf_count ||
        (front->is_within && pair->a > pair->b))
        return "F3: a front has a pair of leaves that are not there";
    if (a->places[pair->a] != pair->place_a || b->places[pair->b] != pair->place_b)
        return "F3: a pair of a front does not know the places of its leaves";
    if (pair->finder != 0 || (size_t)pair->first + pair->count > front->keys.count ||
        (!pair->is_known && pair->count > 0))
        return "F4: a pair of a front has keys that are not there";
    return NULL;
}

const char *wi_front_validate(const wi_front *front, const wi_tree *a, const wi_tree *b)
{
    if (front->structure[0] == 0) return NULL;
    if (front->structure[0] != a->shape->structure || front->structure[1] != b->shape->structure)
        return NULL; /* it will start again */
    const char *broken = validate_side(&front->sides[0], a);
    if (broken == NULL && !front->is_within) broken = validate_side(&front->sides[1], b);
    for (size_t i = 0; i < front->pairs.count && broken == NULL; i++)
        broken = front_validate_pair(front, &front->pairs.items[i]);
    return broken;
}
