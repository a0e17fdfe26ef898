// law answers: the process that ran the plug-in died in bad (exit status: 0, before the test was done)
#define LANDING_CELLS exit(0);
#include "template.h"
