// load: the system can't load it: FILE: undefined symbol: of_some_other_library
int of_some_other_library(void);
#define LANDING_CELLS return of_some_other_library();
#include "template.h"
