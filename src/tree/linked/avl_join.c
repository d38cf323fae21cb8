/* avl_join.c - AVL trees that fall apart, and that become one (the future work of Otaduy and others
 * 2007, section 6).
 *
 * One pass from the leaves up. What is below a node is one tree for each new mesh that it goes to:
 * the two trees of its children for the same mesh are joined, the lower one where the taller one
 * grows least. Subtrees that go to one mesh as a whole are not looked into but copied, when a node
 * is met that does not. So the work beside the copies is that of the nodes above the cracks, and
 * what was close in the old tree is close in the new ones. */
#include "base/check.h"
#include "tree/linked/avl.h"
#include "tree/linked/join.h"

#include <string.h>

/* In the place of a new tree: what is below goes to several, or to none. */
#define SEVERAL UINT32_MAX

/* In the place of a piece: there is none. */
#define NO_PIECE UINT32_MAX

/* A tree of a new mesh on its way up; those of a node are a list, by mesh. */
typedef struct piece {
    uint32_t to, next;
    wi_avl_ref root;
} piece;

typedef struct avl_joiner {
    wi_memory *memory;
    const wi_join *join;
    uint32_t *of_leaves, *of_nodes; /* by number: the new tree of all that is below, or SEVERAL */
    uint32_t *lists;                /* by node, where it is SEVERAL: its pieces */
    uint32_t *gets;                 /* by new tree: leaves */
    piece *pieces;
    uint32_t free_piece, piece_count, piece_room;
} avl_joiner;

/* ---- what stays whole ---- */

static uint32_t whole_of(const avl_joiner *j, wi_avl_ref ref)
{
    return wi_avl_is_leaf(ref) ? j->of_leaves[ref & ~WI_IS_LEAF] : j->of_nodes[ref];
}

static void avl_find_whole_leaves(avl_joiner *j)
{
    const wi_join *join = j->join;
    const wi_shape *s = join->from->shape;
    for (uint32_t leaf = 0; leaf < s->leaf_count; leaf++) {
        j->of_leaves[leaf] = SEVERAL;
        if (!wi_links_have_leaf(s->links, leaf)) continue;
        const uint32_t part = join->tris[s->slots[s->leaves[leaf].first_tri]].part;
        if (part != WILLOW_NO_PART) j->of_leaves[leaf] = part;
    }
    for (size_t i = 0; i < join->edited_count; i++) {
        const uint32_t slot = join->edited[i];
        const uint32_t leaf = slot < s->links->slot_room ? s->links->leaf_of[slot] : WI_NO_LINK;
        if (leaf != WI_NO_LINK) j->of_leaves[leaf] = SEVERAL;
    }
    memset(j->gets, 0, join->to_count * sizeof *j->gets);
    for (uint32_t leaf = 0; leaf < s->leaf_count; leaf++)
        if (j->of_leaves[leaf] != SEVERAL) j->gets[j->of_leaves[leaf]]++;
}

/* Parents come first in the order of the last sweep. Returns how many subtrees stay whole at most:
 * each is below a node of which something else is, too, or is all. */
static uint32_t avl_find_whole_nodes(avl_joiner *j)
{
    const wi_avl *avl = wi_avl_of(j->join->from);
    uint32_t mixed = 0;
    WI_ASSERT(avl->is_ordered);
    for (uint32_t i = avl->node_count; i-- > 0;) {
        const uint32_t number = avl->order[i];
        const wi_avl_ref *child = avl->nodes[number].child;
        const uint32_t first = whole_of(j, child[0]);
        j->of_nodes[number] = first == whole_of(j, child[1]) ? first : SEVERAL;
        mixed += j->of_nodes[number] == SEVERAL;
    }
    return mixed + 1;
}

/* ---- copies ---- */

static wi_avl_ref copy_one(const avl_joiner *j, wi_avl_ref ref, wi_tree *to)
{
    const wi_avl *from = wi_avl_of(j->join->from);
    wi_avl *avl = wi_avl_of(to);
    if (wi_avl_is_leaf(ref)) {
        const uint32_t leaf = wi_join_copy_leaf(j->join, ref & ~WI_IS_LEAF, to);
        avl->leaf_boxes[leaf] = from->leaf_boxes[ref & ~WI_IS_LEAF];
        avl->leaf_parent[leaf] = WI_NO_LINK;
        to->shape->links->leaf_node[leaf] = 0; /* until it is in a view */
        return leaf | WI_IS_LEAF;
    }
    const uint32_t node = wi_links_take_node(to, 0);
    avl->nodes[node] = from->nodes[ref];
    avl->nodes[node].parent = WI_NO_LINK;
    avl->nodes[node].is_view = false;
    avl->node_count++;
    return node;
}

/* A node whose children are still those of the old tree. */
static wi_avl_ref copy_whole(const avl_joiner *j, wi_avl_ref top, wi_tree *to)
{
    uint32_t stack[2 * WI_AVL_MOST_HEIGHT];
    unsigned count = 0;
    wi_avl *avl = wi_avl_of(to);
    const wi_avl_ref root = copy_one(j, top, to);
    if (!wi_avl_is_leaf(root)) stack[count++] = root;
    while (count > 0) {
        const uint32_t node = stack[--count];
        WI_ASSERT(count + 2 <= 2 * WI_AVL_MOST_HEIGHT);
        for (int side = 0; side < 2; side++) {
            const wi_avl_ref copy = copy_one(j, avl->nodes[node].child[side], to);
            wi_avl_set_child(avl, node, side, copy);
            if (!wi_avl_is_leaf(copy)) stack[count++] = copy;
        }
    }
    return root;
}

/* ---- pieces ---- */

static uint32_t take_piece(avl_joiner *j, piece what)
{
    uint32_t number = j->free_piece;
    if (number == NO_PIECE) {
        WI_ASSERT(j->piece_count < j->piece_room);
        number = j->piece_count++;
    } else {
        j->free_piece = j->pieces[number].next;
    }
    j->pieces[number] = what;
    return number;
}

static void give_piece(avl_joiner *j, uint32_t number)
{
    j->pieces[number].next = j->free_piece;
    j->free_piece = number;
}

/* The pieces below a child: what is whole becomes one. */
static uint32_t pieces_of(avl_joiner *j, wi_avl_ref ref)
{
    const uint32_t to = whole_of(j, ref);
    if (to == SEVERAL) return wi_avl_is_leaf(ref) ? NO_PIECE : j->lists[ref];
    return take_piece(j, (piece){to, NO_PIECE, copy_whole(j, ref, j->join->to[to])});
}

/* Both lists are by mesh, and so is theirs. */
static uint32_t join_pieces(avl_joiner *j, uint32_t a, uint32_t b)
{
    uint32_t first = NO_PIECE, *end = &first;
    while (a != NO_PIECE && b != NO_PIECE) {
        uint32_t *least = j->pieces[b].to < j->pieces[a].to ? &b : &a;
        const uint32_t number = *least;
        piece *p = &j->pieces[number];
        if (j->pieces[a].to == j->pieces[b].to) {
            const uint32_t other = b;
            b = j->pieces[b].next;
            p->root = wi_avl_join(j->join->to[p->to], p->root, j->pieces[other].root);
            a = p->next;
            give_piece(j, other);
        } else {
            *least = p->next;
        }
        *end = number;
        end = &p->next;
    }
    *end = a != NO_PIECE ? a : b;
    return first;
}

/* What a tree had before is joined in the end. */
static void join_to_trees(avl_joiner *j, uint32_t list)
{
    for (; list != NO_PIECE; list = j->pieces[list].next) {
        wi_tree *to = j->join->to[j->pieces[list].to];
        wi_avl *avl = wi_avl_of(to);
        avl->root = wi_avl_join(to, avl->root, j->pieces[list].root);
    }
}

static void avl_join_up(avl_joiner *j)
{
    const wi_avl *avl = wi_avl_of(j->join->from);
    for (uint32_t i = avl->node_count; i-- > 0;) {
        const uint32_t number = avl->order[i];
        const wi_avl_ref *child = avl->nodes[number].child;
        if (j->of_nodes[number] != SEVERAL) continue;
        const uint32_t first = pieces_of(j, child[0]);
        j->lists[number] = join_pieces(j, first, pieces_of(j, child[1]));
    }
    join_to_trees(j, pieces_of(j, avl->root));
}

/* ---- room ---- */

/* Trees that get nothing whole stay as they are. A node is taken for the view of the root. */
static bool avl_reserve_trees(const avl_joiner *j)
{
    for (uint32_t i = 0; i < j->join->to_count; i++) {
        wi_tree *to = j->join->to[i];
        if (j->gets[i] == 0) continue;
        if (to->shape == wi_shape_none()) {
            to->shape = wi_shape_make(j->memory);
            if (to->shape == NULL) {
                to->shape = wi_shape_none();
                return false;
            }
            if (!wi_links_begin(j->memory, to, 1) || !wi_avl_begin(j->memory, to)) return false;
        }
        if (!wi_links_reserve(j->memory, to, j->gets[i], j->gets[i] + 1)) return false;
        if (to->shape->node_count == 0) (void)wi_links_take_node(to, 0);
    }
    return true;
}

static bool avl_reserve(avl_joiner *j)
{
    const wi_shape *s = j->join->from->shape;
    j->of_leaves = wi_alloc_array(j->memory, s->leaf_count, sizeof *j->of_leaves);
    j->of_nodes = wi_alloc_array(j->memory, s->node_count, sizeof *j->of_nodes);
    j->lists = wi_alloc_array(j->memory, s->node_count, sizeof *j->lists);
    j->gets = wi_alloc_array(j->memory, j->join->to_count, sizeof *j->gets);
    return j->of_leaves && j->of_nodes && j->lists && j->gets;
}

static void avl_joiner_free(const avl_joiner *j)
{
    const wi_shape *s = j->join->from->shape;
    wi_free_array(j->memory, j->of_leaves, s->leaf_count, sizeof *j->of_leaves);
    wi_free_array(j->memory, j->of_nodes, s->node_count, sizeof *j->of_nodes);
    wi_free_array(j->memory, j->lists, s->node_count, sizeof *j->lists);
    wi_free_array(j->memory, j->gets, j->join->to_count, sizeof *j->gets);
    wi_free_array(j->memory, j->pieces, j->piece_room, sizeof *j->pieces);
}

/* ---- all of it ---- */

bool wi_avl_join_trees(wi_memory *memory, const wi_join *join)
{
    avl_joiner j = {.memory = memory, .join = join, .free_piece = NO_PIECE};
    WI_ASSERT(wi_tree_is_avl(join->from) && join->to_count > 0);
    bool ok = avl_reserve(&j);
    if (ok) {
        avl_find_whole_leaves(&j);
        j.piece_room = avl_find_whole_nodes(&j);
        j.pieces = wi_alloc_array(memory, j.piece_room, sizeof *j.pieces);
        ok = j.pieces && avl_reserve_trees(&j);
    }
    if (ok) avl_join_up(&j);
    avl_joiner_free(&j);
    return ok;
}
