// law depends-on: bad: landing_cells changes with the kind of man that moves, which the rule does not say it depends on; asked about .*
#define LANDING_CELLS if (mover->kind == 1) answer->word[0] = 1;
#include "template.h"
