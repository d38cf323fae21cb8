/* bullet.cpp - Bullet: its dynamic trees (btDbvt) and the trees of GImpact meshes.
 *
 * btDbvt has a leaf per triangle. "refit" sets all leaves and merges upwards, which is what
 * Bullet's own soft bodies do for their faces (btSoftBody::updateFace); "reinsert" gives every leaf
 * to btDbvt::update, which takes it out and puts it back in from the root.
 *
 * GImpact has a tree of float boxes and a quantized one, the latter being what btGImpactMeshShape
 * uses. Both are asked with find_collision under two identity transforms. The float tree is sound.
 * The quantized one rounds to nearest, and clamps to the bounds of the frame in which it was built:
 * it loses pairs, and all of them once bodies have travelled far. find_collision hands out pairs
 * within a tree in both orders and does not end early: the first pair costs as much as all.
 *
 * Willow's exact test decides. */
#include "bench/peers/adapter.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/Gimpact/btGImpactBvh.h>
#include <BulletCollision/Gimpact/btGImpactQuantizedBvh.h>
#include <cmath>

namespace
{

using adapter::box;
using adapter::define;
using adapter::judge;
using adapter::limits;

constexpr char version[] = {'0' + BT_BULLET_VERSION / 100, '.', '0' + BT_BULLET_VERSION / 10 % 10,
                            '0' + BT_BULLET_VERSION % 10, '\0'};

btVector3 vector(const float p[3]) { return {p[0], p[1], p[2]}; }

/* ---- btDbvt ---- */

btDbvtVolume volume(const box &b) { return btDbvtVolume::FromMM(vector(b.lower), vector(b.upper)); }

uint32_t triangle_of(const btDbvtNode *leaf)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(leaf->data));
}

void refit(btDbvtNode *node, const std::vector<box> &boxes)
{
    if (node->isleaf()) {
        node->volume = volume(boxes[triangle_of(node)]);
        return;
    }
    refit(node->childs[0], boxes);
    refit(node->childs[1], boxes);
    Merge(node->childs[0]->volume, node->childs[1]->volume, node->volume);
}

template <bool is_self> class collector : public btDbvt::ICollide
{
  public:
    explicit collector(judge &out) : pairs(out) {}

    using btDbvt::ICollide::Process;

    void Process(const btDbvtNode *a, const btDbvtNode *b) override
    {
        is_self ? pairs.add_within(triangle_of(a), triangle_of(b))
                : pairs.add(triangle_of(a), triangle_of(b));
        pairs.stop_if_done();
    }

  private:
    judge &pairs;
};

/* Where squares of coordinates overflow, btDbvt::optimizeTopDown writes outside of its arrays. Such
 * trees stay as they were inserted. */
bool has_small_numbers(const std::vector<box> &boxes)
{
    for (const box &each : boxes) {
        for (int axis = 0; axis < 3; axis++) {
            if (std::fabs(each.lower[axis]) > 1e15F || std::fabs(each.upper[axis]) > 1e15F) {
                return false;
            }
        }
    }
    return true;
}

template <bool is_refitted> class dynamic_trees
{
  public:
    explicit dynamic_trees(const std::vector<peer_mesh> &all) : meshes(all), bodies(all.size())
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            fill_boxes(meshes[i], bodies[i].boxes);
            for (uint32_t tri = 0; tri < meshes[i].triangle_count; tri++) {
                void *data = reinterpret_cast<void *>(static_cast<uintptr_t>(tri));
                bodies[i].leaves.push_back(
                    bodies[i].tree.insert(volume(bodies[i].boxes[tri]), data));
            }
            if (has_small_numbers(bodies[i].boxes)) bodies[i].tree.optimizeTopDown();
        }
    }

    void update()
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            fill_boxes(meshes[i], bodies[i].boxes);
            if (!is_refitted) {
                reinsert(bodies[i]);
            } else if (bodies[i].tree.m_root != nullptr) {
                refit(bodies[i].tree.m_root, bodies[i].boxes);
            }
        }
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        collector<false> policy(pairs);
        bodies[a].tree.collideTT(bodies[a].tree.m_root, bodies[b].tree.m_root, policy);
    }

    void within(uint32_t i, judge &pairs)
    {
        collector<true> policy(pairs);
        bodies[i].tree.collideTT(bodies[i].tree.m_root, bodies[i].tree.m_root, policy);
    }

    size_t bytes() const
    {
        size_t sum = 0;
        for (const body &each : bodies) {
            sum +=
                each.leaves.size() * (2 * sizeof(btDbvtNode) + sizeof(btDbvtNode *) + sizeof(box));
        }
        return sum;
    }

  private:
    struct body {
        btDbvt tree;
        std::vector<btDbvtNode *> leaves; /* by triangle, as the boxes */
        std::vector<box> boxes;
    };

    static void reinsert(body &each)
    {
        for (size_t tri = 0; tri < each.leaves.size(); tri++) {
            btDbvtVolume moved = volume(each.boxes[tri]);
            each.tree.update(each.leaves[tri], moved);
        }
    }

    const std::vector<peer_mesh> &meshes;
    std::vector<body> bodies;
};

/* ---- GImpact ---- */

/* How a tree gets at the boxes of its triangles. Only the boxes are asked for. */
class triangles : public btPrimitiveManagerBase
{
  public:
    explicit triangles(const peer_mesh &of) : mesh(of) { update(); }

    void update() { fill_boxes(mesh, boxes); }

    bool is_trimesh() const override { return true; }
    int get_primitive_count() const override { return static_cast<int>(mesh.triangle_count); }

    void get_primitive_box(int tri, btAABB &out) const override
    {
        const box &b = boxes[static_cast<size_t>(tri)];
        out.m_min = vector(b.lower);
        out.m_max = vector(b.upper);
    }

    void get_primitive_triangle(int tri, btPrimitiveTriangle &out) const override
    {
        for (int k = 0; k < 3; k++) {
            out.m_vertices[k] = vector(adapter::corner(mesh, static_cast<uint32_t>(tri), k));
        }
        out.m_margin = 0;
    }

  private:
    const peer_mesh &mesh;
    std::vector<box> boxes;
};

template <class Tree, class Node> class gimpact
{
  public:
    explicit gimpact(const std::vector<peer_mesh> &all) : meshes(all)
    {
        managers.reserve(all.size()); /* trees point to them */
        for (const peer_mesh &mesh : all) {
            managers.emplace_back(mesh);
            trees.push_back(std::make_unique<Tree>(&managers.back()));
            if (mesh.triangle_count > 0) {
                trees.back()->buildSet();
            }
        }
    }

    void update()
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            if (meshes[i].triangle_count > 0) {
                managers[i].update();
                trees[i]->update();
            }
        }
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        find(a, b);
        for (int i = 0; i < found.size() && !pairs.is_done(); i++) {
            pairs.add(static_cast<uint32_t>(found[i].m_index1),
                      static_cast<uint32_t>(found[i].m_index2));
        }
    }

    void within(uint32_t body, judge &pairs)
    {
        find(body, body);
        for (int i = 0; i < found.size() && !pairs.is_done(); i++) {
            if (found[i].m_index1 < found[i].m_index2) {
                pairs.add_within(static_cast<uint32_t>(found[i].m_index1),
                                 static_cast<uint32_t>(found[i].m_index2));
            }
        }
    }

    size_t bytes() const
    {
        size_t sum = 0;
        for (const auto &tree : trees) {
            sum += static_cast<size_t>(tree->getNodeCount()) * sizeof(Node);
        }
        for (const peer_mesh &mesh : meshes) {
            sum += mesh.triangle_count * sizeof(box);
        }
        return sum;
    }

  private:
    void find(uint32_t a, uint32_t b)
    {
        const btTransform here = btTransform::getIdentity();
        found.resizeNoInitialize(0); /* keeps its memory */
        Tree::find_collision(trees[a].get(), here, trees[b].get(), here, found);
    }

    const std::vector<peer_mesh> &meshes;
    std::vector<triangles> managers;
    std::vector<std::unique_ptr<Tree>> trees;
    btPairSet found;
};

using float_trees = gimpact<btGImpactBvh, GIM_BVH_TREE_NODE>;
using quantized_trees = gimpact<btGImpactQuantizedBvh, BT_QUANTIZED_BVH_NODE>;

} // namespace

extern "C" {
extern const peer_def peer_bullet_dbvt_refit, peer_bullet_dbvt_reinsert, peer_bullet_gimpact_float,
    peer_bullet_gimpact_quantized;
}

const peer_def peer_bullet_dbvt_refit = define<dynamic_trees<true>>(
    "peer:bullet-dbvt-refit", "Bullet: btDbvt, refitted as its soft bodies do", version);
const peer_def peer_bullet_dbvt_reinsert = define<dynamic_trees<false>>(
    "peer:bullet-dbvt-reinsert", "Bullet: btDbvt, every leaf reinserted", version);
const peer_def peer_bullet_gimpact_float = define<float_trees>(
    "peer:bullet-gimpact-float", "Bullet: GImpact's tree of float boxes, refitted", version);
const peer_def peer_bullet_gimpact_quantized = define<quantized_trees>(
    "peer:bullet-gimpact-quantized", "Bullet: GImpact's quantized tree, refitted; loses pairs",
    version, limits{0, true});
