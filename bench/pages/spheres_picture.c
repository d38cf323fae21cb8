/* spheres_picture.c - a tree half grown, as an SVG: the four bodies of the route from the side in
 * one frame, and the boxes of all nodes that there are. */
#include "bench/pages/pages.h"

#include <inttypes.h>

enum { WIDTH = 900, HEIGHT = 480, UNIT = 400 /* of the outline, along the longest side */ };

/* What is shown, in longest sides of a body. */
static const double LEFT = -0.12, RIGHT = 3.52, BELOW = -0.08;

static const char *const colours[] = {"#666666", "#0b5394", "#38761d", "#b45f06", "#990000"};

enum { COLOURS = sizeof colours / sizeof *colours };

static double scale(void) { return WIDTH / (RIGHT - LEFT); }
static double x_of(double x) { return (x - LEFT) * scale(); }
static double y_of(double up) { return HEIGHT - (up - BELOW) * scale(); }

/* A corner of the outline: sides become 0 to UNIT, and up is down in an SVG. */
static void project(const spheres_model *model, uint32_t vertex, int out[2])
{
    const float *at = model->positions + 3 * (size_t)vertex;
    out[0] = (int)(UNIT * (double)at[0] + 0.5);
    out[1] = -(int)(UNIT * (double)at[model->is_y_up ? 1 : 2] + 0.5);
}

/* Triangles that are seen from one side; those of the other side are behind them. */
static void write_outline(FILE *file, const spheres_model *model)
{
    fputs("<defs><path id=\"body\" d=\"", file);
    for (uint32_t i = 0; i < model->triangle_count; i++) {
        int p[3][2];
        for (int corner = 0; corner < 3; corner++)
            project(model, model->indices[3 * (size_t)i + (size_t)corner], p[corner]);
        const int area =
            (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
        if (area <= 0) continue;
        fprintf(file, "M%d %dL%d %d %d %dz%s", p[0][0], p[0][1], p[1][0], p[1][1], p[2][0], p[2][1],
                i % 8 == 7 ? "\n" : "");
    }
    fputs("\"/></defs>\n", file);
}

static void write_bodies(FILE *file, const spheres_picture *picture)
{
    const double size = scale() / UNIT;
    for (uint32_t i = 0; i < SPHERES_BODIES; i++)
        fprintf(file,
                "<use href=\"#body\" fill=\"#d9d9d9\" stroke=\"#d9d9d9\" stroke-width=\"1\" "
                "transform=\"translate(%.2f %.2f) scale(%.4f)\"/>\n",
                x_of(picture->at[i][0]), y_of(picture->at[i][1]), size);
}

static void write_boxes(FILE *file, const spheres_picture *picture)
{
    for (uint32_t depth = 0; depth <= SPHERES_LEVELS; depth++) {
        fprintf(file, "<g fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\">\n",
                colours[depth < COLOURS ? depth : COLOURS - 1], depth < 2 ? 1.2 : 0.6);
        for (uint32_t i = 0; i < picture->count; i++) {
            const spheres_picture_box *box = &picture->boxes[i];
            if (box->depth != depth) continue;
            fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                    x_of(box->lower[0]), y_of(box->upper[1]),
                    (double)(box->upper[0] - box->lower[0]) * scale(),
                    (double)(box->upper[1] - box->lower[1]) * scale());
        }
        fputs("</g>\n", file);
    }
}

void page_write_spheres_picture(FILE *file, const spheres_rows *rows)
{
    const spheres_picture *picture = &rows->picture;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">\n"
            "<title>Boxes of the nodes that there are in frame %" PRIu32 "</title>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH, HEIGHT, picture->frame, WIDTH, HEIGHT);
    if (picture->model != NULL) {
        write_outline(file, picture->model);
        write_bodies(file, picture);
        write_boxes(file, picture);
    }
    fputs("</svg>\n", file);
}
