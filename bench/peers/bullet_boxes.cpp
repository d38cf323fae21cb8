/* bullet_boxes.cpp - Bullet's broad phase of two dynamic trees (btDbvtBroadphase), without the rest
 * of Bullet.
 *
 * Boxes that moved are set, then overlapping pairs are calculated, as btCollisionWorld does in
 * every step. "bullet-dbvt" searches for the pairs of a box when it is set, which is what the
 * library does by itself and what is best where few boxes move; "bullet-dbvt-deferred" searches
 * once for all (m_deferedcollide), which is best where all do. Boxes in the trees are larger than
 * given ones, by the margin that the library has; its cache of pairs has those that meet there, and
 * some that do not any more. So pairs are read out of the cache with a comparison of the given
 * boxes, which a narrow phase would make, too. */
#include "bench/peers/box_peer.h"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <cstdint>
#include <new>
#include <vector>

namespace
{

btVector3 vector(const willow_vec3 &p) { return {p.x, p.y, p.z}; }

uint32_t number_of(const btBroadphaseProxy *proxy)
{
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(proxy->m_clientObject));
}

struct forget_pair : btOverlapCallback {
    bool processOverlap(btBroadphasePair & /*pair*/) override { return true; }
};

class dynamic_broadphase
{
  public:
    dynamic_broadphase(const willow_box *boxes, uint32_t count, bool is_deferred)
    {
        proxies.reserve(count);
        for (uint32_t i = 0; i < count; i++) {
            void *client = reinterpret_cast<void *>(static_cast<uintptr_t>(i));
            proxies.push_back(phase.createProxy(vector(boxes[i].lower), vector(boxes[i].upper), 0,
                                                client, 1, 1, nullptr));
        }
        phase.calculateOverlappingPairs(nullptr);
        phase.m_deferedcollide = is_deferred;
    }

    /* Pairs go first: each box that is destroyed looks through all that are there. */
    ~dynamic_broadphase()
    {
        forget_pair forget;
        phase.getOverlappingPairCache()->processAllOverlappingPairs(&forget, nullptr);
        for (btBroadphaseProxy *proxy : proxies) phase.destroyProxy(proxy, nullptr);
    }

    dynamic_broadphase(const dynamic_broadphase &) = delete;
    dynamic_broadphase &operator=(const dynamic_broadphase &) = delete;

    void update(const willow_box *boxes, const uint32_t *changed, uint32_t changed_count)
    {
        const auto count = static_cast<uint32_t>(proxies.size());
        for (uint32_t i = 0; i < (changed != nullptr ? changed_count : count); i++) {
            const uint32_t number = changed != nullptr ? changed[i] : i;
            phase.setAabb(proxies[number], vector(boxes[number].lower), vector(boxes[number].upper),
                          nullptr);
        }
        phase.calculateOverlappingPairs(nullptr);
    }

    willow_broad_pairs pairs()
    {
        const btBroadphasePairArray &cached =
            phase.getOverlappingPairCache()->getOverlappingPairArray();
        found.clear();
        for (int i = 0; i < cached.size(); i++) {
            const btBroadphaseProxy *a = cached[i].m_pProxy0, *b = cached[i].m_pProxy1;
            if (!TestAabbAgainstAabb2(a->m_aabbMin, a->m_aabbMax, b->m_aabbMin, b->m_aabbMax)) {
                continue;
            }
            const uint32_t first = number_of(a), second = number_of(b);
            found.push_back(first < second ? willow_broad_pair{first, second}
                                           : willow_broad_pair{second, first});
        }
        return {found.data(), found.size()};
    }

  private:
    btDbvtBroadphase phase;
    std::vector<btBroadphaseProxy *> proxies;
    std::vector<willow_broad_pair> found;
};

template <bool is_deferred> void *create(const willow_box *boxes, uint32_t count)
{
    try {
        return new dynamic_broadphase(boxes, count, is_deferred);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void destroy(void *peer) { delete static_cast<dynamic_broadphase *>(peer); }

bool update(void *peer, const willow_box *boxes, const uint32_t *changed, uint32_t changed_count)
{
    static_cast<dynamic_broadphase *>(peer)->update(boxes, changed, changed_count);
    return true;
}

bool pairs(void *peer, willow_broad_pairs *out)
{
    try {
        *out = static_cast<dynamic_broadphase *>(peer)->pairs();
        return true;
    } catch (const std::bad_alloc &) {
        return false;
    }
}

} // namespace

extern "C" {
extern const box_peer_def box_peer_bullet_dbvt, box_peer_bullet_dbvt_deferred;
const box_peer_def box_peer_bullet_dbvt = {"bullet-dbvt", create<false>, destroy, update, pairs};
const box_peer_def box_peer_bullet_dbvt_deferred = {"bullet-dbvt-deferred", create<true>, destroy,
                                                    update, pairs};
}
