/* spheres_chart.c - cells that live over time, as an SVG: the three trees of the route at the
 * middle extent. It has a ground of its own, so that it can be read in the dark, too. */
#include "bench/pages/pages.h"

#include <inttypes.h>

enum { WIDTH = 760, HEIGHT = 340, LEFT = 64, RIGHT = 16, TOP = 44, BOTTOM = 44, EXTENT = 832 };
enum { EVERY = 4 }; /* frames from one point to the next */

static const char *const colours[SPHERES_KINDS] = {"#0b5394", "#b45f06", "#38761d"};

typedef struct chart_frame {
    double most; /* the highest value; above 0 */
} chart_frame;

static double x_of(uint32_t frame)
{
    return LEFT + (double)(WIDTH - LEFT - RIGHT) * frame / SPHERES_FRAMES;
}

static double y_of(const chart_frame *frame, double value)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / frame->most;
}

static bool is_drawn(const spheres_route_row *row) { return row->extent == EXTENT; }

/* A round number of which four to eight are in `most`. */
static double step_of(double most)
{
    double step = 1.0;
    while (most / step > 80.0) step *= 10.0;
    if (most / step > 40.0) return 10.0 * step;
    return most / step > 16.0 ? 5.0 * step : 2.0 * step;
}

static void write_axes(FILE *file, const chart_frame *frame)
{
    const double step = step_of(frame->most);
    for (double value = 0.0; value <= frame->most; value += step)
        fprintf(file,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#d9d9d9\"/>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                LEFT, WIDTH - RIGHT, y_of(frame, value), y_of(frame, value), LEFT - 8,
                y_of(frame, value) + 4.0, value);
    for (uint32_t at = 0; at <= SPHERES_FRAMES; at += 200)
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%" PRIu32 "</text>\n",
                x_of(at), HEIGHT - BOTTOM + 18, at);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">frame</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
}

static void write_line(FILE *file, const chart_frame *frame, const spheres_route_row *row,
                       const char *colour)
{
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colour);
    for (uint32_t at = 0; at < SPHERES_FRAMES; at += EVERY)
        fprintf(file, "%.1f,%.1f%c", x_of(at), y_of(frame, row->nodes_at[at]),
                at % 40 == 36 ? '\n' : ' ');
    fputs("\"/>\n", file);
}

static void write_name(FILE *file, const spheres_route_row *row, uint32_t number)
{
    const int x = LEFT + 170 * (int)number;
    fprintf(file,
            "<rect x=\"%d\" y=\"16\" width=\"18\" height=\"4\" fill=\"%s\"/>\n"
            "<text x=\"%d\" y=\"22\">%s, %" PRIu32 " levels</text>\n",
            x, colours[number], x + 24, willow_cells_name(row->cells), row->levels);
}

void page_write_spheres_chart(FILE *file, const spheres_rows *rows)
{
    chart_frame frame = {.most = 1.0};
    uint32_t number = 0;
    for (uint32_t i = 0; i < rows->route_count; i++)
        for (uint32_t at = 0; is_drawn(&rows->routes[i]) && at < SPHERES_FRAMES; at++)
            if (rows->routes[i].nodes_at[at] > frame.most)
                frame.most = rows->routes[i].nodes_at[at];
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
            "<title>Cells that live in the four trees, frame by frame</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    write_axes(file, &frame);
    for (uint32_t i = 0; i < rows->route_count && number < SPHERES_KINDS; i++) {
        if (!is_drawn(&rows->routes[i])) continue;
        write_line(file, &frame, &rows->routes[i], colours[number]);
        write_name(file, &rows->routes[i], number++);
    }
    fputs("</svg>\n", file);
}
