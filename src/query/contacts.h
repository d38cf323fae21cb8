/* contacts.h - what walks over steps found, in the order of the answer. */
#ifndef WI_QUERY_CONTACTS_H
#define WI_QUERY_CONTACTS_H

#include "query/question.h"

/* Fills scratch->contacts with the contacts of all workers, sorted by pair of bodies, triangles and
 * features, so that no answer depends on who found them (C10). False if there is no memory. */
bool wi_contacts_gather(willow_scratch *scratch);

/* True if `a` comes before `b` in that order. */
bool wi_contact_is_before(const wi_contact *a, const wi_contact *b);

#endif
