// load: its rule set 1: its name is "Bad Rule"; write small letters, digits and -, a letter first
#define NAME "Bad Rule"
#include "template.h"
