/* The interface between an Alice program and its plug-ins; see docs/plugin-abi.md.
 * Generated from framework/plugin/src/abi.rs: do not edit. */

#pragma once

#include <stdint.h>

// The first eight bytes of every record: `ALICEABI`.
#define ALICE_MAGIC 5278853478969068609

// The major version: other majors can't be loaded. It is also part of the exported symbol's name.
#define ALICE_MAJOR 1

// The minor version: grows when fields are added at the end of a struct.
#define ALICE_MINOR 1

// The fingerprint of all layouts of this version.
#define ALICE_LAYOUT 5482725623275489007

// A feature: the plug-in has rules that answer `transfer/1`.
#define ALICE_FEATURE_TRANSFER 1

// A feature: the plug-in has rules that answer `movement/1`.
#define ALICE_FEATURE_MOVEMENT 2

// A call's status: all is well, the answer is written.
#define ALICE_OK 0

// A call's status: the parameters are refused; only `create` may say so.
#define ALICE_REFUSED 1

// A call's status: the plug-in's code failed by a programming error, which it has caught.
#define ALICE_PANICKED 2

// A call's status: a null pointer, or a number that means nothing.
#define ALICE_BAD_CALL 3

// The answers depend on which squares are occupied.
#define ALICE_DEPENDS_ON_OCCUPANCY 1

// The answers depend on whose men stand where.
#define ALICE_DEPENDS_ON_COLOURS 2

// The answers depend on which kinds of men stand where.
#define ALICE_DEPENDS_ON_KINDS 4

// The answers depend on whose turn it is, which is also the moving man's colour.
#define ALICE_DEPENDS_ON_TURN 8

// The answers depend on the number of plies made so far.
#define ALICE_DEPENDS_ON_PLY 16

// The answers depend on the kind of man that moves.
#define ALICE_DEPENDS_ON_MOVER_KIND 32

// The answers depend on the cell that the man leaves.
#define ALICE_DEPENDS_ON_MOVER_CELL 64

// A promise: whether a man may land on a cell depends on nothing but whether the cell's twins are
// occupied. Such a rule is asked when the game is made, and seldom afterwards.
#define ALICE_PROMISE_TWINS 1

// Such a man makes no zero moves.
#define ALICE_ZERO_MOVE_NEVER 0

// Such a man may make a zero move to a vacant twin.
#define ALICE_ZERO_MOVE_TO_VACANT 1

// The same, or onto an enemy, which it captures. So it also attacks a king on its twin.
#define ALICE_ZERO_MOVE_CAPTURING 2

// A flag of a kind of man: it is the one to be mated.
#define ALICE_MAN_IS_ROYAL 1

// A flag of a kind of man: it is a pawn.
#define ALICE_MAN_IS_PAWN 2

// A complaint that is about no parameter in particular.
#define ALICE_NO_PARAMETER 4294967295

// The most boards that a game may have.
#define ALICE_MAX_BOARDS 8

// The most cells that a board may have.
#define ALICE_MAX_CELLS 256

// The most kinds of men that a game may have.
#define ALICE_MAX_KINDS 26

// A set of cells of one board. Bit `n % 64` of word `n / 64` stands for the cell numbered `n`,
// which is `file + files * (rank + ranks * level)`, each counted from 0.
typedef struct {
  // 256 bits, lowest first; those past the board's last cell are zero.
  uint64_t word[4];
} alice_cells;

// Text in UTF-8. It does not end in a zero byte.
typedef struct {
  // Its first byte; may be null where there are none.
  const uint8_t *start;
  // How many bytes.
  uint64_t length;
} alice_text;

// A kind of man, as the game has it.
typedef struct {
  // What it is called: `knight`.
  alice_text name;
  // Its letter, an ASCII capital.
  uint32_t letter;
  // `MAN_IS_…` bits.
  uint32_t flags;
} alice_man;

// The game that a rule is made for. Lives as long as the rule.
typedef struct {
  // The bytes of this struct.
  uint32_t size;
  // Files of each board.
  uint32_t files;
  // Ranks of each board.
  uint32_t ranks;
  // Levels of each board; 1 if it is flat.
  uint32_t levels;
  // How many boards, 1 to 8.
  uint32_t boards;
  // How many kinds of men, 1 to 26.
  uint32_t kinds;
  // The kinds of men, in the order of their numbers.
  const alice_man *men;
} alice_game;

// The man that moves. What the rule does not depend on is 0.
typedef struct {
  // The number of its kind.
  uint32_t kind;
  // 0 for White, 1 for Black.
  uint32_t colour;
  // The number of the cell it leaves.
  uint32_t cell;
} alice_mover;

// Who stands where, before the move.
typedef struct {
  // The bytes of this struct.
  uint32_t size;
  // `DEPENDS_ON_…` bits: what is filled in. The rest is 0 or null.
  uint32_t given;
  // The game.
  const alice_game *game;
  // The occupied cells: `occupied[board]`.
  const alice_cells *occupied;
  // The cells of each side's men: `of_colour[colour * boards + board]`.
  const alice_cells *of_colour;
  // The cells of each kind of man, of both sides: `of_kind[kind * boards + board]`.
  const alice_cells *of_kind;
  // Whose turn it is: 0 for White, 1 for Black.
  uint32_t turn;
  // Plies made so far, counted from White's first move.
  uint32_t ply;
} alice_position;

// King and rook that are about to castle.
typedef struct {
  // The king, unmoved.
  alice_mover king;
  // The rook, unmoved.
  alice_mover rook;
  // The king's arrival cell.
  uint32_t king_to;
  // The rook's arrival cell.
  uint32_t rook_to;
} alice_castling;

// Where `create` says why it refuses.
typedef struct {
  // The bytes of this struct.
  uint32_t size;
  // Which parameter (which line) is at fault, counted from 0, or `NO_PARAMETER`.
  uint32_t parameter;
  // How many bytes there is room for.
  uint64_t capacity;
  // How many bytes are written; never more than there is room for.
  uint64_t length;
  // Where to write a sentence in UTF-8.
  uint8_t *text;
} alice_complaint;

// What a transfer rule says about itself.
typedef struct {
  // The bytes of this struct, set by the caller: write no field beyond them.
  uint32_t size;
  // `DEPENDS_ON_…` bits: all that the answers depend on, besides origin and landing board.
  uint32_t depends_on;
  // `PROMISE_…` bits, of `landing_cells`. Since version 1.1; zero before.
  uint32_t promises;
  // Zero.
  uint32_t reserved;
} alice_transfer_facts;

// The interface `transfer/1`: at which cells of a landing board a man may come to stand.
//
// Every call may come from several threads at once, and must answer by its arguments only.
typedef struct {
  // The bytes of this struct.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // Asked once, when the rule has been created.
  int32_t (*facts)(const void *rule, alice_transfer_facts *facts);
  // The boards on which a man from `origin` could ever land, a bit each. Asked once.
  int32_t (*landings)(const void *rule, uint32_t origin, uint64_t *answer);
  // The arrival cells at which a man that moved on `origin` may come to stand on `landing`.
  int32_t (*landing_cells)(const void *rule,
                           const alice_position *position,
                           const alice_mover *mover,
                           uint32_t origin,
                           uint32_t landing,
                           alice_cells *answer);
  // `ZERO_MOVE_…`: whether such a man makes zero moves at all. Asked once. Null: none does.
  int32_t (*zero_moves)(const void *rule,
                        uint32_t kind,
                        uint32_t colour,
                        uint32_t origin,
                        uint32_t landing,
                        uint64_t *answer);
  // The cells from which a man that makes zero moves may do so now. Null: from all.
  int32_t (*zero_cells)(const void *rule,
                        const alice_position *position,
                        const alice_mover *mover,
                        uint32_t origin,
                        uint32_t landing,
                        alice_cells *answer);
  // 1 if king and rook may land together, else 0. Null: if each could land alone.
  int32_t (*castling_lands)(const void *rule,
                            const alice_position *position,
                            const alice_castling *castling,
                            uint32_t origin,
                            uint32_t landing,
                            uint64_t *answer);
} alice_transfer;

// The interface `movement/1`: where a man may go on its own board.
//
// Every call may come from several threads at once, and must answer by its arguments only.
typedef struct {
  // The bytes of this struct.
  uint32_t size;
  // Zero.
  uint32_t reserved;
  // Where a man may go without capturing. Occupied cells in the answer are ignored.
  int32_t (*quiet)(const void *rule,
                   uint32_t from,
                   uint32_t colour,
                   const alice_cells *occupied,
                   alice_cells *answer);
  // What it attacks: where it captures, and gives check.
  int32_t (*attacks)(const void *rule,
                     uint32_t from,
                     uint32_t colour,
                     const alice_cells *occupied,
                     alice_cells *answer);
} alice_movement;

// An interface of a rule set: its name and its table of calls.
typedef struct {
  // `transfer/1` or `movement/1`; others are passed over.
  alice_text name;
  // What the name says: a `Transfer` or a `Movement`.
  const void *table;
} alice_interface;

// One rule that a plug-in offers.
typedef struct {
  // The bytes of this struct.
  uint32_t size;
  // How many interfaces it has.
  uint32_t interface_count;
  // Its interfaces.
  const alice_interface *interfaces;
  // Its name, unlike the others of the plug-in.
  alice_text name;
  // What it does, in a sentence.
  alice_text about;
  // Makes a rule for a game. Parameters are lines `name=value`; a list is several lines of one
  // name. Unknown ones are refused.
  int32_t (*create)(const alice_game *game,
                    const alice_text *parameters,
                    alice_complaint *complaint,
                    void **rule);
  // Ends a rule's life. Null is passed over.
  void (*destroy)(void *rule);
} alice_rule_set;

// What a plug-in is: the one thing it exports, as `alice_plugin_1_` and its id with `_` for `-`.
//
// All up to `licence` is read from the file before any of the plug-in's code runs. Texts of fixed
// length are filled up with zero bytes.
typedef struct {
  // `MAGIC`.
  uint64_t magic;
  // The bytes of this struct.
  uint32_t size;
  // `MAJOR`.
  uint16_t major;
  // `MINOR`.
  uint16_t minor;
  // `LAYOUT`.
  uint64_t layout;
  // `FEATURE_…` bits that the program must have.
  uint64_t required;
  // `FEATURE_…` bits that are used where the program has them.
  uint64_t optional;
  // The names of the required features, separated by spaces, so that a program that lacks one
  // can name it.
  uint8_t required_names[64];
  // The plug-in's name: small letters, digits and `-`.
  uint8_t id[32];
  // Its version: `1.2.3`.
  uint8_t version[32];
  // Its licence, as SPDX writes it.
  uint8_t licence[64];
  // How many rule sets it offers.
  uint64_t rule_set_count;
  // The rule sets.
  const alice_rule_set *const *rule_sets;
} alice_record;

#if UINTPTR_MAX != UINT64_MAX
#error "plug-ins are for processors of 64 bits"
#endif

#ifdef _WIN32
#define ALICE_EXPORT __declspec(dllexport)
#else
#define ALICE_EXPORT __attribute__((visibility("default")))
#endif

/* The record of a plug-in: ALICE_PLUGIN(my_rule) = {ALICE_RECORD, ...}; its id is then "my-rule". */
#ifdef __cplusplus
#define ALICE_PLUGIN(id) extern "C" ALICE_EXPORT const alice_record alice_plugin_1_##id
#else
#define ALICE_PLUGIN(id) ALICE_EXPORT const alice_record alice_plugin_1_##id
#endif

/* The first fields of every record. */
#define ALICE_RECORD \
  .magic = ALICE_MAGIC, .size = sizeof(alice_record), .major = ALICE_MAJOR, \
  .minor = ALICE_MINOR, .layout = ALICE_LAYOUT

/* A text from a string in quotes. */
#define ALICE_TEXT(string) {(const uint8_t *)(string), sizeof(string) - 1}
