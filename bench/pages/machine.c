/* machine.c - what a run was measured on: processor, memory, compiler, date. */
#define _DEFAULT_SOURCE
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* "model name : AMD EPYC ..." on x86; other machines may not say, and then their kind is told. */
static void find_processor(char *out, size_t size)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) return;
    while (fgets(line, sizeof line, file) != NULL) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || value == NULL) continue;
        value += strspn(value, ": \t");
        snprintf(out, size, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    fclose(file);
}

static void find_system(report_machine *m)
{
    struct utsname name;
    if (uname(&name) != 0) return;
    snprintf(m->system, sizeof m->system, "%.40s %.40s", name.sysname, name.machine);
    snprintf(m->processor, sizeof m->processor, "%.40s", name.machine);
}

static void find_compiler(char *out, size_t size)
{
#if defined(__clang__)
    snprintf(out, size, "clang %d.%d.%d", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    snprintf(out, size, "gcc %d.%d.%d", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    snprintf(out, size, "unknown");
#endif
}

static void find_date(char *out, size_t size)
{
    time_t now = time(NULL);
    struct tm t;
    if (gmtime_r(&now, &t) != NULL) strftime(out, size, "%Y-%m-%d %H:%M UTC", &t);
}

report_machine report_machine_now(void)
{
    report_machine m = {.cores = 1};
    find_system(&m);
    find_processor(m.processor, sizeof m.processor);
    find_compiler(m.compiler, sizeof m.compiler);
    find_date(m.date, sizeof m.date);
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES),
         page_size = sysconf(_SC_PAGESIZE);
    if (cores > 0) m.cores = (uint32_t)cores;
    if (pages > 0 && page_size > 0) m.memory_bytes = (uint64_t)pages * (uint64_t)page_size;
    return m;
}

json_line report_machine_json(const report_machine *machine, const bench_options *options)
{
    json_line line = json_line_begin(), inner = json_line_begin();
    json_line_text(&inner, "processor", machine->processor);
    json_line_count(&inner, "cores", machine->cores);
    json_line_count(&inner, "memory_bytes", machine->memory_bytes);
    json_line_text(&inner, "system", machine->system);
    json_line_text(&inner, "compiler", machine->compiler);
    json_line_text(&inner, "willow", version_text());
    json_line_text(&inner, "date", machine->date);
    json_line_text(&inner, "command", options->command_line);
    json_line_nest(&line, "machine", &inner);
    return line;
}
