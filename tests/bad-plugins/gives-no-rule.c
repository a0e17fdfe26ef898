// create: create says that all is well, but gives no rule
#define CREATE return ALICE_OK;
#include "template.h"
