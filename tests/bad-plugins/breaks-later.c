// nothing: .* moves
// Once more than three men stand on board B, it answers with a cell that no board has.
#define LANDING_CELLS if (__builtin_popcountll(position->occupied[1].word[0]) > 3) answer->word[1] = 1;
#include "template.h"
