/* adapter.h - what the adapters to C++ libraries have in common. C++17.
 *
 * A library is a class with
 *     Library(const std::vector<peer_mesh> &meshes)      builds everything
 *     void update()                                      positions have changed
 *     void between(uint32_t a, uint32_t b, judge &pairs) candidates of two bodies
 *     void within(uint32_t body, judge &pairs)           candidates of one body
 *     size_t bytes() const                               held by the hierarchies
 * and define<Library>() makes its peer_def. All bodies are held against all, as the yardstick does
 * it, so `between` looks at the boxes of the whole bodies first. Bodies without triangles are never
 * asked about.
 *
 * Libraries find candidates, Willow's exact test decides: 512 at a time, so that they are still in
 * the cache. The yardstick decides with a slower test of its own, so this flatters the libraries a
 * little and makes them comparable with Willow: what differs is the trees. */
#ifndef BENCH_ADAPTER_H
#define BENCH_ADAPTER_H

#include "bench/peers/peer.h"
#include "willow/prim.h"

#include <memory>
#include <vector>

namespace adapter
{

struct box {
    float lower[3], upper[3];
};

inline bool overlap(const box &a, const box &b)
{
    return (a.lower[0] <= b.upper[0]) & (b.lower[0] <= a.upper[0]) & (a.lower[1] <= b.upper[1]) &
           (b.lower[1] <= a.upper[1]) & (a.lower[2] <= b.upper[2]) & (b.lower[2] <= a.upper[2]);
}

inline const float *corner(const peer_mesh &mesh, uint32_t tri, int k)
{
    return mesh.positions + 3 * static_cast<size_t>(mesh.indices[3 * static_cast<size_t>(tri) + k]);
}

inline box triangle_box(const peer_mesh &mesh, uint32_t tri)
{
    const float *a = corner(mesh, tri, 0), *b = corner(mesh, tri, 1), *c = corner(mesh, tri, 2);
    box out;
    for (int k = 0; k < 3; k++) {
        float low = a[k] < b[k] ? a[k] : b[k], high = a[k] < b[k] ? b[k] : a[k];
        out.lower[k] = low < c[k] ? low : c[k];
        out.upper[k] = high > c[k] ? high : c[k];
    }
    return out;
}

/* In the order of triangles, which reads positions best; trees then take them in their own order.
 */
inline void fill_boxes(const peer_mesh &mesh, std::vector<box> &out)
{
    out.resize(mesh.triangle_count);
    for (uint32_t tri = 0; tri < mesh.triangle_count; tri++) {
        out[tri] = triangle_box(mesh, tri);
    }
}

inline bool share_vertex(const peer_mesh &mesh, uint32_t a, uint32_t b)
{
    const uint32_t *p = mesh.indices + 3 * static_cast<size_t>(a);
    const uint32_t *q = mesh.indices + 3 * static_cast<size_t>(b);
    return (p[0] == q[0]) | (p[0] == q[1]) | (p[0] == q[2]) | (p[1] == q[0]) | (p[1] == q[1]) |
           (p[1] == q[2]) | (p[2] == q[0]) | (p[2] == q[1]) | (p[2] == q[2]);
}

/* Ends a search that has no other way to end early. */
struct enough {
};

/* Takes candidates, decides them and keeps the pairs. */
class judge
{
  public:
    void start(peer_question question)
    {
        kept.clear();
        is_first = question == PEER_FIRST;
        block = is_first ? 16 : 512;
        waiting.reserve(block);
        meet.resize(block);
    }

    void open(uint32_t a, const peer_mesh &mesh_a, uint32_t b, const peer_mesh &mesh_b)
    {
        body_a = a, body_b = b, mesh = &mesh_a;
        source_a = {mesh_a.positions, 0, mesh_a.indices};
        source_b = {mesh_b.positions, 0, mesh_b.indices};
    }

    /* A candidate of two bodies. */
    void add(uint32_t tri_a, uint32_t tri_b)
    {
        waiting.push_back({tri_a, tri_b});
        if (waiting.size() == block) {
            decide();
        }
    }

    /* A candidate within one body, in any order; each may come only once. */
    void add_within(uint32_t tri_a, uint32_t tri_b)
    {
        if (!share_vertex(*mesh, tri_a, tri_b)) {
            tri_a < tri_b ? add(tri_a, tri_b) : add(tri_b, tri_a);
        }
    }

    /* A pair that the library has decided itself. */
    void keep(uint32_t tri_a, uint32_t tri_b)
    {
        if (!is_done()) {
            kept.push_back({body_a, body_b, tri_a, tri_b});
        }
    }

    void close() { decide(); }

    /* The question is for one pair only. */
    bool wants_one() const { return is_first; }

    /* The first pair is there: no candidate is needed any more. */
    bool is_done() const { return is_first && !kept.empty(); }

    void stop_if_done() const
    {
        if (is_done()) {
            throw enough();
        }
    }

    const std::vector<peer_pair> &pairs() const { return kept; }

  private:
    void decide()
    {
        willow_tri_tri_meet_many(&source_a, &source_b, waiting.data(), waiting.size(), meet.data());
        for (size_t i = 0; i < waiting.size(); i++) {
            if (meet[i] != 0) {
                keep(waiting[i].tri_a, waiting[i].tri_b);
            }
        }
        waiting.clear();
    }

    std::vector<peer_pair> kept;
    std::vector<willow_tri_pair> waiting;
    std::vector<uint8_t> meet;
    size_t block = 0;
    bool is_first = false;
    uint32_t body_a = 0, body_b = 0;
    const peer_mesh *mesh = nullptr; /* of body a */
    willow_tri_source source_a = {}, source_b = {};
};

/* ---- a library as a peer ---- */

template <class Library> struct state {
    std::vector<peer_mesh> meshes;
    std::unique_ptr<Library> library;
    judge pairs;
};

/* Libraries throw for want of memory; C must not see that. */
template <class Library> void *create(const peer_mesh *meshes, uint32_t count)
{
    try {
        auto peer = std::make_unique<state<Library>>();
        peer->meshes.assign(meshes, meshes + count);
        peer->library = std::make_unique<Library>(peer->meshes);
        return peer.release();
    } catch (...) {
        return nullptr;
    }
}

template <class Library> void destroy(void *peer) { delete static_cast<state<Library> *>(peer); }

template <class Library> bool update(void *peer)
{
    try {
        static_cast<state<Library> *>(peer)->library->update();
        return true;
    } catch (...) {
        return false;
    }
}

template <class Library> void ask(state<Library> &peer, uint32_t a, uint32_t b)
{
    const peer_mesh &mesh_a = peer.meshes[a], &mesh_b = peer.meshes[b];
    if (mesh_a.triangle_count == 0 || mesh_b.triangle_count == 0) {
        return;
    }
    peer.pairs.open(a, mesh_a, b, mesh_b);
    try {
        if (a != b) {
            peer.library->between(a, b, peer.pairs);
        } else if (mesh_a.self) {
            peer.library->within(a, peer.pairs);
        }
    } catch (enough) {
    }
    peer.pairs.close();
}

template <class Library> bool query(void *context, peer_question question, peer_pairs *out)
{
    auto &peer = *static_cast<state<Library> *>(context);
    uint32_t count = static_cast<uint32_t>(peer.meshes.size());
    try {
        peer.pairs.start(question);
        for (uint32_t a = 0; a < count; a++) {
            uint32_t end = question == PEER_SELF ? a + 1 : count;
            for (uint32_t b = a; b < end && !peer.pairs.is_done(); b++) {
                ask(peer, a, b);
            }
        }
    } catch (...) {
        return false;
    }
    *out = {peer.pairs.pairs().data(), peer.pairs.pairs().size()};
    return true;
}

template <class Library> size_t bytes(const void *peer)
{
    return static_cast<const state<Library> *>(peer)->library->bytes();
}

/* How a peer differs from one that answers everything but neighbours, and rightly. */
struct limits {
    unsigned lacks = 0;
    bool loses = false;
    bool decides_neighbours = false;
};

template <class Library>
constexpr peer_def define(const char *name, const char *summary, const char *version,
                          limits limit = {})
{
    return {name,
            summary,
            version,
            limit.lacks,
            limit.loses,
            limit.decides_neighbours,
            create<Library>,
            destroy<Library>,
            update<Library>,
            query<Library>,
            bytes<Library>};
}

} // namespace adapter
#endif
