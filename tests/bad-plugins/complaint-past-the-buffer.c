// create: create wrote, or says to have written, past the 1000 bytes it was given
#define CREATE memset(complaint->text, 65, complaint->capacity + 20); complaint->length = 1000; return ALICE_REFUSED;
#include "template.h"
