// create: it does not say why
#define CREATE return ALICE_REFUSED;
#include "template.h"
