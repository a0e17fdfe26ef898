// read: its structs are laid out otherwise than version 1.1 of the interface has them (fingerprint 0x0000000000001234, expected 0x4c168de7d84486ef); build it with the header or crate as they come, and for this processor
#define RECORD .layout = 0x1234
#include "template.h"
