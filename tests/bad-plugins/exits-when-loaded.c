// law record: the process that ran the plug-in died while loading the library (exit status: 77, before the test was done)
#include "template.h"
__attribute__((constructor)) static void leave(void) { _Exit(77); }
