/* threads.c - a host that lends Willow its threads and its log: the pairs are the same bits with
 * any number of workers.
 *
 * Build: cc threads.c -lwillow -lm -lpthread */
#include "willow/willow.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { SIDE = 48, ROW = SIDE + 1, VERTICES = ROW * ROW, TRIANGLES = 2 * SIDE * SIDE, MOST = 8 };

/* Workers take the next task until there is none. Each is one thread. */
typedef struct loop {
    willow_task *run;
    void *arg;
    uint32_t task_count;
    atomic_uint next_task, next_worker;
} loop;

static void *work(void *context)
{
    loop *l = context;
    uint32_t worker = l->next_worker++;
    for (uint32_t task; (task = l->next_task++) < l->task_count;) l->run(l->arg, task, worker);
    return NULL;
}

/* A real host has threads waiting; here they are started for every loop. */
static void parallel_for(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    const uint32_t *worker_count = context;
    loop l = {.run = run, .arg = arg, .task_count = task_count};
    pthread_t threads[MOST];
    uint32_t started = 0, wanted = *worker_count - 1;
    while (started < wanted && pthread_create(&threads[started], NULL, work, &l) == 0) started++;
    work(&l);
    while (started > 0) pthread_join(threads[--started], NULL);
}

static void write_line(void *context, const char *line) { fprintf(context, "log: %s\n", line); }

/* A wavy sheet; two of them cross along many curves. */
static bool add_sheet(willow_world *world, float wave, willow_body_id *body)
{
    static willow_vec3 at[VERTICES];
    static uint32_t faces[TRIANGLES][3];
    for (uint32_t i = 0; i < VERTICES; i++) {
        float height = wave * (float)((i % ROW * 7 + i / ROW * 3) % 5);
        at[i] = (willow_vec3){(float)(i % ROW), (float)(i / ROW), height};
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        uint32_t a = i / 2 % SIDE + i / 2 / SIDE * ROW;
        faces[i][0] = a + (i % 2 == 0 ? 0 : ROW + 1);
        faces[i][1] = a + 1;
        faces[i][2] = a + ROW;
    }
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){
        .positions = at, .vertex_count = VERTICES, .indices = faces, .triangle_count = TRIANGLES};
    return willow_body_create(world, &def, body) == WILLOW_OK;
}

/* Asks too early first: the log then says what was wrong. */
static bool ask(willow_world *world, willow_scratch *scratch, willow_pairs *out)
{
    willow_query_options options = willow_query_options_default();
    options.use_threads = true;
    return willow_find_pairs(world, scratch, &options, out) == WILLOW_STALE &&
           willow_world_update(world, 0.0, NULL) == WILLOW_OK &&
           willow_find_pairs(world, scratch, &options, out) == WILLOW_OK;
}

static bool run(uint32_t worker_count, uint64_t *hash)
{
    willow_world_def def = willow_world_def_default();
    def.tasks = (willow_tasks){worker_count, parallel_for, &worker_count};
    def.log = (willow_log){write_line, stdout};
    willow_world *world = NULL;
    willow_scratch *scratch = NULL;
    willow_body_id a, b;
    willow_pairs pairs;
    bool fine = willow_world_create(&def, &world) == WILLOW_OK &&
                willow_scratch_create(world, &scratch) == WILLOW_OK && add_sheet(world, 0.5F, &a) &&
                add_sheet(world, -0.5F, &b) && ask(world, scratch, &pairs);
    if (fine) printf("%u workers: %zu pairs\n", (unsigned)worker_count, pairs.count);
    *hash = fine ? willow_pairs_hash(&pairs) : 0;
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return fine;
}

int main(void)
{
    uint64_t alone, together;
    bool fine = run(1, &alone) && run(4, &together) && alone == together;
    puts(fine ? "the same bits" : "something went wrong");
    return fine ? 0 : 1;
}
