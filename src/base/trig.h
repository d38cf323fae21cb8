/* trig.h - sine and cosine that are equal bits everywhere, for scenes; libm's differ (C10).
 *
 * Within 3e-16 of the truth for |x| up to 1e6; beyond that, which no scene needs, NaN. */
#ifndef WI_BASE_TRIG_H
#define WI_BASE_TRIG_H

double wi_sin(double x);
double wi_cos(double x);

#endif
