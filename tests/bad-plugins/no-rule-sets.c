// load: it says to have 0 rule sets; there may be 1 to 100
#define RECORD .rule_set_count = 0
#include "template.h"
