// call: plug-in bad 1.0.0, rule bad: landing_cells returned the status -1, which it must not; asked about White's men of board A, landing on B
#define LANDING_CELLS return -1;
#include "template.h"
