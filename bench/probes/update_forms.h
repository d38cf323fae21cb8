/* update_forms.h - the update alone, by how positions are handed over. */
#ifndef BENCH_PROBES_UPDATE_FORMS_H
#define BENCH_PROBES_UPDATE_FORMS_H

#include "bench/run/contender.h"
#include "bench/run/stage.h"
#include "bench/run/stream.h"

/* The bytes that must move for a vertex: 12 of the caller's are read; where they are stored, 16 are
 * written. X(enum, name, bytes written) */
#define PROBE_FORMS(X)                                                                             \
    X(STORED, "stored", 16)                                                                        \
    X(BORROWED, "borrowed", 0)                                                                     \
    X(ORDERED, "ordered", 0)

typedef enum probe_form {
#define PROBE_FORM_ENTRY(name, words, written) FORM_##name,
    PROBE_FORMS(PROBE_FORM_ENTRY)
#undef PROBE_FORM_ENTRY
        FORM_COUNT
} probe_form;

extern const char *const probe_form_names[FORM_COUNT];

/* What must move for so many vertices. */
stream_traffic probe_form_traffic(probe_form form, uint64_t vertex_count);

/* Medians over the counted frames: milliseconds of setting vertices, where they are stored, and of
 * the update, for all bodies of the scene. An exit code. */
int probe_forms_measure(bench_stage *stage, const contender *method, uint32_t frames,
                        uint32_t repeat, double update_ms[FORM_COUNT]);

#endif
