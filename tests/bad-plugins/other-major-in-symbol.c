// read: it exports alice_plugin_2_bad, so it is made for another version of the interface than this program's 1.1; build it with a plug-in crate or header of version 1
#define SYMBOL alice_plugin_2_bad
#include "template.h"
