/* expansion.c - exact sums and products of doubles. */
#include "prim/signs/expansion.h"

#include <math.h>
#include <stdbool.h>

#include "base/check.h"

/* a + b = sum + *rest exactly. */
static double two_sum(double a, double b, double *rest)
{
    double sum = a + b;
    double b_part = sum - a;
    *rest = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

/* a * b = product + *rest exactly, by splitting both factors into halves of 26 bits. */
static double two_product(double a, double b, double *rest)
{
    const double splitter = 0x1p27 + 1.0;
    double a_big = splitter * a, b_big = splitter * b;
    double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    double a_low = a - a_high, b_low = b - b_high;
    double product = a * b;
    *rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

/* Finite input never fills it; input that is not, which no caller may give, must not spoil memory
 * all the same. */
static void append(wi_expansion *e, double term)
{
    if (term != 0.0 && e->count < WI_MAX_TERMS) e->term[e->count++] = term;
}

void wi_expansion_difference(double a, double b, wi_expansion *out)
{
    double rest, sum = two_sum(a, -b, &rest);
    out->count = 0;
    append(out, rest);
    append(out, sum);
}

void wi_expansion_difference_less(double a, double b, double c, double d, wi_expansion *out)
{
    wi_expansion first, product;
    wi_expansion_difference(a, b, &first);
    product.count = 0;
    append(&product, -(c * d));
    wi_expansion_add(&first, &product, out);
}

/* Merges by magnitude and carries the running sum upwards. */
void wi_expansion_add(const wi_expansion *a, const wi_expansion *b, wi_expansion *out)
{
    int i = 0, j = 0;
    double carry = 0.0;
    WI_ASSERT(out != a && out != b);
    out->count = 0;
    while (i < a->count || j < b->count) {
        bool take_a = j == b->count || (i < a->count && fabs(a->term[i]) < fabs(b->term[j]));
        double next = take_a ? a->term[i++] : b->term[j++];
        double rest;
        carry = two_sum(carry, next, &rest);
        append(out, rest);
    }
    append(out, carry);
}

static void scale(const wi_expansion *a, double factor, wi_expansion *out)
{
    double carry = 0.0;
    out->count = 0;
    for (int i = 0; i < a->count; i++) {
        double low, high = two_product(a->term[i], factor, &low);
        double rest, sum = two_sum(carry, low, &rest);
        append(out, rest);
        carry = two_sum(high, sum, &rest);
        append(out, rest);
    }
    append(out, carry);
}

void wi_expansion_multiply(const wi_expansion *a, const wi_expansion *b, wi_expansion *out)
{
    WI_ASSERT(b->count <= 3 && out != a && out != b);
    out->count = 0;
    for (int i = 0; i < b->count; i++) {
        wi_expansion part, sum;
        scale(a, b->term[i], &part);
        wi_expansion_add(out, &part, &sum);
        *out = sum;
    }
}

void wi_expansion_minor(const wi_expansion *a, const wi_expansion *b, const wi_expansion *c,
                        const wi_expansion *d, wi_expansion *out)
{
    wi_expansion ad, bc;
    wi_expansion_multiply(a, d, &ad);
    wi_expansion_multiply(b, c, &bc);
    for (int i = 0; i < bc.count; i++) bc.term[i] = -bc.term[i];
    wi_expansion_add(&ad, &bc, out);
}

void wi_expansion_determinant(const wi_expansion u[3], const wi_expansion v[3],
                              const wi_expansion w[3], wi_expansion *out)
{
    out->count = 0;
    for (int x = 0; x < 3; x++) {
        const int y = (x + 1) % 3, z = (x + 2) % 3;
        wi_expansion minor, term, sum;
        wi_expansion_minor(&v[y], &v[z], &w[y], &w[z], &minor);
        wi_expansion_multiply(&minor, &u[x], &term);
        wi_expansion_add(out, &term, &sum);
        *out = sum;
    }
}

int wi_expansion_sign(const wi_expansion *e)
{
    if (e->count == 0) return 0;
    return e->term[e->count - 1] > 0.0 ? 1 : -1;
}

double wi_expansion_value(const wi_expansion *e)
{
    double sum = 0.0;
    for (int i = 0; i < e->count; i++) sum += e->term[i];
    return sum;
}
