// read: it exports alice_plugin_1_good, but its record says that its id is bad; write the same in both
#define SYMBOL alice_plugin_1_good
#include "template.h"
