/* whole_scene.c - whole scenes for probes: who takes part, and worlds that go through the frames.
 *
 * Positions are read where they were made, in the arrays of the stage's block: so nothing has to be
 * done between the frames of a block, and its time on the wall is that of the work alone. */
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/open_scene.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/probes/probe.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "bench/run/stage.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- the scene ---- */

int probe_stage_create(bench_stage *stage, const char *spec, const bench_options *options)
{
    *stage = (bench_stage){.scene = NULL};
    scene *s = scene_open("bench", spec);
    if (s == NULL) return EXIT_ERROR;
    int code = bench_check_frames(options, spec, s);
    if (code != EXIT_FINE) {
        scene_destroy(s);
        return code;
    }
    return bench_stage_create(stage, s, options) ? EXIT_FINE : complain("bench", "out of memory");
}

uint32_t probe_frames(const bench_stage *stage, const bench_options *options)
{
    return bench_frames(options, stage->scene);
}

void probe_print_scene(const char *spec, const scene *s)
{
    printf("%s: %" PRIu64 " triangles in %" PRIu32 " bod%s", spec, scene_triangle_total(s),
           s->body_count, s->body_count == 1 ? "y" : "ies");
}

void probe_line_scene(json_line *line, const char *spec, const scene *s)
{
    json_line_text(line, "spec", spec);
    json_line_count(line, "triangles", scene_triangle_total(s));
    json_line_count(line, "bodies", s->body_count);
}

/* ---- who takes part ---- */

static int refuse_peers(const bench_field *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->entries[i].peer == NULL) continue;
        return complain_usage("bench", "this probe takes methods of Willow, not %s",
                              f->entries[i].name);
    }
    return EXIT_FINE;
}

int probe_choose(bench_field *f, const bench_options *options, const char *fallback, const scene *s)
{
    bench_options with_methods = *options;
    if (options->methods == NULL) with_methods.methods = fallback;
    int code = bench_choose(f, &with_methods, s);
    return code == EXIT_FINE ? refuse_peers(f) : code;
}

/* ---- worlds ---- */

bool probe_player_create(probe_player *p, const bench_stage *stage, uint32_t frame,
                         const engine_options *engine, bench_question question)
{
    *p = (probe_player){.question = question};
    return player_create(&p->player, stage->scene, frame, stage->block[0], stage->self, engine) &&
           bench_get_ready(&p->player, question, engine, stage->block[1]);
}

void probe_player_destroy(probe_player *p) { player_destroy(&p->player); }

bool probe_player_step(probe_player *p, const bench_stage *stage, uint32_t in_block, uint32_t frame)
{
    willow_update_report report;
    p->player.now.positions = stage->block[in_block];
    if (stage->has_steps) p->player.next.positions = stage->block[in_block + 1];
    player_prepare(&p->player, frame);
    if (!bench_go(&p->player, p->question, frame, &report)) return false;
    p->bodies_built += report.bodies_built;
    p->subtrees_built += report.subtrees_built;
    return bench_ask(&p->player, p->question, &p->answer);
}

uint64_t probe_player_answer(const probe_player *p)
{
    return bench_answer_digest(&p->player, &p->answer);
}

/* ---- the command line, and the line of output ---- */

const char *probe_spec(const bench_options *options, const char *fallback)
{
    return options->scene_count > 0 ? options->scenes[0] : fallback;
}

json_line probe_line_begin(const char *probe, const bench_options *options)
{
    json_line line = json_line_begin();
    json_line_text(&line, "probe", probe);
    json_line_count(&line, "threads", options->engine.threads);
    return line;
}
