//! The command `generate` makes new puzzles with exactly one solution.
//!
//! Plain 9x9 Sudoku without given clues is generated in the SIMD lanes: at random (`nine`), or in
//! the neighborhood of others (`vicinity`) if random puzzles would hardly ever be wanted. Every
//! other puzzle is made by the general generator (`any`). All number their tries. The result of a
//! try does not depend on threads, so the same seed always gives the same puzzles.

mod any;
mod board;
mod jigsaw;
mod killer;
mod nine;
mod ordered;
mod page;
mod rated;
mod vicinity;
mod wishes;

use std::ffi::OsStr;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use dlx::{Limit, Limits};

use self::page::{MadeSoFar, Page};
use crate::command::explain::score::shown;
use crate::io::args::{GenerateArgs, InputArgs, OutputArgs, PuzzleLimits};
use crate::io::exit::{Exit, name_of};
use crate::io::source::{NumberedPuzzle, Origin, Puzzles};
use crate::io::{host, interrupt, memory, output, single};
use farandole::algorithm::nine::as_sudoku;
use farandole::generate::symmetry;
use farandole::kinds::KINDS;
use grid::{Grid, format};
use polyomino::BoardDrawing;
use puzzle::{Puzzle, SymbolGrid};

/// Number of techniques that the summary of `--technique` names.
const NAMES_LISTED: usize = 3;

struct GenerateTask<'a> {
    asked: &'a GenerateArgs,
    seed: u64,
    /// Sets of cells that either all have clues or all have no clues, or `None` without such a
    /// restriction.
    units: Option<Vec<Vec<usize>>>,
    /// Draws a board for each puzzle, for `--pieces`.
    boards: Option<BoardDrawing>,
    /// Whether puzzles are searched in the neighborhood of others, and the puzzle of `--like`.
    is_near: bool,
    like: Option<[u8; 81]>,
    limits: Limits,
    stop: Arc<AtomicBool>,
    threads: usize,
}

enum GenerateFailure {
    Wrong(String),
    /// A limit was reached during the first random draw. The text describes the drawn object.
    Cut(Limit, &'static str),
}

impl<T: Into<String>> From<T> for GenerateFailure {
    fn from(message: T) -> Self {
        Self::Wrong(message.into())
    }
}

pub(super) fn run(asked: &GenerateArgs) -> Exit {
    match made(asked) {
        Ok(exit) => exit,
        Err(GenerateFailure::Wrong(message)) => {
            say!("{message}");
            Exit::BadInput
        }
        Err(GenerateFailure::Cut(Limit::Cancelled, what)) => {
            say!("interrupted while {what} drawn");
            Exit::Interrupted
        }
        Err(GenerateFailure::Cut(limit, what)) => {
            say!("{} limit reached while {what} drawn", name_of(limit));
            Exit::Limited
        }
    }
}

fn made(asked: &GenerateArgs) -> Result<Exit, GenerateFailure> {
    wishes::check_rating(asked)?;
    wishes::check_answers(asked)?;
    let like = asked.like.as_deref().map(like).transpose()?;
    let limits = memory::guard(Limits::new(), asked.memory);
    let limits = limits.no_longer_than(asked.time.unwrap_or(Duration::MAX));
    let seed = asked.seed.unwrap_or_else(|| RandomState::new().hash_one(()));
    let boards = asked.pieces.map(|count| board::drawing(asked, count.get())).transpose()?;
    let (origin, kind, is_record, mut puzzle) = match &boards {
        Some((set, boards)) => {
            // From here on, the first interrupt sets a flag and does not end the program.
            let limits = limits.clone().cancel(interrupt::flag());
            let first = board::draw(boards, seed, 0, &limits);
            let first = first.map_err(|limit| GenerateFailure::Cut(limit, "a board was"))?;
            let first = first.ok_or("no board without a hole was found")?;
            (Origin::parameter(set), board::KIND, false, first.puzzle)
        }
        None => {
            let puzzles =
                Puzzles::new(&input(asked)?, PuzzleLimits { time: asked.time, memory: asked.memory });
            let job = match single::only_job(puzzles) {
                Ok(job) => job,
                Err(exit) => return Ok(exit),
            };
            let NumberedPuzzle { origin, kind, is_record, puzzle, .. } = job;
            (origin, kind, is_record, puzzle.map_err(|fault| fault.to_string())?)
        }
    };
    let boards = boards.map(|(_, boards)| boards);
    if asked.jigsaw {
        let layout = jigsaw::JigsawLayout::new(puzzle.as_ref(), kind)?;
        let limits = limits.clone().cancel(interrupt::flag());
        // Draw the first jigsaw now, to learn whether one exists and how it is written.
        let drawn = layout.draw(seed, 0, &limits);
        let drawn = drawn.map_err(|limit| GenerateFailure::Cut(limit, "regions were"))?;
        puzzle = drawn.ok_or("no layout of regions has a solution that was found")?;
    }
    if asked.killer {
        killer::check(puzzle.as_ref(), kind, &asked.cage_size)?;
    }
    let draws_more = asked.jigsaw || asked.killer;
    // If the base puzzle comes from the command line and not from a file, write results in the
    // format `line` where possible.
    match asked.to.as_deref() {
        Some(name) => format::by_name(name).map_or(Ok(()), |format| puzzle.set_format(format))?,
        None if !is_record && !draws_more => {
            format::by_name("line").map(|format| puzzle.set_format(format));
        }
        None => {}
    }
    if asked.killer {
        // Write the grid below the cages in the format `rows`. The killer itself is written in the
        // requested format.
        format::by_name("rows").map(|format| puzzle.set_format(format));
    }
    let puzzle = puzzle.as_ref();
    if !puzzle.show_clues(puzzle.given(), &mut String::new()) {
        return Err(format!("puzzles of the kind {kind} have no clues that can be written").into());
    }
    let units = units(asked, puzzle, kind)?;
    wishes::check_clues(asked, puzzle, units.as_deref())?;
    let stop = Arc::new(AtomicBool::new(false));
    let limits = limits.cancel(Arc::clone(&stop));
    // From here on, the first interrupt sets a flag and does not end the program.
    let _ = interrupt::flag();
    let threads = crate::io::args::thread_count(asked.threads);
    let plain = as_sudoku(puzzle).filter(|fill| fill.grid().is_empty() && !asked.killer);
    let is_near = plain.is_some() && wishes::is_near(asked);
    let task = GenerateTask { asked, seed, units, boards, is_near, like, limits, stop, threads };
    if asked.controlled_bias && plain.is_none() {
        return Err("--controlled-bias is for plain 9x9 Sudoku".into());
    }
    // A grid with regions is not read as a Latin square.
    let kind = match () {
        () if asked.killer => "variant",
        () if asked.jigsaw => "sudoku",
        () => kind,
    };
    let mut page = match Page::new(&task, puzzle, &origin, kind, plain.is_some()) {
        Ok(page) => page,
        Err(exit) => return Ok(exit),
    };
    let end = match plain {
        Some(fill) if is_near => vicinity::run(&task, fill, &mut page),
        Some(fill) => nine::run(&task, fill, &mut page),
        None => any::run(&task, puzzle, &mut page),
    };
    if let Some(error) = page.finish() {
        return Ok(output::lost(&error));
    }
    if let Some(exit) = page.undrawn {
        return Ok(exit);
    }
    let end = page.cut.map_or(end, Err);
    Ok(conclude(asked, &page.report, end))
}

/// Reads the puzzle of `--like`, a file or the puzzle itself.
fn like(argument: &OsStr) -> Result<[u8; 81], String> {
    let files = vec![argument.to_owned()];
    let input = InputArgs { files, puzzle: None, from: None, rules: None, boxes: None };
    let puzzles = Puzzles::new(&input, PuzzleLimits { time: None, memory: None });
    let mut puzzles = puzzles.with_covers();
    let job = puzzles.next().ok_or("--like: expected a puzzle, found none")?;
    if puzzles.next().is_some() {
        return Err("--like: expected one puzzle, found more".to_owned());
    }
    let puzzle = job.puzzle.map_err(|fault| format!("--like: {fault}"))?;
    let fill = as_sudoku(puzzle.as_ref()).ok_or_else(|| {
        let kind = job.kind;
        format!(
            "--like: expected a plain 9x9 Sudoku, found a {kind} of another size or with other rules"
        )
    })?;
    let mut line = [b'.'; 81];
    for (cell, c) in line.iter_mut().enumerate() {
        if let Some(symbol) = fill.grid().symbol(cell) {
            *c = b'1' + symbol as u8;
        }
    }
    match sudoku9::count(&line, 2) {
        Ok(1) => Ok(line),
        Ok(0) => Err("--like: expected a puzzle with one solution, found none".to_owned()),
        _ => Err("--like: expected a puzzle with one solution, found several".to_owned()),
    }
}

/// Returns the base puzzle's source: a kind with a parameter, or a file.
fn input(asked: &GenerateArgs) -> Result<InputArgs, String> {
    let mut files = asked.what.clone();
    let named = files.first().map_or(Some("sudoku"), |first| first.to_str());
    let is_file = files.first().is_some_and(|first| host::is_file(Path::new(first)));
    let kind = named.filter(|_| !is_file).and_then(farandole::kinds::by_name);
    let kind = match kind {
        Some(kind) => {
            if !files.is_empty() {
                files.remove(0);
            }
            if files.is_empty() {
                let parameter = kind.parameter.map(|parameter| parameter.example);
                let default = if kind.name == "sudoku" { Some("9") } else { parameter };
                let default = default.ok_or_else(|| {
                    format!("expected a file with a puzzle of the kind {}, found none", kind.name)
                })?;
                // The size of the boxes determines the order.
                let order = asked.boxes.map(|(width, height)| (width * height).to_string());
                files.push(
                    order
                        .filter(|_| kind.name == "sudoku")
                        .unwrap_or_else(|| default.to_owned())
                        .into(),
                );
            }
            Some(kind.name.to_owned())
        }
        None => {
            let word =
                files.first().and_then(|first| first.to_str()).filter(|word| *word != "-" && !is_file);
            if let Some(near) =
                word.and_then(|word| puzzle::nearest(word, KINDS.iter().map(|kind| kind.name)))
            {
                let word = word.unwrap_or_default();
                return Err(format!(
                    "expected a kind or a file, found `{word}`; did you mean `{near}`?"
                ));
            }
            if let Some(word) = word.filter(|word| word.chars().all(char::is_alphanumeric)) {
                let kinds: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
                return Err(format!(
                    "expected a kind ({}) or a file, found `{word}`",
                    kinds.join(", ")
                ));
            }
            None
        }
    };
    let (rules, boxes) = (asked.rules.clone(), asked.boxes);
    Ok(InputArgs { files, puzzle: kind, from: None, rules, boxes })
}

fn units(
    asked: &GenerateArgs,
    puzzle: &dyn Puzzle,
    kind: &str,
) -> Result<Option<Vec<Vec<usize>>>, String> {
    let symmetry = symmetry::by_name(&asked.symmetry).filter(|symmetry| symmetry.name != "none");
    if symmetry.is_none() && asked.pattern.is_none() {
        return Ok(None);
    }
    let grid = puzzle.as_symbols().map(SymbolGrid::grid);
    let grid = grid.ok_or_else(|| format!("--symmetry and --pattern are for grids, found {kind}"))?;
    let symmetry = symmetry.unwrap_or(&symmetry::SYMMETRIES[0]);
    let (rows, columns) = (grid.shape().rows(), grid.shape().columns());
    let units = symmetry.orbits_of([rows, columns]).ok_or_else(|| {
        format!(
            "the symmetry {} is for squares, found {rows} rows and {columns} columns",
            symmetry.name
        )
    });
    let mut units = units?;
    if let Some(path) = &asked.pattern {
        let may_be_clue = read_pattern(path, grid)?;
        units.retain(|unit| unit.iter().all(|&cell| may_be_clue[cell]));
    }
    Ok(Some(units))
}

/// Reads from a file which cells may have clues.
fn read_pattern(path: &Path, grid: &Grid) -> Result<Vec<bool>, String> {
    let name = crate::io::names::shown(path.as_os_str());
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{name}: cannot read: {error}"))?;
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let cells: Vec<bool> = lines
        .flat_map(str::chars)
        .filter(|c| !c.is_whitespace())
        .map(|c| !matches!(c, '.' | '0' | '_'))
        .collect();
    let expected = grid.shape().rows() * grid.shape().columns();
    if cells.len() != expected {
        return Err(format!("{name}: expected a pattern of {expected} cells, found {}", cells.len()));
    }
    Ok(cells)
}

/// Prints a summary if fewer puzzles than requested were made, and returns the exit code.
fn conclude(asked: &GenerateArgs, report: &MadeSoFar, end: Result<(), Limit>) -> Exit {
    let MadeSoFar {
        made, tries, other_clues, other_ratings, ambiguous, is_unsolvable, in_vain, ..
    } = report;
    let OutputArgs { quiet, .. } = asked.output;
    if *is_unsolvable {
        say!("the puzzle has no solution, so no clues can be added to it");
        return Exit::Failed;
    }
    if *made == asked.count {
        return Exit::Done;
    }
    let why = match end {
        Err(Limit::Cancelled) => "interrupted".to_owned(),
        Err(Limit::Nodes) => "node limit reached".to_owned(),
        Err(limit) => format!("{} limit reached", name_of(limit)),
        Ok(()) if asked.tries.is_some() => "stopped by --tries".to_owned(),
        Ok(()) => format!("given up after {in_vain} tries in vain (--tries N allows N in all)"),
    };
    let mut line = format!("made {made} of {} puzzles in {tries} tries, {why}", asked.count);
    if let Some((least, most)) = other_clues {
        push!(line, "; others had {least} to {most} clues");
    }
    if let Some((least, most)) = other_ratings {
        let [least, most] = [*least, *most].map(shown);
        push!(line, "; others were rated from {least}, and had steps of up to {most}");
    }
    if let Some(nearest) = report.nearest() {
        push!(line, "; {nearest}");
    }
    if asked.technique.is_some() {
        let names = report.hardest_names();
        let names: Vec<&str> = names.into_iter().take(NAMES_LISTED).collect();
        if !names.is_empty() {
            push!(line, "; most often the hardest step was {}", names.join(", "));
        }
    }
    if *ambiguous > 0 {
        let why = match asked.killer {
            true => "had no cages found with one solution",
            false => "had several solutions with all clues that may stand together",
        };
        push!(line, "; {ambiguous} {why}");
    }
    if !quiet {
        say!("{line}");
    }
    match end {
        Err(Limit::Cancelled) => Exit::Interrupted,
        _ => Exit::Limited,
    }
}
