/* Chequered: a man that arrives on a light cell transfers to the next board, if the twin is vacant; on a
 * dark cell it stays. With the parameter `transfer=dark` it is the other way round. So one bishop of each
 * side changes boards with every move, and the other never does.
 *
 * A plug-in in plain C. */
#include <stdlib.h>
#include <string.h>

#include "alice_plugin.h"

typedef struct {
  const alice_game *game; /* lives as long as the rule */
  alice_cells transfer;   /* where a man transfers */
  alice_cells stay;       /* where it stays */
} chequered;

/* Writes a complaint, as much of it as there is room for. */
static int32_t refuse(alice_complaint *complaint, uint32_t parameter, const char *says) {
  if (complaint == NULL) return ALICE_REFUSED;
  uint64_t length = strlen(says);
  if (complaint->text == NULL) length = 0;
  if (length > complaint->capacity) length = complaint->capacity;
  if (length > 0) memcpy(complaint->text, says, length);
  complaint->parameter = parameter;
  complaint->length = length;
  return ALICE_REFUSED;
}

static int is_line(const uint8_t *line, uint64_t length, const char *what) {
  return length == strlen(what) && memcmp(line, what, length) == 0;
}

static int32_t create(const alice_game *game, const alice_text *parameters, alice_complaint *complaint,
                      void **made) {
  if (game == NULL || parameters == NULL || made == NULL) return ALICE_BAD_CALL;
  if (game->boards < 2) {
    return refuse(complaint, ALICE_NO_PARAMETER,
                  "a chequered game needs two boards at least; set `boards`");
  }

  int dark = 0;
  const uint8_t *line = parameters->start;
  uint64_t left = parameters->length;
  for (uint32_t number = 0; left > 0; number++) {
    const uint8_t *end = memchr(line, '\n', left);
    uint64_t length = end == NULL ? left : (uint64_t)(end - line);
    dark = is_line(line, length, "transfer=dark");
    if (number > 0 || (!dark && !is_line(line, length, "transfer=light"))) {
      return refuse(complaint, number, "write one parameter at most: transfer = \"light\" or \"dark\"");
    }
    uint64_t past = end == NULL ? length : length + 1;
    line += past;
    left -= past;
  }

  chequered *rule = calloc(1, sizeof *rule);
  if (rule == NULL) return refuse(complaint, ALICE_NO_PARAMETER, "there is no memory left");
  rule->game = game;
  for (uint32_t cell = 0; cell < game->files * game->ranks * game->levels; cell++) {
    uint32_t file = cell % game->files, rank = cell / game->files % game->ranks;
    uint32_t level = cell / (game->files * game->ranks);
    int is_dark = (file + rank + level) % 2 == 0; /* a1 is dark */
    alice_cells *cells = is_dark == dark ? &rule->transfer : &rule->stay;
    cells->word[cell / 64] |= UINT64_C(1) << cell % 64;
  }
  *made = rule;
  return ALICE_OK;
}

static void destroy(void *rule) { free(rule); }

static int32_t facts(const void *rule, alice_transfer_facts *facts) {
  if (rule == NULL || facts == NULL) return ALICE_BAD_CALL;
  facts->depends_on = ALICE_DEPENDS_ON_OCCUPANCY;
  return ALICE_OK;
}

static uint32_t next(const chequered *rule, uint32_t board) { return (board + 1) % rule->game->boards; }

static int32_t landings(const void *made, uint32_t origin, uint64_t *answer) {
  const chequered *rule = made;
  if (rule == NULL || answer == NULL || origin >= rule->game->boards) return ALICE_BAD_CALL;
  *answer = UINT64_C(1) << origin | UINT64_C(1) << next(rule, origin);
  return ALICE_OK;
}

static int32_t landing_cells(const void *made, const alice_position *position, const alice_mover *mover,
                             uint32_t origin, uint32_t landing, alice_cells *answer) {
  const chequered *rule = made;
  if (rule == NULL || position == NULL || mover == NULL || answer == NULL) return ALICE_BAD_CALL;
  if (origin >= rule->game->boards || landing >= rule->game->boards) return ALICE_BAD_CALL;
  *answer = rule->stay;
  if (landing != origin) {
    for (int w = 0; w < 4; w++) {
      answer->word[w] = rule->transfer.word[w] & ~position->occupied[landing].word[w];
    }
  }
  return ALICE_OK;
}

static const alice_transfer transfer = {
    .size = sizeof(alice_transfer),
    .facts = facts,
    .landings = landings,
    .landing_cells = landing_cells,
};

static const alice_interface interfaces[] = {{ALICE_TEXT("transfer/1"), &transfer}};

static const alice_rule_set rule_set = {
    .size = sizeof(alice_rule_set),
    .interface_count = 1,
    .interfaces = interfaces,
    .name = ALICE_TEXT("chequered"),
    .about = ALICE_TEXT("A man that arrives on a light cell transfers, on a dark cell it stays."),
    .create = create,
    .destroy = destroy,
};

static const alice_rule_set *const rule_sets[] = {&rule_set};

ALICE_PLUGIN(chequered) = {
    ALICE_RECORD,
    .required = ALICE_FEATURE_TRANSFER,
    .required_names = "transfer/1",
    .id = "chequered",
    .version = "1.0.0",
    .licence = "MIT OR Apache-2.0",
    .rule_set_count = 1,
    .rule_sets = rule_sets,
};
