//! The table of rules for clues.
//!
//! A rule consists of a function that builds clues from cells and numbers, a function that draws a
//! clue, and an entry in [`RULES`]. Similar rules share a file. The comment on the building
//! function describes the parts of the clue, which `model` translates further. Rules about loops
//! and regions that the solver must draw have no good exact cover and are not supported.

mod cages;
mod cells;
mod counts;
mod houses;
mod lines;
pub(super) mod machines;
pub(super) mod pairs;
mod ranks;
mod sequences;
mod sides;

#[cfg(test)]
pub(super) mod tests;

use super::board::VariantBoard;
use super::clue::Clue;
use super::sketch::{ClueDrawing, Sketch};

/// The arguments of a clue: groups of cells, and numbers or a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    /// The groups of cells. The cells of a group are in the order of the text.
    pub groups: Vec<Vec<usize>>,
    /// The numbers after the equals sign.
    pub values: Vec<i64>,
    /// The text of a rule that takes a text: the part after the equals sign, or everything if the
    /// rule has no cells.
    pub text: String,
}

type ClueList = Result<Vec<Clue>, String>;

/// The digits of a clue whose value is their sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summands {
    /// No two digits are equal.
    Different,
    /// Digits may repeat.
    Any,
}

impl Summands {
    /// Returns the least and the greatest sum of `count` digits from `first` to `last`.
    pub(super) fn range(self, first: i64, last: i64, count: i64) -> (i64, i64) {
        match self {
            Self::Different => ((first..first + count).sum(), (last + 1 - count..=last).sum()),
            Self::Any => (first * count, last * count),
        }
    }
}

/// A rule. A puzzle may have any number of clues of each rule.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Name of the rule in a head line.
    pub name: &'static str,
    /// One-line description of the constraint.
    pub summary: &'static str,
    /// A clue of a 9x9 grid, as written after the name of the rule.
    pub example: &'static str,
    /// Minimum and maximum number of groups of cells, and minimum number of cells per group.
    pub groups: (usize, usize, usize),
    /// Minimum and maximum number of values.
    pub values: (usize, usize),
    /// Whether the rule takes a text instead of numbers.
    pub takes_text: bool,
    /// Whether a group may name the same cell several times.
    pub repeats: bool,
    /// Value of a clue that states none.
    pub usual: Option<i64>,
    /// The digits that add up to the value, if they do.
    pub summands: Option<Summands>,
    /// Noun for a clue in explanations.
    pub noun: &'static str,
    /// Builds the clues. The error describes the expected arguments.
    make: fn(&VariantBoard, &Args) -> ClueList,
    /// Draws a clue.
    pub draw: ClueDrawing,
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rule").field("name", &self.name).finish_non_exhaustive()
    }
}

const ANY: usize = usize::MAX;

const fn rule(
    name: &'static str,
    summary: &'static str,
    example: &'static str,
    groups: (usize, usize, usize),
    values: (usize, usize),
    make: fn(&VariantBoard, &Args) -> ClueList,
) -> Rule {
    Rule {
        name,
        summary,
        example,
        groups,
        values,
        takes_text: false,
        repeats: false,
        usual: None,
        summands: None,
        noun: name,
        make,
        draw: draw_name,
    }
}

impl Rule {
    const fn repeating(self) -> Self {
        Self { repeats: true, ..self }
    }

    const fn with_text(self) -> Self {
        Self { takes_text: true, ..self }
    }

    const fn drawn(self, draw: ClueDrawing) -> Self {
        Self { draw, ..self }
    }

    const fn usually(self, usual: i64) -> Self {
        Self { usual: Some(usual), ..self }
    }

    const fn adding(self, summands: Summands) -> Self {
        Self { summands: Some(summands), ..self }
    }

    const fn called(self, noun: &'static str) -> Self {
        Self { noun, ..self }
    }

    /// Returns the first value of a clue, or the usual value if the clue states none.
    pub(super) fn value(&self, args: &Args) -> Option<i64> {
        args.values.first().copied().or(self.usual)
    }

    /// Builds the clues. The error describes the expected arguments.
    pub(super) fn clues(&self, board: &VariantBoard, args: &Args) -> ClueList {
        match self.usual.filter(|_| args.values.is_empty()) {
            Some(usual) => (self.make)(board, &Args { values: vec![usual], ..args.clone() }),
            None => (self.make)(board, args),
        }
    }
}

/// Draws a clue of a rule that has no marks of its own: a line around its cells, if it has any,
/// with a letter, and the name of the rule in the legend.
fn draw_name(sketch: &mut Sketch<'_>, args: &Args) {
    match args.groups.is_empty() {
        true => sketch.name(None),
        false => sketch.lettered(&args.groups, &numbers(&args.values)),
    }
}

/// Writes the numbers of a clue as they follow the cells; empty if the clue has no numbers.
fn numbers(values: &[i64]) -> String {
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    if values.is_empty() { String::new() } else { format!("= {}", values.join(" ")) }
}

/// The table of all rules.
pub const RULES: &[Rule] = &[
    rule(
        "killer",
        "different digits with that sum, or any",
        "r1c1 r1c2 r2c1 = 15",
        (1, 1, 1),
        (0, 1),
        cages::killer,
    )
    .drawn(cages::draw_killer)
    .adding(Summands::Different)
    .called("cage"),
    rule(
        "sum",
        "digits with that sum; they may repeat",
        "r1c1 r2c2 r3c3 = 12",
        (1, 1, 1),
        (1, 1),
        cages::sum,
    )
    .drawn(cages::draw_sum)
    .adding(Summands::Any)
    .repeating(),
    rule(
        "equal-sums",
        "groups of cells have the same sum",
        "r1c1 r1c2 / r5c5 r6c5",
        (2, ANY, 1),
        (0, 0),
        cages::equal_sums,
    )
    .drawn(cages::draw_equal_sums)
    .repeating(),
    rule(
        "arrow",
        "the digits of the shaft add up to the circle, or to the number in a pill of two or three cells",
        "r5c5 / r4c6 r3c7",
        (2, 2, 1),
        (0, 0),
        cages::arrow,
    )
    .drawn(cages::draw_arrow)
    .repeating(),
    rule(
        "double-arrow",
        "the digits between the ends add up to the sum of the ends",
        "r1c1 r2c2 r3c3 r4c4",
        (1, 1, 3),
        (0, 0),
        cages::double_arrow,
    )
    .drawn(cages::draw_double_arrow),
    rule(
        "quadruple",
        "these digits stand among the cells, each as often as it is named",
        "r1c1 r1c2 r2c1 r2c2 = 3 7",
        (1, 1, 1),
        (1, ANY),
        cages::quadruple,
    )
    .drawn(cages::draw_quadruple),
    rule("extra", "different digits", "r1c1 r5c5 r9c9", (1, 1, 2), (0, 0), cages::extra)
    .drawn(cages::draw_extra),
    rule("thermo", "digits grow from the bulb on", "r1c1 r1c2 r2c3", (1, 1, 2), (0, 0), lines::thermo)
    .drawn(lines::draw_thermo),
    rule(
        "slow-thermo",
        "digits do not shrink from the bulb on",
        "r1c1 r1c2 r2c3",
        (1, 1, 2),
        (0, 0),
        lines::slow_thermo,
    )
    .drawn(lines::draw_slow_thermo),
    rule(
        "whisper",
        "neighbors differ by 5 or more, or by that number",
        "r1c1 r2c2 r2c3",
        (1, 1, 2),
        (0, 1),
        lines::whisper,
    )
    .drawn(lines::draw_whisper)
    .usually(5),
    rule(
        "renban",
        "consecutive digits in any order",
        "r1c1 r2c2 r2c3",
        (1, 1, 2),
        (0, 0),
        lines::renban,
    )
    .drawn(lines::draw_renban),
    rule(
        "nabner",
        "no two digits are equal or consecutive",
        "r1c1 r2c2 r2c3",
        (1, 1, 2),
        (0, 0),
        lines::nabner,
    )
    .drawn(lines::draw_nabner),
    rule(
        "palindrome",
        "the same digits from both ends",
        "r1c1 r2c2 r2c3 r3c4",
        (1, 1, 2),
        (0, 0),
        lines::palindrome,
    )
    .drawn(lines::draw_palindrome),
    rule(
        "between",
        "digits lie between those at the ends",
        "r1c1 r2c2 r2c3",
        (1, 1, 3),
        (0, 0),
        lines::between,
    )
    .drawn(lines::draw_between),
    rule(
        "lockout",
        "digits lie outside of those at the ends, which differ by 4 or that number",
        "r1c1 r2c2 r2c3",
        (1, 1, 3),
        (0, 1),
        lines::lockout,
    )
    .drawn(lines::draw_lockout)
    .usually(4),
    rule(
        "modular",
        "three neighbors, or that many, leave different remainders",
        "r1c1 r2c2 r2c3 r3c4",
        (1, 1, 2),
        (0, 1),
        lines::modular,
    )
    .drawn(lines::draw_modular)
    .usually(3),
    rule(
        "entropic",
        "three neighbors come from the low, the middle and the high third",
        "r1c1 r2c2 r2c3 r3c4",
        (1, 1, 2),
        (0, 0),
        lines::entropic,
    )
    .drawn(lines::draw_entropic),
    rule(
        "region-sum",
        "the parts of the line in each region have the same sum",
        "r1c2 r1c3 r1c4 r1c5",
        (1, 1, 2),
        (0, 0),
        lines::region_sum,
    )
    .drawn(lines::draw_region_sum),
    rule(
        "sum-line",
        "the line falls into runs with that sum each",
        "r1c1 r1c2 r1c3 r2c4 = 10",
        (1, 1, 1),
        (1, 1),
        lines::sum_line,
    )
    .drawn(lines::draw_sum_line),
    rule(
        "sum-loop",
        "the loop falls into runs with that sum each",
        "r1c1 r1c2 r1c3 r2c3 r2c2 r2c1 = 10",
        (1, 1, 1),
        (1, 1),
        lines::sum_loop,
    )
    .drawn(lines::draw_sum_loop),
    rule(
        "regex",
        "the digits in their order match the regular expression; from 10 on a digit is a letter",
        "r1c1-r1c4 = (12|3.)*",
        (1, 1, 1),
        (0, 0),
        machines::regex,
    )
    .with_text()
    .repeating()
    .drawn(machines::draw_regex),
    rule(
        "machine",
        "an automaton takes the digits: states with ; between, > where it begins, * where it may end, 1,3:2 for ways",
        "r1c1-r1c9 = > * 1,3,5,7,9:1 2,4,6,8:0; * 2,4,6,8:0",
        (1, ANY, 1),
        (0, 0),
        machines::machine,
    )
    .with_text()
    .repeating()
    .drawn(machines::draw_machine),
    rule(
        "either",
        "one of these clues holds, or several; those with `and` between go together",
        "sum: r1c1 r1c2 = 4 or sum: r1c3 r1c4 = 4 and even: r1c5",
        (0, 0, 0),
        (0, 0),
        machines::either,
    )
    .with_text()
    .drawn(machines::draw_either),
    rule(
        "zipper",
        "cells as far from the middle add up to the same, which is the middle if there is one",
        "r1c1 r1c2 r1c3 r2c4 r2c5",
        (1, 1, 2),
        (0, 0),
        lines::zipper,
    )
    .drawn(lines::draw_zipper),
    rule(
        "difference",
        "neighbors differ by 1, or by that number",
        "r1c1 r1c2",
        (1, 1, 2),
        (0, 1),
        pairs::difference,
    )
    .drawn(pairs::draw_difference)
    .usually(1),
    rule(
        "ratio",
        "of neighbors one is twice the other, or that many times",
        "r1c1 r1c2",
        (1, 1, 2),
        (0, 1),
        pairs::ratio,
    )
    .drawn(pairs::draw_ratio)
    .usually(2),
    rule(
        "pair-sum",
        "neighbors add up to that number: 10 for an X, 5 for a V",
        "r1c1 r1c2 = 10",
        (1, 1, 2),
        (1, 1),
        pairs::sum,
    )
    .drawn(pairs::draw_sum),
    rule(
        "no-difference",
        "neighbors do not differ by 1, or by that number",
        "r1c1 r1c2",
        (1, 1, 2),
        (0, 1),
        pairs::no_difference,
    )
    .drawn(pairs::draw_no_difference)
    .usually(1),
    rule(
        "no-ratio",
        "of neighbors none is twice the other, or that many times",
        "r1c1 r1c2",
        (1, 1, 2),
        (0, 1),
        pairs::no_ratio,
    )
    .drawn(pairs::draw_no_ratio)
    .usually(2),
    rule(
        "no-pair-sum",
        "neighbors do not add up to that number",
        "r1c1 r1c2 = 10",
        (1, 1, 2),
        (1, 1),
        pairs::no_sum,
    )
    .drawn(pairs::draw_no_sum),
    rule(
        "greater",
        "each digit is greater than the next",
        "r1c1 r1c2",
        (1, 1, 2),
        (0, 0),
        pairs::greater,
    )
    .drawn(pairs::draw_greater),
    rule("minimum", "less than all cells at its sides", "r2c2", (1, 1, 1), (0, 0), pairs::minimum)
    .drawn(pairs::draw_minimum),
    rule("maximum", "greater than all cells at its sides", "r2c2", (1, 1, 1), (0, 0), pairs::maximum)
    .drawn(pairs::draw_maximum),
    rule(
        "clone",
        "the groups have the same digits in the same order",
        "r1c1 r1c2 / r5c5 r5c6",
        (2, ANY, 1),
        (0, 0),
        cells::clone,
    )
    .drawn(cells::draw_clone),
    rule("even", "even digits", "r1c1 r5c5", (1, 1, 1), (0, 0), cells::even)
    .drawn(cells::draw_even),
    rule("odd", "odd digits", "r1c1 r5c5", (1, 1, 1), (0, 0), cells::odd)
    .drawn(cells::draw_odd),
    rule("low", "digits of the lower half", "r1c1 r5c5", (1, 1, 1), (0, 0), cells::low)
    .drawn(cells::draw_low),
    rule("high", "digits of the upper half", "r1c1 r5c5", (1, 1, 1), (0, 0), cells::high)
    .drawn(cells::draw_high),
    rule(
        "any-of",
        "each cell has one of these digits",
        "r1c1 r5c5 = 1 4 9",
        (1, 1, 1),
        (1, ANY),
        cells::any_of,
    )
    .drawn(cells::draw_any_of),
    rule(
        "index-column",
        "the digit says in which column of its row the number of its own column stands",
        "r1c1 r2c1",
        (1, 1, 1),
        (0, 0),
        cells::index_column,
    )
    .drawn(cells::draw_index_column),
    rule(
        "index-row",
        "the digit says in which row of its column the number of its own row stands",
        "r1c1 r1c2",
        (1, 1, 1),
        (0, 0),
        cells::index_row,
    )
    .drawn(cells::draw_index_row),
    rule(
        "sandwich",
        "that sum between the least and the greatest digit of a row or column",
        "row 1 = 20",
        (1, 1, 2),
        (1, 1),
        sides::sandwich,
    )
    .drawn(sides::draw_sandwich),
    rule(
        "x-sum",
        "that sum of the first cells, as many as the first digit says",
        "row 1 left = 20",
        (1, 1, 2),
        (1, 1),
        sides::x_sum,
    )
    .drawn(sides::draw_x_sum),
    rule(
        "skyscraper",
        "that many digits are greater than 0 and all before them",
        "row 1 left = 4",
        (1, 1, 2),
        (1, 1),
        sides::skyscraper,
    )
    .drawn(sides::draw_skyscraper),
    rule(
        "numbered-room",
        "that digit stands in the place which the first digit names",
        "row 1 left = 4",
        (1, 1, 2),
        (1, 1),
        sides::numbered_room,
    )
    .drawn(sides::draw_numbered_room),
    rule(
        "full-rank",
        "all rows and columns are numbers from both ends; this one is that one from the least on, and none is equal",
        "row 1 left = 5",
        (1, 1, 2),
        (1, 1),
        ranks::full_rank,
    )
    .drawn(ranks::draw),
    rule(
        "full-rank-ties",
        "all rows and columns are numbers from both ends; this one is that one from the least on, and others may be equal",
        "row 1 left = 5",
        (1, 1, 2),
        (1, 1),
        ranks::full_rank_ties,
    )
    .drawn(ranks::draw_ties),
    rule(
        "different-lines",
        "all rows and columns are numbers from both ends, and no two are equal",
        "",
        (0, 0, 0),
        (0, 0),
        ranks::different_lines,
    ),
    rule(
        "nonconsecutive",
        "no two cells at a side have consecutive digits",
        "",
        (0, 0, 0),
        (0, 0),
        houses::nonconsecutive,
    ),
    rule(
        "anti-taxicab",
        "equal digits are not as many steps apart as they say",
        "",
        (0, 0, 0),
        (0, 0),
        houses::anti_taxicab,
    ),
    rule(
        "disjoint",
        "cells at the same place of all regions differ",
        "",
        (0, 0, 0),
        (0, 0),
        houses::disjoint,
    ),
    rule(
        "entropy",
        "every 2x2 square has a digit of each third",
        "",
        (0, 0, 0),
        (0, 0),
        houses::entropy,
    ),
    rule(
        "weighted-sum",
        "the first number is the sum of the digits, each times its own factor",
        "r1c1 r1c2 r2c1 = 0 1 1 -1",
        (1, 1, 1),
        (2, ANY),
        cages::weighted_sum,
    )
    .drawn(cages::draw_weighted_sum)
    .repeating(),
    rule(
        "rellik",
        "different digits of which none alone and no several together have that sum",
        "r1c1 r1c2 r2c1 = 10",
        (1, 1, 1),
        (1, 1),
        counts::rellik,
    )
    .drawn(counts::draw_rellik),
    rule(
        "equality",
        "different digits, as many even as odd and as many low as high ones",
        "r1c1 r1c2 r2c1 r2c2",
        (1, 1, 1),
        (0, 0),
        counts::equality,
    )
    .drawn(counts::draw_equality),
    rule(
        "lunchbox",
        "different digits; those between the least and the greatest have that sum",
        "r1c1 r1c2 r2c2 r2c3 = 8",
        (1, 1, 2),
        (1, 1),
        counts::lunchbox,
    )
    .drawn(counts::draw_lunchbox),
    rule(
        "counts",
        "just so many of a digit: a number and a digit in turns",
        "r1c1 r2c2 r3c3 r4c4 = 2 3",
        (1, 1, 1),
        (2, ANY),
        counts::counts,
    )
    .drawn(counts::draw_counts),
    rule(
        "counting-circles",
        "each digit stands in as many of the cells as it says, or in none",
        "r1c1 r2c2 r3c3 r4c4 r5c5 r6c6",
        (1, 1, 1),
        (0, 0),
        counts::counting_circles,
    )
    .drawn(counts::draw_circles),
    rule(
        "count-distinct",
        "the first digit says how many different digits the other cells have",
        "r1c1 / r2c2 r3c3 r4c4",
        (2, 2, 1),
        (0, 0),
        counts::count_distinct,
    )
    .drawn(counts::draw_count_distinct),
    rule(
        "same-digits",
        "the groups have the same digits, each as often, in any order",
        "r1c1 r1c2 / r5c5 r6c6",
        (2, ANY, 1),
        (0, 0),
        counts::same_digits,
    )
    .drawn(counts::draw_same_digits),
    rule(
        "same-set",
        "the groups have the same digits, each once, in any order",
        "r1c1 r1c2 / r5c5 r6c6",
        (2, ANY, 1),
        (0, 0),
        counts::same_set,
    )
    .drawn(counts::draw_same_set),
    rule(
        "pairs",
        "neighbors are one of these pairs, each written as a number",
        "r1c1 r1c2 = 12 24 36 48",
        (1, 1, 2),
        (1, ANY),
        pairs::listed,
    )
    .drawn(pairs::draw_listed),
    rule(
        "all-pairs",
        "any two of the cells, in their order, are one of these pairs",
        "r1c1 r1c2 r1c3 = 12 13 23",
        (1, 1, 2),
        (1, ANY),
        pairs::all_listed,
    )
    .drawn(pairs::draw_all_listed),
    rule(
        "hidden-skyscraper",
        "the first digit that is less than one before it is that number",
        "row 1 left = 4",
        (1, 1, 2),
        (1, 1),
        sides::hidden_skyscraper,
    )
    .drawn(sides::draw_hidden_skyscraper),
    rule(
        "pointer",
        "the first digit stands again as many cells behind the second as that says",
        "r1c1 r1c2 r1c3 r1c4",
        (1, 1, 3),
        (0, 0),
        sides::pointer,
    )
    .drawn(sides::draw_pointer)
    .repeating(),
    rule(
        "remainders",
        "every 2x2 square has digits of each remainder by 3",
        "",
        (0, 0, 0),
        (0, 0),
        houses::remainders,
    ),
    rule(
        "flatmates",
        "each middle digit has the least above it or the greatest below it",
        "",
        (0, 0, 0),
        (0, 0),
        houses::flatmates,
    ),
    rule(
        "product",
        "digits with that product; they may repeat",
        "r1c1 r1c2 r2c1 = 12",
        (1, 1, 1),
        (1, 1),
        cages::product,
    )
    .drawn(cages::draw_product),
    rule(
        "blocks",
        "the runs of equal digits, without the least digit, in their order: a length and a digit in turns",
        "row 1 = 2 3 1 5",
        (1, 1, 1),
        (0, ANY),
        sequences::blocks,
    )
    .drawn(sequences::draw_blocks),
    rule(
        "no-three",
        "no three neighbors are equal",
        "r1c1 r2c2 r3c3 r4c4",
        (1, 1, 3),
        (0, 0),
        sequences::no_three,
    )
    .drawn(sequences::draw_no_three),
    rule(
        "unlike",
        "no two groups have the same digits in the same order",
        "r1c1 r1c2 / r5c5 r5c6",
        (2, ANY, 1),
        (0, 0),
        sequences::unlike,
    )
    .drawn(sequences::draw_unlike),
];

/// Returns the rule called `name`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.name == name)
}
