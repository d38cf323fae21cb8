/* fold_report.c - names a failing case and makes it small.
 * Way in: fold_report. The case is made again in new worlds, born in its first shape and moved to
 * the one that failed, with fewer and fewer triangles. */
#include "support/fold_report.h"

#include <stdlib.h>
#include "support/test.h"

static void print_setup(const fold_case *c, const fold_setup *setup, fold_ask ask)
{
    const willow_tree_def *tree = &setup->tree;
    print_error("tree: %s, %s, arity %u, leaves of %u, level %u, ratio %g; kernel %s, %u threads, "
                "%s indices%s, descend %d\n",
                willow_method_name(tree->method), willow_build_name(tree->build), tree->arity,
                tree->leaf_triangles, tree->hybrid_level, (double)tree->rebuild_ratio,
                willow_kernel_name(setup->kernel), setup->thread_count,
                setup->is_narrow ? "16-bit" : "32-bit",
                setup->borrows      ? ", borrowed"
                : setup->is_sparing ? ", sparing"
                                    : "",
                (int)setup->descend);
    print_error("question: %s%s; pose %a %a %a, %a %a %a %a\n",
                ask == FOLD_ASK_FIRST ? "first pair" : "all pairs",
                c->skip_neighbours ? " but of neighbours" : "", (double)c->pose.translation.x,
                (double)c->pose.translation.y, (double)c->pose.translation.z,
                (double)c->pose.rotation.x, (double)c->pose.rotation.y, (double)c->pose.rotation.z,
                (double)c->pose.rotation.w);
}

static void print_tri(const fold_case *c, uint32_t tri)
{
    const uint32_t *v = c->mesh.tris[tri];
    print_error("  triangle %u: vertices %u %u %u\n", tri, v[0], v[1], v[2]);
    for (int i = 0; i < 3; i++) {
        const float *born = c->born[v[i]], *now = c->now[v[i]];
        print_error("    %u: born {%a, %a, %a} now {%a, %a, %a}\n", v[i], (double)born[0],
                    (double)born[1], (double)born[2], (double)now[0], (double)now[1],
                    (double)now[2]);
    }
}

static uint64_t key_at(const willow_pairs *pairs, size_t i)
{
    if (i >= pairs->count) return UINT64_MAX;
    return (uint64_t)pairs->items[i].tri_a << 32 | pairs->items[i].tri_b;
}

/* Both lists are sorted. */
static void print_first_difference(const willow_pairs *expected, const willow_pairs *got)
{
    size_t i = 0;
    while (i < expected->count && key_at(expected, i) == key_at(got, i)) i++;
    uint64_t wanted = key_at(expected, i), given = key_at(got, i);
    bool is_lost = wanted < given;
    uint64_t key = is_lost ? wanted : given;
    print_error("  first difference: %s %u meets %u\n", is_lost ? "lost" : "invented",
                (unsigned)(key >> 32), (unsigned)key);
}

/* ---- smaller ---- */

static bool still_differs(const fold_case *c, const fold_setup *setup, fold_ask ask)
{
    fold_setup plain = {.tree = willow_tree_def_default(), .thread_count = 1};
    fold_world brute, tree;
    willow_pairs expected, got;
    plain.tree.method = WILLOW_METHOD_BRUTE;
    fold_world_create(&brute, c, &plain);
    fold_world_create(&tree, c, setup);
    fold_world_follow(&brute, c);
    fold_world_follow(&tree, c);
    fold_world_ask(&brute, c, FOLD_ASK_SELF_PAIRS, &expected);
    fold_world_ask(&tree, c, ask, &got);
    bool differs = !fold_answers_agree(&expected, &got, ask);
    fold_world_destroy(&brute);
    fold_world_destroy(&tree);
    return differs;
}

static void drop(fold_mesh *mesh, uint32_t first, uint32_t count)
{
    uint32_t rest = mesh->triangle_count - first - count;
    memmove(mesh->tris + first, mesh->tris + first + count, rest * sizeof *mesh->tris);
    if (mesh->groups)
        memmove(mesh->groups + first, mesh->groups + first + count, rest * sizeof *mesh->groups);
    mesh->triangle_count -= count;
}

/* Without [first, first + count); false, and the case as it was, if that is right. */
static bool try_without(fold_case *c, uint32_t first, uint32_t count, const fold_setup *setup,
                        fold_ask ask)
{
    fold_mesh kept = c->mesh;
    size_t tris = kept.triangle_count * sizeof *kept.tris;
    size_t groups = kept.groups ? kept.triangle_count * sizeof *kept.groups : 0;
    kept.tris = malloc(tris);
    kept.groups = groups > 0 ? malloc(groups) : NULL;
    memcpy(kept.tris, c->mesh.tris, tris);
    if (groups > 0) memcpy(kept.groups, c->mesh.groups, groups);
    drop(&c->mesh, first, count);
    bool differs = still_differs(c, setup, ask);
    if (!differs) {
        c->mesh.triangle_count = kept.triangle_count;
        memcpy(c->mesh.tris, kept.tris, tris);
        if (groups > 0) memcpy(c->mesh.groups, kept.groups, groups);
    }
    free(kept.tris);
    free(kept.groups);
    return differs;
}

static void make_smaller(fold_case *c, const fold_setup *setup, fold_ask ask)
{
    for (uint32_t step = c->mesh.triangle_count / 2; step > 0; step /= 2)
        for (uint32_t first = 0; first + step <= c->mesh.triangle_count;)
            if (c->mesh.triangle_count == step || !try_without(c, first, step, setup, ask))
                first += step;
}

void fold_report(const fold_case *c, const fold_setup *setup, fold_ask ask,
                 const willow_pairs *expected, const willow_pairs *got)
{
    enum { MAX_SHOWN = 40 };
    print_error("%s, size %u, seed %llu, shape %u, amount %a: %u triangles%s\n",
                fold_kind_name(c->mesh.kind), c->mesh.size, (unsigned long long)c->mesh.seed,
                c->shape, c->amount, c->mesh.triangle_count, c->mesh.weld ? ", welded" : "");
    print_setup(c, setup, ask);
    print_error("  %zu pairs expected, %zu found\n", expected->count, got->count);
    if (ask != FOLD_ASK_FIRST) print_first_difference(expected, got);
    fold_case small = *c;
    if (still_differs(&small, setup, ask)) {
        make_smaller(&small, setup, ask);
        print_error("  with these %u triangles alone, in this order, too:\n",
                    small.mesh.triangle_count);
    } else {
        print_error("  not if it goes from the first shape to this one at once; all triangles:\n");
    }
    for (uint32_t i = 0; i < small.mesh.triangle_count && i < MAX_SHOWN; i++) print_tri(&small, i);
    fail_msg("a tree and BRUTE differ");
}
