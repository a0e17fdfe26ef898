// read: it exports no alice_plugin_1_…; it is not a plug-in of ours, or its record is not exported
#define SYMBOL some_other_library
#include "template.h"
