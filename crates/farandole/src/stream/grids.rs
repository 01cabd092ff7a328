//! Grids of one format, with the statements in the heads above them.

use std::ops::RangeInclusive;

use super::StreamHints;
use grid::format::{self, NineLine, Reader};
use grid::{Format, Grid, GridRule, Setting};
use puzzle::{Kind, Made, Puzzle, Translator};
use text::{InputError, InputNote, Line, Lines, remark};
use variant::head::{self, HeadLine, Stated};

/// Maximum size of a grid of several lines in nearly all texts (bytes).
const GRID_SIZE: usize = 1 << 14;

/// The grids of a text in one format.
pub(super) struct Grids {
    pub(super) lines: Lines,
    pub(super) format: &'static Format,
    reader: Reader,
    setting: Setting,
    /// Hints given in advance, which take precedence over statements in comments.
    pub(super) hints: StreamHints,
    translator: Translator,
    /// Number of the first line of the last grid.
    pub(super) begin: usize,
    /// Errors in heads that apply to the next grid.
    faults: Vec<HeadFault>,
    /// The last statement in the head of the next grid.
    last: Option<Line>,
    /// Title and author of the next grid.
    title: [String; 2],
    has_read: bool,
}

struct HeadFault {
    /// Key of the statement; the next valid statement with the same key removes the error.
    key: String,
    error: InputError,
    lasts: bool,
    is_told: bool,
}

impl HeadFault {
    /// Keys of statements that apply to all later grids, until the next statement with the same
    /// key.
    const LASTING: [&str; 9] =
        ["puzzle", "boxes", "rules", "regions", "digits", "order", "rows", "columns", "houses"];

    fn new(key: Option<&str>, error: InputError) -> Self {
        let is_rule = key.is_some_and(|key| GridRule::ALL.iter().any(|rule| rule.name() == key));
        let key = if is_rule { "rules" } else { key.unwrap_or_default() };
        Self { key: key.to_owned(), error, lasts: Self::LASTING.contains(&key), is_told: false }
    }
}

/// Maximum number of lines after a grid that are searched for misplaced statements; heads are
/// shorter.
const BELOW_MAX: usize = 64;

/// Maximum number of grids that are read to check a guessed format.
const GRIDS_TRIED: usize = 32;

/// Minimum order of a grid in one line for the line to be evidence of a grid.
const EVIDENT_ORDER: usize = 4;

impl Grids {
    pub(super) fn new(
        lines: Lines,
        format: &'static Format,
        setting: Setting,
        hints: &StreamHints,
    ) -> Self {
        Self {
            lines,
            format,
            reader: (format.reader)(),
            setting,
            hints: hints.clone(),
            translator: Translator::default(),
            begin: 0,
            faults: Vec::new(),
            last: None,
            title: Default::default(),
            has_read: false,
        }
    }

    /// Takes the raw text of the next grids that are plain 9x9 Sudoku on one line each.
    pub(super) fn next_lines(&mut self, range: RangeInclusive<usize>) -> Vec<NineLine> {
        // An error in the head must be reported for each grid, so the grids are read one at a time.
        if !self.faults.is_empty() {
            return Vec::new();
        }
        let taken = (self.format.next_lines)(&mut self.lines, &mut self.setting, range);
        if !taken.is_empty() {
            self.has_read = true;
            self.begin = self.lines.next_number() - taken.len();
        }
        taken
    }

    /// Returns whether the next grid, or the end of the text, can be read without waiting.
    pub(super) fn is_ready(&mut self) -> bool {
        if self.format.is_line { self.lines.is_ready() } else { self.lines.has_bytes(GRID_SIZE) }
    }

    /// Skips blank lines and comments, and takes the settings of the next grid from the comments.
    ///
    /// # Errors
    /// If the input cannot be read. An error in a line of the head is kept for the grids that
    /// the line applies.
    fn read_head(&mut self, kind: &Kind) -> Result<(), InputError> {
        let Self { lines, setting, hints, faults, last, title, .. } = self;
        let (mut stated, mut others, mut passed) = (Stated::default(), Vec::new(), Vec::new());
        *last = None;
        lines.skip(|comment| {
            match HeadLine::of(&comment.text) {
                HeadLine::Comment => {
                    for (place, name) in ["title", "author"].iter().enumerate() {
                        let value =
                            remark(&comment.text).filter(|(key, _)| key.eq_ignore_ascii_case(name));
                        value.inspect(|(_, value)| title[place] = (*value).to_owned());
                    }
                }
                HeadLine::Statement { key, value } => {
                    passed.extend(is_overridden(&key, value, hints).then(|| comment.clone()));
                    match apply_statement(comment, &key, value, kind, hints, setting, &mut stated) {
                        Ok(()) => {
                            faults.retain(|fault| fault.key != key);
                            *last = Some(comment.clone());
                        }
                        Err(error) => others.push(HeadFault::new(Some(&key), error)),
                    }
                }
                HeadLine::Unknown { start, message, nearest } => {
                    others.push(HeadFault::new(nearest, comment.error(start, message)));
                }
            }
            Ok(())
        })?;
        lines.take_fault();
        for line in &passed {
            let text = line.text.trim();
            lines.notes.add("not used, since an option says it: a line of the head", line, 0, text);
        }
        faults.append(&mut others);
        Ok(())
    }

    pub(super) fn next(&mut self, kind: &Kind) -> Option<Made> {
        if let Err(error) = self.read_head(kind) {
            return Some(Err(error));
        }
        self.begin = self.lines.next_number();
        let grid = (self.reader)(&mut self.lines, &mut self.setting).transpose();
        let passed = self.lines.take_fault();
        let Some(grid) = grid else {
            let untold = self.faults.drain(..).find(|fault| !fault.is_told).map(|fault| fault.error);
            let no_grid =
                |line: Line| line.error(0, "expected a grid below the head, found the end of the text");
            let last = self.last.take().filter(|line| self.begin > line.number && self.has_read);
            return untold.or_else(|| last.map(no_grid)).map(Err);
        };
        self.has_read = true;
        let error = self.faults.first().map(|fault| fault.error.clone());
        self.faults.retain(|fault| fault.lasts);
        self.faults.iter_mut().for_each(|fault| fault.is_told = true);
        let error = error.or(passed).or_else(|| self.fault_below());
        Some(match error {
            Some(error) => Err(error),
            None => grid.and_then(|grid| {
                if self.setting.is_latin && grid.shape().regions().next().is_some() {
                    let message = format!(
                        "expected no regions in a {} square, found a grid with regions",
                        kind.name
                    );
                    return Err(InputError::at(self.begin, "", 0, message));
                }
                let [title, author] = std::mem::take(&mut self.title);
                let fill = self.translator.puzzle(grid);
                let is_titled = !title.is_empty() || !author.is_empty();
                let fill = if is_titled { fill.titled(&title, &author) } else { fill };
                Ok(Box::new(fill) as Box<dyn Puzzle>)
            }),
        })
    }

    /// Reads the comments after the last grid and returns an error in them. Waits for input only if
    /// a statement follows the grid, because it may be in the head of another grid.
    fn fault_below(&mut self) -> Option<InputError> {
        let is_known = self.is_ready();
        let lines = &mut self.lines;
        let is_comment = |line: &&Line| line.text.trim_start().starts_with('#');
        let fault = |lines: &[Line]| lines.iter().filter(is_comment).find_map(head::misplaced);
        if !is_known && fault(&lines.arrived()).is_none() || !lines.is_at_comment() {
            return None;
        }
        let fault = fault(&lines.last_comments(BELOW_MAX)?)?;
        lines.rest().ok()?;
        Some(fault)
    }

    /// Reads the first grids of a sample of the text to check the guessed kind and format. Returns
    /// a note if the guess is doubtful. The end of the sample may be cut.
    ///
    /// # Errors
    /// The first error, if most of these grids are invalid.
    pub(super) fn check_guess(
        mut self,
        kind: &Kind,
        is_kind_known: bool,
        is_cut: bool,
    ) -> Result<Option<InputNote>, InputError> {
        let mut doubt = None;
        let (mut count, mut faults, mut small_count, mut first) = (0, 0, 0, None);
        while count < GRIDS_TRIED && self.read_head(kind).is_ok() {
            let begin = self.lines.next_number();
            self.faults.clear();
            match (self.reader)(&mut self.lines, &mut self.setting) {
                Ok(None) => break,
                Ok(Some(grid)) => {
                    let order = grid.shape().order();
                    let is_line = self.format.name == format::DEFAULT.name;
                    if count == 0 && !is_kind_known && is_doubtful(&grid) {
                        let name = kind.name;
                        let what =
                            format!("taken for a {name} of order {order}; --puzzle names another kind");
                        doubt = Some(InputNote {
                            what: what.into(),
                            line: begin,
                            column: 1,
                            ..InputNote::default()
                        });
                    }
                    if is_line && order < EVIDENT_ORDER && !is_kind_known {
                        let cells = order * order;
                        let message = format!(
                            "expected a puzzle, found {cells} cells, too few to tell what they are \
                             (`--puzzle sudoku` or `latin` makes a grid of order {order} of them)"
                        );
                        small_count += 1;
                        first.get_or_insert(InputError::at(self.lines.number(), "", 0, message));
                    }
                }
                Err(error) => {
                    faults += 1;
                    first.get_or_insert(error);
                }
            }
            count += 1;
        }
        let name = self.format.name;
        match first {
            Some(error) if small_count > 0 && small_count + faults == count => Err(error),
            Some(mut error) if 2 * faults > count && count > 2 + usize::from(is_cut) => {
                error.message += &format!(
                    " ({faults} of the first {count} grids are not in order in the format {name}, \
                     which comes \
                     nearest; --from names another)"
                );
                Err(error)
            }
            _ => Ok(doubt),
        }
    }
}

/// Returns whether a grid of unspecified kind may not be a Sudoku. A grid is doubtful if its order
/// is not 9 and it breaks the rules or has blanks (zeros) exactly on the diagonal, as a table of
/// distances does.
fn is_doubtful(grid: &Grid) -> bool {
    let order = grid.shape().order();
    let blanks = (0..grid.shape().cell_count()).filter(|&cell| grid.is_blank(cell));
    order != 9 && (grid.clash().is_some() || blanks.eq((0..order).map(|row| row * (order + 1))))
}

/// Returns whether a hint overrides a statement in a head that has another value.
fn is_overridden(key: &str, value: &str, hints: &StreamHints) -> bool {
    match key {
        "boxes" => hints.boxes.is_some_and(|boxes| Setting::parse_boxes(value) != Ok(boxes)),
        "rules" => {
            let is_other = |rules: &Vec<GridRule>| {
                GridRule::parse_list(value)
                    .is_ok_and(|said| !said.iter().all(|rule| rules.contains(rule)))
            };
            hints.rules.as_ref().is_some_and(is_other)
        }
        "puzzle" => hints.kind.is_some_and(|kind| kind.name != value),
        _ => false,
    }
}

fn apply_statement(
    line: &Line,
    key: &str,
    value: &str,
    kind: &Kind,
    hints: &StreamHints,
    setting: &mut Setting,
    stated: &mut Stated,
) -> Result<(), InputError> {
    let start = value.as_ptr().addr() - line.text.as_ptr().addr();
    let is_known = match key {
        "boxes" => hints.boxes.is_some(),
        "rules" => hints.rules.is_some(),
        "puzzle" => hints.kind.is_some() || value == kind.name,
        _ => false,
    };
    let applied = match key {
        _ if is_known => Ok(()),
        "puzzle" => Err(format!("expected {} as before, found `{value}`", kind.name)),
        "boxes" if setting.is_latin => {
            Err(format!("expected no boxes in a {} square, found `{value}`", kind.name))
        }
        "boxes" => stated
            .add(key, value, line.number)
            .and_then(|_| Setting::parse_boxes(value))
            .map(|boxes| setting.boxes = Some(boxes)),
        "rules" if value.is_empty() && setting.rules.is_empty() => {
            Err("expected the names of rules, found none".to_owned())
        }
        "rules" => GridRule::parse_list(value).map(|rules| {
            if stated.is_first(key, line.number) {
                setting.rules.clear();
            }
            setting.add_rules(&rules);
        }),
        _ => {
            return Err(line.error(
                line.text.find(|c: char| c.is_alphanumeric()).unwrap_or(0),
                format!(
                    "expected `puzzle`, `boxes` or `rules` in the head of a {} grid, found `{key}` (clues and other \
                     shapes are for `# puzzle: variant`)",
                    kind.name
                ),
            ));
        }
    };
    applied.map_err(|message| line.error(start, message))
}
