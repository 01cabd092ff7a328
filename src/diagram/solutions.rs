//! Reads the solutions in a file, as covers of the puzzle.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;

use dlx::engine::Links;
use dlx::{OptionId, Problem};

use super::Refusal;
use super::subject::{names, read_text, shown_name};
use crate::io::args::{InputArgs, PuzzleLimits};
use crate::io::source::Puzzles;
use farandole::results;
use grid::Grid;
use puzzle::{Fill, Puzzle, cover};
use text::directive;

/// Reads the solutions of a puzzle of the kind `kind` from the file `name`. Each becomes a cover,
/// or `None` if it contains an option that the puzzle does not have.
///
/// # Errors
/// If the file cannot be read, or holds no solution.
pub(crate) fn solutions(
    puzzle: &dyn Puzzle,
    kind: &str,
    name: &OsStr,
    input: &InputArgs,
    limits: PuzzleLimits,
) -> Result<Vec<Option<Vec<OptionId>>>, Refusal> {
    let solutions = read(puzzle, kind, name, input, limits)?;
    if solutions.is_empty() {
        let message = format!("{}: expected solutions, found none", shown_name(name));
        return Err(Refusal::unread(message));
    }
    Ok(solutions)
}

fn read(
    puzzle: &dyn Puzzle,
    kind: &str,
    name: &OsStr,
    input: &InputArgs,
    limits: PuzzleLimits,
) -> Result<Vec<Option<Vec<OptionId>>>, Refusal> {
    if name == "-" && names(input).iter().any(|name| name == "-") {
        let message = "expected the puzzle or the solutions in a file, found both on standard input";
        return Err(Refusal::unread(message));
    }
    let problem = puzzle.problem();
    if puzzle.as_fill().is_none() && (kind == cover::NAME || cover::diagram_by_name(kind).is_some()) {
        let text = read_text(name, limits)?;
        let covers = results::covers(&text).map_err(|error| {
            Refusal::unread(format!("{}:{error}\n{}", shown_name(name), error.excerpt()))
        })?;
        return Ok(read_covers(puzzle, &covers));
    }
    let may_be_grid = kind == variant::KIND.name;
    let mut kind = Some(kind.to_owned());
    let symbols = puzzle.as_symbols().filter(|_| puzzle.as_fill().is_none());
    if symbols.is_some() && may_be_grid && !names_kind(name, limits)? {
        // Solutions of a variant are printed as plain grids if such a grid can hold them.
        kind = Some("latin".to_owned());
    }
    let input = InputArgs { files: vec![name.to_owned()], puzzle: kind, from: None, ..input.clone() };
    let placements = match puzzle.as_fill() {
        Some(_) => Placements::default(),
        None => Placements::new(puzzle),
    };
    let placed: HashMap<(usize, usize), OptionId> = match symbols {
        Some(symbols) => problem.options().filter_map(|o| Some((symbols.placed_by(o)?, o))).collect(),
        None => HashMap::new(),
    };
    Puzzles::new(&input, limits)
        .with_covers()
        .map(|job| {
            let solved = job.puzzle?;
            if let Some(fill) = puzzle.as_fill() {
                let grid = solved.as_symbols().map(puzzle::SymbolGrid::grid);
                // A table has puzzles and solutions side by side.
                let grid = grid.map(|grid| grid.row().and_then(|row| row.solution()).unwrap_or(grid));
                return Ok(grid.and_then(|grid| filled_in(fill, grid)));
            }
            let one = |covers: &mut dyn Iterator<Item = Vec<OptionId>>| {
                let (cover, other) = (covers.next(), covers.next());
                let origin = &job.origin;
                let message = || format!("{origin}: expected a solution, found a puzzle with several");
                if other.is_some() { Err(Refusal::unread(message())) } else { Ok(cover) }
            };
            if symbols.is_some() {
                // The symbols of a grid determine all other options, such as the options for the
                // clues.
                let given = solved.as_symbols().and_then(|solved| filled_by(&placed, solved.grid()));
                let mut covers = given.map(|given| Links::new(problem).into_solutions(&given));
                return covers.as_mut().map_or(Ok(None), |covers| one(covers));
            }
            // Read the solution as a puzzle with a single cover, and take that cover.
            let cover = one(&mut Links::new(solved.problem()).into_solutions(solved.given()))?;
            Ok(cover.and_then(|cover| placements.find(solved.as_ref(), &cover)).map(|mut cover| {
                puzzle.terms().complete(&mut cover);
                cover
            }))
        })
        .collect()
}

/// Returns whether the header of a file names the kind of the puzzles.
fn names_kind(name: &OsStr, limits: PuzzleLimits) -> Result<bool, Refusal> {
    if name == "-" {
        return Ok(false);
    }
    let text = read_text(name, limits)?;
    // In JSON results each solution has a header of its own.
    let is_in_results = results::recognizes(text.as_bytes()) && text.contains("\"# puzzle:");
    Ok(is_in_results || directive(&text, "puzzle").is_some())
}

/// Returns the options of a puzzle that place the symbols of a filled grid in its cells.
fn filled_in(fill: &Fill, solved: &Grid) -> Option<Vec<OptionId>> {
    let cells = solved.shape().cell_count();
    if cells != fill.grid().shape().cell_count() {
        return None;
    }
    (0..cells).map(|cell| fill.option(cell, solved.symbol(cell)?)).collect()
}

/// Returns the options that place the symbols of a grid in its cells, or `None` if one of these
/// options does not exist.
fn filled_by(placed: &HashMap<(usize, usize), OptionId>, solved: &Grid) -> Option<Vec<OptionId>> {
    let cells = 0..solved.shape().cell_count();
    let filled = cells.filter_map(|cell| Some((cell, solved.symbol(cell)?)));
    filled.map(|place| placed.get(&place).copied()).collect()
}

/// The options of a puzzle, indexed by the two texts that describe an option in a printed solution:
/// its position and its content.
#[derive(Default)]
struct Placements {
    options: HashMap<String, Vec<(String, OptionId)>>,
}

impl Placements {
    fn new(puzzle: &dyn Puzzle) -> Self {
        let mut options: HashMap<String, Vec<(String, OptionId)>> = HashMap::new();
        for option in puzzle.problem().options() {
            let (place, what) = puzzle.terms().solution_words(option);
            options.entry(place).or_default().push((what, option));
        }
        Self { options }
    }

    /// Returns the options that correspond to a cover of `solved`. If only one option fits a
    /// position, its name may differ, since a drawing may label pieces freely.
    fn find(&self, solved: &dyn Puzzle, cover: &[OptionId]) -> Option<Vec<OptionId>> {
        let found = cover.iter().map(|&option| {
            let (place, what) = solved.terms().solution_words(option);
            match &self.options.get(&place)?[..] {
                [(_, only)] => Some(*only),
                several => several.iter().find(|(other, _)| *other == what).map(|(_, option)| *option),
            }
        });
        found.collect()
    }
}

fn words(problem: &Problem, option: OptionId) -> Vec<String> {
    sorted(problem.show(option).to_string().split(' '))
}

fn sorted<'t>(words: impl Iterator<Item = &'t str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

/// Reads covers in the output format of `solve`: one option per line, a blank line between two
/// covers.
///
/// Comment lines with the numbers or names of all options distinguish equal options. Without such
/// lines, each line selects the first equal option that is not in the cover yet.
fn read_covers(puzzle: &dyn Puzzle, text: &str) -> Vec<Option<Vec<OptionId>>> {
    let problem = puzzle.problem();
    let numbers = puzzle.option_numbers(&problem.options().collect::<Vec<_>>()).unwrap_or_default();
    let option_names = puzzle.terms().option_names();
    let mut options: BTreeMap<Vec<String>, Vec<OptionId>> = BTreeMap::new();
    for option in problem.options() {
        options.entry(words(problem, option)).or_default().push(option);
    }
    let lines: Vec<&str> = text.lines().collect();
    let covers = lines.split(|line| line.trim().is_empty()).filter(|lines| !lines.is_empty());
    let covers = covers.map(|lines| {
        let (remarks, shown): (Vec<&str>, Vec<&str>) =
            lines.iter().partition(|line| line.starts_with('|'));
        let number = remarks.iter().find_map(|line| line.strip_prefix(cover::NUMBERS));
        let number: Option<Vec<u32>> =
            number.and_then(|line| line.split_whitespace().map(|word| word.parse().ok()).collect());
        let names: Vec<&str> =
            remarks.last().map_or(Vec::new(), |line| line[1..].trim().split(", ").collect());
        let mut used = BTreeSet::new();
        let found = shown.iter().enumerate().map(|(place, line)| {
            // The cost follows ` |`. A missing cost is 0.
            let (option, cost) = line.split_once(" |").unwrap_or((line, "0"));
            let cost = cost.trim().parse::<u64>().ok();
            let is_meant = |option: OptionId| match (&number, option_names.get(option.index())) {
                (Some(listed), _) => listed.get(place) == numbers.get(option.index()),
                (None, Some(name)) if names.len() == shown.len() => names[place] == name,
                _ => true,
            };
            let mut alike = options.get(&sorted(option.split_whitespace()))?.iter().copied();
            alike.find(|&option| {
                cost == Some(problem.cost(option)) && is_meant(option) && used.insert(option)
            })
        });
        found.collect()
    });
    covers.collect()
}
