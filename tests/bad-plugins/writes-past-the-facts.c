// law hostile-calls: bad: facts writes past the 8 bytes that a caller of version 1.0 has
#define FACTS ALICE_DEPENDS_ON_OCCUPANCY; facts->promises = 0
#include "template.h"
