// law answers: the process that ran the plug-in died in bad (signal: 11 (SIGSEGV).*)
#define LANDING_CELLS return *(volatile int *)NULL;
#include "template.h"
