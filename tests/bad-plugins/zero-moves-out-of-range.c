// create: zero_moves answered 3, but only 0 to 2 mean something
#include <stdint.h>
static int32_t three(const void *rule, uint32_t kind, uint32_t colour, uint32_t origin, uint32_t landing,
                     uint64_t *answer) {
  (void)rule, (void)kind, (void)colour, (void)origin, (void)landing;
  *answer = 3;
  return 0;
}
#define TABLE .zero_moves = three
#include "template.h"
