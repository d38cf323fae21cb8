/* spheres_error_chart.c - Figures 3 and 4 as an SVG: the mean error over the number of spheres,
 * both on logarithmic scales, a panel for each model. It has a ground of its own, so that it can be
 * read in the dark, too. */
#include "bench/pages/pages.h"

#include <math.h>

enum { PANEL = 380, HEIGHT = 360, LEFT = 52, RIGHT = 14, TOP = 74, BOTTOM = 44, MARGIN = 12 };
enum { FIRST_FIGURE = 3, FIGURES = 2, LINES = 5 };

static const char *const colours[LINES] = {"#666666", "#0b5394", "#38761d", "#b45f06", "#990000"};

/* Numbers of spheres go from one to ten thousand, errors in percent from one to a hundred. */
static const double MOST_SPHERES = 1e4, MOST_ERROR = 1e2;

static double x_of(int panel, double spheres)
{
    return PANEL * panel + LEFT + (PANEL - LEFT - RIGHT) * log10(spheres) / log10(MOST_SPHERES);
}

static double y_of(double percent)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * log10(percent) / log10(MOST_ERROR);
}

static void write_axes(FILE *file, int panel, const char *model)
{
    const double left = x_of(panel, 1.0), right = x_of(panel, MOST_SPHERES);
    static const double steps[] = {1, 2, 5, 10, 20, 50, 100};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        fprintf(file,
                "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#d9d9d9\"/>\n"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>\n",
                left, right, y_of(steps[i]), y_of(steps[i]), left - 6.0, y_of(steps[i]) + 4.0,
                steps[i]);
    for (double spheres = 1.0; spheres <= MOST_SPHERES; spheres *= 10.0)
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n",
                x_of(panel, spheres), HEIGHT - BOTTOM + 18, spheres);
    fprintf(file,
            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">spheres of a level</text>\n"
            "<text x=\"%.1f\" y=\"20\" font-weight=\"bold\">Figure %d: %s</text>\n",
            0.5 * (left + right), HEIGHT - 8, left, FIRST_FIGURE + panel, model);
}

static void write_line(FILE *file, int panel, const spheres_error_row *row, const char *colour)
{
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"", colour);
    for (uint32_t level = 2; level <= row->levels; level++)
        fprintf(file, "%.1f,%.1f ", x_of(panel, (double)row->errors[level].cells),
                y_of(100.0 * row->errors[level].mean));
    fputs("\"/>\n", file);
    for (uint32_t level = 2; level <= row->levels; level++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n",
                x_of(panel, (double)row->errors[level].cells),
                y_of(100.0 * row->errors[level].mean), colour);
}

static void write_name(FILE *file, int panel, const spheres_error_row *row, int number)
{
    const int x = PANEL * panel + LEFT + 110 * (number % 3), y = 36 + 18 * (number / 3);
    fprintf(file,
            "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>\n"
            "<text x=\"%d\" y=\"%d\">%s",
            x, y, colours[number], x + 20, y + 6, willow_cells_name(row->cells));
    if (row->cells == WILLOW_CELLS_BONO) fprintf(file, " %u", row->extent);
    fputs("</text>\n", file);
}

static void write_panel(FILE *file, int panel, const spheres_rows *rows)
{
    int number = 0;
    for (uint32_t i = 0; i < rows->error_count && number < LINES; i++) {
        const spheres_error_row *row = &rows->errors[i];
        if (row->figure != FIRST_FIGURE + panel) continue;
        if (number == 0) write_axes(file, panel, row->model);
        write_line(file, panel, row, colours[number]);
        write_name(file, panel, row, number++);
    }
}

void page_write_spheres_error_chart(FILE *file, const spheres_rows *rows)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "font-family=\"sans-serif\" font-size=\"12\" fill=\"#333\">\n"
            "<title>The mean error over the number of spheres</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            FIGURES * PANEL + MARGIN, HEIGHT, FIGURES * PANEL + MARGIN, HEIGHT);
    for (int panel = 0; panel < FIGURES; panel++) write_panel(file, panel, rows);
    fputs("</svg>\n", file);
}
