/* expansion.h - exact sums and products of doubles.
 *
 * An expansion is a sum of doubles that do not overlap, smallest first, so that the last one has
 * the sign of all. After Dekker 1971 and Shewchuk 1997. Made for what filters leave undecided: some
 * hundred operations where the filter takes ten.
 *
 * Nothing may underflow or overflow: whoever uses them says why it does not. */
#ifndef WI_PRIM_SIGNS_EXPANSION_H
#define WI_PRIM_SIGNS_EXPANSION_H

/* The most that the callers need: 2 terms per difference, 8 per product of two, 16 per minor, and
 * times a sum of three terms 96, of which there are three. */
enum { WI_MAX_TERMS = 288 };

typedef struct wi_expansion {
    int count;
    double term[WI_MAX_TERMS];
} wi_expansion;

/* a - b, and a - b - c * d, where the product of the last two is exact in double. */
void wi_expansion_difference(double a, double b, wi_expansion *out);
void wi_expansion_difference_less(double a, double b, double c, double d, wi_expansion *out);

/* `out` is none of the others in all of these. */
void wi_expansion_add(const wi_expansion *a, const wi_expansion *b, wi_expansion *out);

/* `b` has at most three terms. */
void wi_expansion_multiply(const wi_expansion *a, const wi_expansion *b, wi_expansion *out);

/* a * d - b * c, of differences */
void wi_expansion_minor(const wi_expansion *a, const wi_expansion *b, const wi_expansion *c,
                        const wi_expansion *d, wi_expansion *out);

/* The determinant of three vectors, of which the entries of the last two have at most two terms. */
void wi_expansion_determinant(const wi_expansion u[3], const wi_expansion v[3],
                              const wi_expansion w[3], wi_expansion *out);

int wi_expansion_sign(const wi_expansion *e);

/* The sum, off by at most some 2^-51 of itself. */
double wi_expansion_value(const wi_expansion *e);

#endif
