//! Reads the puzzles of a text one after the other.
//!
//! The module `recognize` determines their kind and format, `grids` reads grids and the statements
//! above them, and `parts` divides texts of other kinds. A line such as `# boxes: 3x2` or
//! `# rules: diagonals` applies to all later grids, until a later head has such a line. Within one
//! head, several lines of rules add up. An invalid line invalidates all grids that it applies to.
//! For a kind with one puzzle per text, a line `# puzzle: NAME` after a statement or a puzzle
//! starts another puzzle.
//!
//! If the format is guessed and most of the first grids are invalid in it, one error refuses the
//! whole text. The same happens if the only evidence are lines that are too short.

mod grids;
mod input;
mod parts;
mod recognize;

use std::io::{self, BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use dlx::Limits;

use self::grids::Grids;
use self::input::{Watched, decoded};
use self::parts::TextParts;
use self::recognize::{Recognized, is_certain, recognize};
use crate::html::{self, HtmlTables};
use crate::kinds;
use crate::results::{self, Results};
use grid::format::{self, NineLine};
use grid::{GridRule, Setting};
use puzzle::{Kind, Made, Puzzle, PuzzleSource};
use text::{InputError, InputNote, InputNotes, IsReady, Lines, WORD_LIMIT, is_cut, whole_lines};
use variant::head;

/// Information about a text that is known in advance.
#[derive(Clone, Debug, Default)]
pub struct StreamHints {
    /// Kind of the puzzles.
    pub kind: Option<&'static Kind>,
    /// Name of the format of grids or covers. If the format is given, a puzzle can be read as soon
    /// as its own text is available.
    pub format: Option<String>,
    /// The file name extension, without the dot, in lowercase.
    pub extension: String,
    /// Width and height of the boxes of grids.
    pub boxes: Option<(usize, usize)>,
    /// The extra rules of grids.
    pub rules: Option<Vec<GridRule>>,
    /// Limits for building a puzzle. The deadline is [`StreamHints::time`] after the start of
    /// building.
    pub limits: Limits,
    /// Time limit for building a puzzle.
    pub time: Option<Duration>,
}

/// The puzzles of one text. Grids are read one at a time. For other kinds a text is one puzzle, or
/// has several puzzles, each after a line that names the kind.
///
/// ```
/// use farandole::stream::{StreamHints, Stream};
///
/// let text = "12..\n....\n....\n..21\n\n....\n.x..\n....\n....\n";
/// let mut stream = Stream::open(text.as_bytes(), &StreamHints::default())?;
/// assert_eq!(stream.kind(), "sudoku");
/// assert!(stream.next().is_some_and(|puzzle| puzzle.is_ok()));
/// assert_eq!(stream.next().expect("a second grid").err().map(|error| error.line), Some(7));
/// assert!(stream.next().is_none());
/// # Ok::<(), text::InputError>(())
/// ```
pub struct Stream {
    kind: &'static Kind,
    content: Content,
    /// Notes on the whole text, and on parts of `content` that were already dropped.
    notes: InputNotes,
}

enum Content {
    Grids(Box<Grids>),
    One(Option<Box<dyn Puzzle>>),
    Parts(Box<TextParts>),
}

impl StreamHints {
    /// Builds the puzzle of a parameter alone, such as `queens 8`. Returns `None` if the kind is
    /// unknown or has no parameter.
    ///
    /// ```
    /// use farandole::{kinds, stream::StreamHints};
    ///
    /// let hints = StreamHints { kind: kinds::by_name("queens"), ..StreamHints::default() };
    /// let puzzle = hints.make("8").expect("queens have a parameter")?;
    /// assert_eq!(dlx::count(puzzle.problem()), 92u32.into());
    /// # Ok::<(), text::InputError>(())
    /// ```
    ///
    /// # Errors
    /// The expected form of the parameter, or the hints that do not fit the kind.
    #[must_use]
    pub fn make(&self, parameter: &str) -> Option<Made> {
        let kind = self.kind?;
        let make = kind.parameter?.make;
        Some(match self.check_grid_hints(kind) {
            Ok(()) => make(parameter, &mut self.setting(false), &self.limits_from_now()),
            Err(message) => Err(message.into()),
        })
    }

    /// Returns the limits for building a puzzle; its time begins now.
    #[must_use]
    pub fn limits_from_now(&self) -> Limits {
        let limits = self.limits.clone();
        self.time.map_or(limits.clone(), |time| limits.within(time))
    }

    /// Refuses hints about grids that puzzles of the kind do not have.
    fn check_grid_hints(&self, kind: &Kind) -> Result<(), String> {
        match kind.source {
            PuzzleSource::Text(_) if self.boxes.is_some() || self.rules.is_some() => {
                Err(format!("boxes and rules are for grids, found the kind {}", kind.name))
            }
            PuzzleSource::Grids { is_latin: true, .. } if self.boxes.is_some() => {
                Err("boxes are for Sudoku, found the kind latin".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn setting(&self, is_latin: bool) -> Setting {
        Setting::new(is_latin, self.boxes, self.rules.clone().unwrap_or_default())
    }
}

impl Stream {
    /// Recognizes the text and prepares to read it. If the text is one puzzle, reads it at once.
    ///
    /// # Errors
    /// If the input cannot be read, no kind or format recognizes it, or the hints are inconsistent;
    /// or if the text is one puzzle and this puzzle is invalid.
    pub fn open(input: impl Read + Send + 'static, hints: &StreamHints) -> Result<Self, InputError> {
        Self::of_input(decoded(input)?, Lines::new, hints)
    }

    /// Does the same as [`Stream::open`] for an input that may grow, such as a pipe or a terminal.
    /// `is_ready` returns whether more input is available. If each grid is one line, the first line
    /// is enough to recognize the format.
    ///
    /// # Errors
    /// As [`Stream::open`].
    pub fn live(
        input: impl Read + Send + 'static,
        is_ready: IsReady,
        hints: &StreamHints,
    ) -> Result<Self, InputError> {
        Self::of_input(decoded(input)?, |input| Lines::live(input, is_ready), hints)
    }

    fn of_input(
        mut input: Box<dyn BufRead + Send>,
        lines: impl FnOnce(Box<dyn Read + Send>) -> Lines,
        hints: &StreamHints,
    ) -> Result<Self, InputError> {
        let is_over = Arc::new(AtomicBool::new(false));
        let head = input.fill_buf().unwrap_or_default();
        let (is_results, is_html) = (results::recognizes(head), html::recognizes(head));
        let watched = Watched { input, limits: hints.limits.clone(), is_over: Arc::clone(&is_over) };
        let input: Box<dyn Read + Send> = match (is_results, is_html) {
            (true, _) => Box::new(Results::new(BufReader::new(watched))),
            (_, true) => Box::new(HtmlTables::new(watched)),
            _ => Box::new(watched),
        };
        let stream = Self::of_lines(lines(input), hints);
        is_over.store(true, Relaxed);
        stream
    }

    fn of_lines(mut lines: Lines, hints: &StreamHints) -> Result<Self, InputError> {
        lines.limit_sample(hints.limits.memory.unwrap_or(usize::MAX));
        let sample = lines.sample(|head| hints.format.is_some() || is_certain(head));
        if lines.has_long_word() {
            let message = format!("expected a word of at most {WORD_LIMIT} bytes, found a longer one");
            return Err(InputError::at(1, "", 0, message));
        }
        let sample = lines.unwrap_paste(sample.map_err(|error| InputError::of_io(&error))?);
        let mut notes = InputNotes::default();
        let (kind, content) = match recognize(&sample, hints)? {
            Recognized::Grids { kind, format, is_latin, is_kind_known } => {
                hints.check_grid_hints(kind).map_err(InputError::whole)?;
                lines.judged_by(head::stray);
                let setting = hints.setting(is_latin);
                if !format.has_long_lines {
                    lines.limit_lines(format::LINE_LIMIT);
                }
                let grids = |lines| Grids::new(lines, format, setting.clone(), hints);
                if hints.format.is_none() {
                    let text = Lines::of_text(whole_lines(&sample));
                    let guess = grids(text).check_guess(kind, is_kind_known, is_cut(&sample))?;
                    notes.append(guess);
                }
                (kind, Content::Grids(Box::new(grids(lines))))
            }
            Recognized::Text(kind, source) => {
                hints.check_grid_hints(kind).map_err(InputError::whole)?;
                drop(sample);
                let text = lines.rest()?;
                notes.append(lines.notes.take());
                let mut parts = TextParts::new(kind, source, text, hints);
                let content = match parts.left.len() {
                    1 => Content::One(parts.next().transpose()?),
                    _ => Content::Parts(Box::new(parts)),
                };
                (kind, content)
            }
            Recognized::Cover(kind, read) => {
                drop(sample);
                let text = lines.rest()?;
                notes.append(lines.notes.take());
                let puzzle = kinds::read_cover(read, &text, &hints.limits_from_now())?;
                (kind, Content::One(Some(puzzle)))
            }
        };
        Ok(Self { kind, content, notes })
    }

    /// Reads the first puzzle of a text; `None` if there is none.
    ///
    /// ```
    /// use farandole::stream::{Stream, StreamHints};
    ///
    /// let first = |text: &str| Stream::first(text, &StreamHints::default());
    /// let puzzle = first("12..\n....\n....\n..21\n")?.expect("there is one");
    /// assert_eq!(puzzle.given().len(), 4);
    /// assert!(first("# boxes: 7x\n1...\n").is_err());
    /// # Ok::<(), text::InputError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stream::open`], and errors in the puzzle.
    pub fn first(
        text: impl Into<String>,
        hints: &StreamHints,
    ) -> Result<Option<Box<dyn Puzzle>>, InputError> {
        let text = io::Cursor::new(text.into().into_bytes());
        Self::open(text, hints)?.next().transpose()
    }

    /// Returns whether the next puzzle may take long to read. Grids are read soon.
    #[must_use]
    pub fn may_take_long(&self) -> bool {
        matches!(self.content, Content::Parts(_))
    }

    /// Replaces the limits for building the puzzles that are not read yet.
    pub fn set_limits(&mut self, limits: Limits) {
        match &mut self.content {
            Content::Grids(grids) => grids.hints.limits = limits,
            Content::Parts(parts) => parts.hints.limits = limits,
            Content::One(_) => {}
        }
    }

    /// Returns the name of the kind of the puzzles.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind.name
    }

    /// Takes the raw text of the next puzzles that are plain 9x9 Sudoku on one line each, at most
    /// `range.end()` of them. Returns an empty list if there are fewer than `range.start()` in a
    /// row.
    ///
    /// ```
    /// use farandole::stream::{StreamHints, Stream};
    ///
    /// let line = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
    /// let text = line.repeat(3) + "# rules: diagonals\n" + line;
    /// let mut stream = Stream::open(std::io::Cursor::new(text), &StreamHints::default())?;
    /// assert_eq!(stream.next_lines(2..=8).concat(), line.repeat(3).as_bytes());
    /// assert!(stream.next_lines(1..=8).is_empty());
    /// assert!(stream.next().is_some_and(|puzzle| puzzle.is_ok()));
    /// assert!(stream.next_lines(1..=8).is_empty());
    /// # Ok::<(), text::InputError>(())
    /// ```
    pub fn next_lines(&mut self, range: RangeInclusive<usize>) -> Vec<NineLine> {
        match &mut self.content {
            Content::Grids(grids) => grids.next_lines(range),
            Content::One(_) | Content::Parts(_) => Vec::new(),
        }
    }

    /// Returns the notes on the text read since the last call. A note concerns unused text that
    /// cannot change the answer, or a doubtful assumption.
    pub fn take_notes(&mut self) -> Vec<InputNote> {
        match &mut self.content {
            Content::Grids(grids) => self.notes.append(grids.lines.notes.take()),
            Content::One(_) | Content::Parts(_) => {}
        }
        self.notes.take()
    }

    /// Returns whether the next puzzle, or the end of the text, can be read without waiting for
    /// input. Reads available input to decide this.
    pub fn is_ready(&mut self) -> bool {
        match &mut self.content {
            Content::One(_) | Content::Parts(_) => true,
            Content::Grids(grids) => grids.is_ready(),
        }
    }

    /// If each puzzle is one line, waits until [`Stream::is_ready`] holds. For puzzles of several
    /// lines, the next read waits instead.
    pub fn wait(&mut self) {
        if let Content::Grids(grids) = &mut self.content
            && grids.format.is_line
        {
            grids.lines.wait();
        }
    }

    /// Returns the number of lines read so far; 0 if the puzzles are not grids.
    #[must_use]
    pub fn line_count(&self) -> usize {
        match &self.content {
            Content::One(_) | Content::Parts(_) => 0,
            Content::Grids(grids) => grids.lines.number(),
        }
    }

    /// Returns the line number (from 1) where the last puzzle begins, or the last group of lines
    /// taken. Returns `None` if the puzzle is the whole text.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match &self.content {
            Content::One(_) => None,
            Content::Grids(grids) => Some(grids.begin),
            Content::Parts(parts) => Some(parts.begin),
        }
    }

    /// Returns whether it is certain that the text has no further puzzle.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        match &self.content {
            Content::One(puzzle) => puzzle.is_none(),
            Content::Grids(grids) => grids.lines.is_at_end(),
            Content::Parts(parts) => parts.left.is_empty(),
        }
    }

    /// Returns whether each puzzle is one line of the text.
    #[must_use]
    pub fn is_line(&self) -> bool {
        matches!(&self.content, Content::Grids(grids) if grids.format.is_line)
    }
}

impl Iterator for Stream {
    type Item = Result<Box<dyn Puzzle>, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.content {
            Content::One(puzzle) => puzzle.take().map(Ok),
            Content::Parts(parts) => parts.next(),
            Content::Grids(grids) => grids.next(self.kind),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.content {
            Content::One(puzzle) => {
                (usize::from(puzzle.is_some()), Some(usize::from(puzzle.is_some())))
            }
            Content::Parts(parts) => (usize::from(!parts.left.is_empty()), Some(parts.left.len())),
            Content::Grids(_) => (0, None),
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("kind", &self.kind.name).finish_non_exhaustive()
    }
}
