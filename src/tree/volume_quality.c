/* volume_quality.c - see volume_quality.h. */
#include "tree/volume_quality.h"

#include "tree/linked/avl.h"

double wi_tree_volume_quality(const wi_tree *h)
{
    const double root = wi_box_squared_volume(&h->boxes.bounds);
    double sum = root;
    wi_openings count = {0};
    if (h->boxes.nodes == NULL || !(root > 0.0)) return 0.0;
    if (wi_tree_is_avl(h)) return wi_avl_quality(h);
    wi_twig twig = {0, 1, 0};
    do {
        const wi_node *view = wi_tree_look(h, twig.node, &count);
        for (unsigned lane = 0; lane < view->count; lane++) {
            const wi_box box = wi_node_box(view, lane);
            sum += wi_box_squared_volume(&box);
        }
    } while (wi_tree_next_node(h, &twig));
    return sum / root;
}

uint32_t wi_tree_own_depth(const wi_tree *h)
{
    if (h->boxes.nodes == NULL || !wi_tree_is_avl(h)) return h->shape->height;
    return wi_avl_height(wi_avl_of(h), wi_avl_of(h)->root);
}
