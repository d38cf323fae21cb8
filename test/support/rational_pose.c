/* rational_pose.c - v + 2 w (a x v) + 2 a x (a x v), over the squared length, as a matrix. See
 * rational_pose.h. */
#include "support/rational_pose.h"

/* out[i][j] = 2 q[i] q[j], with 2 w q[k] added or taken away off the diagonal; then the diagonal is
 * made such that the whole is the squared length times a rotation. */
static void write_scaled_rotation(mpq_t out[3][3], mpq_t q[4])
{
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            mpq_mul(out[i][j], q[i], q[j]);
            if (i != j) {
                mpq_mul(term, q[3], q[3 - i - j]);
                if ((j + 1) % 3 == i) /* below the diagonal, in a circle */
                    mpq_add(out[i][j], out[i][j], term);
                else
                    mpq_sub(out[i][j], out[i][j], term);
            }
            mpq_add(out[i][j], out[i][j], out[i][j]);
        }
    /* 2 x x + (w w - x x - y y - z z) */
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            mpq_mul(term, q[k], q[k]);
            if (k == 3)
                mpq_add(out[i][i], out[i][i], term);
            else
                mpq_sub(out[i][i], out[i][i], term);
        }
    mpq_clear(term);
}

static void divide_by_squared_length(mpq_t out[3][3], mpq_t q[4])
{
    mpq_t sum, term;
    mpq_inits(sum, term, NULL);
    for (int k = 0; k < 4; k++) {
        mpq_mul(term, q[k], q[k]);
        mpq_add(sum, sum, term);
    }
    for (int i = 0; i < 9; i++) mpq_div(out[i / 3][i % 3], out[i / 3][i % 3], sum);
    mpq_clears(sum, term, NULL);
}

void rational_pose_init(rational_pose *pose, const willow_pose *from)
{
    const float rotation[4] = {from->rotation.x, from->rotation.y, from->rotation.z,
                               from->rotation.w};
    const float translation[3] = {from->translation.x, from->translation.y, from->translation.z};
    mpq_t q[4];
    for (int k = 0; k < 4; k++) {
        mpq_init(q[k]);
        mpq_set_d(q[k], (double)rotation[k]);
    }
    for (int i = 0; i < 9; i++) mpq_init(pose->rotation[i / 3][i % 3]);
    rational_vec_init(pose->translation);
    rational_vec_set(pose->translation, translation);
    write_scaled_rotation(pose->rotation, q);
    divide_by_squared_length(pose->rotation, q);
    for (int k = 0; k < 4; k++) mpq_clear(q[k]);
}

void rational_pose_clear(rational_pose *pose)
{
    for (int i = 0; i < 9; i++) mpq_clear(pose->rotation[i / 3][i % 3]);
    rational_vec_clear(pose->translation);
}

void rational_pose_apply(const rational_pose *pose, mpq_t in[3], mpq_t out[3])
{
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i < 3; i++) {
        mpq_set(out[i], pose->translation[i]);
        for (int k = 0; k < 3; k++) {
            mpq_mul(term, pose->rotation[i][k], in[k]);
            mpq_add(out[i], out[i], term);
        }
    }
    mpq_clear(term);
}

/* The inverse of a rotation is its transpose. */
void rational_pose_undo(const rational_pose *pose, mpq_t in[3], mpq_t out[3])
{
    mpq_t term;
    mpq_init(term);
    for (int i = 0; i < 3; i++) {
        mpq_set_ui(out[i], 0, 1);
        for (int k = 0; k < 3; k++) {
            mpq_sub(term, in[k], pose->translation[k]);
            mpq_mul(term, term, pose->rotation[k][i]);
            mpq_add(out[i], out[i], term);
        }
    }
    mpq_clear(term);
}

void rational_vec_init(mpq_t v[3]) { mpq_inits(v[0], v[1], v[2], NULL); }
void rational_vec_clear(mpq_t v[3]) { mpq_clears(v[0], v[1], v[2], NULL); }

void rational_vec_set(mpq_t v[3], const float from[3])
{
    for (int i = 0; i < 3; i++) mpq_set_d(v[i], (double)from[i]);
}
