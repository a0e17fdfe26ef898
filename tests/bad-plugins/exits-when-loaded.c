// law record: the process that ran the plug-in died (exit status: 77)
#include "template.h"
__attribute__((constructor)) static void leave(void) { _Exit(77); }
