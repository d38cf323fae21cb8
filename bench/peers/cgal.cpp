/* cgal.cpp - CGAL: pairs of boxes, and the intersections of a mesh with itself.
 *
 * "boxes" is box_intersection_d, which has no hierarchy to keep: an update makes the boxes anew, in
 * float and therefore exactly, and a query sorts pointers to them. Willow's exact test decides.
 *
 * "self-intersections" is Polygon_mesh_processing::self_intersections on a Surface_mesh with exact
 * predicates. It knows one mesh only, decides by itself, and takes neighbours for a pair by the
 * same rule as Willow (C2); these are left out here, as everywhere among peers. Triangles that are
 * segments or points are never part of its pairs. A triangle that would make the mesh non-manifold
 * gets vertices of its own: it is a neighbour of nothing then, but all its pairs with triangles
 * that share a vertex number are left out in any case. */
#include "bench/peers/adapter.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version_macros.h>

#include <boost/iterator/function_output_iterator.hpp>

namespace
{

using adapter::define;
using adapter::judge;
using adapter::limits;
using adapter::triangle_box;

/* ---- boxes ---- */

using item =
    CGAL::Box_intersection_d::Box_with_info_d<float, 3, uint32_t,
                                              CGAL::Box_intersection_d::ID_FROM_BOX_ADDRESS>;

class boxes
{
  public:
    explicit boxes(const std::vector<peer_mesh> &all) : meshes(all), bodies(all.size())
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            bodies[i].items.resize(meshes[i].triangle_count);
            for (item &each : bodies[i].items) {
                bodies[i].order.push_back(&each);
            }
        }
        update();
    }

    void update()
    {
        for (size_t i = 0; i < meshes.size(); i++) {
            for (uint32_t tri = 0; tri < meshes[i].triangle_count; tri++) {
                adapter::box b = triangle_box(meshes[i], tri);
                bodies[i].items[tri] = item(b.lower, b.upper, tri);
                tri == 0 ? void(bodies[i].whole = b) : extend(bodies[i].whole, b);
            }
        }
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        auto take = [&pairs](const item *p, const item *q) {
            pairs.add(p->info(), q->info());
            pairs.stop_if_done();
        };
        if (overlap(bodies[a].whole, bodies[b].whole)) {
            std::vector<const item *> &p = bodies[a].order, &q = bodies[b].order;
            CGAL::box_intersection_d(p.begin(), p.end(), q.begin(), q.end(), take, cutoff);
        }
    }

    void within(uint32_t i, judge &pairs)
    {
        auto take = [&pairs](const item *p, const item *q) {
            pairs.add_within(p->info(), q->info());
            pairs.stop_if_done();
        };
        std::vector<const item *> &p = bodies[i].order;
        CGAL::box_self_intersection_d(p.begin(), p.end(), take, cutoff);
    }

    size_t bytes() const
    {
        size_t sum = 0;
        for (const body &each : bodies) {
            sum += each.items.size() * (sizeof(item) + sizeof(item *));
        }
        return sum;
    }

  private:
    /* Below so many boxes CGAL sweeps instead of splitting; it uses the same for meshes. */
    static constexpr std::ptrdiff_t cutoff = 2000;

    struct body {
        std::vector<item> items; /* by triangle */
        std::vector<const item *> order;
        adapter::box whole;
    };

    static void extend(adapter::box &whole, const adapter::box &b)
    {
        for (int k = 0; k < 3; k++) {
            whole.lower[k] = std::min(whole.lower[k], b.lower[k]);
            whole.upper[k] = std::max(whole.upper[k], b.upper[k]);
        }
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
        auto take = [&](const std::pair<surface::Face_index, surface::Face_index> &found) {
            uint32_t a = std::min(found.first, found.second);
            uint32_t b = std::max(found.first, found.second);
            if (!adapter::share_vertex(mesh, a, b)) {
                pairs.keep(a, b);
                pairs.stop_if_done();
            }
        };
        CGAL::Polygon_mesh_processing::self_intersections(
            bodies[i].mesh, boost::make_function_output_iterator(take));
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
    };

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

    static surface::Face_index add_connected(body &out, const uint32_t corners[3])
    {
        uint32_t a = corners[0], b = corners[1], c = corners[2];
        if (a == b || b == c || c == a) {
            return surface::null_face();
        }
        return out.mesh.add_face(surface::Vertex_index(a), surface::Vertex_index(b),
                                 surface::Vertex_index(c));
    }

    static void build(body &out, const peer_mesh &mesh)
    {
        for (uint32_t v = 0; v < mesh.vertex_count; v++) {
            add_vertex(out, mesh, v);
        }
        for (uint32_t tri = 0; tri < mesh.triangle_count; tri++) {
            const uint32_t *corners = mesh.indices + 3 * static_cast<size_t>(tri);
            if (add_connected(out, corners) == surface::null_face()) {
                surface::Vertex_index a = add_vertex(out, mesh, corners[0]),
                                      b = add_vertex(out, mesh, corners[1]),
                                      c = add_vertex(out, mesh, corners[2]);
                out.mesh.add_face(a, b, c);
            }
        }
    }

    const std::vector<peer_mesh> &meshes;
    std::vector<body> bodies;
};

} // namespace

extern "C" {
extern const peer_def peer_cgal_boxes, peer_cgal_self_intersections;
}

const peer_def peer_cgal_boxes =
    define<boxes>("peer:cgal-boxes", "CGAL: box_intersection_d, boxes made anew", CGAL_VERSION_STR);
const peer_def peer_cgal_self_intersections = define<meshes_by_themselves>(
    "peer:cgal-self-intersections", "CGAL: exact self_intersections of one mesh", CGAL_VERSION_STR,
    limits{PEER_LACKS_BETWEEN, false});
