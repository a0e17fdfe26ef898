//! What one game shows, counted by playing it over again.
//!
//! Must not know other games: what they are together is for `measures`. Definitions are in `docs/measures.md`.

use crate::game::{Ending, Game, GameError};
use alice_core::{
    Boards, CellSet, Colour, Man, MoveKind, Mover, Position, Setup, Square, Strictness, Variant, Wide,
};

/// Values beyond this are as good as won; hundredths of a point.
const MOST: i32 = 2_000;
/// Within this neither side leads.
const EVEN: i32 = 30;
/// Every so many plies a position is looked at for what men are worth.
const SAMPLED: usize = 6;

/// The counts of one game. Plies drawn by lot are left out, unless a field says otherwise.
pub struct Facts {
    pub winner: Option<Colour>,
    pub ending: Ending,
    /// All plies, drawn ones too.
    pub plies: usize,
    /// Plies that were drawn by lot.
    pub drawn: usize,
    /// Legal moves before each ply.
    pub legal: Vec<u32>,
    pub captures: usize,
    pub checks: usize,
    pub transfers: usize,
    pub zero_moves: usize,
    pub lead_changes: usize,
    /// Bits of the first choice.
    pub choice: f64,
    /// Only of games that somebody won.
    pub drama: Option<f64>,
    /// After each ply: how many men stand on each board.
    pub men: Vec<Vec<u32>>,
    /// Arrival cells that movement allows, summed over the positions, and those of them at which the man may
    /// land nowhere.
    pub arrivals: u64,
    pub lost: u64,
    /// Of a mate, whether it needs men of more than one board.
    pub needs_both: Option<bool>,
    pub samples: Vec<Sample>,
}

/// By how many men of each kind and board White is ahead: `kind * boards + board`.
pub struct Sample {
    pub ahead: Vec<f64>,
    /// Whose turn it is: 1 for White, -1 for Black.
    pub turn: f64,
}

/// The chance that a value gives, by the usual curve: 400 hundredths of a point are ten to one.
fn chance(value: i32) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-f64::from(value.clamp(-MOST, MOST)) / 400.0))
}

impl Facts {
    /// The facts of a game.
    ///
    /// # Errors
    /// If the game's moves are not legal in the variant, or it did not end as it says.
    pub fn of(game: &Game, variant: &Variant) -> Result<Self, GameError> {
        let record = game.replay(variant)?;
        let rules = variant.rules();
        let drawn = game.drawn as usize;
        let mut facts = Self {
            winner: game.winner(),
            ending: game.ending,
            plies: record.moves().len(),
            drawn,
            legal: Vec::new(),
            captures: 0,
            checks: 0,
            transfers: 0,
            zero_moves: 0,
            lead_changes: 0,
            choice: f64::from(game.choice) / 1000.0,
            drama: None,
            men: Vec::new(),
            arrivals: 0,
            lost: 0,
            needs_both: None,
            samples: Vec::new(),
        };
        let mut walk = variant.start().walk();
        for (ply, mv) in record.moves().iter().enumerate() {
            let counted = ply >= drawn;
            if counted {
                facts.legal.push(walk.count_moves() as u32);
                facts.captures += usize::from(walk.captured(mv).is_some());
                facts.transfers += usize::from(mv.origin != mv.landing);
                facts.zero_moves += usize::from(mv.kind == MoveKind::Zero);
                let (arrivals, lost) = arrivals(variant, &walk.position().setup());
                facts.arrivals += arrivals;
                facts.lost += lost;
            }
            walk.play(mv);
            facts.checks += usize::from(counted && walk.in_check());
            let mut men = vec![0; usize::from(rules.boards)];
            walk.each_man(|square, _| men[square.board.index()] += 1);
            facts.men.push(men);
            if counted && ply % SAMPLED == 0 && !walk.in_check() {
                facts.samples.push(sample(variant, &walk.position()));
            }
        }
        facts.follow(&game.values);
        if game.ending == Ending::Mate {
            facts.needs_both = Some(needs_both(&walk.position()));
        }
        Ok(facts)
    }

    /// Lead changes and drama, from what the player thought (for White).
    fn follow(&mut self, values: &[i32]) {
        let mut leader = 0;
        for value in values.iter().filter(|v| v.abs() >= EVEN) {
            let now = value.signum();
            self.lead_changes += usize::from(leader != 0 && now != leader);
            leader = now;
        }
        let Some(winner) = self.winner else { return };
        let sign = if winner == Colour::White { 1 } else { -1 };
        // How far below even chances the later winner stood, while it did.
        let behind = values.iter().map(|v| 0.5 - chance(sign * *v)).filter(|d| *d > 0.0);
        let behind: Vec<f64> = behind.map(|d| (2.0 * d).sqrt()).collect();
        self.drama = Some(if values.is_empty() {
            0.0
        } else {
            behind.iter().sum::<f64>() / values.len() as f64 + 0.0
        });
    }
}

/// How many arrival cells the men of the side to move reach on their own boards, and at how many of them
/// they may land nowhere.
fn arrivals(variant: &Variant, setup: &Setup) -> (u64, u64) {
    let (rules, slow) = (variant.rules(), variant.reference());
    let mut counts = (0, 0);
    for (square, man) in setup.men().filter(|(_, man)| man.colour == setup.turn) {
        let prey: Wide = setup.of_colour(square.board, !man.colour);
        let prey = match rules.royal() {
            Some(royal) => prey & !Boards::<Wide>::of_kind(setup, square.board, royal),
            None => prey,
        };
        let reached = slow.quiet(setup, square, man) | slow.attacks(setup, square, man) & prey;
        let mover = Mover { man, cell: square.cell };
        let landings = slow.transfer().landings(square.board);
        let lands = landings.iter().filter(|board| board.index() < usize::from(rules.boards));
        let lands = lands
            .fold(Wide::EMPTY, |cells, board| cells | slow.landing_cells(setup, &mover, square.board, board));
        counts.0 += u64::from(reached.count());
        counts.1 += u64::from((reached & !lands).count());
    }
    counts
}

fn sample(variant: &Variant, position: &Position) -> Sample {
    let rules = variant.rules();
    let boards = usize::from(rules.boards);
    let mut ahead = vec![0.0; rules.men.len() * boards];
    for (square, man) in position.setup().men() {
        let sign = if man.colour == Colour::White { 1.0 } else { -1.0 };
        ahead[man.kind.index() * boards + square.board.index()] += sign;
    }
    Sample { ahead, turn: if position.turn() == Colour::White { 1.0 } else { -1.0 } }
}

/// Whether a mate is none without the winner's men of one board, whichever: it takes men of two. The
/// winner's king stays.
fn needs_both(mate: &Position) -> bool {
    let (rules, setup) = (mate.rules(), mate.setup());
    let winner = !mate.turn();
    let goes = |square: Square, man: Man, board: usize| {
        square.board.index() == board && man.colour == winner && Some(man.kind) != rules.royal()
    };
    let needed = |board: &usize| {
        let mut less = setup.clone();
        less.castling = 0;
        less.en_passant = None;
        for (square, _) in setup.men().filter(|(square, man)| goes(*square, *man, *board)) {
            less.put(square, None);
        }
        match mate.variant().position(&less, Strictness::Problem) {
            Ok(position) => !position.in_check() || !position.legal_moves().is_empty(),
            Err(_) => false,
        }
    };
    (0..usize::from(rules.boards)).filter(needed).count() > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variant(name: &str) -> Variant {
        alice_config::load(name).unwrap().variant
    }

    /// A game of these moves, which must be legal; the values are made up.
    fn game(name: &str, moves: &str, values: &[i32], ending: Ending, score: &str) -> Game {
        Game {
            variant: name.into(),
            number: 0,
            drawn: 0,
            moves: moves.into(),
            choice: 0,
            values: values.into(),
            ending,
            score: score.into(),
        }
    }

    #[test]
    fn a_short_game_is_counted_by_hand() {
        // The fool's mate, in chess.
        let mate = game("chess", "f2f3 e7e5 g2g4 d8h4", &[0, -50, -40, -30_000], Ending::Mate, "0-1");
        let facts = Facts::of(&mate, &variant("chess")).unwrap();
        assert_eq!((facts.plies, facts.checks, facts.captures, facts.transfers), (4, 1, 0, 0));
        assert_eq!(facts.legal, [20, 20, 19, 30]);
        assert_eq!(facts.men, vec![vec![32]; 4]);
        assert_eq!(facts.lead_changes, 0);
        assert_eq!(facts.drama, Some(0.0));
        assert_eq!(facts.needs_both, Some(false));
        assert_eq!(facts.lost, 0);
    }

    #[test]
    fn in_alice_every_move_transfers_and_occupied_twins_cost_moves() {
        let game = game("alice", "e2e4 h7h5", &[10, 10], Ending::Length, "1/2-1/2");
        let facts = Facts::of(&game, &variant("alice")).unwrap();
        assert_eq!((facts.transfers, facts.men), (2, vec![vec![31, 1], vec![30, 2]]));
        // At the start nobody is in the way on the other board; 20 arrivals each, and Black's are open but for
        // none: e4 on B blocks no black man.
        assert_eq!((facts.arrivals, facts.lost), (40, 0));
    }

    #[test]
    fn a_lead_that_goes_over_and_a_winner_who_was_behind_are_seen() {
        let game = game("chess", "f2f3 e7e5 g2g4 d8h4", &[200, 100, -100, -400], Ending::Mate, "0-1");
        let facts = Facts::of(&game, &variant("chess")).unwrap();
        assert_eq!(facts.lead_changes, 1);
        assert!(facts.drama.unwrap() > 0.3);
    }

    #[test]
    fn a_game_that_its_moves_do_not_bear_out_is_refused() {
        let game = game("chess", "f2f3 e7e5", &[0, 0], Ending::Mate, "0-1");
        let error = Facts::of(&game, &variant("chess")).err().unwrap().to_string();
        assert_eq!(error, "it says 0-1 by mate; its moves lead to 1/2-1/2 by length");
        let illegal = super::tests::game("chess", "f2f5", &[0], Ending::Length, "1/2-1/2");
        assert!(Facts::of(&illegal, &variant("chess")).is_err());
    }
}
