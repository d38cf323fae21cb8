/* contact_hash.h - answers about trial steps and nearness as one number, all of it but padding
 * and, of contacts, but their points where they are near.
 * Bodies count by the order in which they were created. */
#ifndef TEST_CONTACT_HASH_H
#define TEST_CONTACT_HASH_H

#include "willow/query.h"

uint64_t hash_impacts(const willow_impacts *impacts);
uint64_t hash_near(const willow_near *near);
uint64_t hash_first_impact(const willow_first_impact *first);

/* The same of the contacts in them: points, weights and normals. */
uint64_t hash_contact(uint64_t hash, const willow_contact *contact);
uint64_t hash_impact_contacts(const willow_impacts *impacts);
uint64_t hash_near_contacts(const willow_near *near);

#endif
