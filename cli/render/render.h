/* render.h - `willow render`: pictures of a scene, made with the rays of the library.
 *
 *   render.c   options from the command line, and what the command ends with
 *   play.c     plays the frames: updates, traces, shades, writes; times of each
 *   surface.c  what rays hit: normals of vertices, colours of bodies, triangles that collide
 *   shade.c    from rays that are answered to colours of samples
 *   extras.c   shadows on a floor, and collisions that are hidden
 *   boxes.c    the boxes of the hierarchies, drawn over the picture
 *   clip_scene.c  files as scenes
 *   image.c    from samples to pixels, to a strip of pictures, to bytes
 *
 * A picture has `antialias` times as many dots as pixels in both directions, of which rays are cast
 * through all, or through one in each square of sampling x sampling. What colours mean is light;
 * bytes are made of it at the end. */
#ifndef CLI_RENDER_RENDER_H
#define CLI_RENDER_RENDER_H

#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/rays/ray_frame.h"
#include "io/clip.h"
#include "scenes/camera.h"
#include "scenes/scenes.h"

typedef struct render_options {
    const char *target, *out;
    engine_options engine;
    clip_options clip;
    double fps;         /* of files; 0: as these have it */
    bool is_z_up;       /* of files; else y is */
    const char *frames; /* as on the command line; NULL for all */
    uint32_t every;     /* so-manieth frame */
    uint32_t strip;     /* frames side by side in one picture; 0: a picture for each */
    uint32_t width, height;
    uint32_t sampling; /* 0: as the scene says */
    uint32_t antialias;
    uint32_t colours; /* at most so many in a file; 0: no limit */
    double budget_ms; /* for update and rays of a frame; 0: no limit */
    bool has_boxes;   /* draw those of these depths: */
    uint32_t boxes_from, boxes_to;
    bool pairs_first;          /* fresh boxes are those that pairs needed, not rays */
    bool has_eye, has_look_at; /* else as the scene says */
    float eye[3], look_at[3];
    bool follow; /* the camera sees what is there in each frame, not in all */
    double zoom; /* so many times larger */
    bool no_self, no_pairs;
    bool has_floor, has_edges, has_x_ray;
    bool json, quiet;
} render_options;

/* Pixels between the pictures of a strip. */
enum { RENDER_GAP = 4 };

typedef struct colour {
    float r, g, b;
} colour;

/* ---- image.c ---- */

/* Rows from the top down. */
typedef struct image {
    uint32_t width, height;
    colour *dots;
} image;

/* False for want of memory. */
bool image_create(image *out, uint32_t width, uint32_t height);
void image_destroy(image *i);

/* The colour at a place of the picture, in dots from its upper left corner. Samples are at the
 * middles of squares of `sampling` dots; between them it is as the paper has it: every four samples
 * are the corners of four triangles that meet in the middle. */
colour image_between(const colour *known, const ray_picture *picture, float x, float y);

/* The same for the middles of all dots. */
void image_interpolate(image *out, const colour *known, const ray_picture *picture);

/* Every pixel is the mean of a square of dots. Written at `left` of `out`. */
void image_shrink(const image *dots, uint32_t square, image *out, uint32_t left);

/* To a PNG file, with `colours` colours at most or, for 0, as many as there are. False, and why. */
enum { IMAGE_REASON = 256 };
bool image_write(const image *i, const char *path, uint32_t colours, char reason[IMAGE_REASON]);

/* ---- surface.c ---- */

/* All that is known of the bodies in one frame beside where they are. */
typedef struct surfaces {
    const scene *scene;
    float *const *positions; /* by body, in the world */
    willow_vec3 **normals;   /* by body and vertex: the mean of its triangles'; zeros where none */
    uint8_t **marks;         /* by body and triangle: 1 if it meets another */
} surfaces;

bool surfaces_create(surfaces *s, const scene *of, float *const *positions);
void surfaces_destroy(surfaces *s);
void surfaces_bend(surfaces *s, uint32_t frame); /* makes the normals anew, from the positions of
                                                    now, which are those of the frame */
void surfaces_mark(surfaces *s, const player *p, const willow_pairs *pairs); /* NULL: none */

/* At the point of a hit, on the side of the triangle's own normal. */
willow_vec3 surfaces_normal(const surfaces *s, const willow_hit *hit);
colour surfaces_colour(const surfaces *s, const willow_hit *hit);

/* Whether the triangle collides with something. */
bool surfaces_is_marked(const surfaces *s, const willow_hit *hit);
colour surfaces_collision_colour(void);

/* How much of a line of this width along the edges of the triangle is there, from 0 to 1. Where
 * triangles are not much larger than lines are wide, these fade. */
float surfaces_line(const surfaces *s, const willow_hit *hit, float width);

/* ---- shade.c ---- */

/* The eye and its three directions, of length one. */
typedef struct lens {
    double eye[3], ahead[3], right[3], down[3];
    double pixels; /* a slope of one in dots */
    double middle_x, middle_y;
} lens;

lens lens_of(const scene_camera *camera, const ray_picture *picture);

/* By sample of the picture. */
typedef struct samples {
    colour *colours;
    float *depths; /* along where the camera looks; infinite where nothing is hit */
    uint8_t *known;
    uint8_t *dark; /* a bit for each lamp that does not shine on the floor that is seen there */
    size_t count;
} samples;

bool samples_create(samples *s, size_t count);
void samples_destroy(samples *s);

typedef struct shading {
    const surfaces *of;
    const scene_camera *camera;
    const scene_light *lights;
    uint32_t light_count;
    uint32_t asked;  /* the first so many batches of rays; there was no time for others */
    float line_dots; /* width of lines along edges of triangles; 0: none */
} shading;

/* Rays that were not finished: samples stay unknown, lights shine, mirrors show nothing. False for
 * want of memory. */
bool samples_shade(samples *out, const ray_frame *rays, const shading *how);

/* A triangle that collides is behind what is seen there. */
void samples_glow(samples *s, uint32_t sample);

/* Fills in what is not known with what is between the samples of `coarse`. What these do not know
 * stays as bright as the sky. */
void samples_fill(samples *fine, const ray_picture *fine_picture, const samples *coarse,
                  const ray_picture *coarse_picture);

colour colour_of_sky(void);

/* ---- extras.c ---- */

/* As bright as the sky, so that only the shadows on it are seen. */
typedef struct floor_plane {
    float height; /* along z */
    const scene_light *lights;
    uint32_t light_count;
} floor_plane;

/* Asks which lamps do not shine on the floor, wherever primary rays meet nothing before it:
 * out->dark. False as the caster says, and for want of memory. */
bool extras_floor(samples *out, const ray_batch *primary, const floor_plane *plane,
                  const ray_caster *caster);

/* Lets triangles that collide glow through what hides them. False on failure, with words in the
 * player's message. */
bool extras_x_ray(samples *out, const ray_batch *primary, const surfaces *of, player *p,
                  bool use_threads);

/* ---- boxes.c ---- */

typedef struct shown_box {
    willow_vec3 corners[8]; /* in the world; bit k of the number: the upper end along axis k */
    uint32_t depth;
    bool fresh; /* the update or a query has made it true; else nobody needed it */
} shown_box;

typedef struct shown_boxes {
    shown_box *boxes;
    size_t count, capacity;
    size_t fresh_count;
    uint8_t *open; /* by node of the body that is visited */
    size_t open_count, open_capacity;
} shown_boxes;

/* Those of all bodies in these depths, and leaves above them. False on failure, with words in the
 * player's message. */
bool shown_boxes_collect(shown_boxes *b, player *p, uint32_t from, uint32_t to);
void shown_boxes_destroy(shown_boxes *b);
void shown_boxes_draw(const shown_boxes *b, const lens *l, const samples *s,
                      const ray_picture *picture, uint32_t line_width, image *out);

/* ---- play.c ---- */

/* From where a camera of this angle sees a whole ball. */
double render_distance(double radius, float vertical_degrees);

/* The angle of a camera that sees a part of what it saw. */
float render_zoomed(float vertical_degrees, double zoom);

typedef struct render_report {
    const char *method, *kernel;
    uint32_t pictures, frames;
    uint32_t cut_short; /* by the budget */
    double longest_ms;  /* of all frames: update and rays, with what is between */
    uint64_t rays;      /* that were finished */
    uint32_t sampling;
    double setup_ms, update_ms, trace_ms, draw_ms;
    uint32_t updates;
} render_report;

/* An exit code, with what was wrong on standard error. */
int render_play(const scene *s, const render_options *options, uint32_t first, uint32_t last,
                render_report *report);

#endif
