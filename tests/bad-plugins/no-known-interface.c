// load: its rule set 1: bad is neither a transfer/1 nor a movement/1
#include "alice_plugin.h"
static const alice_interface unknown[1];
#define RULE_SET .interfaces = unknown
#include "template.h"
static const alice_interface unknown[1] = {{ALICE_TEXT("clocks/1"), &game}};
