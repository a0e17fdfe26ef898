// read: its record has .* bytes, but 248 are needed; build it again
#define SYMBOL some_other_library
#include "template.h"
ALICE_EXPORT const alice_record *alice_plugin_1_bad(void) { return &some_other_library; }
