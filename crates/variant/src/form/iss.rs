//! Reads the constraint strings of Interactive Sudoku Solver, such as
//! `.Cage~15~R1C1~R1C2.Thermo~R5C5~R4C5`.
//!
//! A token starts with a dot and the name of its type, followed by arguments separated by tildes. A
//! token without a type name lists the digits of cells. Lines that begin with `#` are remarks.

mod clues;
mod compose;
mod layout;
mod machine;
mod parts;
mod write;

use self::parts::cell;
use super::{LinkForm, NamedClues, only_line, placed};
use crate::{Placed, Variant, VariantBoard};
use text::{InputError, Line, content_lines};

pub(super) const FORM: LinkForm = LinkForm {
    name: "iss",
    summary: "constraint strings and links of Interactive Sudoku Solver: .Cage~15~...",
    recognizes,
    read,
    write: Some(write::text),
    #[cfg(test)]
    rules: || clues::TYPES.iter().map(|row| row.1).collect(),
};

/// Part of the address of a link, and the key of the constraint string in the address.
const ADDRESS: &str = "Interactive-Sudoku-Solver";
const QUERY: &str = "q=";

fn linked(line: &str) -> Option<String> {
    let (address, query) = line.trim().split_once('?')?;
    let is_link = address.starts_with("http") && address.contains(ADDRESS);
    let packed =
        query.split(['&', '#']).find_map(|part| part.strip_prefix(QUERY)).filter(|_| is_link)?;
    let (mut bytes, mut rest) = (Vec::new(), packed.as_bytes());
    while let [first, behind @ ..] = rest {
        let code =
            behind.get(..2).and_then(|code| u8::from_str_radix(str::from_utf8(code).ok()?, 16).ok());
        let (byte, used) = match (first, code) {
            (b'%', Some(code)) => (code, 3),
            (b'+', _) => (b' ', 1),
            _ => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[used..];
    }
    String::from_utf8(bytes).ok()
}

fn recognizes(sample: &str) -> bool {
    if content_lines(sample).next().is_some_and(|(_, line)| linked(line).is_some()) {
        return true;
    }
    let content =
        sample.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    content.is_some_and(|line| {
        let mut letters = line.trim_start().chars();
        letters.next() == Some('.')
            && letters.next().is_some_and(|letter| letter == '~' || letter.is_ascii_uppercase())
            && line.contains('~')
    })
}

struct IssToken<'t> {
    line: Line,
    at: usize,
    kind: &'t str,
    args: Vec<&'t str>,
}

impl IssToken<'_> {
    fn error(&self, message: impl Into<String>) -> InputError {
        self.line.error(self.at, message)
    }

    fn groups(&self, board: &VariantBoard, skipped: usize) -> Result<Vec<Vec<usize>>, InputError> {
        let mut groups = vec![Vec::new()];
        for word in self.args.iter().skip(skipped) {
            match *word {
                "" | "-" => groups.push(Vec::new()),
                word => {
                    let cell = cell(board, word).map_err(|message| self.error(message))?;
                    groups.last_mut().expect("a group").push(cell);
                }
            }
        }
        groups.retain(|group| !group.is_empty());
        Ok(groups)
    }

    fn number(&self, place: usize) -> Result<i64, InputError> {
        let word = self.args.get(place).copied().unwrap_or("");
        word.parse()
            .map_err(|_| self.error(format!("expected a number in {}, found `{word}`", self.kind)))
    }
}

/// Largest number of arguments per type; 0 for types of the whole grid. Further arguments would be
/// ignored, so they are refused.
const ARGS_MAX: [(&str, usize); 19] = [
    ("AntiKnight", 0),
    ("AntiKing", 0),
    ("Windoku", 0),
    ("NoBoxes", 0),
    ("RegionSameValues", 0),
    ("Doppelganger", 0),
    ("StrictKropki", 0),
    ("StrictXV", 0),
    ("End", 0),
    ("Or", 0),
    ("And", 0),
    ("Diagonal", 1),
    ("RegionSize", 1),
    ("FullRankTies", 1),
    ("Jigsaw", 2),
    ("Shape", 3),
    ("FullRank", 3),
    ("XSum", 3),
    ("Skyscraper", 3),
];
/// Types that a string may contain only once. A second token of such a type would begin another
/// puzzle.
const SINGLE: [&str; 4] = ["Shape", "RegionSize", "Jigsaw", "FullRankTies"];

/// Checks that no token has arguments that the reader would ignore.
fn check_args(tokens: &[IssToken<'_>]) -> Result<(), InputError> {
    for (index, token) in tokens.iter().enumerate() {
        let most = ARGS_MAX.iter().find(|(kind, _)| *kind == token.kind).map(|(_, most)| *most);
        let most = most.or(clues::is_whole(token.kind).then_some(0));
        if let Some(word) =
            most.and_then(|most| token.args.iter().skip(most).find(|word| !word.is_empty()))
        {
            return Err(token.error(format!("expected nothing more in {}, found `{word}`", token.kind)));
        }
        let is_other = |before: &IssToken<'_>| before.kind == token.kind;
        if SINGLE.contains(&token.kind) && tokens[..index].iter().any(is_other) {
            return Err(token.error(format!("expected {} once, found another", token.kind)));
        }
    }
    Ok(())
}

fn tokens(text: &str) -> Result<Vec<IssToken<'_>>, InputError> {
    let mut tokens = Vec::new();
    for (number, text) in text.lines().enumerate() {
        if text.trim_start().starts_with('#') {
            continue;
        }
        let mut at = 0;
        for (index, part) in text.split('.').enumerate() {
            let start = at;
            at += part.len() + 1;
            if part.trim().is_empty() {
                continue;
            }
            if index == 0 {
                let start = text.len() - text.trim_start().len();
                return Err(InputError::at(
                    number + 1,
                    text,
                    start,
                    "expected a dot before a type of clue",
                ));
            }
            let mut words = part.trim().split('~');
            let line = Line { text: text.to_owned(), number: number + 1 };
            let kind = words.next().unwrap_or("");
            tokens.push(IssToken { line, at: start.saturating_sub(1), kind, args: words.collect() });
        }
    }
    Ok(tokens)
}

fn read(text: &str) -> Result<Variant, InputError> {
    let first = content_lines(text).next().map_or("", |(_, line)| line);
    if let Some(string) = linked(first) {
        let line = only_line(text)?;
        // The link is percent-encoded, so positions in the decoded string do not apply to it.
        return read_tokens(&string).map_err(|error| line.error(0, error.message));
    }
    read_tokens(text)
}

fn read_tokens(text: &str) -> Result<Variant, InputError> {
    let tokens = tokens(text)?;
    check_args(&tokens)?;
    let (board, grid, named) = layout::read(&tokens)?;
    let place = |named: NamedClues| -> Result<Vec<Placed>, String> {
        named.into_iter().map(|clue| placed(&board, clue)).collect()
    };
    let mut all = place(named).map_err(InputError::whole)?;
    for (token, named) in compose::all(&board, &tokens)? {
        all.extend(place(named).map_err(|message| token.error(message))?);
    }
    all.extend(place(clues::strict(&board, &tokens)?).map_err(InputError::whole)?);
    Variant::new(board, grid, all).map_err(InputError::whole)
}
