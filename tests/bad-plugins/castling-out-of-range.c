// call: plug-in bad 1.0.0, rule bad: castling_lands answered 2, but only 0 to 1 mean something; asked about White's men of board A, landing on B
#include <stdint.h>
#include "alice_plugin.h"
static int32_t two(const void *rule, const alice_position *position, const alice_castling *castling,
                   uint32_t origin, uint32_t landing, uint64_t *answer) {
  (void)rule, (void)position, (void)castling, (void)origin, (void)landing;
  *answer = 2;
  return 0;
}
#define TABLE .castling_lands = two
#include "template.h"
