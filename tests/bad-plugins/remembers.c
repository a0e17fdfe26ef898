// law same-answer: bad: landing_cells, asked about .*, was answered with .* once, and with .* another time
static unsigned calls;
#define LANDING_CELLS if (calls++ % 7 == 0) answer->word[0] = 1;
#include "template.h"
