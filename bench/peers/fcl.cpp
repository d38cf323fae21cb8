/* fcl.cpp - FCL, the Flexible Collision Library: boxes, 18-DOPs, and oriented boxes with swept
 * spheres.
 *
 * "refit" and "rebuild" are FCL at its best: beginReplaceModel, which bounds the new positions
 * only, and its traversal started by hand on the two models, because fcl::collide copies both
 * models on every call for boxes and k-DOPs. Leaves that overlap are handed to Willow's exact test.
 * Boxes and k-DOPs are in float, which loses nothing there and takes half the memory, and are
 * refitted from the leaves. Oriented boxes are in double; refitted from the leaves, FCL's default,
 * they lose a pair now and then ("bottom-up"), so "refit" fits them from the top, every node anew,
 * which lost none in any run. Pairs within a body come from FCL's own selfCollide.
 *
 * "documented" is what the documentation shows: models in double, beginUpdateModel, whose volumes
 * cover the motion since the last frame, and fcl::collide with all its contacts and FCL's own
 * triangle test, the boxes of the whole bodies compared first. It has no pairs within a body.
 * Oriented boxes lose a pair now and then that way. */
#include "bench/peers/adapter.h"

#include <fcl/fcl.h>
#include <fcl/narrowphase/detail/traversal/collision_node.h>

#include <limits>

namespace
{

using adapter::define;
using adapter::judge;
using adapter::limits;

/* ---- models ---- */

template <class BV> using model = fcl::BVHModel<BV>;

template <class BV> fcl::Vector3<typename BV::S> vertex(const peer_mesh &mesh, uint32_t i)
{
    const float *p = mesh.positions + 3 * static_cast<size_t>(i);
    return {p[0], p[1], p[2]};
}

void check(int code)
{
    if (code != fcl::BVH_OK) {
        throw std::bad_alloc();
    }
}

template <class BV> void build(model<BV> &tree, const peer_mesh &mesh)
{
    std::vector<fcl::Vector3<typename BV::S>> points;
    std::vector<fcl::Triangle> triangles;
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        points.push_back(vertex<BV>(mesh, i));
    }
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t *corners = mesh.indices + 3 * static_cast<size_t>(i);
        triangles.emplace_back(corners[0], corners[1], corners[2]);
    }
    check(tree.beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size())));
    check(tree.addSubModel(points, triangles));
    check(tree.endModel());
    tree.computeLocalAABB();
}

/* One model per body; those without triangles stay empty. */
template <class BV> class models
{
  public:
    explicit models(const std::vector<peer_mesh> &all) : meshes(all), trees(all.size())
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            if (meshes[i].triangle_count > 0) {
                build(trees[i], meshes[i]);
            }
        }
    }

    size_t bytes() const
    {
        size_t sum = 0;
        for (size_t i = 0; i < meshes.size(); i++) {
            size_t triangles = meshes[i].triangle_count;
            sum += static_cast<size_t>(trees[i].getNumBVs()) * sizeof(fcl::BVNode<BV>) +
                   triangles * (sizeof(fcl::Triangle) + sizeof(unsigned)) +
                   meshes[i].vertex_count * sizeof(fcl::Vector3<typename BV::S>);
        }
        return sum;
    }

  protected:
    const std::vector<peer_mesh> &meshes;
    std::vector<model<BV>> trees;
};

/* ---- at its best ---- */

/* A traversal that hands leaves on instead of testing them. */
template <class BV, bool is_self>
class collector : public fcl::detail::MeshCollisionTraversalNode<BV>
{
  public:
    collector(const model<BV> &a, const model<BV> &b, judge &out) : pairs(out)
    {
        this->model1 = &a;
        this->model2 = &b;
    }

    void leafTesting(int b1, int b2) const override
    {
        uint32_t tri_a = static_cast<uint32_t>(this->model1->getBV(b1).primitiveId());
        uint32_t tri_b = static_cast<uint32_t>(this->model2->getBV(b2).primitiveId());
        is_self ? pairs.add_within(tri_a, tri_b) : pairs.add(tri_a, tri_b);
    }

    bool canStop() const override { return pairs.is_done(); }

  private:
    judge &pairs;
};

enum class way { bottom_up, top_down, rebuild };

template <class BV, way how> class best : public models<BV>
{
  public:
    using models<BV>::models;

    void update()
    {
        for (size_t i = 0; i < this->meshes.size(); i++) {
            if (this->meshes[i].triangle_count > 0) {
                replace(this->trees[i], this->meshes[i]);
            }
        }
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        collector<BV, false> walk(this->trees[a], this->trees[b], pairs);
        fcl::detail::collide<typename BV::S>(&walk);
    }

    void within(uint32_t body, judge &pairs)
    {
        collector<BV, true> walk(this->trees[body], this->trees[body], pairs);
        fcl::detail::selfCollide<typename BV::S>(&walk);
    }

  private:
    static void replace(model<BV> &tree, const peer_mesh &mesh)
    {
        check(tree.beginReplaceModel());
        for (uint32_t i = 0; i < mesh.vertex_count; i++) {
            tree.replaceVertex(vertex<BV>(mesh, i));
        }
        check(tree.endReplaceModel(how != way::rebuild, how == way::bottom_up));
    }
};

/* ---- as documented ---- */

template <class BV> class documented : public models<BV>
{
  public:
    using models<BV>::models;
    using S = typename BV::S;

    void update()
    {
        for (size_t i = 0; i < this->meshes.size(); i++) {
            if (this->meshes[i].triangle_count > 0) {
                replace(this->trees[i], this->meshes[i]);
            }
        }
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        if (!this->trees[a].aabb_local.overlap(this->trees[b].aabb_local)) {
            return;
        }
        fcl::Transform3<S> here = fcl::Transform3<S>::Identity();
        fcl::CollisionRequest<S> request(pairs.wants_one() ? 1 : most_contacts);
        fcl::CollisionResult<S> result;
        fcl::collide(&this->trees[a], here, &this->trees[b], here, request, result);
        for (size_t i = 0; i < result.numContacts(); i++) {
            const fcl::Contact<S> &contact = result.getContact(i);
            pairs.keep(static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2));
        }
    }

    void within(uint32_t, judge &) {}

  private:
    static constexpr size_t most_contacts = std::numeric_limits<int>::max();

    static void replace(model<BV> &tree, const peer_mesh &mesh)
    {
        std::vector<fcl::Vector3<S>> points;
        points.reserve(mesh.vertex_count);
        for (uint32_t i = 0; i < mesh.vertex_count; i++) {
            points.push_back(vertex<BV>(mesh, i));
        }
        check(tree.beginUpdateModel());
        check(tree.updateSubModel(points));
        check(tree.endUpdateModel());
        tree.computeLocalAABB();
    }
};

using aabb = fcl::AABB<float>;
using kdop = fcl::KDOP<float, 18>;
using obbrss = fcl::OBBRSS<double>;

} // namespace

extern "C" {
extern const peer_def peer_fcl_aabb_refit, peer_fcl_aabb_rebuild, peer_fcl_aabb_documented,
    peer_fcl_kdop18_refit, peer_fcl_kdop18_rebuild, peer_fcl_obbrss_refit,
    peer_fcl_obbrss_bottom_up, peer_fcl_obbrss_rebuild, peer_fcl_obbrss_documented;
}

const peer_def peer_fcl_aabb_refit = define<best<aabb, way::bottom_up>>(
    "peer:fcl-aabb-refit", "FCL: boxes, refitted, no copies", FCL_VERSION);
const peer_def peer_fcl_aabb_rebuild = define<best<aabb, way::rebuild>>(
    "peer:fcl-aabb-rebuild", "FCL: boxes, rebuilt, no copies", FCL_VERSION);
const peer_def peer_fcl_aabb_documented = define<documented<fcl::AABB<double>>>(
    "peer:fcl-aabb-documented", "FCL: boxes, refitted and asked as documented", FCL_VERSION,
    limits{PEER_LACKS_SELF, false});
const peer_def peer_fcl_kdop18_refit = define<best<kdop, way::bottom_up>>(
    "peer:fcl-kdop18-refit", "FCL: 18-DOPs, refitted, no copies", FCL_VERSION);
const peer_def peer_fcl_kdop18_rebuild = define<best<kdop, way::rebuild>>(
    "peer:fcl-kdop18-rebuild", "FCL: 18-DOPs, rebuilt, no copies", FCL_VERSION);
const peer_def peer_fcl_obbrss_refit = define<best<obbrss, way::top_down>>(
    "peer:fcl-obbrss-refit", "FCL: oriented boxes, refitted from the top", FCL_VERSION);
const peer_def peer_fcl_obbrss_bottom_up = define<best<obbrss, way::bottom_up>>(
    "peer:fcl-obbrss-bottom-up", "FCL: oriented boxes, refitted from the leaves; loses pairs",
    FCL_VERSION, limits{0, true});
const peer_def peer_fcl_obbrss_rebuild = define<best<obbrss, way::rebuild>>(
    "peer:fcl-obbrss-rebuild", "FCL: oriented boxes, rebuilt", FCL_VERSION);
const peer_def peer_fcl_obbrss_documented =
    define<documented<obbrss>>("peer:fcl-obbrss-documented",
                               "FCL: oriented boxes, refitted and asked as documented; loses pairs",
                               FCL_VERSION, limits{PEER_LACKS_SELF, true});
