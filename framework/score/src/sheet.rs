//! A score sheet, before its moves are understood and after.

use alice_core::{Move, Position, Record, Score};

/// Where something stands in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
}

/// What a sheet says of its game as a whole: `[White "Paul Yearout"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// What it says, without quotes.
    pub value: String,
    /// Where its value stands.
    pub place: Place,
}

/// A move as it is written on a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text, without number and glyphs.
    pub text: String,
    /// Where it stands.
    pub place: Place,
}

/// One game. `M` is what is known of each move: that it is [`Written`] so, or which [`Move`] it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreSheet<M> {
    /// Where it begins.
    pub place: Place,
    /// The tags, in the order of the file.
    pub tags: Vec<Tag>,
    /// The game's moves.
    pub line: Line<M>,
    /// The result, if there is one.
    pub result: Option<Score>,
}

/// A line of moves: the game's own, or a variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub turns: Vec<Turn<M>>,
}

/// One move, and what is remarked upon it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn<M> {
    /// The move.
    pub mv: M,
    /// Glyphs by number, `!` being 1: the standard's NAGs.
    pub glyphs: Vec<u8>,
    /// Comments after it.
    pub comments: Vec<String>,
    /// What could have been played instead of it.
    pub variations: Vec<Line<M>>,
}

impl<M> Default for Line<M> {
    fn default() -> Self {
        Self { comments: Vec::new(), turns: Vec::new() }
    }
}

impl<M> Default for ScoreSheet<M> {
    fn default() -> Self {
        Self { place: Place { line: 1, column: 1 }, tags: Vec::new(), line: Line::default(), result: None }
    }
}

impl<M> From<M> for Turn<M> {
    fn from(mv: M) -> Self {
        Self { mv, glyphs: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }
}

impl<M> ScoreSheet<M> {
    /// What a tag says; none if the sheet has no such tag.
    pub fn tag(&self, name: &str) -> Option<&Tag> {
        self.tags.iter().find(|tag| tag.name == name)
    }

    /// Makes a tag say something, or adds it as the last.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        match self.tags.iter_mut().find(|tag| tag.name == name) {
            Some(tag) => tag.value = value.into(),
            None => {
                let tag = Tag { name: name.into(), value: value.into(), place: self.place };
                self.tags.push(tag);
            }
        }
    }

    /// Says where the game began, in the tags `SetUp` and `FEN`; the position that its variant begins
    /// with needs none.
    pub fn set_start(&mut self, start: &Position) {
        let text = start.to_string();
        if text == start.variant().start().to_string() {
            self.tags.retain(|tag| !matches!(tag.name.as_str(), "SetUp" | "FEN"));
        } else {
            self.set_tag("SetUp", "1");
            self.set_tag("FEN", &text);
        }
    }
}

impl ScoreSheet<Written> {
    /// Understands the moves, those of the variations too; `read` is asked for each, in the position in
    /// which it is made.
    ///
    /// # Errors
    /// The first that `read` gives.
    pub fn understand<E>(
        self,
        start: &Position,
        read: &mut dyn FnMut(&Position, &Written) -> Result<Move, E>,
    ) -> Result<ScoreSheet<Move>, E> {
        let line = self.line.understand(start.clone(), read)?;
        Ok(ScoreSheet { place: self.place, tags: self.tags, line, result: self.result })
    }
}

impl Line<Written> {
    fn understand<E>(
        self,
        mut position: Position,
        read: &mut dyn FnMut(&Position, &Written) -> Result<Move, E>,
    ) -> Result<Line<Move>, E> {
        let mut turns = Vec::with_capacity(self.turns.len());
        for turn in self.turns {
            let mv = read(&position, &turn.mv)?;
            let mut variations = Vec::new();
            for variation in turn.variations {
                variations.push(variation.understand(position.clone(), read)?);
            }
            turns.push(Turn { mv, glyphs: turn.glyphs, comments: turn.comments, variations });
            position.play(&mv);
        }
        Ok(Line { comments: self.comments, turns })
    }
}

impl ScoreSheet<Move> {
    /// The sheet of a game that was played. Its result is the outcome's, if the game has ended.
    pub fn of(record: &Record) -> Self {
        let mut sheet = Self::default();
        sheet.set_start(record.start());
        sheet.follow(record);
        sheet
    }

    /// The game's own moves, played from where it began.
    pub fn record(&self, start: Position) -> Record {
        let mut record = Record::new(start);
        self.line.turns.iter().for_each(|turn| record.play(&turn.mv));
        record
    }

    /// Makes the moves those of a game that went on, or was taken back: what is remarked upon moves that
    /// are still the same stays. The result is the outcome's, if the game has ended.
    pub fn follow(&mut self, record: &Record) {
        let same = self.line.turns.iter().zip(record.moves()).take_while(|(turn, mv)| turn.mv == **mv);
        let same = same.count();
        if same < self.line.turns.len().max(record.moves().len()) {
            self.result = None;
        }
        self.line.turns.truncate(same);
        self.line.turns.extend(record.moves()[same..].iter().copied().map(Turn::from));
        if let Some(outcome) = record.outcome() {
            self.result = Some(outcome.score());
        }
    }
}
