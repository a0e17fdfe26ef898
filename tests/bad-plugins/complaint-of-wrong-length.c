// create: create wrote, or says to have written, past the 1000 bytes it was given
#define CREATE complaint->length = UINT64_MAX; return ALICE_REFUSED;
#include "template.h"
