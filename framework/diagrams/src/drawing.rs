//! The diagram: boards, men, marks.

use crate::letters::centred;
use crate::men::man;
use crate::theme::{DARK, Ink, LIGHT, Theme};
use alice_core::{Board, Castling, Colour, Kind, Language, Man, Move, MoveKind, Rules, Setup, Square};

/// How boards are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Beside each other, levels too.
    #[default]
    Boards,
    /// Two boards on one, men of board B upside down, as in printed problems.
    OneBoard,
    /// Two boards joined at a side: the halves of one.
    Split,
}

/// What a diagram looks like.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The side of a cell, in pixels.
    pub size: u16,
    /// Light ink on dark paper.
    pub dark: bool,
    /// Black below.
    pub flip: bool,
    /// How boards are laid out.
    pub layout: Layout,
    /// The letters of men that have no shape.
    pub letters: Language,
}

impl Default for Look {
    fn default() -> Self {
        Self { size: 64, dark: false, flip: false, layout: Layout::Boards, letters: Language::English }
    }
}

/// Why a layout is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The game has not two flat boards.
    #[error("only two flat boards can be drawn as one")]
    NotTwoFlatBoards,
}

/// A position to be drawn, and how it came about.
pub struct Diagram<'a> {
    /// The rules, for shape and men.
    pub rules: &'a Rules,
    /// Who stands where.
    pub setup: &'a Setup,
    /// The last move, to be marked.
    pub last: Option<&'a Move>,
    /// The king in check, to be marked.
    pub check: Option<Square>,
}

/// A rectangle of cells: one level of a board.
struct Plane {
    board: Board,
    level: i32,
    /// Where its first corner is.
    x: f32,
    y: f32,
    title: String,
}

/// A picture that is being drawn. A cell's side is 100.
struct Picture<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
    look: Look,
    theme: &'static Theme,
    planes: Vec<Plane>,
    svg: String,
}

/// The side of a cell.
const CELL: f32 = 100.0;
/// What is left and below of a plane, for coordinates.
const MARGIN: f32 = 55.0;
/// What is above it, for its name.
const TITLE: f32 = 70.0;
/// What is right of it.
const EDGE: f32 = 20.0;

/// Flat boards in a row, at most.
const IN_A_ROW: usize = 4;

impl Diagram<'_> {
    /// The diagram as SVG.
    ///
    /// # Errors
    /// If the layout is for other games.
    pub fn svg(&self, look: Look) -> Result<String, Refused> {
        let flat = self.rules.shape.levels() == 1;
        if look.layout != Layout::Boards && !(self.rules.boards == 2 && flat) {
            return Err(Refused::NotTwoFlatBoards);
        }
        let mut picture = Picture::new(self.rules, self.setup, look);
        picture.boards(self.last);
        if let Some(mv) = self.last {
            picture.ghost(mv);
        }
        if let Some(king) = self.check {
            picture.check(king);
        }
        picture.men();
        if let Some(mv) = self.last {
            picture.arrows(mv);
        }
        Ok(picture.end())
    }
}

/// The squares that a move changes: where men stood and where they stand now, in pairs. The king's or
/// the man's own pair is the first.
fn changed(rules: &Rules, mv: &Move, mover: Colour) -> Vec<(Square, Square)> {
    let mut pairs = vec![(mv.start(), mv.end())];
    if let MoveKind::Castling(wing) = mv.kind {
        let way = |way: &&Castling| way.wing == wing && way.colour == mover;
        if let Some(way) = rules.castling.iter().find(way) {
            let left = Square { board: mv.origin, cell: way.rook_from };
            pairs.push((left, Square { board: mv.landing, cell: way.rook_to }));
        }
    }
    pairs
}

impl<'a> Picture<'a> {
    fn new(rules: &'a Rules, setup: &'a Setup, look: Look) -> Self {
        let shape = rules.shape;
        let (files, ranks) = (shape.files() as f32 * CELL, shape.ranks() as f32 * CELL);
        let (wide, high) = (MARGIN + files + EDGE, TITLE + ranks + MARGIN);
        let mut planes = Vec::new();
        for board in rules.all_boards() {
            let name = |level: Option<i32>| match (level, rules.boards) {
                (None, 1) => String::new(),
                (None, _) => format!("Board {board}"),
                (Some(level), 1) => format!("Level {}", (b'A' + level as u8) as char),
                (Some(level), _) => format!("Board {board}  Level {}", (b'A' + level as u8) as char),
            };
            let n = board.index();
            match (look.layout, shape.levels()) {
                (Layout::OneBoard, _) => {
                    planes.push(Plane { board, level: 0, x: MARGIN, y: TITLE, title: String::new() });
                }
                (Layout::Split, _) => {
                    // Turned around, the second half comes first.
                    let place = if look.flip { 1 - n } else { n };
                    let x = MARGIN + place as f32 * files;
                    planes.push(Plane { board, level: 0, x, y: TITLE, title: name(None) });
                }
                (_, 1) => {
                    let (column, row) = ((n % IN_A_ROW) as f32, (n / IN_A_ROW) as f32);
                    let (x, y) = (MARGIN + column * wide, TITLE + row * high);
                    planes.push(Plane { board, level: 0, x, y, title: name(None) });
                }
                (_, levels) => {
                    for level in 0..levels as i32 {
                        let (x, y) = (MARGIN + level as f32 * wide, TITLE + n as f32 * high);
                        planes.push(Plane { board, level, x, y, title: name(Some(level)) });
                    }
                }
            }
        }
        // Nothing is written above a single board.
        if planes.iter().all(|plane| plane.title.is_empty()) {
            planes.iter_mut().for_each(|plane| plane.y = EDGE);
        }
        let far = |place: fn(&Plane) -> f32| planes.iter().map(place).fold(0.0, f32::max);
        let (width, height) = (far(|p| p.x) + files + EDGE, far(|p| p.y) + ranks + MARGIN);
        let theme = if look.dark { &DARK } else { &LIGHT };
        let scale = f32::from(look.size) / CELL;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" \
             viewBox=\"0 0 {width} {height}\">\n",
            (width * scale).ceil(),
            (height * scale).ceil()
        );
        svg += &format!("<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n", theme.page);
        let mut picture = Self { rules, setup, look, theme, planes, svg };
        picture.define_men();
        picture
    }

    /// A drawing of each kind and colour, to be used wherever such a man stands.
    fn define_men(&mut self) {
        let letters = self.look.letters.letters(self.rules);
        self.svg += "<defs>\n";
        for (n, rules) in self.rules.men.iter().enumerate() {
            for colour in Colour::BOTH {
                let id = id(Man { kind: Kind(n as u8), colour });
                let shape = man(&rules.name, letters[n], self.ink(colour));
                self.svg += &format!("<g id=\"{id}\">{shape}</g>\n");
            }
        }
        self.svg += "</defs>\n";
    }

    fn ink(&self, colour: Colour) -> &'static Ink {
        match colour {
            Colour::White => &self.theme.white,
            Colour::Black => &self.theme.black,
        }
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f32, f32) {
        let [file, rank, level] = self.rules.shape.coordinates(square.cell);
        let plane = self.planes.iter().find(|p| p.board == square.board && p.level == level);
        let plane = plane.expect("each level of each board is a plane");
        let (files, ranks) = (self.rules.shape.files() as i32, self.rules.shape.ranks() as i32);
        let (column, row) = match self.look.flip {
            false => (file, ranks - 1 - rank),
            true => (files - 1 - file, rank),
        };
        (plane.x + column as f32 * CELL, plane.y + row as f32 * CELL)
    }

    fn middle(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        (x + CELL / 2.0, y + CELL / 2.0)
    }

    /// Whether board B lies on board A.
    fn one_board(&self) -> bool {
        self.look.layout == Layout::OneBoard
    }

    /// Cells, coordinates and names; the squares of the last move are marked.
    fn boards(&mut self, last: Option<&Move>) {
        let shape = self.rules.shape;
        let (files, ranks) = (shape.files() as i32, shape.ranks() as i32);
        let marked: Vec<Square> = last.map_or(Vec::new(), |mv| {
            let pairs = changed(self.rules, mv, !self.setup.turn);
            pairs.into_iter().flat_map(|(from, to)| [from, to]).collect()
        });
        let planes = std::mem::take(&mut self.planes);
        let one_board = self.one_board();
        let Theme { text, frame, light, dark, moved, .. } = self.theme;
        for plane in planes.iter().filter(|plane| !one_board || plane.board.0 == 0) {
            let Plane { x, y, .. } = *plane;
            let (w, h) = (files as f32 * CELL, ranks as f32 * CELL);
            self.svg += &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{frame}\"/>\n",
                x - 3.0,
                y - 3.0,
                w + 6.0,
                h + 6.0
            );
            self.svg +=
                &format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{light}\"/>\n");
            // All dark cells are one path.
            let mut path = String::new();
            // In the half of a split board the colours go on.
            let shift = match self.look.layout {
                Layout::Split => plane.board.0 as i32 * files,
                _ => plane.level,
            };
            for (file, rank) in (0..files).flat_map(|file| (0..ranks).map(move |rank| (file, rank))) {
                if (file + rank + shift) % 2 == 0 {
                    let (column, row) =
                        if self.look.flip { (files - 1 - file, rank) } else { (file, ranks - 1 - rank) };
                    path += &format!("M{} {}h100v100h-100z", x + column as f32 * CELL, y + row as f32 * CELL);
                }
            }
            self.svg += &format!("<path d=\"{path}\" fill=\"{dark}\"/>\n");
            for file in 0..files {
                let column = if self.look.flip { files - 1 - file } else { file };
                // The halves of a split board are named as one board is.
                let named = match self.look.layout {
                    Layout::Split => file + i32::from(plane.board.0) * files,
                    _ => file,
                };
                let letter = ((b'a' + named as u8) as char).to_string();
                let at = x + (column as f32 + 0.5) * CELL;
                self.svg += &centred(&letter, at, y + h + 30.0, 22.0, text);
            }
            let leftmost = planes.iter().all(|other| other.y != y || other.x >= x);
            if self.look.layout != Layout::Split || leftmost {
                for rank in 0..ranks {
                    let row = if self.look.flip { rank } else { ranks - 1 - rank };
                    let at = y + (row as f32 + 0.5) * CELL;
                    self.svg += &centred(&(rank + 1).to_string(), x - 30.0, at, 22.0, text);
                }
            }
            if !plane.title.is_empty() {
                self.svg += &centred(&plane.title, x + w / 2.0, y - 37.0, 27.0, text);
            }
        }
        self.planes = planes;
        if self.look.layout == Layout::Split {
            let seam = self.planes.iter().map(|p| p.x).fold(0.0, f32::max);
            let (top, bottom) = (TITLE, TITLE + ranks as f32 * CELL);
            self.svg +=
                &format!("<path d=\"M{seam} {top}V{bottom}\" stroke=\"{frame}\" stroke-width=\"8\"/>\n");
        }
        for square in marked {
            let (x, y) = self.corner(square);
            self.svg += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" fill=\"{moved}\" opacity=\"0.75\"/>\n"
            );
        }
    }

    fn men(&mut self) {
        let setup = self.setup;
        for (square, man) in setup.men() {
            let twin = Square { board: Board(1 - square.board.0.min(1)), cell: square.cell };
            let shared = self.one_board() && setup.man(twin).is_some();
            self.man(square, man, shared, 1.0);
        }
    }

    /// A man on a square. Where two share one, each is smaller and in its corner.
    fn man(&mut self, square: Square, man: Man, shared: bool, opacity: f32) {
        let (mut x, mut y) = self.corner(square);
        let mut scale = 0.92;
        let second = self.one_board() && square.board.0 == 1;
        if shared {
            scale = 0.56;
            let corner = if second { 44.0 - 1.0 } else { 1.0 };
            (x, y) = (x + corner, y + corner);
        } else {
            (x, y) = (x + 4.0, y + 4.0);
        }
        let turned = if second { " rotate(180 50 50)".to_string() } else { String::new() };
        let faint = if opacity < 1.0 { format!(" opacity=\"{opacity}\"") } else { String::new() };
        self.svg += &format!(
            "<use href=\"#{}\" transform=\"translate({x} {y}) scale({scale}){turned}\"{faint}/>\n",
            id(man)
        );
    }

    /// The man where it arrived before its transfer, faintly, in a ring.
    fn ghost(&mut self, mv: &Move) {
        if mv.origin == mv.landing || mv.kind == MoveKind::Zero || self.one_board() {
            return;
        }
        let arrival = Square { board: mv.origin, cell: mv.to };
        let (x, y) = self.middle(arrival);
        if let Some(man) = self.setup.man(mv.end()).filter(|_| self.setup.man(arrival).is_none()) {
            self.man(arrival, man, false, 0.3);
        }
        self.svg += &format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"44\" fill=\"none\" stroke=\"{}\" stroke-width=\"5\" \
             stroke-dasharray=\"13.8 9.2\"/>\n",
            self.theme.mark
        );
    }

    /// A ring with rays, under the king.
    fn check(&mut self, king: Square) {
        let (x, y) = self.middle(king);
        let rays: String = (0..8)
            .map(|n| {
                let (sin, cos) =
                    (n as f32 * std::f32::consts::FRAC_PI_4 + std::f32::consts::FRAC_PI_8).sin_cos();
                format!(
                    "M{:.1} {:.1}L{:.1} {:.1}",
                    x + 38.0 * cos,
                    y + 38.0 * sin,
                    x + 49.0 * cos,
                    y + 49.0 * sin
                )
            })
            .collect();
        self.svg += &format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"40\" fill=\"{0}\" fill-opacity=\"0.35\" stroke=\"{0}\" stroke-width=\"5\"/>\
             <path d=\"{rays}\" stroke=\"{0}\" stroke-width=\"5\" stroke-linecap=\"round\"/>\n",
            self.theme.check
        );
    }

    /// An arrow from where the man left to where it arrived, and one through the looking-glass.
    fn arrows(&mut self, mv: &Move) {
        let arrival = Square { board: mv.origin, cell: mv.to };
        let (from, to, end) = (self.middle(mv.start()), self.middle(arrival), self.middle(mv.end()));
        if mv.kind != MoveKind::Zero {
            self.arrow(from, None, to, 16.0, 45.0, "");
        }
        if mv.origin != mv.landing && !self.one_board() {
            // In an arc, above the men between.
            let (dx, dy) = (end.0 - to.0, end.1 - to.1);
            let length = dx.hypot(dy);
            let rise = (length * 0.13).min(90.0);
            let (nx, ny) = match dx.abs() > dy.abs() {
                true => (0.0, -1.0),
                false => (1.0, 0.0),
            };
            let over = ((to.0 + end.0) / 2.0 + 2.0 * rise * nx, (to.1 + end.1) / 2.0 + 2.0 * rise * ny);
            self.arrow(to, Some(over), end, 47.0, 50.0, " stroke-dasharray=\"1 13\"");
        }
    }

    /// A line from near one point to near another, bent towards a third if there is one.
    fn arrow(
        &mut self,
        from: (f32, f32),
        over: Option<(f32, f32)>,
        to: (f32, f32),
        after: f32,
        before: f32,
        dashes: &str,
    ) {
        let toward = |a: (f32, f32), b: (f32, f32), by: f32| {
            let length = (b.0 - a.0).hypot(b.1 - a.1).max(1.0);
            (a.0 + (b.0 - a.0) / length * by, a.1 + (b.1 - a.1) / length * by)
        };
        let start = toward(from, over.unwrap_or(to), after);
        let tip = toward(to, over.unwrap_or(from), before);
        let neck = toward(tip, over.unwrap_or(from), 20.0);
        let across = ((neck.1 - tip.1) * 0.62, (tip.0 - neck.0) * 0.62);
        let middle = over.map_or(String::from("L"), |(x, y)| format!("Q{x:.1} {y:.1} "));
        let mark = self.theme.mark;
        let (width, opacity) = if dashes.is_empty() { (11.0, 0.75) } else { (6.5, 0.9) };
        self.svg += &format!(
            "<g opacity=\"{opacity}\"><path d=\"M{:.1} {:.1}{middle}{:.1} {:.1}\" fill=\"none\" stroke=\"{mark}\" \
             stroke-width=\"{width}\" stroke-linecap=\"round\"{dashes}/>\
             <path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{mark}\" stroke=\"{mark}\" stroke-width=\"4\" \
             stroke-linejoin=\"round\"/></g>\n",
            start.0,
            start.1,
            neck.0,
            neck.1,
            tip.0,
            tip.1,
            neck.0 + across.0,
            neck.1 + across.1,
            neck.0 - across.0,
            neck.1 - across.1,
        );
    }

    fn end(self) -> String {
        self.svg + "</svg>\n"
    }
}

/// How the drawing of a man is called.
fn id(man: Man) -> String {
    let side = if man.colour == Colour::White { 'w' } else { 'b' };
    format!("{side}{}", man.kind.0)
}
