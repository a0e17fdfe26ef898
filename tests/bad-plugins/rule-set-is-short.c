// load: its rule set 1: it says to have 8 bytes, but 64 are needed
#define RULE_SET .size = 8
#include "template.h"
