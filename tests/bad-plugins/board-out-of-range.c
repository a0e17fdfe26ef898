// create: landings answered with the boards 0b100, but the game has only 2
#define LANDINGS 1 << game.boards
#include "template.h"
