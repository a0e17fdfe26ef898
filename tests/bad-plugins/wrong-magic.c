// read: its record does not begin with ALICEABI; it is not a plug-in of ours
#define RECORD .magic = 1
#include "template.h"
