/* open_pairs.h - pairs within one body that a library cannot decide, for Willow to decide. C++17.
 *
 * Triangles that share vertices are a pair if they meet in more than the hull of what they share
 * (C2). The public form of that rule is a question about a body, so the triangles of all open pairs
 * are made a body, with the vertices that they have. Made for few pairs or none, where the library
 * has done all of the work: without any, nothing is done. */
#ifndef BENCH_OPEN_PAIRS_H
#define BENCH_OPEN_PAIRS_H

#include "bench/peers/adapter.h"
#include "willow/willow.h"

#include <algorithm>
#include <new>
#include <utility>

namespace adapter
{

class open_pairs
{
  public:
    void clear() { pairs.clear(); }

    /* In any order, and as often as you like. */
    void add(uint32_t tri_a, uint32_t tri_b) { pairs.push_back(std::minmax(tri_a, tri_b)); }

    /* Hands those that are pairs to the judge, in order. */
    void decide(const peer_mesh &mesh, judge &out)
    {
        if (pairs.empty()) {
            return;
        }
        sort(pairs);
        collect(mesh);
        ask(mesh, [&](const willow_tri_pair &found) {
            std::pair<uint32_t, uint32_t> pair(tris[found.tri_a], tris[found.tri_b]);
            if (std::binary_search(pairs.begin(), pairs.end(), pair)) {
                out.keep(pair.first, pair.second);
            }
        });
    }

  private:
    /* Each once. */
    template <class Item> static void sort(std::vector<Item> &items)
    {
        std::sort(items.begin(), items.end());
        items.erase(std::unique(items.begin(), items.end()), items.end());
    }

    /* The body has its triangles in the order of the mesh, so pairs need not be turned round. */
    void collect(const peer_mesh &mesh)
    {
        tris.clear();
        for (const auto &pair : pairs) {
            tris.insert(tris.end(), {pair.first, pair.second});
        }
        sort(tris);
        indices.clear();
        for (uint32_t tri : tris) {
            const uint32_t *corners = mesh.indices + 3 * static_cast<size_t>(tri);
            indices.insert(indices.end(), corners, corners + 3);
        }
    }

    /* Memory is all that can be missing: meshes have been through Willow, or were made by it. */
    static void expect(willow_result result)
    {
        if (result != WILLOW_OK) {
            throw std::bad_alloc();
        }
    }

    template <class Take> void ask(const peer_mesh &mesh, const Take &take) const
    {
        willow_world *made = nullptr;
        willow_scratch *started = nullptr;
        willow_pairs found;
        willow_world_def world_def = willow_world_def_default();
        expect(willow_world_create(&world_def, &made));
        std::unique_ptr<willow_world, decltype(&willow_world_destroy)> world(made,
                                                                             willow_world_destroy);
        add_body(world.get(), mesh);
        expect(willow_scratch_create(world.get(), &started));
        std::unique_ptr<willow_scratch, decltype(&willow_scratch_destroy)> scratch(
            started, willow_scratch_destroy);
        expect(willow_find_self_pairs(world.get(), scratch.get(), nullptr, &found));
        std::for_each(found.items, found.items + found.count, take);
    }

    void add_body(willow_world *world, const peer_mesh &mesh) const
    {
        willow_body_id id;
        willow_body_def def = willow_body_def_default();
        def.mesh.positions = mesh.positions;
        def.mesh.vertex_count = mesh.vertex_count;
        def.mesh.borrow = true;
        def.mesh.indices = indices.data();
        def.mesh.triangle_count = static_cast<uint32_t>(tris.size());
        def.self = true;
        expect(willow_body_create(world, &def, &id));
        expect(willow_world_update(world, 0, nullptr));
    }

    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    std::vector<uint32_t> tris;    /* of the body: their numbers in the mesh */
    std::vector<uint32_t> indices; /* of the body */
};

} // namespace adapter
#endif
