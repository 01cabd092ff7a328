//! A printed solution of each grid in `puzzles/`, read as a puzzle, is its own only solution.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use dlx::engine::Links;
use dlx::{Engine, Limits};
use farandole::stream::{Stream, StreamHints};
use grid::format::{self, Format};
use grid::{FORMATS, Grid, GridRule, Setting};
use puzzle::{Fill, Puzzle, Translator};
use text::{Lines, directive};

/// Returns the paths and texts of all grids, sorted.
fn texts() -> Vec<(PathBuf, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("puzzles");
    let folders = ["latin", "sudoku"].map(|name| fs::read_dir(root.join(name)).expect("a folder"));
    let paths = folders.into_iter().flatten().map(|entry| entry.expect("an entry").path());
    let mut texts: Vec<_> =
        paths.map(|path| (path.clone(), fs::read_to_string(path).expect("a text"))).collect();
    texts.sort();
    texts
}

fn setting(text: &str) -> Setting {
    let boxes = directive(text, "boxes").map(|boxes| {
        let (width, height) = boxes.split_once('x').expect("width x height");
        (width.parse().expect("a width"), height.parse().expect("a height"))
    });
    let rules = directive(text, "rules")
        .map_or(Vec::new(), |names| GridRule::parse_list(names).expect("rules"));
    Setting::new(directive(text, "puzzle") == Some("latin"), boxes, rules)
}

fn puzzles(text: &str, format: &Format, setting: &mut Setting) -> Vec<Fill> {
    let (mut lines, mut next) = (Lines::of_text(text), (format.reader)());
    let mut translator = Translator::default();
    let grids = std::iter::from_fn(|| next(&mut lines, setting).expect("a grid in order"));
    grids.map(|grid| translator.puzzle(grid)).collect()
}

/// Counts up to two solutions; returns the count and the first solution.
fn solve(puzzle: &Fill) -> (u64, Option<Grid>) {
    let mut first = None;
    let report = Links::new(puzzle.problem()).search(
        puzzle.given(),
        &Limits::new().solutions(2),
        &mut |cover| {
            first.get_or_insert_with(|| puzzle.filled(cover));
            ControlFlow::Continue(())
        },
    );
    (report.solutions, first)
}

fn symbols(grid: &Grid) -> Vec<Option<usize>> {
    (0..grid.shape().cell_count()).map(|cell| grid.symbol(cell)).collect()
}

#[test]
fn a_printed_solution_of_a_grid_is_its_own_only_solution() {
    for (path, text) in texts() {
        let format = format::recognize(&text).expect("a known format");
        for puzzle in puzzles(&text, format, &mut setting(&text)) {
            let Some(solution) = solve(&puzzle).1 else { continue };
            // The format `regions` prints solutions without the regions.
            if format.name == "regions" {
                continue;
            }
            let mut shown = (format.head)(puzzle.grid(), true);
            format.write_solution(puzzle.grid(), &solution, 1, &mut shown);
            let again = format::recognize(&shown).unwrap_or_else(|| panic!("{path:?} shows {shown}"));
            let again = puzzles(&shown, again, &mut setting(&text));
            let (count, found) = solve(&again[0]);
            assert_eq!((again.len(), count), (1, 1), "grids and solutions of {path:?}");
            assert_eq!(symbols(&found.expect("a solution")), symbols(&solution), "{path:?}");
        }
    }
}

#[test]
fn every_shipped_grid_has_the_same_solution_count_in_every_format() {
    let mut converted = 0;
    for (path, text) in texts() {
        if directive(&text, "slow").is_some() {
            continue;
        }
        let format = format::recognize(&text).expect("a known format");
        let Some(puzzle) = puzzles(&text, format, &mut setting(&text)).into_iter().next() else {
            continue;
        };
        if puzzle.grid().shape().order() > 16 {
            continue;
        }
        let expected = solve(&puzzle).0;
        for to in FORMATS.iter().filter(|to| to.is_written && to.lacks(puzzle.grid()).is_none()) {
            let mut text = Setting::head(puzzle.grid().shape()) + &(to.head)(puzzle.grid(), false);
            (to.write)(puzzle.grid(), &mut text);
            let name = format!("{} as {}:\n{text}", path.display(), to.name);
            let input = std::io::Cursor::new(text.into_bytes());
            let stream = Stream::open(input, &StreamHints::default())
                .unwrap_or_else(|error| panic!("{name}{error}"));
            let grids: Vec<_> =
                stream.map(|grid| grid.unwrap_or_else(|error| panic!("{name}{error}"))).collect();
            let [grid] = &grids[..] else { panic!("{} grids in {name}", grids.len()) };
            assert_eq!(solve(grid.as_fill().expect("a grid")).0, expected, "{name}");
            converted += 1;
        }
    }
    assert!(converted > 300, "{converted}");
}
