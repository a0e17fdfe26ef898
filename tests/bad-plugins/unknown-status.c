// create: create returned the status 77, which it must not
#define CREATE return 77;
#include "template.h"
