// load: its rule set 1: bad says that its table for transfer/1 has 16 bytes, but 56 are needed
#define TABLE .size = 16
#include "template.h"
