/* body_tree.c - builds a tree over the boxes of bodies, and keeps it true while they move.
 *
 * Ways in: wi_body_tree_build, wi_body_tree_refit. Made for worlds in which most bodies move a
 * little in every step: a refit is one sweep over the nodes, and a build, which is wanted when
 * bodies come and go or have changed places, some ten passes over the bodies.
 *
 * A range of bodies is cut where its centres have their middle, along the longest axis (spatial
 * median, as linear BVHs do by Morton codes: Lauterbach et al. 2009), or into small bodies and
 * large ones, whichever makes the two boxes smaller (surface area heuristic). Without the second
 * cut one floor would make every node above it as large as itself. Middles are taken afresh in
 * every range, so that one body far away does not use up the digits of all others. */
#include "broad/body_tree.h"

#include <string.h>

#include "base/hash.h"

/* A body while a tree is built. Its box is finite here. */
typedef struct entry {
    wi_box box;
    float size; /* half of its longest side */
    uint32_t number;
} entry;

/* Entries that become a child. */
typedef struct part {
    uint32_t first, count;
    wi_box box;     /* of them */
    wi_box centres; /* of their middles */
} part;

/* A node to be made of a part, when its turn comes. */
typedef struct node_to_make {
    part of;
    uint32_t parent, lane, depth;
} node_to_make;

/* Deeper than this, parts are halved by count, so that no way becomes too long: the number of
 * bodies has 32 bits. */
enum { FREE_DEPTH = WI_BODY_TREE_DEPTH - 32 };

size_t wi_body_tree_build_size(uint32_t body_count)
{
    return wi_workspace_size(body_count, sizeof(entry)) +
           wi_workspace_size(WI_BODY_TREE_STACK, sizeof(node_to_make));
}

bool wi_body_tree_reserve(wi_memory *memory, wi_body_tree *tree, uint32_t body_count)
{
    const uint32_t most = wi_body_tree_most_nodes(body_count);
    if (body_count == 0 || most <= tree->capacity) return true;
    wi_body_node *nodes = wi_alloc_array(memory, most, sizeof *nodes);
    if (nodes == NULL) return false;
    if (tree->node_count > 0) memcpy(nodes, tree->nodes, tree->node_count * sizeof *nodes);
    wi_free_array(memory, tree->nodes, tree->capacity, sizeof *nodes);
    tree->nodes = nodes;
    tree->capacity = most;
    return true;
}

void wi_body_tree_free(wi_memory *memory, wi_body_tree *tree)
{
    wi_free_array(memory, tree->nodes, tree->capacity, sizeof *tree->nodes);
    *tree = (wi_body_tree){.box = wi_box_empty()};
}

void wi_body_tree_trim(wi_memory *memory, wi_body_tree *tree)
{
    const uint32_t count = tree->node_count;
    enum { FEW = 256 }; /* nodes: not worth a copy */
    if (tree->capacity < FEW || tree->capacity - count <= count / 8) return;
    wi_body_node *nodes = wi_alloc_array(memory, count, sizeof *nodes);
    if (nodes == NULL) return;
    memcpy(nodes, tree->nodes, count * sizeof *nodes);
    wi_free_array(memory, tree->nodes, tree->capacity, sizeof *nodes);
    tree->nodes = nodes;
    tree->capacity = count;
}

/* ---- parts ---- */

static float within_floats(float value)
{
    return value < -FLT_MAX ? -FLT_MAX : value > FLT_MAX ? FLT_MAX : value;
}

static float middle(const wi_box *box, int axis)
{
    return 0.5F * box->lower[axis] + 0.5F * box->upper[axis];
}

static float half_side(const wi_box *box, int axis)
{
    return 0.5F * box->upper[axis] - 0.5F * box->lower[axis];
}

static int longest_axis(const wi_box *box)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (half_side(box, axis) > half_side(box, longest)) longest = axis;
    return longest;
}

static entry make_entry(const wi_box *box, uint32_t number)
{
    entry e = {.number = number};
    for (int axis = 0; axis < 3; axis++) {
        e.box.lower[axis] = within_floats(box->lower[axis]);
        e.box.upper[axis] = within_floats(box->upper[axis]);
    }
    e.size = half_side(&e.box, longest_axis(&e.box));
    return e;
}

static void add_to_part(part *p, const entry *e)
{
    const float at[3] = {middle(&e->box, 0), middle(&e->box, 1), middle(&e->box, 2)};
    p->count++;
    wi_box_add_box(&p->box, &e->box);
    wi_box_add_point(&p->centres, at);
}

static part no_part(uint32_t first)
{
    return (part){.first = first, .box = wi_box_empty(), .centres = wi_box_empty()};
}

/* How a part may be cut in two: by place, or by size. */
typedef struct cut {
    bool by_size;
    int axis;
    float at; /* what is greater goes to the second half */
} cut;

static bool goes_second(const cut *c, const entry *e)
{
    return (c->by_size ? e->size : middle(&e->box, c->axis)) > c->at;
}

/* What both halves of a cut would cost; infinite if one is empty. */
typedef struct halves {
    wi_box box[2];
    uint32_t count[2];
} halves;

static void add_to_half(halves *h, bool second, const wi_box *box)
{
    h->count[second]++;
    wi_box_add_box(&h->box[second], box);
}

static double cost_of(const halves *h)
{
    if (h->count[0] == 0 || h->count[1] == 0) return (double)INFINITY;
    return wi_box_half_area(&h->box[0]) * h->count[0] + wi_box_half_area(&h->box[1]) * h->count[1];
}

/* The better of the two cuts; false if neither leaves something on both sides. */
static bool choose_cut(const entry *entries, const part *p, cut *out)
{
    const int axis = longest_axis(&p->centres);
    const cut by_place = {false, axis, middle(&p->centres, axis)};
    const cut by_size = {true, axis, 0.5F * half_side(&p->centres, axis)};
    const halves none = {{wi_box_empty(), wi_box_empty()}, {0, 0}};
    halves place = none, size = none;
    for (uint32_t i = p->first; i < p->first + p->count; i++) {
        add_to_half(&place, goes_second(&by_place, &entries[i]), &entries[i].box);
        add_to_half(&size, goes_second(&by_size, &entries[i]), &entries[i].box);
    }
    const double place_cost = cost_of(&place), size_cost = cost_of(&size);
    *out = size_cost < place_cost ? by_size : by_place;
    return place_cost < (double)INFINITY || size_cost < (double)INFINITY;
}

/* Cuts a part in two, and puts its entries in that order. */
static void cut_part(entry *entries, const part *p, const cut *c, part *a, part *b)
{
    uint32_t low = p->first, high = p->first + p->count;
    *a = no_part(low);
    *b = no_part(high);
    while (low < high) {
        const entry e = entries[low];
        if (!goes_second(c, &e)) {
            add_to_part(a, &e);
            low++;
        } else {
            add_to_part(b, &e);
            entries[low] = entries[--high];
            entries[high] = e;
        }
    }
    b->first = high;
    WI_ASSERT(a->count > 0 && b->count > 0 && a->count + b->count == p->count);
}

static void halve_part(const entry *entries, const part *p, part *a, part *b)
{
    *a = no_part(p->first);
    *b = no_part(p->first + p->count / 2);
    for (uint32_t i = p->first; i < b->first; i++) add_to_part(a, &entries[i]);
    for (uint32_t i = b->first; i < p->first + p->count; i++) add_to_part(b, &entries[i]);
}

/* Parts of one body stay whole. */
static void split_part(entry *entries, uint32_t depth, const part *p, part *a, part *b)
{
    cut c;
    WI_ASSERT(p->count > 1);
    if (depth < FREE_DEPTH && choose_cut(entries, p, &c))
        cut_part(entries, p, &c, a, b);
    else
        halve_part(entries, p, a, b);
}

/* ---- building ---- */

/* The part to split next, which is the largest one; `count` if all are of one body. */
static unsigned largest_part(const part *parts, unsigned count)
{
    unsigned best = count;
    double best_area = -1.0;
    for (unsigned i = 0; i < count; i++) {
        const double area = parts[i].count > 1 ? wi_box_half_area(&parts[i].box) : -1.0;
        if (!(area > best_area)) continue;
        best_area = area;
        best = i;
    }
    return best;
}

static unsigned split_for_node(entry *entries, uint32_t depth, const part *p, part parts[WI_LANES])
{
    unsigned count = 1;
    parts[0] = *p;
    while (count < WI_LANES) {
        const unsigned i = largest_part(parts, count);
        if (i == count) break;
        const part whole = parts[i];
        split_part(entries, depth, &whole, &parts[i], &parts[count]);
        count++;
    }
    return count;
}

typedef struct builder {
    wi_body_tree *tree;
    entry *entries;
    node_to_make *stack; /* the next one last */
    uint32_t stack_count;
} builder;

/* Those below come right after it, in the order of lanes. */
static void make_node(builder *b, const node_to_make *next)
{
    part parts[WI_LANES];
    const uint32_t number = b->tree->node_count++;
    wi_body_node *node = &b->tree->nodes[number];
    WI_ASSERT(number < b->tree->capacity && next->depth < WI_BODY_TREE_DEPTH);
    memset(node, 0, sizeof *node);
    if (number > 0) b->tree->nodes[next->parent].child[next->lane] = number;
    node->count = (uint8_t)split_for_node(b->entries, next->depth, &next->of, parts);
    for (unsigned lane = node->count; lane-- > 0;) {
        if (parts[lane].count == 1) {
            node->child[lane] = b->entries[parts[lane].first].number;
            node->leaf_mask |= (uint8_t)(1U << lane);
            continue;
        }
        WI_ASSERT(b->stack_count < WI_BODY_TREE_STACK);
        b->stack[b->stack_count++] = (node_to_make){parts[lane], number, lane, next->depth + 1};
    }
}

static part take_entries(const wi_box_list *boxes, entry *entries)
{
    part all = no_part(0);
    for (uint32_t i = 0; i < boxes->count; i++) {
        const wi_box *box = wi_box_list_at(boxes, i);
        if (wi_box_is_empty(box)) continue;
        entries[all.count] = make_entry(box, i);
        add_to_part(&all, &entries[all.count]);
    }
    return all;
}

static bool is_leaf(const wi_body_node *node, unsigned lane)
{
    return (node->leaf_mask >> lane & 1) != 0;
}

/* A node ends where its last child does. */
static void set_ends(wi_body_tree *tree)
{
    for (uint32_t i = tree->node_count; i-- > 0;) {
        wi_body_node *node = &tree->nodes[i];
        node->end = i + 1;
        for (unsigned lane = 0; lane < node->count; lane++)
            if (!is_leaf(node, lane)) node->end = tree->nodes[node->child[lane]].end;
    }
}

void wi_body_tree_build(wi_body_tree *tree, const wi_box_list *boxes, wi_workspace *workspace)
{
    builder b = {.tree = tree};
    b.entries = wi_workspace_take(workspace, boxes->count, sizeof *b.entries);
    b.stack = wi_workspace_take(workspace, WI_BODY_TREE_STACK, sizeof *b.stack);
    const part all = take_entries(boxes, b.entries);
    tree->node_count = 0;
    tree->body_count = all.count;
    if (all.count > 0) b.stack[b.stack_count++] = (node_to_make){.of = all};
    while (b.stack_count > 0) {
        const node_to_make next = b.stack[--b.stack_count];
        make_node(&b, &next);
    }
    set_ends(tree);
    wi_body_tree_refit(tree, boxes);
    WI_ASSERT_SLOW(wi_body_tree_validate(tree, boxes) == NULL);
}

/* ---- boxes ---- */

static wi_box box_of_node(const wi_body_node *node)
{
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = wi_wide_least(wi_wide_load(node->lower[axis]));
        box.upper[axis] = wi_wide_greatest(wi_wide_load(node->upper[axis]));
    }
    return box;
}

static void set_lane(wi_body_node *node, unsigned lane, const wi_box *box)
{
    for (int axis = 0; axis < 3; axis++) {
        node->lower[axis][lane] = box->lower[axis];
        node->upper[axis][lane] = box->upper[axis];
    }
}

static wi_box box_of_lane(const wi_body_tree *tree, const wi_box_list *boxes,
                          const wi_body_node *node, unsigned lane)
{
    if (lane >= node->count) return wi_box_empty();
    if (!is_leaf(node, lane)) return box_of_node(&tree->nodes[node->child[lane]]);
    return *wi_box_list_at(boxes, node->child[lane]);
}

/* The share of a node that its children cover, all added up; 0 where that means nothing. */
static double spread_of(const wi_body_node *node)
{
    const wi_box whole = box_of_node(node);
    const double area = wi_box_half_area(&whole);
    double sum = 0.0;
    if (!(area > 0.0 && area < (double)INFINITY)) return 0.0;
    for (unsigned lane = 0; lane < node->count; lane++) {
        const wi_box box = wi_body_node_box(node, lane);
        sum += wi_box_half_area(&box);
    }
    return sum / area;
}

void wi_body_tree_refit(wi_body_tree *tree, const wi_box_list *boxes)
{
    double spread = 0.0;
    /* Children follow their parents (B1), so that a backward sweep meets them first. */
    for (uint32_t i = tree->node_count; i-- > 0;) {
        wi_body_node *node = &tree->nodes[i];
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            const wi_box box = box_of_lane(tree, boxes, node, lane);
            set_lane(node, lane, &box);
        }
        spread += spread_of(node);
    }
    tree->box = tree->node_count > 0 ? box_of_node(&tree->nodes[0]) : wi_box_empty();
    tree->spread = tree->node_count > 0 ? spread / tree->node_count : 0.0;
}

/* ---- looking ---- */

/* A heap's way of sorting: few numbers, and no room beside them. */
static void sink_number(uint32_t *numbers, size_t at, size_t count)
{
    const uint32_t number = numbers[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && numbers[child + 1] > numbers[child]) child++;
        if (numbers[child] <= number) break;
        numbers[at] = numbers[child];
        at = child;
    }
    numbers[at] = number;
}

void wi_body_numbers_sort(wi_body_numbers *list)
{
    uint32_t *numbers = list->items;
    const size_t count = list->count;
    for (size_t i = count / 2; i-- > 0;) sink_number(numbers, i, count);
    for (size_t last = count; last-- > 1;) {
        const uint32_t greatest = numbers[0];
        numbers[0] = numbers[last];
        numbers[last] = greatest;
        sink_number(numbers, 0, last);
    }
}

void wi_body_numbers_sort_once(wi_body_numbers *list)
{
    size_t count = 0;
    wi_body_numbers_sort(list);
    for (size_t i = 0; i < list->count; i++)
        if (count == 0 || list->items[count - 1] != list->items[i])
            list->items[count++] = list->items[i];
    list->count = count;
}

bool wi_body_tree_find(wi_memory *memory, const wi_body_tree *tree, const wi_box *box,
                       wi_body_numbers *out)
{
    uint32_t stack[WI_BODY_TREE_STACK], count = 0;
    WI_ASSERT(out->count == 0);
    if (tree->node_count > 0) stack[count++] = 0;
    while (count > 0) {
        const wi_body_node *node = &tree->nodes[stack[--count]];
        for (unsigned lane = 0; lane < node->count; lane++) {
            const wi_box own = wi_body_node_box(node, lane);
            if (!wi_boxes_meet(&own, box)) continue;
            WI_ASSERT(is_leaf(node, lane) || count < WI_BODY_TREE_STACK);
            if (!is_leaf(node, lane))
                stack[count++] = node->child[lane];
            else if (!wi_array_push(memory, out, node->child[lane]))
                return false;
        }
    }
    wi_body_numbers_sort(out);
    return true;
}

/* ---- checks ---- */

static const char *validate_lane(const wi_body_tree *tree, const wi_box_list *boxes, uint32_t i,
                                 unsigned lane)
{
    const wi_body_node *node = &tree->nodes[i];
    if (lane < node->count && node->child[lane] >= (is_leaf(node, lane) ? boxes->count : node->end))
        return "B1: a node has children that are not there";
    if (lane < node->count && !is_leaf(node, lane) && node->child[lane] <= i)
        return "B1: a node comes before its parent";
    const wi_box box = wi_body_node_box(node, lane), is = box_of_lane(tree, boxes, node, lane);
    return memcmp(&box, &is, sizeof box) == 0 ? NULL : "B3: a box in a node is another";
}

/* Subtrees follow each other without a gap. */
static const char *validate_node(const wi_body_tree *tree, const wi_box_list *boxes, uint32_t i)
{
    const wi_body_node *node = &tree->nodes[i];
    uint32_t next = i + 1;
    if (node->count < (tree->body_count > 1 ? 2 : 1) || node->count > WI_LANES ||
        node->leaf_mask >> node->count != 0 || node->end > tree->node_count)
        return "B1: a node has too few or too many children";
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const char *broken = validate_lane(tree, boxes, i, lane);
        if (broken) return broken;
        if (lane >= node->count || is_leaf(node, lane)) continue;
        if (node->child[lane] != next) return "B1: nodes are not in order";
        next = tree->nodes[next].end;
    }
    return next == node->end ? NULL : "B1: a node ends elsewhere";
}

/* Each body with a box once: as many, and the same sum of hashes. */
static bool has_all_bodies(const wi_body_tree *tree, const wi_box_list *boxes)
{
    uint64_t wanted = 0, found = 0;
    uint32_t wanted_count = 0, found_count = 0;
    for (uint32_t i = 0; i < boxes->count; i++) {
        if (wi_box_is_empty(wi_box_list_at(boxes, i))) continue;
        wanted += wi_hash_u64(WI_HASH_START, i);
        wanted_count++;
    }
    for (uint32_t i = 0; i < tree->node_count; i++)
        for (unsigned lane = 0; lane < tree->nodes[i].count; lane++) {
            if (!is_leaf(&tree->nodes[i], lane)) continue;
            found += wi_hash_u64(WI_HASH_START, tree->nodes[i].child[lane]);
            found_count++;
        }
    return wanted == found && wanted_count == found_count && found_count == tree->body_count;
}

static uint32_t longest_way(const wi_body_tree *tree)
{
    uint32_t ends[WI_BODY_TREE_DEPTH], depth = 0, longest = 0;
    for (uint32_t i = 0; i < tree->node_count && depth < WI_BODY_TREE_DEPTH; i++) {
        while (depth > 0 && ends[depth - 1] <= i) depth--;
        ends[depth++] = tree->nodes[i].end;
        longest = depth > longest ? depth : longest;
    }
    return longest;
}

const char *wi_body_tree_validate(const wi_body_tree *tree, const wi_box_list *boxes)
{
    if (tree->node_count > tree->capacity) return "B1: there are more nodes than room";
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const char *broken = validate_node(tree, boxes, i);
        if (broken) return broken;
    }
    if (tree->node_count > 0 && tree->nodes[0].end != tree->node_count)
        return "B1: the root ends elsewhere";
    if (!has_all_bodies(tree, boxes)) return "B2: a body is not there once";
    return longest_way(tree) >= WI_BODY_TREE_DEPTH ? "B4: a way is too long" : NULL;
}
