// create: two boards are too many
#define CREATE memcpy(complaint->text, "two boards are too many", complaint->length = 23); return ALICE_REFUSED;
#include "template.h"
