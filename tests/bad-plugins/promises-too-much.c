// create: facts promises 0x1 and depends on 0x11; only 1 can be promised, by a rule that depends on occupancy at most
#define FACTS ALICE_DEPENDS_ON_OCCUPANCY | ALICE_DEPENDS_ON_PLY; facts->promises = ALICE_PROMISE_TWINS
#include "template.h"
