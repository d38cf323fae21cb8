/* embree_rays.cpp - Embree 3: one scene with a geometry of triangles per body, single rays.
 *
 * Positions and indices are read in place. Refitting needs quality REFIT in the geometry and
 * quality LOW in the scene: under any other quality of the scene Embree silently rebuilds.
 * "rebuild" is quality LOW in both, its fastest builder. Scenes are not robust: Embree's fastest
 * triangle test, and boxes without a margin. One thread, as all contenders. */
#include "bench/peers/ray_peer.h"

#include <embree3/rtcore.h>

#include <atomic>
#include <memory>
#include <new>
#include <vector>

namespace
{

bool count_ray_bytes(void *sum, ssize_t bytes, bool)
{
    *static_cast<std::atomic<ssize_t> *>(sum) += bytes;
    return true;
}

template <RTCBuildQuality quality> class ray_scene
{
  public:
    ray_scene(const peer_mesh *meshes, uint32_t count)
    {
        device = rtcNewDevice("threads=1,user_threads=0,set_affinity=0");
        if (device == nullptr) {
            throw std::bad_alloc();
        }
        rtcSetDeviceMemoryMonitorFunction(device, count_ray_bytes, &held);
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
        for (uint32_t i = 0; i < count; i++) {
            add(meshes[i], i);
        }
        rtcCommitScene(scene);
        check();
    }

    ray_scene(const ray_scene &) = delete;

    ~ray_scene()
    {
        for (RTCGeometry each : geometries) {
            rtcReleaseGeometry(each);
        }
        rtcReleaseScene(scene);
        rtcReleaseDevice(device);
    }

    void update()
    {
        for (RTCGeometry each : geometries) {
            rtcUpdateGeometryBuffer(each, RTC_BUFFER_TYPE_VERTEX, 0);
            rtcCommitGeometry(each);
        }
        rtcCommitScene(scene);
        check();
    }

    void cast(const willow_ray *rays, size_t count, willow_hit *hits, uint8_t *states)
    {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        for (size_t i = 0; i < count; i++) {
            RTCRayHit all;
            fill(rays[i], all.ray);
            all.hit.geomID = RTC_INVALID_GEOMETRY_ID;
            all.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
            rtcIntersect1(scene, &context, &all);
            const bool is_hit = all.hit.geomID != RTC_INVALID_GEOMETRY_ID;
            states[i] = is_hit ? WILLOW_RAY_HIT : WILLOW_RAY_FREE;
            hits[i].at.tri = all.hit.primID;
            hits[i].user_data = all.hit.geomID;
            hits[i].t = static_cast<double>(all.ray.tfar);
            hits[i].u = all.hit.u;
            hits[i].v = all.hit.v;
            hits[i].normal = {all.hit.Ng_x, all.hit.Ng_y, all.hit.Ng_z};
        }
    }

    void block(const willow_ray *rays, size_t count, uint8_t *states)
    {
        RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        for (size_t i = 0; i < count; i++) {
            RTCRay ray;
            fill(rays[i], ray);
            rtcOccluded1(scene, &context, &ray);
            states[i] = ray.tfar < 0.0F ? WILLOW_RAY_HIT : WILLOW_RAY_FREE;
        }
    }

    size_t bytes() const { return static_cast<size_t>(held); }

  private:
    void add(const peer_mesh &mesh, uint32_t number)
    {
        RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
        geometries.push_back(geometry);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                   mesh.positions, 0, 12, mesh.vertex_count);
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                   mesh.indices, 0, 12, mesh.triangle_count);
        rtcSetGeometryBuildQuality(geometry, quality);
        rtcCommitGeometry(geometry);
        rtcAttachGeometryByID(scene, geometry, number);
    }

    static void fill(const willow_ray &from, RTCRay &to)
    {
        to.org_x = from.origin.x, to.org_y = from.origin.y, to.org_z = from.origin.z;
        to.dir_x = from.direction.x, to.dir_y = from.direction.y, to.dir_z = from.direction.z;
        to.tnear = from.t_min, to.tfar = from.t_max;
        to.time = 0, to.mask = ~0u, to.id = 0, to.flags = 0;
    }

    void check()
    {
        if (rtcGetDeviceError(device) != RTC_ERROR_NONE) {
            throw std::bad_alloc();
        }
    }

    std::atomic<ssize_t> held{0};
    RTCDevice device;
    RTCScene scene;
    std::vector<RTCGeometry> geometries;
};

/* Embree throws nothing, but memory may be short; C must not see that. */
template <class Scene> void *create(const peer_mesh *meshes, uint32_t count)
{
    try {
        return new Scene(meshes, count);
    } catch (...) {
        return nullptr;
    }
}

template <class Scene> void destroy(void *peer) { delete static_cast<Scene *>(peer); }

template <class Scene> bool update(void *peer)
{
    try {
        static_cast<Scene *>(peer)->update();
        return true;
    } catch (...) {
        return false;
    }
}

template <class Scene>
void cast(void *peer, const willow_ray *rays, size_t count, willow_hit *hits, uint8_t *states)
{
    static_cast<Scene *>(peer)->cast(rays, count, hits, states);
}

template <class Scene> void block(void *peer, const willow_ray *rays, size_t count, uint8_t *states)
{
    static_cast<Scene *>(peer)->block(rays, count, states);
}

template <class Scene> size_t bytes(const void *peer)
{
    return static_cast<const Scene *>(peer)->bytes();
}

template <class Scene> constexpr ray_peer_def define(const char *name)
{
    return {name,        create<Scene>, destroy<Scene>, update<Scene>,
            cast<Scene>, block<Scene>,  bytes<Scene>};
}

} // namespace

extern "C" {
extern const ray_peer_def ray_peer_embree_refit, ray_peer_embree_rebuild;
}

const ray_peer_def ray_peer_embree_refit =
    define<ray_scene<RTC_BUILD_QUALITY_REFIT>>("peer:embree-refit");
const ray_peer_def ray_peer_embree_rebuild =
    define<ray_scene<RTC_BUILD_QUALITY_LOW>>("peer:embree-rebuild");
