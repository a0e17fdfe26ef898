// load: its rule set 1: its name is not UTF-8; write plain letters
#define NAME "b\xe4" "d"
#include "template.h"
