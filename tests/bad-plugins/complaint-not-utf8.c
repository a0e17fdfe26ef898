// create: create complains in something that is not UTF-8
#define CREATE memcpy(complaint->text, "b\xe4" "d", complaint->length = 3); return ALICE_REFUSED;
#include "template.h"
