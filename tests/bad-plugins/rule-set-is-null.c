// load: its rule set 2: there is nothing where it should be
#include <stddef.h>
#include "alice_plugin.h"
static const alice_rule_set *const two[2];
#define RECORD .rule_set_count = 2, .rule_sets = two
#include "template.h"
static const alice_rule_set *const two[2] = {&rule_set, NULL};
