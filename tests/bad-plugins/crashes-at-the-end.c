// law answers: the process that ran the plug-in died in bad (signal: 6 (SIGABRT).*, when the test was done)
#include "template.h"
__attribute__((destructor)) static void fall(void) { abort(); }
