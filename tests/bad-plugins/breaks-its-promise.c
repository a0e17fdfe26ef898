// law twins: bad: landing_cells changes for cell .* with others than its twins; asked about .*
#define FACTS ALICE_DEPENDS_ON_OCCUPANCY; facts->promises = ALICE_PROMISE_TWINS
#define LANDING_CELLS answer->word[0] &= position->occupied[landing].word[0] << 1;
#include "template.h"
