// law hostile-calls: bad: create with room for 0 bytes of complaint wrote, or says to have written, past the 0 bytes it was given
#define CREATE if (parameters->length > 0 && complaint != NULL) { complaint->length = 2; memcpy(complaint->text, "no", 2); complaint->parameter = 0; return ALICE_REFUSED; }
#include "template.h"
