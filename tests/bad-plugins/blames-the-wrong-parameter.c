// law creates: bad: it refuses no-such-parameter, but says that parameter of no number is at fault, not 0
#define CREATE if (parameters->length > 0) return ALICE_REFUSED;
#include "template.h"
