//! Reads the constraint strings of Interactive Sudoku Solver, such as
//! `.Cage~15~R1C1~R1C2.Thermo~R5C5~R4C5`.
//!
//! A token starts with a dot and the name of its type, followed by arguments separated by tildes. A
//! token without a type name lists the digits of cells. Lines that begin with `#` are remarks.

mod compose;
mod layout;
mod machine;
mod parts;
mod write;

use self::parts::{cell, line, named_groups, numbers, pair_table, touching};
use super::{LinkForm, NamedClues, clue, only_line};
use crate::rules::{self, Args};
use crate::{Placed, Variant, VariantBoard};
use text::{InputError, Line, content_lines};

pub(super) const FORM: LinkForm = LinkForm {
    name: "iss",
    summary: "constraint strings and links of Interactive Sudoku Solver: .Cage~15~...",
    recognizes,
    read,
    write: Some(write::text),
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

/// Largest number of arguments per type. Further arguments would be ignored, so they are refused.
const ARGS_MAX: [(&str, usize); 25] = [
    ("GlobalMod", 0),
    ("DutchFlatmates", 0),
    ("AntiConsecutive", 0),
    ("AntiTaxicab", 0),
    ("DisjointSets", 0),
    ("GlobalEntropy", 0),
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
    let mut placed = Vec::new();
    for (name, args) in named {
        let rule = rules::by_name(name).expect("a rule of the table");
        placed.push(Placed::new(&board, rule, args).map_err(InputError::whole)?);
    }
    for (token, named) in compose::all(&board, &tokens)? {
        for (name, args) in named {
            let rule = rules::by_name(name).expect("a rule of the table");
            placed.push(Placed::new(&board, rule, args).map_err(|message| token.error(message))?);
        }
    }
    for (name, args) in strict(&board, &tokens)? {
        let rule = rules::by_name(name).expect("a rule of the table");
        placed.push(Placed::new(&board, rule, args).map_err(InputError::whole)?);
    }
    Variant::new(board, grid, placed).map_err(InputError::whole)
}

/// Types of lines, with the name of the rule and whether a number precedes the cells.
const LINES: [(&str, &str, bool); 20] = [
    ("Thermo", "thermo", false),
    ("Renban", "renban", false),
    ("Palindrome", "palindrome", false),
    ("Between", "between", false),
    ("Entropic", "entropic", false),
    ("RegionSumLine", "region-sum", false),
    ("Zipper", "zipper", false),
    ("DoubleArrow", "double-arrow", false),
    ("AllDifferent", "extra", false),
    ("Whisper", "whisper", true),
    ("Lockout", "lockout", true),
    ("Modular", "modular", true),
    ("SumLine", "sum-line", true),
    ("Cage", "killer", true),
    ("Sum", "sum", true),
    ("RellikCage", "rellik", true),
    ("EqualityCage", "equality", false),
    ("Lunchbox", "lunchbox", true),
    ("CountingCircles", "counting-circles", false),
    ("ValueIndexing", "pointer", false),
];
const WHOLE: [(&str, &str); 6] = [
    ("GlobalMod", "remainders"),
    ("DutchFlatmates", "flatmates"),
    ("AntiConsecutive", "nonconsecutive"),
    ("AntiTaxicab", "anti-taxicab"),
    ("DisjointSets", "disjoint"),
    ("GlobalEntropy", "entropy"),
];
const SIDES: [(&str, &str); 5] = [
    ("FullRank", "full-rank"),
    ("XSum", "x-sum"),
    ("Skyscraper", "skyscraper"),
    ("NumberedRoom", "numbered-room"),
    ("HiddenSkyscraper", "hidden-skyscraper"),
];
/// Types that are refused, each with the reason.
const REFUSED: [(&str, &str); 4] = [
    ("ChaosConstruction", "regions that the solver must find have no good exact cover"),
    ("ChaosArrow", "regions that the solver must find have no good exact cover"),
    ("ChaosCount", "regions that the solver must find have no good exact cover"),
    ("ConnectedValues", "connectivity has no good exact cover"),
];

fn clues(board: &VariantBoard, token: &IssToken<'_>) -> Result<NamedClues, InputError> {
    let one = |name: &'static str, groups, values| {
        Ok(vec![(name, Args { groups, values, ..Args::default() })])
    };
    if let Some(&(_, name)) = WHOLE.iter().find(|(kind, _)| *kind == token.kind) {
        return one(name, vec![], vec![]);
    }
    if token.kind == "Sum" && token.args.first().is_some_and(|word| word.contains("_=_")) {
        let text = token.args[0].replacen("_=", "", 1);
        let values: Option<Vec<i64>> = text.split('_').map(|word| word.parse().ok()).collect();
        let values =
            values.ok_or_else(|| token.error(format!("expected a sum and factors, found `{text}`")))?;
        return one("weighted-sum", token.groups(board, 1)?, values);
    }
    if token.kind == "SumLine" && token.args.contains(&"LOOP") {
        let cells = token.args.iter().skip(1).filter(|word| **word != "LOOP");
        let cells: Result<_, _> = cells.map(|word| cell(board, word)).collect();
        let cells = cells.map_err(|message| token.error(message))?;
        return one("sum-loop", vec![cells], vec![token.number(0)?]);
    }
    if let Some(&(_, name, has_number)) = LINES.iter().find(|(kind, ..)| *kind == token.kind) {
        let number =
            token.args.first().filter(|_| has_number).and_then(|word| word.parse::<i64>().ok());
        // A cage with the sum 0 has no sum and only requires different digits.
        let values: Vec<i64> =
            number.into_iter().filter(|&number| name != "killer" || number != 0).collect();
        let has_none = has_number && token.args.first().is_some_and(|word| word.is_empty());
        let groups = token.groups(board, usize::from(number.is_some() || has_none))?;
        if groups.is_empty() {
            return Err(token.error(format!("expected cells behind {}, found none", token.kind)));
        }
        return Ok(groups.into_iter().flat_map(|group| cage_or_line(name, group, &values)).collect());
    }
    if let Some(&(_, name)) = SIDES.iter().find(|(kind, _)| *kind == token.kind) {
        let cells = line(board, token, 0)?;
        let mut named = NamedClues::new();
        for (place, is_back) in [(1, false), (2, true)] {
            if token.args.get(place).is_some_and(|word| !word.is_empty()) {
                let mut cells = cells.clone();
                if is_back {
                    cells.reverse();
                }
                named.push((
                    name,
                    Args { groups: vec![cells], values: vec![token.number(place)?], ..Args::default() },
                ));
            }
        }
        if named.is_empty() {
            return Err(token.error(format!("expected a number behind {}, found none", token.kind)));
        }
        return Ok(named);
    }
    match token.kind {
        // A search priority does not affect the solutions.
        "SearchPriority" => Ok(Vec::new()),
        kind if layout::TYPES.contains(&kind) => Ok(Vec::new()),
        "FullRankTies" => match token.args.first().copied() {
            Some("any" | "only-unclued") => Ok(Vec::new()),
            _ => Err(token.error("expected ties of any ranks or of those without a clue")),
        },
        "StrictKropki" | "StrictXV" => Ok(Vec::new()),
        "Diagonal" => {
            let (rows, columns) = (board.shape.rows(), board.columns());
            if rows != columns {
                return Err(token.error("expected a square for a diagonal"));
            }
            let cells = match token.args.first().copied() {
                Some("1") => board.ray(columns - 1, (1, -1)),
                Some("-1") => board.ray(0, (1, 1)),
                found => {
                    let found = found.unwrap_or("nothing");
                    return Err(token.error(format!("expected 1 or -1 in Diagonal, found `{found}`")));
                }
            };
            one("extra", vec![cells], vec![])
        }
        "Arrow" | "PillArrow" => {
            let is_pill = token.kind == "PillArrow";
            let size = if is_pill { token.number(0)?.clamp(1, 9) as usize } else { 1 };
            let cells = token.groups(board, usize::from(is_pill))?.concat();
            if cells.len() <= size {
                return Err(token.error("expected a circle and a shaft"));
            }
            one("arrow", vec![cells[..size].to_vec(), cells[size..].to_vec()], vec![])
        }
        "WhiteDot" => Ok(touching(board, token, "difference", &[1])?),
        "BlackDot" => Ok(touching(board, token, "ratio", &[2])?),
        "X" => Ok(touching(board, token, "pair-sum", &[10])?),
        "V" => Ok(touching(board, token, "pair-sum", &[5])?),
        "GreaterThan" => {
            // Each cell is greater than the later cells of the token that share a side with it.
            let cells = token.groups(board, 0)?.concat();
            let is_side =
                |one: usize, other: usize| board.sides().contains(&(one.min(other), one.max(other)));
            let behind = cells
                .iter()
                .enumerate()
                .flat_map(|(place, &one)| cells[place + 1..].iter().map(move |&other| (one, other)));
            let pairs: Vec<(usize, usize)> =
                behind.filter(|&(one, other)| is_side(one, other)).collect();
            if pairs.is_empty() {
                return Err(token.error("expected cells that touch in GreaterThan"));
            }
            let clue = |(one, other)| {
                ("greater", Args { groups: vec![vec![one, other]], values: vec![], ..Args::default() })
            };
            Ok(pairs.into_iter().map(clue).collect())
        }
        "EqualSum" => one("equal-sums", token.groups(board, 0)?, vec![]),
        "LittleKiller" => {
            let starts = token.groups(board, 1)?.concat();
            let sum = token.number(0)?;
            let clue = |start: usize| {
                let (row, column) = board.place(start);
                let (last_row, last) = (board.shape.rows() - 1, board.columns() - 1);
                let direction = match (row, column) {
                    (row, column) if column == last && row > 0 && row < last_row => (-1, -1),
                    (row, 0) if row > 0 && row < last_row => (1, 1),
                    (0, 0) => (1, 1),
                    (0, _) => (1, -1),
                    (_, column) if column == last => (-1, -1),
                    _ => (-1, 1),
                };
                (
                    "sum",
                    Args {
                        groups: vec![board.ray(start, direction)],
                        values: vec![sum],
                        ..Args::default()
                    },
                )
            };
            Ok(starts.into_iter().map(clue).collect())
        }
        "Sandwich" => {
            let sum = token.number(0)?;
            let clue = |place| {
                Ok((
                    "sandwich",
                    Args {
                        groups: vec![line(board, token, place)?],
                        values: vec![sum],
                        ..Args::default()
                    },
                ))
            };
            if token.args.len() < 2 {
                return Err(token.error("expected rows or columns behind Sandwich, found none"));
            }
            (1..token.args.len()).map(clue).collect()
        }
        "Quad" => {
            let first = token.args.first().copied().unwrap_or("");
            let cell = cell(board, first).map_err(|message| token.error(message))?;
            let (row, column) = board.place(cell);
            let corner = |(down, right)| board.cell(row as isize + down, column as isize + right);
            let cells: Option<Vec<usize>> =
                [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().map(corner).collect();
            let cells = cells.ok_or_else(|| token.error("expected a square inside of the grid"))?;
            let values: Result<_, _> = (1..token.args.len()).map(|place| token.number(place)).collect();
            one("quadruple", vec![cells], values?)
        }
        "Indexing" => {
            let name = match token.args.first().copied() {
                Some("C") => "index-column",
                Some("R") => "index-row",
                _ => return Err(token.error("expected R or C in Indexing")),
            };
            one(name, token.groups(board, 1)?, vec![])
        }
        "SameValues" => {
            let count = usize::try_from(token.number(0)?).unwrap_or(0);
            let cells = token.groups(board, 1)?.concat();
            if count < 2 || !cells.len().is_multiple_of(count) {
                return Err(
                    token.error(format!("expected {count} sets of cells, found {}", cells.len()))
                );
            }
            one(
                "same-digits",
                cells.chunks(cells.len() / count).map(<[usize]>::to_vec).collect(),
                vec![],
            )
        }
        "CountDistinct" => {
            let cells = token.groups(board, 0)?.concat();
            let (control, others) = cells.split_first().ok_or_else(|| token.error("expected cells"))?;
            one("count-distinct", vec![vec![*control], others.to_vec()], vec![])
        }
        "ContainAtLeast" => one("quadruple", token.groups(board, 1)?, numbers(token)?),
        "ContainExact" => {
            let mut values = numbers(token)?;
            values.sort_unstable();
            let counts = values.chunk_by(|one, next| one == next);
            let counts = counts.flat_map(|same| [same.len() as i64, same[0]]).collect();
            one("counts", token.groups(board, 1)?, counts)
        }
        "LookAndSay" => {
            let said = token.args.first().copied().unwrap_or("");
            let digits: Option<Vec<i64>> =
                said.chars().map(|c| c.to_digit(10).map(i64::from)).collect();
            let digits =
                digits.ok_or_else(|| token.error(format!("expected digits, found `{said}`")))?;
            one("counts", token.groups(board, 1)?, digits)
        }
        "Regex" => {
            let text = machine::pattern(token.args.first().copied().unwrap_or(""));
            let text = text.map_err(|message| token.error(message))?;
            let clue =
                |group| ("regex", Args { groups: vec![group], text: text.clone(), ..Args::default() });
            Ok(token.groups(board, 1)?.into_iter().map(clue).collect())
        }
        "NFA" => {
            let read = machine::read(token.args.first().copied().unwrap_or(""));
            let machine = read.map_err(|message| token.error(message))?;
            let mut named = NamedClues::new();
            for words in token.args[1..].split(|word| word.is_empty() || word.starts_with('_')) {
                if words.iter().all(|word| *word == "-") {
                    continue;
                }
                // Empty groups at the beginning and the end only add group separators.
                let leading = words.iter().take_while(|word| **word == "-").count();
                let trailing = words.iter().rev().take_while(|word| **word == "-").count();
                let groups = words[leading..words.len() - trailing].split(|word| *word == "-");
                let groups = groups.map(|words| words.iter().map(|word| cell(board, word)).collect());
                let groups: Result<Vec<Vec<usize>>, _> = groups.collect();
                let groups = groups.map_err(|message| token.error(message))?;
                let text = machine.text(board, leading, trailing);
                named.push(("machine", Args { groups, text, ..Args::default() }));
            }
            Ok(named)
        }
        "Pair" | "PairX" => {
            let name = if token.kind == "Pair" { "pairs" } else { "all-pairs" };
            let values = pair_table(board, token)?;
            let groups = named_groups(board, token)?;
            Ok(groups.into_iter().map(|group| clue(name, group, values.clone())).collect())
        }
        kind => {
            let reason = REFUSED.iter().find(|(refused, _)| *refused == kind).map(|(_, reason)| reason);
            Err(token.error(match reason {
                Some(reason) => {
                    format!("expected a type of clue that is known here, found `{kind}`: {reason}")
                }
                None => format!("expected a type of clue that is known here, found `{kind}`"),
            }))
        }
    }
}

/// Builds a clue. In a cage that names a cell twice, the sum counts that cell twice, and the
/// distinct cells must differ.
fn cage_or_line(name: &'static str, cells: Vec<usize>, values: &[i64]) -> NamedClues {
    let mut once = cells.clone();
    once.sort_unstable();
    once.dedup();
    if name != "killer" || once.len() == cells.len() {
        return vec![clue(name, cells, values.to_vec())];
    }
    let sum = values.first().map(|&sum| clue("sum", cells, vec![sum]));
    let extra = (once.len() > 1).then(|| clue("extra", once, vec![]));
    sum.into_iter().chain(extra).collect()
}

/// Builds the negative clues of strict marks, which apply to all adjacent pairs without a dot or
/// letter.
fn strict(board: &VariantBoard, tokens: &[IssToken<'_>]) -> Result<NamedClues, InputError> {
    let has = |kind: &str| tokens.iter().any(|token| token.kind == kind);
    let mut all = NamedClues::new();
    let kropki = [("no-difference", 1), ("no-ratio", 2)];
    let letters = [("no-pair-sum", 5), ("no-pair-sum", 10)];
    for (kind, marks, rules) in
        [("StrictKropki", ["WhiteDot", "BlackDot"], kropki), ("StrictXV", ["X", "V"], letters)]
    {
        if !has(kind) {
            continue;
        }
        let mut marked = Vec::new();
        for token in tokens.iter().filter(|token| marks.contains(&token.kind)) {
            let cells = clues(board, token)?.into_iter().map(|(_, args)| args.groups[0].clone());
            marked.extend(cells);
        }
        let is_free = |pair: &Vec<usize>| !marked.contains(pair);
        for pair in board.sides().into_iter().map(|(one, other)| vec![one, other]).filter(is_free) {
            all.extend(rules.map(|(rule, value)| clue(rule, pair.clone(), vec![value])));
        }
    }
    Ok(all)
}
