/* embree.cpp - Embree 3: one scene per body, rtcCollide between them.
 *
 * rtcCollide takes user geometry only, so triangles are user primitives whose boxes a callback
 * gives. Refitting needs quality REFIT in the geometry and quality LOW in the scene: under any
 * other quality of the scene Embree silently rebuilds. "rebuild" is quality LOW in both, its
 * fastest builder. rtcCollide hands out all pairs of two leaves without looking at their boxes, and
 * pairs within a scene in both orders, so boxes are compared here before Willow's exact test
 * decides. They are kept for that, and for the callback. There is no way to end a search early: the
 * first pair costs as much as all.
 *
 * One thread, as all contenders: the device gets no others, and Embree calls back in the thread
 * that asks. */
#include "bench/peers/adapter.h"

#include <embree3/rtcore.h>

#include <atomic>
#include <new>

namespace
{

using adapter::box;
using adapter::define;
using adapter::judge;

struct body {
    const peer_mesh *mesh;
    std::vector<box> boxes; /* by triangle */
    RTCGeometry geometry;
    RTCScene scene;
};

void give_bounds(const RTCBoundsFunctionArguments *args)
{
    const box &b = static_cast<const body *>(args->geometryUserPtr)->boxes[args->primID];
    RTCBounds &out = *args->bounds_o;
    out.lower_x = b.lower[0], out.lower_y = b.lower[1], out.lower_z = b.lower[2];
    out.upper_x = b.upper[0], out.upper_y = b.upper[1], out.upper_z = b.upper[2];
}

bool count_bytes(void *sum, ssize_t bytes, bool)
{
    *static_cast<std::atomic<ssize_t> *>(sum) += bytes;
    return true;
}

/* What rtcCollide's callback sees. */
struct collection {
    const std::vector<box> &a, &b;
    judge &pairs;
};

void take_between(void *context, RTCCollision *found, unsigned count)
{
    auto &c = *static_cast<collection *>(context);
    for (unsigned i = 0; i < count; i++) {
        if (overlap(c.a[found[i].primID0], c.b[found[i].primID1])) {
            c.pairs.add(found[i].primID0, found[i].primID1);
        }
    }
}

void take_within(void *context, RTCCollision *found, unsigned count)
{
    auto &c = *static_cast<collection *>(context);
    for (unsigned i = 0; i < count; i++) {
        uint32_t a = found[i].primID0, b = found[i].primID1;
        if (a < b && overlap(c.a[a], c.a[b])) {
            c.pairs.add_within(a, b);
        }
    }
}

template <RTCBuildQuality quality> class scenes
{
  public:
    explicit scenes(const std::vector<peer_mesh> &all) : bodies(all.size())
    {
        device = rtcNewDevice("threads=1,user_threads=0,set_affinity=0");
        if (device == nullptr) {
            throw std::bad_alloc();
        }
        rtcSetDeviceMemoryMonitorFunction(device, count_bytes, &held);
        for (size_t i = 0; i < all.size(); i++) {
            build(bodies[i], all[i]);
        }
        check();
    }

    scenes(const scenes &) = delete;

    ~scenes()
    {
        for (body &each : bodies) {
            rtcReleaseGeometry(each.geometry);
            rtcReleaseScene(each.scene);
        }
        rtcReleaseDevice(device);
    }

    void update()
    {
        for (body &each : bodies) {
            fill_boxes(*each.mesh, each.boxes);
            rtcCommitGeometry(each.geometry);
            rtcCommitScene(each.scene);
        }
        check();
    }

    void between(uint32_t a, uint32_t b, judge &pairs)
    {
        if (overlap(bounds(a), bounds(b))) {
            collection c = {bodies[a].boxes, bodies[b].boxes, pairs};
            rtcCollide(bodies[a].scene, bodies[b].scene, take_between, &c);
        }
    }

    void within(uint32_t i, judge &pairs)
    {
        collection c = {bodies[i].boxes, bodies[i].boxes, pairs};
        rtcCollide(bodies[i].scene, bodies[i].scene, take_within, &c);
    }

    size_t bytes() const
    {
        size_t sum = static_cast<size_t>(held);
        for (const body &each : bodies) {
            sum += each.boxes.size() * sizeof(box);
        }
        return sum;
    }

  private:
    void build(body &out, const peer_mesh &mesh)
    {
        out.mesh = &mesh;
        fill_boxes(mesh, out.boxes);
        out.geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
        out.scene = rtcNewScene(device);
        rtcSetGeometryUserPrimitiveCount(out.geometry, mesh.triangle_count);
        rtcSetGeometryUserData(out.geometry, &out);
        rtcSetGeometryBoundsFunction(out.geometry, give_bounds, nullptr);
        rtcSetGeometryBuildQuality(out.geometry, quality);
        rtcCommitGeometry(out.geometry);
        rtcSetSceneFlags(out.scene, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(out.scene, RTC_BUILD_QUALITY_LOW);
        rtcAttachGeometry(out.scene, out.geometry);
        rtcCommitScene(out.scene);
    }

    box bounds(uint32_t i) const
    {
        RTCBounds b;
        rtcGetSceneBounds(bodies[i].scene, &b);
        return {{b.lower_x, b.lower_y, b.lower_z}, {b.upper_x, b.upper_y, b.upper_z}};
    }

    void check()
    {
        if (rtcGetDeviceError(device) != RTC_ERROR_NONE) {
            throw std::bad_alloc();
        }
    }

    std::atomic<ssize_t> held{0};
    RTCDevice device;
    std::vector<body> bodies;
};

} // namespace

extern "C" {
extern const peer_def peer_embree_refit, peer_embree_rebuild;
}

const peer_def peer_embree_refit = define<scenes<RTC_BUILD_QUALITY_REFIT>>(
    "peer:embree-refit", "Embree: rtcCollide, refitted", RTC_VERSION_STRING);
const peer_def peer_embree_rebuild = define<scenes<RTC_BUILD_QUALITY_LOW>>(
    "peer:embree-rebuild", "Embree: rtcCollide, rebuilt with its fastest builder",
    RTC_VERSION_STRING);
