// law two-processes: ok    two-processes: Another process gets the same answers.
#include <stdio.h>
#include <unistd.h>
#define LANDING_CELLS printf("%d", (int)getpid());
#include "template.h"
