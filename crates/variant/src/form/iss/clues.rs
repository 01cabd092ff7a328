//! The table of types, and how their arguments state clues: read and written.

use Arguments::*;
use text::InputError;

use super::super::{NamedClues, allowed, clue, clue_of, square_at};
use super::parts::{
    cell, line, named_groups, names, numbers, pair_key, pair_table, sides, touching, whole_line,
};
use super::{IssToken, layout, machine, write};
use crate::VariantBoard;
use crate::args::read_words;
use crate::clue::CluePart;
use crate::rules::pairs::pair_base;
use crate::rules::{Args, Rule, by_name};

/// How the arguments of a type state clues.
#[derive(Clone, Copy)]
pub(super) enum Arguments {
    /// None: the whole grid.
    Whole,
    /// Groups of cells, a clue each.
    Lines,
    /// A number, which may be missing, and groups of cells.
    NumberedLines,
    /// Like `NumberedLines`. A cage with the sum 0 has no sum.
    Cages,
    /// A row or column, and a number for each end.
    Side,
    /// A row or column for each clue, after the number of all.
    Sandwich,
    /// The sum and the factors in one word with `_=_`, and cells.
    Weighted,
    /// A number, `LOOP` and cells.
    Loop,
    /// A circle and a shaft.
    Arrow,
    /// The number of cells in the circle, the circle and the shaft.
    Pill,
    /// Cells whose neighbors have a mark for this value.
    Touching(i64),
    /// Cells that are greater than later neighbors.
    Greater,
    /// Groups of cells.
    Groups,
    /// `1` or `-1`: a diagonal of the grid.
    Diagonal,
    /// A number and cells where diagonals start; only read.
    Diagonals,
    /// The first cell of a square, and digits.
    Square,
    /// Digits in one word, and cells; only read.
    Digits,
    /// The same, where the digits stand in no other cells; only read.
    ExactDigits,
    /// Counts and digits in turns in one word, and cells.
    Said,
    /// A letter and cells.
    Letter(&'static str),
    /// This word, for the whole grid.
    Word(&'static str),
    /// The number of sets and their cells.
    Sets,
    /// The same, and all cells of a set differ; only written.
    DifferentSets,
    /// A cell that counts, and the counted cells.
    Control,
    /// An expression and groups of cells.
    Pattern,
    /// An automaton and its cells.
    Machine,
    /// A table of pairs and groups of cells.
    Table,
    /// The same for a relation of neighbors; only written.
    Relation,
    /// For each pair of neighbors without one of these marks, the clue with this value; only read.
    Unmarked(&'static [&'static str], i64),
    /// Two cells for each clue, the same of both groups; only written.
    Copies,
    /// The digits of each cell; only written.
    Marks,
    /// Tokens up to `End`; read by `compose`.
    Either,
}

const DOTS: &[&str] = &["WhiteDot", "BlackDot"];
const LETTERS: &[&str] = &["X", "V"];

/// The types, their rules, and their arguments. A clue is written by the first row that can.
pub(super) const TYPES: &[(&str, &str, Arguments)] = &[
    ("GlobalMod", "remainders", Whole),
    ("DutchFlatmates", "flatmates", Whole),
    ("AntiConsecutive", "nonconsecutive", Whole),
    ("AntiTaxicab", "anti-taxicab", Whole),
    ("DisjointSets", "disjoint", Whole),
    ("GlobalEntropy", "entropy", Whole),
    ("Thermo", "thermo", Lines),
    ("Renban", "renban", Lines),
    ("Palindrome", "palindrome", Lines),
    ("Between", "between", Lines),
    ("Entropic", "entropic", Lines),
    ("RegionSumLine", "region-sum", Lines),
    ("Zipper", "zipper", Lines),
    ("DoubleArrow", "double-arrow", Lines),
    ("AllDifferent", "extra", Lines),
    ("EqualityCage", "equality", Lines),
    ("CountingCircles", "counting-circles", Lines),
    ("ValueIndexing", "pointer", Lines),
    ("Whisper", "whisper", NumberedLines),
    ("Lockout", "lockout", NumberedLines),
    ("Modular", "modular", NumberedLines),
    ("SumLine", "sum-loop", Loop),
    ("SumLine", "sum-line", NumberedLines),
    ("Cage", "killer", Cages),
    ("Sum", "weighted-sum", Weighted),
    ("Sum", "sum", NumberedLines),
    ("LittleKiller", "sum", Diagonals),
    ("RellikCage", "rellik", NumberedLines),
    ("Lunchbox", "lunchbox", NumberedLines),
    ("FullRank", "full-rank", Side),
    ("FullRankTies", "different-lines", Word("none")),
    ("XSum", "x-sum", Side),
    ("Skyscraper", "skyscraper", Side),
    ("NumberedRoom", "numbered-room", Side),
    ("HiddenSkyscraper", "hidden-skyscraper", Side),
    ("Sandwich", "sandwich", Sandwich),
    ("Diagonal", "extra", Diagonal),
    ("Arrow", "arrow", Arrow),
    ("PillArrow", "arrow", Pill),
    ("WhiteDot", "difference", Touching(1)),
    ("BlackDot", "ratio", Touching(2)),
    ("X", "pair-sum", Touching(10)),
    ("V", "pair-sum", Touching(5)),
    ("GreaterThan", "greater", Greater),
    ("EqualSum", "equal-sums", Groups),
    ("Quad", "quadruple", Square),
    ("ContainAtLeast", "quadruple", Digits),
    ("LookAndSay", "counts", Said),
    ("ContainExact", "counts", ExactDigits),
    ("Indexing", "index-column", Letter("C")),
    ("Indexing", "index-row", Letter("R")),
    ("SameValues", "same-digits", Sets),
    ("SameValues", "same-set", DifferentSets),
    ("CountDistinct", "count-distinct", Control),
    ("Regex", "regex", Pattern),
    ("NFA", "machine", Machine),
    ("Pair", "pairs", Table),
    ("PairX", "all-pairs", Table),
    ("StrictKropki", "no-difference", Unmarked(DOTS, 1)),
    ("StrictKropki", "no-ratio", Unmarked(DOTS, 2)),
    ("StrictXV", "no-pair-sum", Unmarked(LETTERS, 5)),
    ("StrictXV", "no-pair-sum", Unmarked(LETTERS, 10)),
    ("Pair", "no-difference", Relation),
    ("Pair", "no-ratio", Relation),
    ("Pair", "no-pair-sum", Relation),
    ("Palindrome", "clone", Copies),
    ("", "even", Marks),
    ("", "odd", Marks),
    ("", "low", Marks),
    ("", "high", Marks),
    ("", "any-of", Marks),
    ("Or", "either", Either),
];

/// Types that are refused, each with the reason.
const REFUSED: [(&str, &str); 4] = [
    ("ChaosConstruction", "regions that the solver must find have no good exact cover"),
    ("ChaosArrow", "regions that the solver must find have no good exact cover"),
    ("ChaosCount", "regions that the solver must find have no good exact cover"),
    ("ConnectedValues", "connectivity has no good exact cover"),
];

/// Returns whether a type states a rule of the whole grid.
pub(super) fn is_whole(kind: &str) -> bool {
    TYPES.iter().any(|(known, _, arguments)| *known == kind && matches!(arguments, Whole))
}

/// Reads the clues of a token.
pub(super) fn read(board: &VariantBoard, token: &IssToken<'_>) -> Result<NamedClues, InputError> {
    let mut rows = TYPES.iter().filter(|(kind, ..)| *kind == token.kind);
    if let Some((_, name, arguments)) = rows.find(|(.., arguments)| arguments.fits(token)) {
        return arguments.read(name, board, token);
    }
    match token.kind {
        // A search priority does not affect the solutions.
        "SearchPriority" => Ok(NamedClues::new()),
        kind if layout::TYPES.contains(&kind) => Ok(NamedClues::new()),
        "FullRankTies" => match token.args.first().copied() {
            Some("any" | "only-unclued") => Ok(NamedClues::new()),
            _ => Err(token.error("expected `any`, `only-unclued` or `none` in FullRankTies")),
        },
        "Indexing" => Err(token.error("expected R or C in Indexing")),
        kind => {
            let reason = REFUSED.iter().find(|(refused, _)| *refused == kind);
            let reason = reason.map_or(String::new(), |(_, reason)| format!(": {reason}"));
            Err(token
                .error(format!("expected a type of clue that is known here, found `{kind}`{reason}")))
        }
    }
}

/// Builds the negative clues of strict marks, which apply to all adjacent pairs without a dot or
/// letter.
pub(super) fn strict(board: &VariantBoard, tokens: &[IssToken<'_>]) -> Result<NamedClues, InputError> {
    let mut all = NamedClues::new();
    for strict in ["StrictKropki", "StrictXV"] {
        if !tokens.iter().any(|token| token.kind == strict) {
            continue;
        }
        let rules = TYPES.iter().filter_map(|&(kind, rule, arguments)| match arguments {
            Unmarked(marks, value) if kind == strict => Some((marks, rule, value)),
            _ => None,
        });
        let rules: Vec<_> = rules.collect();
        let mut marked = Vec::new();
        for token in tokens.iter().filter(|token| rules[0].0.contains(&token.kind)) {
            marked.extend(read(board, token)?.into_iter().map(|(_, args)| args.groups[0].clone()));
        }
        let is_free = |pair: &Vec<usize>| !marked.contains(pair);
        for pair in board.sides().into_iter().map(|(one, other)| vec![one, other]).filter(is_free) {
            all.extend(rules.iter().map(|&(_, rule, value)| clue(rule, pair.clone(), vec![value])));
        }
    }
    Ok(all)
}

/// Writes a clue.
///
/// # Errors
/// If no row of the table can.
pub(super) fn write(board: &VariantBoard, rule: &Rule, args: &Args) -> Result<String, String> {
    for (kind, _, arguments) in TYPES.iter().filter(|(_, known, _)| *known == rule.name) {
        if let Some(text) = arguments.write(kind, board, rule, args)? {
            return Ok(text);
        }
    }
    Err(refused(rule.name))
}

fn refused(name: &str) -> String {
    format!("iss has no form for the rule {name}, or not for these cells")
}

impl Arguments {
    /// Returns whether a token of the type has such arguments.
    fn fits(self, token: &IssToken<'_>) -> bool {
        match self {
            Weighted => token.args.first().is_some_and(|word| word.contains("_=_")),
            Loop => token.args.contains(&"LOOP"),
            Letter(word) | Word(word) => token.args.first() == Some(&word),
            Relation | Copies | DifferentSets | Marks | Either => false,
            _ => true,
        }
    }

    fn read(
        self,
        name: &'static str,
        board: &VariantBoard,
        token: &IssToken<'_>,
    ) -> Result<NamedClues, InputError> {
        let groups = |skipped| token.groups(board, skipped);
        let cells = |skipped| Ok::<_, InputError>(token.groups(board, skipped)?.concat());
        let named = |word: &str| cell(board, word).map_err(|message| token.error(message));
        let first = token.args.first().copied().unwrap_or("");
        let each = |groups: Vec<Vec<usize>>, values: &[i64]| {
            groups.into_iter().map(|group| clue(name, group, values.to_vec())).collect()
        };
        Ok(match self {
            Whole | Word(_) => vec![clue_of(name, vec![])],
            Lines | NumberedLines | Cages => {
                let has_number = !matches!(self, Lines);
                let number = token.args.first().filter(|_| has_number);
                let values: Vec<i64> = number.and_then(|word| word.parse().ok()).into_iter().collect();
                let has_none = number.is_some_and(|word| word.is_empty());
                let groups = groups(usize::from(!values.is_empty() || has_none))?;
                if groups.is_empty() {
                    return Err(
                        token.error(format!("expected cells behind {}, found none", token.kind))
                    );
                }
                match self {
                    Cages => groups.into_iter().flat_map(|cells| cage(name, cells, &values)).collect(),
                    _ => each(groups, &values),
                }
            }
            Side => {
                let mut cells = line(board, token, 0)?;
                let mut named = NamedClues::new();
                for place in [1, 2] {
                    if token.args.get(place).is_some_and(|word| !word.is_empty()) {
                        named.push(clue(name, cells.clone(), vec![token.number(place)?]));
                    }
                    cells.reverse();
                }
                if named.is_empty() {
                    return Err(
                        token.error(format!("expected a number behind {}, found none", token.kind))
                    );
                }
                named
            }
            Sandwich => {
                let sum = token.number(0)?;
                if token.args.len() < 2 {
                    return Err(token.error("expected rows or columns behind Sandwich, found none"));
                }
                let clue = |place| Ok(clue(name, line(board, token, place)?, vec![sum]));
                return (1..token.args.len()).map(clue).collect();
            }
            Weighted => {
                let text = first.replacen("_=", "", 1);
                let values: Option<Vec<i64>> = text.split('_').map(|word| word.parse().ok()).collect();
                let values = values.ok_or_else(|| {
                    token.error(format!("expected a sum and factors, found `{text}`"))
                })?;
                vec![(name, Args { values, ..clue_of(name, groups(1)?).1 })]
            }
            Loop => {
                let words = token.args.iter().skip(1).filter(|word| **word != "LOOP");
                let cells = words.map(|word| named(word)).collect::<Result<_, _>>()?;
                vec![clue(name, cells, vec![token.number(0)?])]
            }
            Arrow | Pill => {
                let is_pill = matches!(self, Pill);
                let size = if is_pill { token.number(0)?.clamp(1, 9) as usize } else { 1 };
                let cells = cells(usize::from(is_pill))?;
                if cells.len() <= size {
                    return Err(token.error("expected a circle and a shaft"));
                }
                vec![clue_of(name, vec![cells[..size].to_vec(), cells[size..].to_vec()])]
            }
            Touching(value) => touching(board, token, name, value)?,
            Greater => {
                // Each cell is greater than the later cells of the token that share a side with it.
                let cells = cells(0)?;
                let sides = sides(board);
                let is_side =
                    |one: usize, other: usize| sides.contains(&(one.min(other), one.max(other)));
                let pairs = cells.iter().enumerate().flat_map(|(place, &one)| {
                    cells[place + 1..].iter().map(move |&other| vec![one, other])
                });
                let pairs: Vec<_> = pairs.filter(|pair| is_side(pair[0], pair[1])).collect();
                if pairs.is_empty() {
                    return Err(token.error("expected cells that touch in GreaterThan"));
                }
                each(pairs, &[])
            }
            Groups => vec![clue_of(name, groups(0)?)],
            Diagonal => {
                let (rows, columns) = (board.shape.rows(), board.columns());
                if rows != columns {
                    return Err(token.error("expected a square for a diagonal"));
                }
                let cells = match token.args.first().copied() {
                    Some("1") => board.ray(columns - 1, (1, -1)),
                    Some("-1") => board.ray(0, (1, 1)),
                    found => {
                        let found = found.unwrap_or("nothing");
                        let message = format!("expected 1 or -1 in Diagonal, found `{found}`");
                        return Err(token.error(message));
                    }
                };
                vec![clue(name, cells, vec![])]
            }
            Diagonals => {
                let starts = cells(1)?;
                let sum = token.number(0)?;
                let ray = |start: usize| {
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
                    board.ray(start, direction)
                };
                each(starts.into_iter().map(ray).collect(), &[sum])
            }
            Square => {
                let (row, column) = board.place(named(first)?);
                let corner = |(down, right)| board.cell(row as isize + down, column as isize + right);
                let cells: Option<Vec<usize>> =
                    [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().map(corner).collect();
                let cells = cells.ok_or_else(|| token.error("expected a square inside of the grid"))?;
                let values: Result<_, _> =
                    (1..token.args.len()).map(|place| token.number(place)).collect();
                vec![clue(name, cells, values?)]
            }
            Digits => {
                let groups = groups(1)?;
                vec![(name, Args { groups, values: numbers(token)?, ..Args::default() })]
            }
            ExactDigits => {
                let mut values = numbers(token)?;
                values.sort_unstable();
                let counts = values.chunk_by(|one, next| one == next);
                let counts = counts.flat_map(|same| [same.len() as i64, same[0]]).collect();
                vec![(name, Args { groups: groups(1)?, values: counts, ..Args::default() })]
            }
            Said => {
                let digits = first.chars().map(|c| c.to_digit(10).map(i64::from));
                let digits: Option<Vec<i64>> = digits.collect();
                let values =
                    digits.ok_or_else(|| token.error(format!("expected digits, found `{first}`")))?;
                vec![(name, Args { groups: groups(1)?, values, ..Args::default() })]
            }
            Letter(_) => vec![clue_of(name, groups(1)?)],
            Sets => {
                let count = usize::try_from(token.number(0)?).unwrap_or(0);
                let cells = cells(1)?;
                if count < 2 || cells.is_empty() || !cells.len().is_multiple_of(count) {
                    return Err(
                        token.error(format!("expected {count} sets of cells, found {}", cells.len()))
                    );
                }
                vec![clue_of(name, cells.chunks(cells.len() / count).map(<[usize]>::to_vec).collect())]
            }
            Control => {
                let cells = cells(0)?;
                let (control, others) =
                    cells.split_first().ok_or_else(|| token.error("expected cells"))?;
                vec![clue_of(name, vec![vec![*control], others.to_vec()])]
            }
            Pattern => {
                let text = machine::pattern(first).map_err(|message| token.error(message))?;
                let clue =
                    |group| (name, Args { groups: vec![group], text: text.clone(), ..Args::default() });
                groups(1)?.into_iter().map(clue).collect()
            }
            Machine => {
                let machine = machine::read(first).map_err(|message| token.error(message))?;
                let mut clues = NamedClues::new();
                for words in token.args[1..].split(|word| word.is_empty() || word.starts_with('_')) {
                    if words.iter().all(|word| *word == "-") {
                        continue;
                    }
                    // Empty groups at the beginning and the end only add group separators.
                    let leading = words.iter().take_while(|word| **word == "-").count();
                    let trailing = words.iter().rev().take_while(|word| **word == "-").count();
                    let groups = words[leading..words.len() - trailing].split(|word| *word == "-");
                    let groups = groups.map(|words| words.iter().map(|word| named(word)).collect());
                    let groups: Vec<Vec<usize>> = groups.collect::<Result<_, _>>()?;
                    let text = machine.text(board, leading, trailing);
                    clues.push((name, Args { groups, text, ..Args::default() }));
                }
                clues
            }
            Table => {
                let values = pair_table(board, token)?;
                each(named_groups(board, token)?, &values)
            }
            Unmarked(..) | Relation | Copies | DifferentSets | Marks | Either => NamedClues::new(),
        })
    }

    /// Writes a clue as tokens; returns `None` if the arguments cannot state it.
    fn write(
        self,
        kind: &str,
        board: &VariantBoard,
        rule: &Rule,
        args: &Args,
    ) -> Result<Option<String>, String> {
        let group = args.groups.first().map_or(&[][..], |group| &group[..]);
        let cells = |cells: &[usize]| names(board, cells);
        let own = cells(group);
        let all = || args.groups.iter().map(|group| cells(group)).collect::<Vec<_>>();
        let value = args.values.first().copied().unwrap_or_default();
        let pairs = || {
            let sides = sides(board);
            let token = |pair: &[usize]| {
                let side = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                sides.contains(&side).then(|| format!(".{kind}{}", cells(pair)))
            };
            group.windows(2).map(token).collect::<Option<String>>()
        };
        let written = |text: &[i64]| text.iter().map(|value| format!("_{value}")).collect::<String>();
        Ok(Some(match self {
            Whole => format!(".{kind}"),
            Word(word) => format!(".{kind}~{word}"),
            Lines => format!(".{kind}{own}"),
            NumberedLines => format!(".{kind}~{}{own}", rule.value(args).unwrap_or_default()),
            Cages if args.values.first() == Some(&0) => {
                return Err(refused(&format!("{} with the sum 0", rule.name)));
            }
            Cages => format!(".{kind}~{value}{own}"),
            Side => match whole_line(board, group) {
                Some((line, is_back)) => {
                    format!(".{kind}~{line}{}~{value}", if is_back { "~" } else { "" })
                }
                None => return Ok(None),
            },
            Sandwich => match whole_line(board, group) {
                Some((line, _)) => format!(".{kind}~{value}~{line}"),
                None => return Ok(None),
            },
            Weighted => format!(".{kind}~{value}_={}{own}", written(&args.values[1..])),
            Loop => format!(".{kind}~{value}~LOOP{own}"),
            Arrow if group.len() > 1 => return Ok(None),
            Arrow | Control => format!(".{kind}{own}{}", cells(&args.groups[1])),
            Pill => format!(".{kind}~{}{own}{}", group.len(), cells(&args.groups[1])),
            Touching(mark) if rule.value(args) != Some(mark) => return Ok(None),
            Touching(_) | Greater => return Ok(pairs()),
            Groups => format!(".{kind}{}", all().join("~")),
            Square => match square_at(board, group) {
                Some(first) => {
                    let values: String = args.values.iter().map(|value| format!("~{value}")).collect();
                    format!(".{kind}{}{values}", cells(&[first]))
                }
                None => return Ok(None),
            },
            Said => {
                let is_digit = |value: &i64| (0..10).contains(value);
                if *board.digits().end() > 9 || !args.values.iter().all(is_digit) {
                    return Ok(None);
                }
                let said: String = args.values.iter().map(ToString::to_string).collect();
                format!(".{kind}~{said}{own}")
            }
            Letter(letter) => format!(".{kind}~{letter}{own}"),
            Sets if args.groups.iter().any(|other| other.len() != group.len()) => return Ok(None),
            Sets => format!(".{kind}~{}{}", args.groups.len(), all().concat()),
            DifferentSets => {
                let different = args.groups.iter().filter(|group| group.len() > 1);
                let different: String =
                    different.map(|group| format!(".AllDifferent{}", cells(group))).collect();
                format!(".{kind}~{}{}{different}", args.groups.len(), all().concat())
            }
            Pattern => format!(".{kind}~{}{own}", machine::letters(&args.text)),
            Machine => {
                let letters = machine::write(board, args)?;
                format!(".{kind}~{letters}~_{}", all().join("~-"))
            }
            Table => format!(".{kind}~{}{own}", pair_key(board, &args.values)),
            Relation => {
                let clues = rule.clues(board, args)?;
                let relation = clues.iter().flat_map(|clue| &clue.parts).find_map(|part| match part {
                    CluePart::Relate(_, _, relation) => Some(relation),
                    _ => None,
                });
                let Some(relation) = relation else { return Ok(None) };
                let pairs =
                    board.digits().flat_map(|one| board.digits().map(move |other| (one, other)));
                let pairs = pairs.filter(|&(one, other)| relation(one, other));
                let base = pair_base(board);
                let listed: Vec<i64> =
                    pairs.map(|(one, other)| base * i64::from(one) + i64::from(other)).collect();
                if listed.is_empty() {
                    return Ok(None);
                }
                format!(".{kind}~{}~_{own}", pair_key(board, &listed))
            }
            Copies => {
                let pairs = args.groups[1..].iter().flat_map(|copy| group.iter().zip(copy));
                let pairs = pairs.filter(|(one, other)| one != other);
                pairs.map(|(&one, &other)| format!(".{kind}{}", cells(&[one, other]))).collect()
            }
            Marks => {
                let Some(digits) = allowed(board, rule, args) else { return Ok(None) };
                let given = group.iter().map(|&cell| write::given(board, cell, &digits));
                given.collect::<Result<_, _>>()?
            }
            Either => {
                let mut out = format!(".{kind}");
                for alternative in args.text.split(" or ") {
                    out += ".And";
                    for text in alternative.split(" and ") {
                        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
                        let held = by_name(name.trim()).ok_or_else(|| refused(rule.name))?;
                        out += &write(board, held, &read_words(board, held, rest)?)?;
                    }
                    out += ".End";
                }
                out + ".End"
            }
            Diagonal | Diagonals | Digits | ExactDigits | Unmarked(..) => return Ok(None),
        }))
    }
}

/// Builds the clues of a cage. In a cage that names a cell twice, the sum counts that cell twice,
/// and the distinct cells must differ.
fn cage(name: &'static str, cells: Vec<usize>, values: &[i64]) -> NamedClues {
    let values: Vec<i64> = values.iter().copied().filter(|&sum| sum != 0).collect();
    let mut once = cells.clone();
    once.sort_unstable();
    once.dedup();
    if once.len() == cells.len() {
        return vec![clue(name, cells, values)];
    }
    let sum = values.first().map(|&sum| clue("sum", cells, vec![sum]));
    let extra = (once.len() > 1).then(|| clue("extra", once, vec![]));
    sum.into_iter().chain(extra).collect()
}
