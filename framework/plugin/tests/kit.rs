//! The kit finds what it should: one good rule, and one for each law that breaks just that.

use alice_plugin::kit::{self, Kit};
use alice_plugin::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// A transfer rule whose questions are answered by functions.
macro_rules! transfer {
    ($name:ident, depends on $depends:expr, lands $landing_cells:expr $(, boards $landings:expr)?) => {
        mod $name {
            use super::*;
            pub struct It(Game);
            impl Rule for It {
                const NAME: &'static str = "it";
                const ABOUT: &'static str = "A rule for a test.";
                fn new(game: &Game, parameters: &Parameters) -> Result<Self, Complaint> {
                    parameters.number("limit", 0..=10, 3)?;
                    if game.boards < 2 {
                        return Err(Complaint::new("two boards are needed"));
                    }
                    Ok(Self(game.clone()))
                }
            }
            impl TransferRule for It {
                fn depends_on(&self) -> DependsOn {
                    $depends
                }
                fn landings(&self, origin: Board) -> BoardSet {
                    $(if true { return $landings; })?
                    BoardSet::of(self.0.next(origin))
                }
                fn landing_cells(&self, mover: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
                    let rule: fn(&Mover, Board, Boards) -> Cells = $landing_cells;
                    rule(mover, landing, boards)
                }
            }
            export!($name: transfer It);
        }
    };
}

static CALLS: AtomicU64 = AtomicU64::new(0);

transfer!(good, depends on DependsOn::OCCUPANCY, lands |_, landing, boards| boards.vacant(landing));
transfer!(off_the_board, depends on DependsOn::OCCUPANCY, lands |_, landing, boards| !boards.occupied(landing));
transfer!(no_such_board, depends on DependsOn::NOTHING, lands |_, _, boards| boards.all(), boards BoardSet(0x80));
transfer!(panics, depends on DependsOn::OCCUPANCY, lands |_, landing, boards| {
    assert!(boards.vacant(landing).count() > 9, "too full");
    boards.vacant(landing)
});
transfer!(remembers, depends on DependsOn::NOTHING, lands |_, _, boards| {
    if CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(3) { boards.all() } else { Cells::EMPTY }
});
transfer!(looks_at_the_mover, depends on DependsOn::OCCUPANCY, lands |mover, landing, boards| {
    if mover.man.kind == Kind(1) { boards.vacant(landing) } else { boards.all() }
});
transfer!(looks_at_colours, depends on DependsOn::OCCUPANCY, lands |_, landing, boards| {
    !boards.of_colour(landing, Colour::White) & boards.all()
});
transfer!(says_what_it_looks_at, depends on DependsOn::OCCUPANCY | DependsOn::COLOURS | DependsOn::PLY
| DependsOn::KINDS | DependsOn::TURN | DependsOn::MOVER_KIND | DependsOn::MOVER_CELL,
lands |mover, landing, boards| {
    let own = boards.of_colour(landing, boards.turn()) & !boards.of_kind(landing, mover.man.kind);
    if boards.ply() % 2 == 0 { own } else { own.without(mover.cell) }
});

/// The laws that the kit finds broken.
fn broken(plugin: &'static Plugin) -> Vec<&'static str> {
    match kit::check(plugin) {
        Ok(()) => vec![],
        Err(failures) => failures.0.iter().map(|f| f.law.id).collect(),
    }
}

#[test]
fn good_rules_keep_every_law() {
    kit::check(&good::PLUGIN).unwrap();
    kit::check(&says_what_it_looks_at::PLUGIN).unwrap();
    Kit::new(&good::PLUGIN).with("it", "limit=7").check().unwrap();
}

#[test]
fn each_bad_rule_breaks_its_law() {
    assert_eq!(broken(&off_the_board::PLUGIN), ["answers"]);
    assert_eq!(broken(&no_such_board::PLUGIN), ["creates"]);
    assert_eq!(broken(&panics::PLUGIN), ["answers"]);
    assert!(broken(&remembers::PLUGIN).contains(&"same-answer"));
    assert_eq!(broken(&looks_at_the_mover::PLUGIN), ["depends-on"]);
    // What is not declared is not shown: asking for it panics.
    assert_eq!(broken(&looks_at_colours::PLUGIN), ["answers"]);
}

#[test]
fn a_failure_says_what_was_seen_and_what_to_do() {
    let failures = kit::check(&off_the_board::PLUGIN).unwrap_err();
    assert_eq!(
        failures.to_string(),
        "answers: Every call answers, with cells and boards that the game has.\n  \
         seen: it: landing_cells answered with cell number 64, but a board has only the cells 0 to 63; \
         asked about Black's rook leaving cell 20 of A for B, on 2 boards of 8 x 8 x 1 cells\n  \
         what to do: cut sets down with `boards.all()`, and look at the parameters in `new`, not later"
    );
}

#[test]
fn parameters_are_refused_with_their_place() {
    let set = good::PLUGIN.rule_sets().unwrap()[0];
    let refusal = |parameters: &str| {
        let complaint = match set.create(&Game::alice(), parameters) {
            Err(call::CreateError::Refused(complaint)) => complaint,
            other => panic!("{:?}", other.map(|_| ())),
        };
        (complaint.parameter(), complaint.to_string())
    };
    let expected = [
        ("limit=11", Some(0), "limit is \"11\"; write a whole number from 0 to 10"),
        ("limit=x", Some(0), "limit is \"x\"; write a whole number from 0 to 10"),
        ("limit=1\nlimit=2", Some(1), "limit is \"2\"; give just one"),
        ("limit=1\nlimits=2", Some(1), "there is no parameter \"limits\"; this rule has limit"),
        ("limit", Some(0), "\"limit\" is no parameter; write name=value"),
    ];
    for (parameters, place, says) in expected {
        assert_eq!(refusal(parameters), (place, says.to_string()), "{parameters}");
    }
    let one_board = Game { boards: 1, ..Game::alice() };
    let Err(call::CreateError::Refused(complaint)) = set.create(&one_board, "") else { panic!() };
    assert_eq!((complaint.parameter(), complaint.to_string().as_str()), (None, "two boards are needed"));
}

#[test]
fn the_digest_is_that_of_the_answers() {
    let digest = |plugin| Kit::new(plugin).digest();
    assert_eq!(digest(&good::PLUGIN), digest(&good::PLUGIN));
    assert_ne!(digest(&good::PLUGIN), digest(&says_what_it_looks_at::PLUGIN));
}
