// load: its rule set 1: bad lacks facts, landings or landing_cells
#define TABLE .landings = NULL
#include "template.h"
