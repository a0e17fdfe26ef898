// law answers: the process that ran the plug-in died (exit status: 3)
#define LANDING_CELLS exit(3);
#include "template.h"
