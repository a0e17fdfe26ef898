// read: its structs are laid out otherwise than version 1.0 of the interface has them (fingerprint 0x0000000000001234, expected 0xd51c70bd3b235e21); build it with the header or crate as they come, and for this processor
#define RECORD .layout = 0x1234
#include "template.h"
