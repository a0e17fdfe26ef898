// law two-processes: two processes got different answers
#include <unistd.h>
#define LANDING_CELLS answer->word[0] = (uint64_t)getpid();
#include "template.h"
