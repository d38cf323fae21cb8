/* contacts.h - what walks over steps found, in the order of the answer. */
#ifndef WI_QUERY_CONTACTS_H
#define WI_QUERY_CONTACTS_H

#include "query/question.h"

/* Contacts in order, and the answers made of them. */
typedef struct wi_contacts_found {
    WI_ARRAY(const wi_contact *) sorted; /* those of all workers */
    WI_ARRAY(const wi_contact *) spare;  /* for sorting them */
    WI_ARRAY(willow_pair_run) runs;      /* of the answer: one per pair of bodies */
    WI_ARRAY(willow_impact) impacts;     /* the answer, if impacts are asked for */
    WI_ARRAY(willow_near_pair) near;     /* the same of what is near */
} wi_contacts_found;

void wi_contacts_found_free(wi_memory *memory, wi_contacts_found *found);

/* Fills scratch->contacts.sorted with the contacts of all workers, sorted by pair of bodies,
 * triangles and features, so that no answer depends on who found them (C10). False if there is no
 * memory. */
bool wi_contacts_gather(willow_scratch *scratch);

/* True if `a` comes before `b` in that order. */
bool wi_contact_is_before(const wi_contact *a, const wi_contact *b);

#endif
