// law answers: bad: a call did not return; stopped after 2 seconds
static volatile int forever = 1;
#define LANDING_CELLS while (forever) {}
#include "template.h"
