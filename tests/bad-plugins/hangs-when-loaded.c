// law record: loading the library did not end; stopped after 2 seconds
static volatile int forever = 1;
#include "template.h"
__attribute__((constructor)) static void hang(void) { while (forever) {} }
