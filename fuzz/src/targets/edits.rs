//! Texts with one changed line, word or character. Every part of a text must have an effect, or the
//! text must be refused.
//!
//! If a text is read without an error, each of its parts must have an effect: without the part, the
//! text is refused or gives other puzzles or notes. The target checks this for each original text.
//! After a change it checks the changed part, and the lines that had an effect before. So it finds
//! misspelled clues that are read as comments, second lines of rules that replace the first, and
//! lines between two grids that are ignored.
//!
//! `IDLE` lists the parts that may have no effect, each with a reason.

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use super::Target;
use crate::edit::{Change, Edit, Unit, other, parts};
use crate::reading::{Reading, read};
use crate::texts::{Text, texts};
use variant::PACKINGS;

pub(super) const TARGET: Target = Target {
    name: "edits",
    summary: "valid texts with one change: nothing is left out in silence",
    run,
    seeds,
    short_runs: 600,
};

const HEAD: usize = 5;
/// Number that selects the text in the following bytes, instead of a text of the table.
const OWN: u16 = u16::MAX;
/// Maximum length of a text in the bytes. Each of its lines is removed once before the changes.
const OWN_MAX: usize = 400;
/// Maximum number of parts of changed lines that are removed one by one.
const PARTS_MAX: usize = 16;

/// A part that may have no effect: text that the name of the puzzle text contains, a predicate on
/// the part, and the reason.
type Idle = (&'static str, fn(&str) -> bool, &'static str);

const IDLE: &[Idle] = &[
    ("", |part| part.chars().all(|c| "|+-*=:.'\"_\\/ \t\n".contains(c)), "frames and blanks"),
    ("", is_remark, "comments and remarks"),
    ("", |part| part.starts_with("<?"), "the declaration of XML"),
    ("opensudoku", |part| part.starts_with("<name>"), "a title"),
    (
        "opensudoku attributes",
        |part| begins(part, &["version=", "name=", "created=", "state=", "time="]),
        "what the application keeps about a game",
    ),
    ("title", |part| part.starts_with(char::is_alphabetic), "a title"),
    (
        "form dlx",
        |part| part.chars().all(|c| "0|".contains(c)),
        "a bound or cost of zero, which may be left out",
    ),
    ("form dlx", |part| part.trim_start().starts_with('|'), "a comment"),
    ("form literal", |part| part.chars().all(|c| ",; \n".contains(c)), "a separator between lists"),
    ("form named-matrix", |part| part == "0", "an empty cell is 0"),
    ("form partition", |part| part == "0", "a leading zero"),
    ("form miniexact", |part| part.trim() == ";", "the last semicolon"),
    ("form xc", |part| part == "c" || part == "0", "`xcc` for `xc`, and a leading zero"),
    ("format jigsaw", |part| part.split_whitespace().eq(["4", "4"]), "the order, which the grid shows"),
    ("format contest", |part| part.trim() == "1", "the number of grids, which the end shows"),
    ("format ipuz", |part| part.starts_with("\"dimensions\""), "the size, which the rows show"),
    ("format ipuz", |part| part == "dimensions", "a name in the value that a note reports"),
    ("format csv", |part| part.trim() == "puzzle", "the name of the only column"),
    ("format sdk", |part| part.trim() == "[Puzzle]", "the name of the only section"),
    (
        "hodoku",
        |part| part.chars().all(|c| "0x".contains(c)),
        "the technique and the mode of an exercise",
    ),
    ("format table", |part| part == "0", "a blank cell"),
    (
        "rule",
        |part| part.trim().chars().all(|c| ".0-".contains(c)),
        "an empty grid, which need not be drawn",
    ),
    ("rule", |part| ["left", "top"].contains(&part.trim()), "the usual end of a row or column"),
    ("link iss", |part| part == "0", "a cage without a sum"),
    ("link iss", |part| part == "~", "an empty group of cells"),
    ("link fpuzzles 0", |part| "value".contains(part), "the difference of 1, whose value is empty"),
    ("link fpuzzles 2", |part| "region null".contains(part), "a region of one cell"),
    (
        "payload",
        |part| {
            begins(
                part,
                &[
                    "\"title\"",
                    "\"author\"",
                    "\"id\"",
                    "\"cellSize\"",
                    "{\"value\":\"author",
                    "{ \"value\":\"author",
                ],
            )
        },
        "a title, a name, and the size of the picture",
    ),
    (
        "payload",
        |part| begins(part, &["\"c\"", "\"color\"", "\"outlineC\"", "\"style\""]),
        "a color and other looks",
    ),
    ("payload sudokupad", |part| part == "false", "the value of a missing statement"),
    (
        "payload sudokupad",
        |part| ["50", "5"].contains(&part) || part.starts_with("50,"),
        "the size of the picture",
    ),
    ("payload sudokupad", |part| part == "unique", "the label of a cage that a note counts"),
    (
        "payload sudokupad of all",
        |part| begins(part, &["\"unique\":true"]),
        "the digits of a row, which differ without a cage, too",
    ),
    ("payload fpuzzles-link 2", |part| "region null".contains(part), "a region of one cell"),
    ("payload penpa", is_view, "the size, the margins, the version, and the view of a drawing"),
    (
        "payload penpa 2",
        |part| part.starts_with("square,"),
        "the rows of the page, from which no clue of this drawing counts",
    ),
    ("payload penpa", |part| part.trim().trim_matches('"') == "x", "a placeholder"),
    ("payload penpa", |part| part.trim() == "0", "the colors of the page, which are the usual ones"),
    ("payload penpa", |part| ["[]", "{}"].contains(&part.trim()), "a list without entries"),
    (
        "payload penpa",
        |part| {
            [":[]", ":{}"].iter().any(|end| {
                part.trim_end_matches(['}', '\n']).ends_with(end) || part.trim_end().ends_with(end)
            })
        },
        "a layer without entries",
    ),
    ("payload penpa", |part| begins(part, &["\"command_", "{\"command_"]), "the history of the editor"),
    ("payload penpa", |part| ["4", "6"].contains(&part), "a field of the view next to the size"),
    ("payload penpa", |part| part.contains(":10"), "a line around a cage"),
    (
        "payload penpa",
        |part| begins(part, &["\"2\"", "\"1\"]}", "{\"grid\":[\"1\""]),
        "the mode of the editor",
    ),
    (
        "payload penpa",
        |part| {
            let tag = part.trim().trim_matches(|c| "[],\"".contains(c));
            ["irregular", "killer", "thermo", "classic", "consecutivepairs"].contains(&tag)
        },
        "a tag that the drawing shows",
    ),
    (
        "payload fpuzzles-link of all",
        |part| ["R0C1", "DR"].contains(&part),
        "the beginning or the direction of a diagonal, which its cells show",
    ),
    ("tiling clues", |part| part.starts_with("AA"), "any letter names the copy of a piece"),
    ("xmpuzzle", |part| part.starts_with("<voxel"), "a shape that is no piece of the problem"),
    ("xmpuzzle", |part| begins(part, &["<colors", "><bitmap"]), "an empty list"),
    ("xmpuzzle", |part| part == "min=\"1\"", "the usual number of copies"),
    ("xmpuzzle", |part| begins(part, &["name=\"", "state=\""]), "a title, and the state of a search"),
    ("head", |part| part == ",", "a comma or a blank between rules"),
    ("head", |part| part.starts_with("# order"), "the grid says it, too"),
    (
        "head # rows",
        |part| ["# rows", "# digits"].iter().any(|key| part.starts_with(key)),
        "the grid says it, too",
    ),
    ("head # rows: 2", |part| part.starts_with("# columns:0"), "the grid says it, too"),
    (
        "head # puzzle: variant, # boxes",
        |part| part.starts_with("# boxes: none"),
        "regions take their place",
    ),
];

/// Returns whether a part begins with one of these texts.
fn begins(part: &str, texts: &[&str]) -> bool {
    let part = part.trim_start().trim_start_matches(',').trim_start();
    texts.iter().any(|text| part.starts_with(text))
}

/// Returns whether a part of a drawing only has numbers of its view: the rest of the head, or a
/// short list.
fn is_view(part: &str) -> bool {
    let part = part.trim();
    let is_list = part.starts_with('[') && part.chars().all(|c| "[]0123456789, -".contains(c));
    let is_head = part.starts_with(',') && !part.starts_with(",\"") || part.contains(",Title:");
    is_head || is_list && part.len() < 16
}

/// Beginnings of lines that may state facts that the content shows already.
const REDUNDANT: &[&str] =
    &["# puzzle: ", "# rows: ", "# columns: ", "lattice ", "\"items\": [\"a\", \"b\", \"c\"]"];

/// Keys of remarks, which have no effect on a puzzle.
const REMARKS: &[&str] = &[
    "title",
    "titel",
    "author",
    "source",
    "solutions",
    "solution",
    "note",
    "comment",
    "date",
    "link",
    "license",
    "rating",
    "slow",
];

fn is_remark(part: &str) -> bool {
    let Some(text) = part.trim_start().strip_prefix('#') else { return false };
    let has_cells = text.split_whitespace().any(is_cell);
    match text.split_once(':') {
        _ if text.trim_start().starts_with('#') => true,
        Some((key, _)) if key.trim().starts_with(char::is_alphabetic) => {
            let is_prose = key.split_whitespace().nth(1).is_some() && !has_cells;
            is_prose || REMARKS.contains(&key.trim())
        }
        _ => !has_cells,
    }
}

fn is_cell(word: &str) -> bool {
    let numbers = word.strip_prefix('r').and_then(|rest| rest.split_once('c'));
    numbers.is_some_and(|(row, column)| row.parse::<u8>().is_ok() && column.parse::<u8>().is_ok())
}

/// A text, the result of reading it, and the lines that have an effect.
struct Base {
    text: Text,
    reading: Reading,
    /// The lines whose removal changes the reading.
    used: HashSet<String>,
    /// Lines that only repeat facts that the content shows.
    redundant: HashSet<String>,
}

impl Base {
    fn new(base: &Text) -> Self {
        let text = &base.text;
        let read = |text: &str| read(&base.packed(text));
        let reading = read(text);
        let lines = parts(text, Unit::Line);
        let is_used = |line: &Range<usize>| read(&without(text, line)) != reading;
        let (used, idle): (Vec<_>, Vec<_>) = lines.into_iter().partition(is_used);
        let lines = |lines: Vec<Range<usize>>| lines.into_iter().map(|line| text[line].to_owned());
        let mut used: HashSet<String> = lines(used).collect();
        let is_redundant =
            |line: &String| REDUNDANT.iter().any(|begin| line.trim_start().starts_with(begin));
        let idle: Vec<String> = lines(idle).collect();
        used.retain(|line| !idle.contains(line));
        let redundant = idle.into_iter().filter(is_redundant).map(|line| squeezed(&line)).collect();
        Self { text: base.clone(), reading, used, redundant }
    }

    /// Returns whether a part may have no effect.
    fn is_idle(&self, part: &str) -> bool {
        self.redundant.contains(&squeezed(part))
            || IDLE.iter().any(|(name, is_idle, _)| self.text.name.contains(name) && is_idle(part))
    }

    fn try_edit(&self, edit: &Edit) -> Option<Finding> {
        let base = &self.text.text;
        let read = |text: &str| read(&self.text.packed(text));
        let part = &base[edit.part.clone()];
        let line = line_of(base, edit.part.start);
        if is_in_address(base, edit.part.start) || is_first_title(edit) {
            return None;
        }
        let (text, place) = edit.apply(base)?;
        let reading = read(&text);
        if matches!(reading, Reading::Refused(_)) {
            return None;
        }
        // The parts of another payload are checked without compression.
        if unpacked(&text).is_some_and(|payload| {
            unpacked(base).is_some_and(|before| before != payload) || is_repacked(base, &text)
        }) {
            return None;
        }
        let finding = |what: String| Finding {
            name: self.text.name.clone(),
            edit: format!("{:?} {part:?}: {:?}", edit.unit, edit.change),
            text: text.clone(),
            what,
        };
        let is_order = matches!(edit.change, Change::Swap | Change::ToStart | Change::ToEnd);
        let is_merged = match edit.change {
            Change::Double => line.starts_with(['#', 'l']),
            // The text confirms the inserted statement: it is refused with another number.
            Change::Insert(more) if more.starts_with("# order") => other(more).is_some_and(|other| {
                let text = text.replacen(more, &other, 1);
                matches!(read(&text), Reading::Refused(_))
            }),
            Change::Insert(more) => {
                let is_gap = |c: char| c == ',' || c.is_whitespace();
                let words: HashSet<&str> = base.split(is_gap).collect();
                more.starts_with('#') && more.split_whitespace().all(|word| words.contains(word))
            }
            _ => false,
        };
        let is_idle = is_order
            || is_merged
            || is_blank_for_blank(part, edit.change)
            || self.is_idle(part)
            || self.is_idle(line);
        if reading == self.reading && !is_idle {
            // A part that never has an effect is reported only once, when it is removed.
            let is_told =
                edit.change != Change::Drop && read(&without(base, &edit.part)) == self.reading;
            return (!is_told).then(|| finding("nothing is said, and the same is read".to_owned()));
        }
        let mut tried = HashSet::new();
        let changed: Vec<Range<usize>> = parts(&text, Unit::Line)
            .into_iter()
            .filter(|line| line.start <= place.end && place.start < line.end.max(line.start + 1))
            .collect();
        let words =
            [Unit::Word, Unit::Token, Unit::Char].into_iter().flat_map(|unit| parts(&text, unit));
        let words = words.filter(|word| word.start < place.end && place.start < word.end);
        let words = words.take(if is_merged { 0 } else { PARTS_MAX });
        let lines = parts(&text, Unit::Line);
        let lines = lines
            .into_iter()
            .filter(|line| changed.contains(line) || self.used.contains(&text[line.clone()]));
        for part in lines.chain(words) {
            let shown = &text[part.clone()];
            let is_changed = place.start <= part.start && part.end <= place.end;
            let is_twin = is_merged && (is_changed || text.matches(shown).count() > 1);
            let is_zero = shown == "0"
                && (text[part.end..].starts_with(|c: char| c.is_ascii_digit())
                    || text[..part.start].ends_with('0'));
            let is_known =
                is_twin || is_zero || self.is_idle(shown) || self.is_idle(line_of(&text, part.start));
            if !is_known
                && tried.insert(part.clone())
                && !is_repacked(&text, &without(&text, &part))
                && read(&without(&text, &part)) == reading
            {
                return Some(finding(format!("nothing is said, and {shown:?} is not used")));
            }
        }
        None
    }
}

/// Returns whether a byte is in the address of a link, before the data of the puzzle.
fn is_in_address(text: &str, at: usize) -> bool {
    let line = line_of(text, at);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let begin = ["?", "#m=", "/scl", "/scf", "/fpuzzles"]
        .into_iter()
        .filter_map(|begin| line.find(begin))
        .min();
    line.contains("://")
        && !line.starts_with(['{', '<', '"'])
        && begin.is_some_and(|begin| at - start <= begin)
}

/// Returns the payload of a compressed link.
fn unpacked(text: &str) -> Option<String> {
    PACKINGS.iter().find_map(|packing| (packing.unpack)(text))
}

/// Returns whether two texts are links with the same payload that differ only in its letters.
fn is_repacked(one: &str, other: &str) -> bool {
    let around = |text: &str| {
        // A blank stands for a plus sign.
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "+/=%- ".contains(c);
        let letters = text.split(|c| !is_letter(c)).max_by_key(|letters| letters.len());
        text.replacen(letters.unwrap_or_default(), "", 1)
    };
    unpacked(one).is_some_and(|payload| unpacked(other) == Some(payload))
        && around(one) == around(other)
}

/// Returns whether the change inserts a title at the beginning.
fn is_first_title(edit: &Edit) -> bool {
    edit.part.start == 0 && edit.change == Change::Insert("not a sudoku\n")
}

fn is_blank_for_blank(part: &str, change: Change) -> bool {
    let is_blank = |text: &str| matches!(text, "0" | "." | "-" | "*" | "_" | " ");
    matches!(change, Change::Replace(other) if is_blank(part) && is_blank(other))
        || part == "0" && change == Change::Double
}

/// Returns a line without its blanks and without the symbols at its beginning.
fn squeezed(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    text.split_whitespace().collect()
}

fn without(text: &str, part: &Range<usize>) -> String {
    [&text[..part.start], &text[part.end..]].concat()
}

fn line_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    text[start..].split_inclusive('\n').next().unwrap_or_default()
}

/// A part of a text that was ignored without an error or a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Name of the text.
    pub name: String,
    /// Description of the change.
    pub edit: String,
    /// The changed text.
    pub text: String,
    /// Description of the expectation that failed.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {}\n  {:?}", self.name, self.edit, self.what, self.text)
    }
}

/// A text of the table with the results of reading it, which are computed at first use.
type LazyBase = LazyLock<Base, Box<dyn Fn() -> Base + Send + Sync>>;

static BASES: LazyLock<Vec<LazyBase>> = LazyLock::new(|| {
    let base = |text: &'static Text| {
        let make: Box<dyn Fn() -> Base + Send + Sync> = Box::new(move || Base::new(text));
        LazyLock::new(make)
    };
    texts().iter().map(base).collect()
});

fn seeds() -> Vec<Vec<u8>> {
    let mut random = dlx::Random::new(1);
    let count = texts().len();
    let seed = |index: usize| {
        let text = (index % count) as u16;
        let number = random.next_u64() as u16;
        [&text.to_le_bytes()[..], &[(index / count + index) as u8], &number.to_le_bytes()].concat()
    };
    (0..4 * count).map(seed).collect()
}

/// Changes a text and checks the result.
pub fn run(bytes: &[u8]) {
    let Some((head, own)) = bytes.split_at_checked(HEAD) else { return };
    let text = u16::from_le_bytes([head[0], head[1]]);
    let (unit, number) = (head[2].into(), u16::from_le_bytes([head[3], head[4]]).into());
    let owned;
    let base = if text == OWN {
        let Ok(own) = std::str::from_utf8(&own[..own.len().min(OWN_MAX)]) else { return };
        owned = Base::new(&Text::own(own));
        &owned
    } else {
        &**BASES.get(usize::from(text) % BASES.len()).expect("it is within")
    };
    if !matches!(base.reading, Reading::Read(..)) {
        return;
    }
    let Some(edit) = Edit::nth(&base.text.text, unit, number) else { return };
    if let Some(finding) = base.try_edit(&edit) {
        panic!("{finding}");
    }
}

/// Tries every change of the texts whose names contain `name`. Shows at most one finding for each
/// text, kind of part and kind of change.
pub fn sweep(name: &str, mut show: impl FnMut(&Finding)) {
    for text in texts().iter().filter(|text| text.name.contains(name)) {
        let base = Base::new(text);
        let mut seen = HashSet::new();
        for edit in Edit::all(&text.text) {
            if !seen.contains(&(edit.unit, edit.change))
                && let Some(finding) = base.try_edit(&edit)
            {
                seen.insert((edit.unit, edit.change));
                show(&finding);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_the_table_is_read() {
        let faults = texts().iter().filter_map(|text| match read(&text.packed(&text.text)) {
            Reading::Read(found, _) if found.len() == text.puzzles => None,
            Reading::Read(found, _) => {
                Some(format!("{}: {} puzzles\n{}", text.name, found.len(), text.text))
            }
            Reading::Refused(error) => Some(format!("{}: {error}\n{}", text.name, text.text)),
        });
        let faults: Vec<String> = faults.collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
