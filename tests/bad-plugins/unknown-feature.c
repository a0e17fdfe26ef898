// read: it needs the feature clocks/1, which this program lacks; use a newer version of this program
#define RECORD .minor = 9, .required = ALICE_FEATURE_TRANSFER | 1 << 9, .required_names = "transfer/1 clocks/1"
#include "template.h"
