// create: facts says to depend on 0x80000001, which has bits that this version does not know
#define FACTS ALICE_DEPENDS_ON_OCCUPANCY | 1u << 31
#include "template.h"
