/* contact_hash.c - see contact_hash.h. */
#include "support/contact_hash.h"

#include "base/hash.h"

static uint64_t add_feature(uint64_t hash, const willow_feature *f)
{
    hash = wi_hash_u64(hash, (uint64_t)f->kind);
    return wi_hash_bytes(hash, f->number, sizeof f->number);
}

static uint64_t add_runs(uint64_t hash, const willow_pair_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = wi_hash_u64(hash, (uint64_t)runs[i].body_a.index1 << 32 | runs[i].body_b.index1);
        hash = wi_hash_u64(wi_hash_u64(hash, runs[i].first), runs[i].count);
    }
    return hash;
}

static uint64_t add_impact(uint64_t hash, const willow_impact *impact)
{
    hash = add_feature(add_feature(hash, &impact->a), &impact->b);
    hash = wi_hash_bytes(hash, &impact->time, sizeof impact->time);
    return wi_hash_u64(hash, impact->is_decided);
}

uint64_t hash_impacts(const willow_impacts *impacts)
{
    uint64_t hash = add_runs(impacts->complete, impacts->runs, impacts->run_count);
    for (size_t i = 0; i < impacts->count; i++) hash = add_impact(hash, &impacts->items[i]);
    return wi_hash_u64(hash, impacts->count);
}

uint64_t hash_near(const willow_near *near)
{
    uint64_t hash = add_runs(near->complete, near->runs, near->run_count);
    for (size_t i = 0; i < near->count; i++) {
        const willow_near_pair *pair = &near->items[i];
        hash = add_feature(add_feature(hash, &pair->a), &pair->b);
        hash = wi_hash_bytes(hash, &pair->distance, sizeof pair->distance);
        hash = wi_hash_bytes(hash, &pair->contact.point_a, sizeof pair->contact.point_a);
        hash = wi_hash_bytes(hash, &pair->contact.point_b, sizeof pair->contact.point_b);
    }
    return wi_hash_u64(hash, near->count);
}

static uint64_t add_cell(uint64_t hash, const willow_near_cell *cell)
{
    hash = wi_hash_u64(hash, (uint64_t)cell->body.index1 << 32 | cell->level);
    hash = wi_hash_bytes(hash, cell->place, sizeof cell->place);
    hash = wi_hash_bytes(hash, &cell->box, sizeof cell->box);
    hash = wi_hash_bytes(hash, cell->centre, sizeof cell->centre);
    return wi_hash_bytes(hash, &cell->radius, sizeof cell->radius);
}

uint64_t hash_near_cells(const willow_near_cells *near)
{
    uint64_t hash = add_runs(near->complete, near->runs, near->run_count);
    for (size_t i = 0; i < near->cell_count; i++) hash = add_cell(hash, &near->cells[i]);
    for (size_t i = 0; i < near->count; i++) {
        const willow_near_cell_pair *pair = &near->items[i];
        hash = wi_hash_u64(hash, (uint64_t)pair->a << 32 | pair->b);
        hash = wi_hash_bytes(hash, &pair->distance, sizeof pair->distance);
    }
    return wi_hash_u64(hash, near->count);
}

uint64_t hash_contact(uint64_t hash, const willow_contact *c)
{
    hash = wi_hash_bytes(hash, &c->point_a, sizeof c->point_a);
    hash = wi_hash_bytes(hash, &c->point_b, sizeof c->point_b);
    hash = wi_hash_bytes(hash, c->weights_a, sizeof c->weights_a);
    hash = wi_hash_bytes(hash, c->weights_b, sizeof c->weights_b);
    hash = wi_hash_bytes(hash, &c->normal, sizeof c->normal);
    return wi_hash_u64(hash, c->has_normal);
}

uint64_t hash_impact_contacts(const willow_impacts *impacts)
{
    uint64_t hash = impacts->count;
    for (size_t i = 0; i < impacts->count; i++)
        hash = hash_contact(hash, &impacts->items[i].contact);
    return hash;
}

uint64_t hash_near_contacts(const willow_near *near)
{
    uint64_t hash = near->count;
    for (size_t i = 0; i < near->count; i++) hash = hash_contact(hash, &near->items[i].contact);
    return hash;
}

uint64_t hash_first_impact(const willow_first_impact *first)
{
    if (!first->found) return 1;
    return add_impact((uint64_t)first->body_a.index1 << 32 | first->body_b.index1, &first->impact);
}

static bool is_at_start(const willow_impact *impact)
{
    return impact->time == 0.0 && impact->is_decided;
}

uint64_t hash_first_impact_time(const willow_first_impact *first)
{
    return first->found && is_at_start(&first->impact) ? 2 : hash_first_impact(first);
}

static bool is_same(const willow_pair_run *run, const willow_impact *impact,
                    const willow_first_impact *first)
{
    return run->body_a.index1 == first->body_a.index1 &&
           run->body_b.index1 == first->body_b.index1 &&
           add_impact(0, impact) == add_impact(0, &first->impact);
}

const char *impacts_differ_first(const willow_impacts *impacts, const willow_first_impact *first)
{
    const willow_impact *least = NULL, *at_start = NULL;
    bool is_least = false, is_one_at_start = false;
    for (size_t r = 0; r < impacts->run_count; r++)
        for (size_t i = impacts->runs[r].first; i < impacts->runs[r].first + impacts->runs[r].count;
             i++) {
            const willow_impact *impact = &impacts->items[i];
            const bool is_it = first->found && is_same(&impacts->runs[r], impact, first);
            if (least == NULL || impact->time < least->time) least = impact, is_least = is_it;
            if (!is_at_start(impact)) continue;
            at_start = impact;
            is_one_at_start = is_one_at_start || is_it;
        }
    if (first->found != (least != NULL)) return "a first impact where there is none, or none";
    if (at_start) return is_one_at_start ? NULL : "it is not one of those at the start";
    return least == NULL || is_least ? NULL : "it is not the first of those with the least time";
}
