//! Rules that panic, each in another call. Here the panic must end, whatever is thrown.

use alice_plugin::*;

/// Thrown by a rule: panics again when it is dropped.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("a second panic, from what the first one threw");
    }
}

macro_rules! panics {
    ($($rule:ident $name:literal in $call:literal),+) => {$(
        /// Panics.
        pub struct $rule(Game);

        impl Rule for $rule {
            const NAME: &'static str = $name;
            const ABOUT: &'static str = concat!("Panics in ", $call, ".");

            fn new(game: &Game, _: &Parameters) -> Result<Self, Complaint> {
                assert_ne!($call, "create");
                Ok(Self(game.clone()))
            }
        }

        impl Drop for $rule {
            fn drop(&mut self) {
                assert_ne!($call, "destroy");
            }
        }

        impl TransferRule for $rule {
            fn depends_on(&self) -> DependsOn {
                assert_ne!($call, "facts");
                DependsOn::OCCUPANCY
            }
            fn landings(&self, origin: Board) -> BoardSet {
                assert_ne!($call, "landings");
                BoardSet::of(self.0.next(origin))
            }
            fn landing_cells(&self, _: &Mover, _: Board, landing: Board, boards: Boards) -> Cells {
                assert_ne!($call, "landing_cells");
                if $call == "landing_cells, twice" {
                    std::panic::panic_any(Grenade);
                }
                boards.vacant(landing)
            }
        }
    )+};
}

panics!(
    Create "create" in "create",
    Destroy "destroy" in "destroy",
    Facts "facts" in "facts",
    Landings "landings" in "landings",
    LandingCells "landing-cells" in "landing_cells",
    Twice "twice" in "landing_cells, twice"
);

export!(panics: transfer Create, transfer Destroy, transfer Facts, transfer Landings, transfer LandingCells, transfer Twice);
