// load: its rule set 1: bad lacks create or destroy
#define RULE_SET .create = NULL
#include "template.h"
