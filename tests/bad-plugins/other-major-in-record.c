// read: it is made for version 2.7 of the interface, but this program has 1.1; build it with a plug-in crate or header of version 1
#define RECORD .major = 2, .minor = 7
#include "template.h"
