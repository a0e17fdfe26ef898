// law answers: the process that ran the plug-in died in bad (exit status: 3, before the test was done)
#define LANDING_CELLS exit(3);
#include "template.h"
