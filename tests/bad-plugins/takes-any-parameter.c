// law creates: bad: it takes a parameter called no-such-parameter
#define CREATE game = *for_game; *rule = &game; return ALICE_OK;
#include "template.h"
