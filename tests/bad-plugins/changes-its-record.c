// load: once loaded, its record is another one; it changes itself when it is loaded
#define CONST
#include "template.h"
__attribute__((constructor)) static void change(void) { memcpy(alice_plugin_1_bad.id, "good", 5); }
