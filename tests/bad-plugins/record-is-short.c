// read: its record has 8 bytes, but 248 are needed; build it again
// A record of eight bytes at the very end of a section.
#include <stdint.h>
__attribute__((visibility("default"), section("short_record"))) const uint64_t alice_plugin_1_bad = UINT64_C(0x4942414543494c41);
