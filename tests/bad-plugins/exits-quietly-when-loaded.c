// law record: the process that ran the plug-in died while loading the library (exit status: 0, before the test was done)
#include <unistd.h>
#include "template.h"
__attribute__((constructor)) static void leave(void) { _exit(0); }
