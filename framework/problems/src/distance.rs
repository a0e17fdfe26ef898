//! How many moves one side needs at least, so that its men come to stand as wanted.
//!
//! Each man is alone on empty boards here: what blocks it or attacks a king must be found out by
//! playing.

use alice_core::{
    CellSet, Colour, Kind, Man, Movement, PieceMovement, Reach, Rules, Setup, Square, Variant, Wide,
    ZeroAnswer,
};

/// More moves than any problem has.
const FAR: u8 = 200;

/// What a man is and where it stands, as one number.
pub(crate) type Place = u16;

/// Numbers the places of a variant.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    cells: usize,
    squares: usize,
    /// How many kinds there are.
    all: usize,
}

impl Places {
    pub(crate) fn new(rules: &Rules) -> Self {
        let cells = rules.shape.cells();
        Self { cells, squares: cells * usize::from(rules.boards), all: rules.men.len() }
    }

    pub(crate) fn squares(self) -> usize {
        self.squares
    }

    /// The number of a square.
    #[inline(always)]
    pub(crate) fn square(self, square: Square) -> usize {
        square.board.index() * self.cells + square.cell.index()
    }

    /// The place of men that have been captured.
    pub(crate) fn captured(self) -> Place {
        (self.all * self.squares) as Place
    }

    /// The number of the square of a place, unless it is that of captured men.
    #[inline(always)]
    pub(crate) fn square_of(self, place: Place) -> Option<usize> {
        (place != self.captured()).then(|| usize::from(place) % self.squares)
    }

    #[inline(always)]
    pub(crate) fn kind_of(self, place: Place) -> Kind {
        Kind((usize::from(place) / self.squares) as u8)
    }

    #[inline(always)]
    pub(crate) fn of(self, kind: Kind, square: Square) -> Place {
        (kind.index() * self.squares + self.square(square)) as Place
    }
}

/// How far each man of one side would be from each square that has to be taken.
pub(crate) struct Distances {
    /// How many men there have to be.
    pub(crate) wanted: usize,
    /// For each place, the moves from there to each man wanted, in rows of this length.
    stride: usize,
    rows: Vec<u8>,
    /// For each place, the moves to the nearest man wanted.
    nearest: Vec<u8>,
}

/// All moves of one man on empty boards: for each place, the places a move away.
fn moves(variant: &Variant, colour: Colour) -> Vec<Vec<Place>> {
    let rules = variant.rules();
    let places = Places::new(rules);
    let reference = variant.reference();
    let transfer = reference.transfer();
    let everywhere = Wide::first_n(rules.shape.cells());
    let mut from_each = vec![Vec::new(); rules.men.len() * places.squares];
    for (k, man) in rules.men.iter().enumerate() {
        let kind = Kind(k as u8);
        let movement: &dyn PieceMovement<Wide> = reference.movement(kind);
        // Who hops does not move on empty boards, and what foreign code does nobody knows.
        let any = match &man.movement {
            Movement::Steps(steps) => {
                let hops = |reach: &Reach| matches!(reach, Reach::HopOver { .. } | Reach::HopBehind { .. });
                steps.steps.iter().any(|step| hops(&step.reach))
            }
            Movement::Foreign(_) => true,
        };
        for board in rules.all_boards() {
            for cell in rules.shape.all() {
                let reached = if any {
                    everywhere
                } else {
                    movement.quiet(cell, colour, Wide::EMPTY) | movement.attacks(cell, colour, Wide::EMPTY)
                };
                let from = &mut from_each[usize::from(places.of(kind, Square { board, cell }))];
                for landing in transfer.landings(board).iter() {
                    for to in reached.cells().filter(|to| *to != cell) {
                        let square = Square { board: landing, cell: to };
                        if rules.promotes(kind, colour, to) {
                            from.extend(man.promotes_to.iter().map(|kind| places.of(*kind, square)));
                        } else {
                            from.push(places.of(kind, square));
                        }
                    }
                    let zero = transfer.zero_answer(Man { kind, colour }, board, landing);
                    if landing != board && zero != ZeroAnswer::None {
                        from.push(places.of(kind, Square { board: landing, cell }));
                    }
                }
            }
        }
    }
    let royal = rules.royal().expect("rules without a royal man are refused");
    for castling in rules.castling.iter().filter(|castling| castling.colour == colour) {
        let men = [
            (royal, castling.king_from, castling.king_to),
            (castling.rook, castling.rook_from, castling.rook_to),
        ];
        for (kind, from, to) in men {
            let home = places.of(kind, Square { board: castling.board, cell: from });
            for landing in transfer.landings(castling.board).iter() {
                from_each[usize::from(home)].push(places.of(kind, Square { board: landing, cell: to }));
            }
        }
    }
    from_each
}

impl Distances {
    /// To the men of one side as they stand in a setup.
    pub(crate) fn new(variant: &Variant, target: &Setup, colour: Colour) -> Self {
        let places = Places::new(variant.rules());
        let forth = moves(variant, colour);
        let mut back = vec![Vec::new(); forth.len()];
        for (from, all) in forth.iter().enumerate() {
            for to in all {
                back[usize::from(*to)].push(from as Place);
            }
        }
        let men: Vec<Place> = target
            .men()
            .filter(|(_, man)| man.colour == colour)
            .map(|(square, man)| places.of(man.kind, square))
            .collect();
        let stride = men.len().next_multiple_of(16).max(16);
        // The last row is that of captured men.
        let mut rows = vec![FAR; (forth.len() + 1) * stride];
        for (n, man) in men.iter().enumerate() {
            rows[usize::from(*man) * stride + n] = 0;
            let mut now = vec![*man];
            for moves in 1..FAR {
                let mut next = Vec::new();
                for place in now {
                    for from in &back[usize::from(place)] {
                        let far = &mut rows[usize::from(*from) * stride + n];
                        if *far == FAR {
                            *far = moves;
                            next.push(*from);
                        }
                    }
                }
                now = next;
            }
        }
        let mut nearest: Vec<u8> =
            rows.chunks_exact(stride).map(|row| *row.iter().min().unwrap_or(&FAR)).collect();
        *nearest.last_mut().expect("there is a row for captured men") = 0;
        Self { wanted: men.len(), stride, rows, nearest }
    }

    #[inline(always)]
    fn row(&self, place: Place) -> &[u8] {
        &self.rows[usize::from(place) * self.stride..][..self.stride]
    }

    /// How far a man is from the nearest it could become.
    #[inline(always)]
    pub(crate) fn nearest(&self, place: Place) -> u32 {
        u32::from(self.nearest[usize::from(place)])
    }

    /// Whether the men, so many of which are left, can come to stand as wanted in so many moves, each by
    /// itself; men that are too many get captured. Never says no where the answer is yes.
    #[inline]
    pub(crate) fn within(&self, men: &[Place], left: usize, moves: u32) -> bool {
        if left < self.wanted {
            return false;
        }
        if left == self.wanted && men.iter().map(|man| self.nearest(*man)).sum::<u32>() > moves {
            return false;
        }
        match men.len() {
            0..=16 => self.matched_within::<16>(men, moves),
            17..=64 => self.matched_within::<64>(men, moves),
            65..=256 => self.matched_within::<256>(men, moves),
            _ => true,
        }
    }

    /// Whether at most `N` men can be matched with those wanted, at the cost of at most so many moves.
    ///
    /// The Hungarian method: each man wanted has its nearest if nobody else has; the others get theirs one
    /// after the other, by shortest augmenting paths, with prices that keep all costs from getting
    /// negative.
    fn matched_within<const N: usize>(&self, men: &[Place], moves: u32) -> bool {
        const NONE: usize = usize::MAX;
        let (n, wanted) = (men.len(), self.wanted);
        let mut rows = [&[][..]; N];
        let mut reward = [FAR; N];
        for (row, man) in rows.iter_mut().zip(men) {
            *row = self.row(*man);
            for (best, far) in reward[..wanted].iter_mut().zip(&row[..wanted]) {
                *best = (*best).min(*far);
            }
        }
        let mut cost: i32 = reward[..wanted].iter().map(|moves| i32::from(*moves)).sum();
        let limit = moves as i32;
        if cost > limit {
            return false;
        }
        let mut reward = reward.map(i32::from);
        // The man wanted that each man is matched with.
        let mut of_man = [NONE; N];
        let mut left_over = [0; N];
        let mut left = 0;
        for want in 0..wanted {
            match (0..n).find(|m| of_man[*m] == NONE && i32::from(rows[*m][want]) == reward[want]) {
                Some(man) => of_man[man] = want,
                None => {
                    left_over[left] = want;
                    left += 1;
                }
            }
        }
        let mut price = [0_i32; N];
        for want in left_over[..left].iter().copied() {
            let mut least = [i32::MAX; N];
            let mut before = [NONE; N];
            let mut used = [false; N];
            let (mut at, mut man) = (want, NONE);
            let end = loop {
                let (mut delta, mut next) = (i32::MAX, NONE);
                for m in (0..n).filter(|m| !used[*m]) {
                    let reduced = i32::from(rows[m][at]) - reward[at] - price[m];
                    if reduced < least[m] {
                        least[m] = reduced;
                        before[m] = man;
                    }
                    if least[m] < delta {
                        delta = least[m];
                        next = m;
                    }
                }
                reward[want] += delta;
                for m in 0..n {
                    if used[m] {
                        reward[of_man[m]] += delta;
                        price[m] -= delta;
                    } else {
                        least[m] -= delta;
                    }
                }
                cost += delta;
                if cost > limit {
                    return false;
                }
                if of_man[next] == NONE {
                    break next;
                }
                used[next] = true;
                at = of_man[next];
                man = next;
            };
            let mut m = end;
            while m != NONE {
                let previous = before[m];
                of_man[m] = if previous == NONE { want } else { of_man[previous] };
                m = previous;
            }
        }
        true
    }
}
