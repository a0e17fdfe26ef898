//! Rules of orthodox men built in code, so that the core is tested without any config file.

use alice_core::*;

fn both(shape: Shape, of: impl Fn(Colour, [i32; 3]) -> bool) -> [Vec<bool>; 2] {
    Colour::BOTH.map(|c| shape.all().map(|cell| of(c, shape.coordinates(cell))).collect())
}

fn all_signs(a: i8, b: i8) -> Vec<[i8; 3]> {
    let mut out = Vec::new();
    for (x, y) in [(a, b), (b, a)] {
        for (s, t) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let offset = [x * s, y * t, 0];
            if !out.contains(&offset) {
                out.push(offset);
            }
        }
    }
    out
}

/// Orthodox men on so many boards, all starting on A, with this transfer.
pub fn orthodox(boards: u8, transfer: StandardTransfer, en_passant: EnPassantRule) -> Rules {
    let shape = Shape::new(8, 8, 1).unwrap();
    let none = both(shape, |_, _| false);
    let second = both(shape, |c, [_, r, _]| r == if c == Colour::White { 1 } else { 6 });
    let last = both(shape, |c, [_, r, _]| r == if c == Colour::White { 7 } else { 0 });
    let man = |name: &str, letter, steps: Vec<Step>| ManRules {
        name: name.into(),
        letter,
        movement: Movement::Steps(Steps { shape, steps, initial: second.clone() }),
        royal: letter == 'K',
        pawn: letter == 'P',
        promotes_to: if letter == 'P' { [1, 2, 3, 4].map(Kind).to_vec() } else { vec![] },
        promotion: if letter == 'P' { last.clone() } else { none.clone() },
    };
    let each = |offsets: Vec<[i8; 3]>, reach: Reach| {
        offsets.into_iter().map(|o| Step::new(o, reach.clone())).collect::<Vec<_>>()
    };
    let ride = || Reach::Ride { limit: 0 };
    let only = |offset, may| Step { may, ..Step::new(offset, Reach::Leap) };
    let pawn = vec![
        only([0, 1, 0], May::Move),
        only([1, 1, 0], May::Capture),
        only([-1, 1, 0], May::Capture),
        Step::double(),
    ];
    let queen = [all_signs(1, 0), all_signs(1, 1)].concat();
    let men = vec![
        man("pawn", 'P', pawn),
        man("knight", 'N', each(all_signs(1, 2), Reach::Leap)),
        man("bishop", 'B', each(all_signs(1, 1), ride())),
        man("rook", 'R', each(all_signs(1, 0), ride())),
        man("queen", 'Q', each(queen.clone(), ride())),
        man("king", 'K', each(queen, Reach::Leap)),
    ];
    let mut castling = Vec::new();
    for colour in Colour::BOTH {
        let rank = if colour == Colour::White { 0 } else { 7 };
        for (wing, to, rook, rook_to) in [(Wing::King, 6, 7, 5), (Wing::Queen, 2, 0, 3)] {
            let at = |f| shape.cell(f, rank, 0).unwrap();
            castling.push(Castling {
                colour,
                wing,
                board: Board(0),
                rook: Kind(3),
                king_from: at(4),
                king_to: at(to),
                rook_from: at(rook),
                rook_to: at(rook_to),
            });
        }
    }
    let mut rules = Rules {
        name: "test".into(),
        shape,
        boards,
        men,
        start: Setup::empty(shape, boards),
        transfer: Transfer::Standard(transfer),
        tests: CheckTests::default(),
        castling,
        en_passant,
        ends: Ends::default(),
    };
    let back = [3, 1, 2, 4, 5, 2, 1, 3];
    for (file, kind) in back.into_iter().enumerate() {
        for (colour, rank, pawns) in [(Colour::White, 0, 1), (Colour::Black, 7, 6)] {
            let mut put = |rank, kind| {
                let cell = shape.cell(file as i32, rank, 0).unwrap();
                rules.start.put(Square { board: Board(0), cell }, Some(Man { kind: Kind(kind), colour }));
            };
            put(rank, kind);
            put(pawns, 0);
        }
    }
    rules.start.castling = 15;
    rules
}

/// The transfers of the known games, on orthodox men.
fn games() -> Vec<(&'static str, Rules)> {
    let all: KindSet = (0..6).map(Kind).collect();
    let officers: KindSet = (1..6).map(Kind).collect();
    let zero = |men, capture| ZeroMoves { men, capture };
    let (next, any) = (StandardTransfer::next(2), StandardTransfer::any_other(3));
    let mut duo = orthodox(
        2,
        StandardTransfer { staying: Staying::Always, zero: zero(officers, true), ..next.clone() },
        EnPassantRule::Either,
    );
    duo.tests.before_zero_move = false;
    let game = |boards, transfer| orthodox(boards, transfer, EnPassantRule::Either);
    vec![
        ("chess", game(1, StandardTransfer::NONE)),
        ("alice", game(2, next.clone())),
        ("mrs alice", game(2, StandardTransfer { zero: zero(all, false), ..next.clone() })),
        ("o'donohue", game(2, StandardTransfer { staying: Staying::IfBlocked, ..next })),
        ("duo", duo),
        ("three boards", game(3, any)),
        ("three, cyclic", game(3, StandardTransfer::next(3))),
    ]
}

#[test]
fn the_fast_path_agrees_with_its_slow_twin_in_random_games() {
    for (name, rules) in games() {
        let variant = Variant::new(rules).unwrap();
        let reference = variant.reference();
        let mut seed = 7u64;
        for _ in 0..4 {
            let mut position = variant.start();
            for _ in 0..120 {
                let setup = position.setup();
                let mut fast = position.legal_moves();
                let mut slow = reference.legal_moves(&setup);
                fast.sort();
                slow.sort();
                let text = |moves: &[Move], other: &[Move]| {
                    let only = moves.iter().filter(|m| !other.contains(m));
                    only.map(|m| m.exact(variant.rules())).collect::<Vec<_>>()
                };
                assert_eq!(text(&fast, &slow), text(&slow, &fast), "{name}: {position}");
                assert_eq!(fast, slow);
                assert_eq!(position.perft(1), fast.len() as u64, "{name}: {position}");
                assert_eq!(position.hash(), position.hash_from_scratch(), "{name}: {position}");
                if fast.is_empty() {
                    break;
                }
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let mv = fast[(seed >> 33) as usize % fast.len()];
                let next = reference.make(&setup, &mv);
                position.play(&mv);
                assert_eq!(position.setup(), next, "{name}: {position}");
            }
        }
    }
}

#[test]
fn chess_and_alice_count_as_published() {
    let chess = Variant::new(orthodox(1, StandardTransfer::NONE, EnPassantRule::Origin)).unwrap();
    let alice = Variant::new(orthodox(2, StandardTransfer::next(2), EnPassantRule::None)).unwrap();
    let counts = |v: &Variant| [1, 2, 3, 4].map(|d| v.start().perft(d));
    assert_eq!(counts(&chess), [20, 400, 8902, 197281]);
    assert_eq!(counts(&alice), [20, 400, 9384, 219236]);
    let text = alice.start().to_string();
    assert_eq!(alice.read_position(&text).unwrap().to_string(), text);
    assert_eq!(text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8 w KQkq - 0 1");
}
