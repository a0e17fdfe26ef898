// law record: a call did not return; stopped after 2 seconds
static volatile int forever = 1;
#include "template.h"
__attribute__((constructor)) static void hang(void) { while (forever) {} }
