//! One-board chess beside cozy-chess, a generator made for chess alone.

use crate::game;
use crate::laws::{always, choices, follow};
use alice_core::{MoveKind, Outcome, Position};

/// From, to, promotion, castling as the king's move: what both programs can say of a move.
type Plain = (usize, usize, Option<char>);

fn ours(position: &Position) -> Vec<Plain> {
    let letter = |kind| position.rules().man(kind).letter;
    let mut moves: Vec<Plain> = position
        .legal_moves()
        .iter()
        .map(|mv| (mv.from.index(), mv.to.index(), mv.promotion.map(letter)))
        .collect();
    moves.sort();
    moves
}

fn plain(board: &cozy_chess::Board, mv: cozy_chess::Move) -> Plain {
    let (from, mut to) = (mv.from as usize, mv.to as usize);
    // Castling is the king's move onto its own rook there.
    if board.color_on(mv.to) == Some(board.side_to_move()) {
        to = if to > from { from + 2 } else { from - 2 };
    }
    let letter = |piece: cozy_chess::Piece| char::from(piece).to_ascii_uppercase();
    (from, to, mv.promotion.map(letter))
}

fn theirs(board: &cozy_chess::Board) -> Vec<Plain> {
    let mut moves = Vec::new();
    board.generate_moves(|list| {
        moves.extend(list.into_iter().map(|mv| plain(board, mv)));
        false
    });
    moves.sort();
    moves
}

#[test]
fn cozy_chess_knows_the_same_moves_checks_and_mates_in_a_thousand_games() {
    let chess = game("chess");
    let positions = std::cell::Cell::new(0);
    always(1000, choices(240), |choices| {
        let mut board = cozy_chess::Board::default();
        let mut before: Option<Position> = None;
        follow(chess.start(), &choices, |position| {
            if let Some(before) = &before {
                let setup = position.setup();
                let made = before.legal_moves().into_iter().find(|mv| before.after(mv).setup() == setup);
                let mv = made.expect("a game goes by legal moves");
                let letter = mv.promotion.map(|kind| position.rules().man(kind).letter);
                let wanted = (mv.from.index(), mv.to.index(), letter);
                let mut play = None;
                board.generate_moves(|list| {
                    play = list.into_iter().find(|m| plain(&board, *m) == wanted);
                    play.is_some()
                });
                board.play(play.unwrap_or_else(|| panic!("{before}: {wanted:?}")));
                assert!(mv.kind != MoveKind::Zero);
            }
            before = Some(position.clone());
            positions.set(positions.get() + 1);
            assert_eq!(ours(position), theirs(&board), "{position}");
            assert_eq!(position.in_check(), !board.checkers().is_empty(), "check: {position}");
            let won = board.status() == cozy_chess::GameStatus::Won;
            assert_eq!(matches!(position.outcome(), Some(Outcome::Mate { .. })), won, "mate: {position}");
            // The text but for en passant and clocks, which cozy-chess writes and stops otherwise.
            let (ours, theirs) = (position.to_string(), board.to_string());
            assert!(ours.split(' ').take(3).eq(theirs.split(' ').take(3)), "{ours} {theirs}");
            let mut moves = position.legal_moves();
            moves.sort();
            moves
        });
    });
    assert!(cfg!(debug_assertions) || positions.get() > 50_000, "{} positions are few", positions.get());
}
