// consumer.cpp - a program of someone else, in C++: made by test/package/install.sh from what was
// installed. It folds a strip of two triangles through itself and asks for self pairs.
#include <array>
#include <cstdio>
#include <memory>
#include <willow/willow.h>

namespace
{

struct destroyer {
    void operator()(willow_world *world) const { willow_world_destroy(world); }
    void operator()(willow_scratch *scratch) const { willow_scratch_destroy(scratch); }
};
using world_ptr = std::unique_ptr<willow_world, destroyer>;
using scratch_ptr = std::unique_ptr<willow_scratch, destroyer>;

constexpr uint32_t vertex_count = 4;
using positions = std::array<willow_vec3, vertex_count>;
constexpr positions flat{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
constexpr positions folded{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25F, 0.25F, 0}}};
constexpr std::array<uint16_t, 6> indices{{0, 1, 2, 2, 1, 3}};

world_ptr make_world()
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = 2; // so that a build without threads would be noticed
    willow_world *world = nullptr;
    if (willow_world_create(&def, &world) != WILLOW_OK) return nullptr;
    return world_ptr(world);
}

scratch_ptr make_scratch(const willow_world *world)
{
    willow_scratch *scratch = nullptr;
    if (willow_scratch_create(world, &scratch) != WILLOW_OK) return nullptr;
    return scratch_ptr(scratch);
}

willow_body_id add_strip(willow_world *world)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = flat.data();
    def.mesh.vertex_count = vertex_count;
    def.mesh.indices = indices.data();
    def.mesh.index_type = WILLOW_INDEX_U16;
    def.mesh.triangle_count = indices.size() / 3;
    def.self = true;
    willow_body_id body{};
    willow_body_create(world, &def, &body);
    return body;
}

// True if the strip at these positions meets itself as often as expected.
bool has_pairs(willow_world *world, willow_scratch *scratch, willow_body_id body,
               const positions &where, size_t expected)
{
    willow_pairs pairs{};
    if (willow_body_set_vertices(world, body, 0, vertex_count, where.data(), 0) != WILLOW_OK ||
        willow_world_update(world, 0.0, nullptr) != WILLOW_OK ||
        willow_find_pairs(world, scratch, nullptr, &pairs) != WILLOW_OK)
        return false;
    std::printf("%zu pairs\n", pairs.count);
    return pairs.count == expected;
}

} // namespace

int main()
{
    const world_ptr world = make_world();
    if (!world) return 1;
    const scratch_ptr scratch = make_scratch(world.get()); // gone before its world
    if (!scratch) return 1;
    const willow_body_id strip = add_strip(world.get());
    const bool is_fine = has_pairs(world.get(), scratch.get(), strip, flat, 0) &&
                         has_pairs(world.get(), scratch.get(), strip, folded, 1);
    return is_fine ? 0 : 1;
}
