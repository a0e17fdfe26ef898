// call: plug-in bad 1.0.0, rule bad: landing_cells answered with cell number 70, but a board has only the cells 0 to 63; asked about White's men of board A, landing on B
#define LANDING_CELLS answer->word[1] = 1 << 6;
#include "template.h"
