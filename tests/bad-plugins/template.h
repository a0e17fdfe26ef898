/* A good plug-in, in which each bad one changes one thing by a macro of its own. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "alice_plugin.h"

#ifndef SYMBOL
#define SYMBOL alice_plugin_1_bad
#endif
#ifndef RECORD
#define RECORD
#endif
#ifndef RULE_SET
#define RULE_SET
#endif
#ifndef TABLE
#define TABLE
#endif
#ifndef NAME
#define NAME "bad"
#endif
#ifndef CREATE
#define CREATE
#endif
#ifndef FACTS
#define FACTS ALICE_DEPENDS_ON_OCCUPANCY
#endif
#ifndef LANDINGS
#define LANDINGS UINT64_C(1) << (origin + 1) % game.boards
#endif
#ifndef LANDING_CELLS
#define LANDING_CELLS
#endif
#ifndef CONST
#define CONST const
#endif

static alice_game game;

static int32_t create(const alice_game *for_game, const alice_text *parameters, alice_complaint *complaint,
                      void **rule) {
  if (for_game == NULL || parameters == NULL || rule == NULL) return ALICE_BAD_CALL;
  (void)complaint;
  CREATE
  if (parameters->length > 0) {
    if (complaint == NULL) return ALICE_REFUSED;
    complaint->parameter = 0;
    complaint->length = complaint->capacity < 2 ? 0 : 2;
    memcpy(complaint->text, "no", complaint->length);
    return ALICE_REFUSED;
  }
  game = *for_game;
  *rule = &game;
  return ALICE_OK;
}

static void destroy(void *rule) { (void)rule; }

static int32_t facts(const void *rule, alice_transfer_facts *facts) {
  if (rule == NULL || facts == NULL) return ALICE_BAD_CALL;
  facts->depends_on = FACTS;
  return ALICE_OK;
}

static int32_t landings(const void *rule, uint32_t origin, uint64_t *answer) {
  if (rule == NULL || answer == NULL || origin >= game.boards) return ALICE_BAD_CALL;
  *answer = LANDINGS;
  return ALICE_OK;
}

static int32_t landing_cells(const void *rule, const alice_position *position, const alice_mover *mover,
                             uint32_t origin, uint32_t landing, alice_cells *answer) {
  if (rule == NULL || position == NULL || mover == NULL || answer == NULL) return ALICE_BAD_CALL;
  if (origin >= game.boards || landing >= game.boards) return ALICE_BAD_CALL;
  uint32_t cells = game.files * game.ranks * game.levels;
  memset(answer, 0, sizeof *answer);
  for (uint32_t c = 0; c < cells; c++) answer->word[c / 64] |= UINT64_C(1) << c % 64;
  LANDING_CELLS
  return ALICE_OK;
}

static const alice_transfer transfer = {
    .size = sizeof(alice_transfer),
    .facts = facts,
    .landings = landings,
    .landing_cells = landing_cells,
    TABLE
};

static const alice_interface interfaces[] = {{ALICE_TEXT("transfer/1"), &transfer}};

static const alice_rule_set rule_set = {
    .size = sizeof(alice_rule_set),
    .interface_count = 1,
    .interfaces = interfaces,
    .name = ALICE_TEXT(NAME),
    .about = ALICE_TEXT("A rule with something wrong."),
    .create = create,
    .destroy = destroy,
    RULE_SET
};

static const alice_rule_set *const rule_sets[] = {&rule_set};

ALICE_EXPORT CONST alice_record SYMBOL = {
    ALICE_RECORD,
    .required = ALICE_FEATURE_TRANSFER,
    .required_names = "transfer/1",
    .id = "bad",
    .version = "1.0.0",
    .licence = "MIT",
    .rule_set_count = 1,
    .rule_sets = rule_sets,
    RECORD
};
