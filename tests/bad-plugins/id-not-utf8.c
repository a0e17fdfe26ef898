// read: its id is not UTF-8; write plain letters
#define RECORD .id = "b\xe4" "d"
#include "template.h"
