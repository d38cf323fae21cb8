/* contact_hash.h - answers about trial steps and nearness as one number, all of it but padding
 * and, of contacts, but their points where they are near.
 * Bodies count by the order in which they were created. */
#ifndef TEST_CONTACT_HASH_H
#define TEST_CONTACT_HASH_H

#include "willow/query.h"

uint64_t hash_impacts(const willow_impacts *impacts);
uint64_t hash_near(const willow_near *near);
uint64_t hash_near_cells(const willow_near_cells *near);
uint64_t hash_first_impact(const willow_first_impact *first);

/* The same of what all methods agree on: which of several impacts at time 0 is named is free (C3).
 */
uint64_t hash_first_impact_time(const willow_first_impact *first);

/* NULL if `first` is the first of all impacts with the least time, or with time 0 any of those that
 * are decided, if there are some; else what is wrong, in words. */
const char *impacts_differ_first(const willow_impacts *impacts, const willow_first_impact *first);

/* The same of the contacts in them: points, weights and normals. */
uint64_t hash_contact(uint64_t hash, const willow_contact *contact);
uint64_t hash_impact_contacts(const willow_impacts *impacts);
uint64_t hash_near_contacts(const willow_near *near);

#endif
