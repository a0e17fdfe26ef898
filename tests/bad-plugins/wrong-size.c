// read: its record says to have 64 bytes, but 248 are needed; set `size` to the size of the record
#define RECORD .size = 64
#include "template.h"
