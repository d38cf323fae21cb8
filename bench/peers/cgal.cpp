/* cgal.cpp - CGAL: pairs of boxes, and the intersections of a mesh with itself.
 *
 * "boxes" is box_intersection_d, which has no hierarchy to keep: an update makes the boxes anew, in
 * float and therefore exactly, and a query sorts them. CGAL sweeps instead of splitting below a
 * number of boxes, the cutoff: at its best it is the 2,000 that CGAL itself uses for meshes,
 * "documented" is the default of 10. Willow's exact test decides.
 *
 * "self-intersections" is Polygon_mesh_processing::self_intersections on a Surface_mesh with exact
 * predicates. It knows one mesh only and decides by itself. For triangles that share a vertex or an
 * edge its rule is Willow's (C2), so that these pairs are part of its answer, unlike that of other
 * peers. On a manifold without degenerate triangles the answer is CGAL's alone, pair for pair. What
 * else a mesh may have, it does not know, and Willow decides:
 *   1. Triangles that are segments or points. CGAL reports each as a pair with itself and leaves it
 *      out of the search; its neighbours see it no more. Boxes that meet theirs are looked for
 *      with box_intersection_d, and all pairs with them are Willow's.
 *   2. Triangles that would make the mesh non-manifold, whichever way round: a third one on an
 *      edge, or one more at a vertex that is surrounded. A Surface_mesh refuses them, so they get
 *      vertices of their own here. With triangles that share none of their numbers CGAL still
 *      decides. With others it sees strangers that touch and reports the pair in any case: these
 *      are Willow's.
 *   3. Where several fans meet in a vertex, add_face may make an edge a second time instead of
 *      finding it. Triangles on both sides are then taken for neighbours in a vertex, and always
 *      reported: Willow's too. */
#include "bench/peers/adapter.h"
#include "bench/peers/open_pairs.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version_macros.h>

#include <boost/iterator/function_output_iterator.hpp>

#include <numeric>

namespace
{

using adapter::define;
using adapter::judge;
using adapter::limits;
using adapter::triangle_box;

/* ---- boxes ---- */

constexpr std::ptrdiff_t best_cutoff = 2000, documented_cutoff = 10;

/* CGAL's own box with 28 bytes instead of 40: sorting moves them. */
struct item {
    using NT = float;
    using ID = uint32_t;

    static int dimension() { return 3; }
    float min_coord(int k) const { return box.lower[k]; }
    float max_coord(int k) const { return box.upper[k]; }
    uint32_t id() const { return number; }

    adapter::box box;
    uint32_t number; /* of the triangle, among those of all bodies */
};

template <std::ptrdiff_t cutoff> class boxes
{
  public:
    explicit boxes(const std::vector<peer_mesh> &all) : meshes(all), bodies(all.size())
    {
        uint32_t first = 0;
        for (size_t i = 0; i < meshes.size(); i++) {
            bodies[i].items.resize(meshes[i].triangle_count);
            bodies[i].first = first;
            first += meshes[i].triangle_count;
        }
        update();
    }

    /* A query leaves the boxes in another order, so all are made anew in the order of triangles. */
    void update()
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            for (uint32_t tri = 0; tri < meshes[i].triangle_count; tri++) {
                item &each = bodies[i].items[tri];
                each = {triangle_box(meshes[i], tri), bodies[i].first + tri};
                bodies[i].whole = tri == 0 ? each.box : hull(bodies[i].whole, each.box);
            }
        }
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        body &p = bodies[a], &q = bodies[b];
        auto take = [&](const item &s, const item &t) {
            pairs.add(s.number - p.first, t.number - q.first);
            pairs.stop_if_done();
        };
        if (overlap(p.whole, q.whole)) {
            CGAL::box_intersection_d(p.items.begin(), p.items.end(), q.items.begin(), q.items.end(),
                                     take, cutoff);
        }
    }

    void within(uint32_t i, judge &pairs)
    {
        body &p = bodies[i];
        auto take = [&](const item &s, const item &t) {
            pairs.add_within(s.number - p.first, t.number - p.first);
            pairs.stop_if_done();
        };
        CGAL::box_self_intersection_d(p.items.begin(), p.items.end(), take, cutoff);
    }

    size_t bytes() const
    {
        size_t sum = 0;
        for (const body &each : bodies) {
            sum += each.items.size() * sizeof(item);
        }
        return sum;
    }

  private:
    struct body {
        std::vector<item> items;
        uint32_t first; /* number */
        adapter::box whole;
    };

    static adapter::box hull(adapter::box a, const adapter::box &b)
    {
        for (int k = 0; k < 3; k++) {
            a.lower[k] = std::min(a.lower[k], b.lower[k]);
            a.upper[k] = std::max(a.upper[k], b.upper[k]);
        }
        return a;
    }

    const std::vector<peer_mesh> &meshes;
    std::vector<body> bodies;
};

/* ---- intersections of a mesh with itself ---- */

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using surface = CGAL::Surface_mesh<kernel::Point_3>;

class meshes_by_themselves
{
  public:
    explicit meshes_by_themselves(const std::vector<peer_mesh> &all)
        : meshes(all), bodies(all.size())
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            if (meshes[i].self) {
                build(bodies[i], meshes[i]);
            }
        }
    }

    void update()
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            const body &each = bodies[i];
            for (size_t v = 0; v < each.vertex_of.size(); v++) {
                surface::Vertex_index vertex(static_cast<surface::size_type>(v));
                bodies[i].mesh.point(vertex) = point(meshes[i], each.vertex_of[v]);
            }
        }
    }

    void between(uint32_t, uint32_t, judge &) {}

    void within(uint32_t i, judge &pairs)
    {
        const peer_mesh &mesh = meshes[i];
        flat.clear();
        open.clear();
        auto take = [&](const std::pair<surface::Face_index, surface::Face_index> &found) {
            uint32_t a = std::min(found.first, found.second);
            uint32_t b = std::max(found.first, found.second);
            if (a == b) {
                flat.push_back(a);
            } else if (is_known(bodies[i], mesh, a, b)) {
                pairs.keep(a, b);
                pairs.stop_if_done();
            } else {
                open.add(a, b);
            }
        };
        CGAL::Polygon_mesh_processing::self_intersections(
            bodies[i].mesh, boost::make_function_output_iterator(take));
        meet_flat(mesh, pairs);
        open.decide(mesh, pairs);
    }

    /* It keeps no hierarchy: what it is asked about, the mesh with its connections. */
    size_t bytes() const
    {
        size_t sum = 0;
        for (const body &each : bodies) {
            sum += each.mesh.number_of_vertices() * (sizeof(kernel::Point_3) + sizeof(uint32_t)) +
                   each.mesh.number_of_halfedges() * 4 * sizeof(uint32_t) +
                   each.mesh.number_of_faces() * sizeof(uint32_t);
        }
        return sum;
    }

  private:
    struct body {
        surface mesh; /* its faces are numbered as the triangles */
        std::vector<uint32_t> vertex_of;
        std::vector<bool> is_loose; /* by triangle: its vertices are its own */
    };

    /* Of triangles whose corners are three vertices. */
    static int count_shared(const peer_mesh &mesh, uint32_t a, uint32_t b)
    {
        const uint32_t *p = mesh.indices + 3 * static_cast<size_t>(a);
        const uint32_t *q = mesh.indices + 3 * static_cast<size_t>(b);
        return static_cast<int>(std::count_if(
            p, p + 3, [q](uint32_t vertex) { return std::find(q, q + 3, vertex) != q + 3; }));
    }

    static bool are_joined(const surface &mesh, uint32_t a, uint32_t b)
    {
        surface::Halfedge_index side = mesh.halfedge(surface::Face_index(a));
        for (int k = 0; k < 3; k++, side = mesh.next(side)) {
            if (mesh.face(mesh.opposite(side)) == surface::Face_index(b)) {
                return true;
            }
        }
        return false;
    }

    /* Whether what the triangles share is what CGAL takes them to share. */
    static bool is_known(const body &each, const peer_mesh &mesh, uint32_t a, uint32_t b)
    {
        if (!adapter::share_vertex(mesh, a, b)) {
            return true;
        }
        return !each.is_loose[a] && !each.is_loose[b] &&
               (count_shared(mesh, a, b) == 1 || are_joined(each.mesh, a, b));
    }

    static std::vector<item> boxes_of(const peer_mesh &mesh, const std::vector<uint32_t> &tris)
    {
        std::vector<item> items;
        for (uint32_t tri : tris) {
            items.push_back({triangle_box(mesh, tri), tri});
        }
        return items;
    }

    /* Everything that may meet triangles without area. CGAL has named these in order. */
    void meet_flat(const peer_mesh &mesh, judge &pairs)
    {
        if (flat.empty()) {
            return;
        }
        std::vector<uint32_t> tris(mesh.triangle_count);
        std::iota(tris.begin(), tris.end(), 0);
        std::vector<item> some = boxes_of(mesh, flat), all = boxes_of(mesh, tris);
        auto take = [&](const item &s, const item &t) {
            bool is_flat = std::binary_search(flat.begin(), flat.end(), t.number);
            if (is_flat && t.number <= s.number) {
                return; /* itself, or the same two the other way round */
            }
            if (adapter::share_vertex(mesh, s.number, t.number)) {
                open.add(s.number, t.number);
            } else {
                pairs.add_within(s.number, t.number);
                pairs.stop_if_done();
            }
        };
        CGAL::box_intersection_d(some.begin(), some.end(), all.begin(), all.end(), take,
                                 best_cutoff);
    }

    static kernel::Point_3 point(const peer_mesh &mesh, uint32_t vertex)
    {
        const float *p = mesh.positions + 3 * static_cast<size_t>(vertex);
        return {p[0], p[1], p[2]};
    }

    static surface::Vertex_index add_vertex(body &out, const peer_mesh &mesh, uint32_t vertex)
    {
        out.vertex_of.push_back(vertex);
        return out.mesh.add_vertex(point(mesh, vertex));
    }

    /* Turned round if it must be: where it lies is the same then. */
    static surface::Face_index add_connected(body &out, const uint32_t corners[3])
    {
        surface::Vertex_index a(corners[0]), b(corners[1]), c(corners[2]);
        if (a == b || b == c || c == a) {
            return surface::null_face();
        }
        surface::Face_index face = out.mesh.add_face(a, b, c);
        return face != surface::null_face() ? face : out.mesh.add_face(a, c, b);
    }

    static void build(body &out, const peer_mesh &mesh)
    {
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            add_vertex(out, mesh, v);
        }
        for (uint32_t tri = 0; tri < mesh.triangle_count; tri++) {
            const uint32_t *corners = mesh.indices + 3 * static_cast<size_t>(tri);
            bool is_loose = add_connected(out, corners) == surface::null_face();
            out.is_loose.push_back(is_loose);
            if (is_loose) {
                surface::Vertex_index a = add_vertex(out, mesh, corners[0]),
                                      b = add_vertex(out, mesh, corners[1]),
                                      c = add_vertex(out, mesh, corners[2]);
                out.mesh.add_face(a, b, c);
            }
        }
    }

    const std::vector<peer_mesh> &meshes;
    std::vector<body> bodies;
    std::vector<uint32_t> flat; /* triangles without area, of the query that runs */
    adapter::open_pairs open;
};

} // namespace

extern "C" {
extern const peer_def peer_cgal_boxes, peer_cgal_boxes_documented, peer_cgal_self_intersections;
}

const peer_def peer_cgal_boxes = define<boxes<best_cutoff>>(
    "peer:cgal-boxes", "CGAL: box_intersection_d, boxes made anew", CGAL_VERSION_STR);
const peer_def peer_cgal_boxes_documented = define<boxes<documented_cutoff>>(
    "peer:cgal-boxes-documented", "CGAL: the same with its default cutoff", CGAL_VERSION_STR);
const peer_def peer_cgal_self_intersections = define<meshes_by_themselves>(
    "peer:cgal-self-intersections", "CGAL: exact self_intersections of one mesh", CGAL_VERSION_STR,
    limits{PEER_LACKS_BETWEEN, false, true});
