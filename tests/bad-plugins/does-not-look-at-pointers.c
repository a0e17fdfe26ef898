// law hostile-calls: the process that ran the plug-in died in bad (signal: 11 (SIGSEGV).*)
#define CREATE if (complaint == NULL) return *(volatile int *)complaint;
#include "template.h"
