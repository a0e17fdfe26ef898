// load: its rule set 1: its name has 4000000000 bytes; there may be 1 to 1000
#define RULE_SET .name = {(const uint8_t *)"bad", 4000000000}
#include "template.h"
