//! Benchmark problems for the choice among counting methods and engines, in families of the same
//! structure and several sizes. A seed determines the order of the items and options of each
//! problem.
//!
//! The benchmarks count the covers of the problems of [`FAMILIES`] or of `unseen.rs`; for the
//! problems of `hard.rs`, and for the larger ones of `unseen.rs`, they search for one cover.
//!
//! A family is a function that builds a problem from numbers (sizes first, a random seed last),
//! with an entry in [`FAMILIES`]. The function reads no files. The sizes are chosen so that the
//! best method takes a millisecond to a few seconds.

mod boards;
mod bounded;
mod combinations;
pub(crate) mod figures;
mod graphs;
mod grids;
mod hard;
mod puzzles;
mod sets;
mod unseen;

use std::collections::HashMap;
use std::fmt::Write as _;

use dlx::{Entry, Problem, ProblemBuilder, Random};
use farandole::stream::{Stream, StreamHints};

/// A function that builds problems, with the sizes to call it with.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    make: fn(&[usize]) -> Problem,
    /// The sizes of each problem. The first problem is measured in three orders of its items and
    /// options.
    sizes: &'static [&'static [usize]],
}

/// A problem of a family, with its items and options in one order.
pub(crate) struct Case {
    pub(crate) family: &'static Family,
    size: &'static [usize],
    order: u64,
}

const fn family(
    name: &'static str,
    make: fn(&[usize]) -> Problem,
    sizes: &'static [&'static [usize]],
) -> Family {
    Family { name, make, sizes }
}

pub(crate) const FAMILIES: &[Family] = &[
    family("dominoes", boards::dominoes, &[&[20, 20], &[10, 60], &[40, 40]]),
    family("aztec", boards::aztec, &[&[18], &[26]]),
    family("lozenges", boards::lozenges, &[&[11], &[16]]),
    family("strips", boards::strips, &[&[3, 4000], &[2, 50_000], &[5, 600]]),
    family("mutilated", boards::mutilated, &[&[40], &[60], &[90]]),
    family("trominoes", boards::trominoes, &[&[14], &[11], &[17]]),
    family("tetrominoes", boards::tetrominoes, &[&[8, 8], &[6, 12], &[7, 8]]),
    family("supplied", boards::supplied, &[&[6, 6, 0, 4], &[6, 8, 1, 4], &[5, 8, 2, 2]]),
    family("pentominoes", boards::pentominoes, &[&[4, 15], &[3, 20], &[5, 12], &[6, 10]]),
    family("holes", boards::holes, &[&[8, 8, 1], &[8, 8, 2], &[5, 13, 3], &[7, 9, 4]]),
    family("bricks", boards::bricks, &[&[2, 4, 4, 4], &[4, 4, 6, 6], &[2, 4, 4, 5]]),
    family("soma", boards::soma, &[&[]]),
    family("hexiamonds", boards::hexiamonds, &[&[6, 6], &[4, 9], &[3, 12]]),
    family("edges", boards::edges, &[&[4, 6, 1], &[5, 9, 2], &[4, 9, 3]]),
    family("queens", grids::queens, &[&[13], &[11], &[12], &[14], &[15]]),
    family("toroidal queens", grids::toroidal, &[&[15], &[13], &[16]]),
    family("queen partitions", grids::queen_partitions, &[&[9], &[8]]),
    family("latin squares", grids::latin, &[&[6], &[5], &[7], &[8]]),
    family("quasigroups", grids::quasigroups, &[&[9, 50, 1], &[11, 66, 2], &[12, 78, 3], &[14, 96, 4]]),
    family("sudoku", grids::sudoku, &[&[3, 23, 1], &[3, 23, 2], &[3, 22, 3], &[4, 112, 4]]),
    family("kakuro", grids::kakuro, &[&[4, 4, 1], &[3, 5, 2], &[4, 4, 3]]),
    family("nonograms", grids::nonograms, &[&[18, 55, 2], &[20, 55, 1], &[15, 45, 3]]),
    family("words", grids::words, &[&[4, 4, 300, 10, 1], &[3, 5, 400, 8, 2], &[4, 4, 300, 6, 3]]),
    family("alternating signs", grids::alternating_signs, &[&[8], &[7], &[9]]),
    family("hard squares", grids::hard_squares, &[&[8, 8], &[6, 30], &[12, 12]]),
    family("colorings", grids::colorings, &[&[6, 6, 3], &[4, 12, 4], &[8, 8, 3]]),
    family("domination", grids::domination, &[&[7, 4], &[6, 4], &[8, 5]]),
    family(
        "random",
        sets::random,
        &[&[48, 1500, 6, 1], &[36, 400, 4, 2], &[60, 300, 4, 3], &[30, 600, 5, 4]],
    ),
    family("mixed", sets::mixed, &[&[24, 400, 6, 1], &[26, 250, 5, 2], &[30, 300, 7, 3]]),
    family(
        "duplicates",
        sets::duplicates,
        &[&[36, 300, 4, 2, 1], &[36, 160, 3, 4, 2], &[40, 500, 5, 2, 3]],
    ),
    family(
        "colored",
        sets::colored,
        &[&[12, 20, 300, 3, 1], &[16, 12, 240, 2, 2], &[14, 30, 200, 3, 3]],
    ),
    family("local", sets::local, &[&[200, 10, 800, 1], &[2000, 8, 9000, 2], &[60, 16, 600, 3]]),
    family("set partitions", sets::set_partitions, &[&[12, 12], &[16, 4], &[24, 3]]),
    family("three-partition", sets::three_partition, &[&[13, 60, 1], &[15, 60, 2], &[11, 90, 3]]),
    family("crews", sets::crews, &[&[40, 500, 1], &[50, 300, 2], &[100, 400, 3]]),
    family("trains", sets::trains, &[&[8, 16, 1], &[7, 14, 2], &[10, 10, 3]]),
    family("designs", sets::designs, &[&[13]]),
    family("difference families", sets::difference_families, &[&[37, 3], &[61, 4], &[31, 3]]),
    family("big option", sets::big_option, &[&[400, 1], &[1500, 2], &[3000, 3]]),
    family("dense", sets::dense, &[&[60, 4000, 18, 1], &[100, 10_000, 20, 2], &[40, 2000, 10, 3]]),
    family("wide", sets::dense, &[&[2000, 500, 400, 1], &[5000, 1000, 400, 2]]),
    family("parts", sets::parts, &[&[2000], &[20_000]]),
    family("large parts", sets::large_parts, &[&[8, 11, 1], &[40, 9, 2]]),
    family("pigeons", sets::pigeons, &[&[20], &[30], &[40]]),
    family("allotments", sets::allotments, &[&[14, 5, 1], &[20, 4, 2], &[20, 5, 3]]),
    family("complete graphs", graphs::complete, &[&[30], &[25], &[44]]),
    family("sparse graphs", graphs::sparse, &[&[200, 70, 1], &[300, 110, 2], &[160, 60, 3]]),
    family("regular graphs", graphs::regular, &[&[60, 5, 1], &[100, 3, 2], &[40, 4, 3], &[70, 4, 4]]),
    family(
        "permanents",
        graphs::permanents,
        &[&[18, 35, 1], &[24, 25, 2], &[24, 100, 3], &[28, 20, 4]],
    ),
    family("graceful wheels", graphs::graceful, &[&[7], &[6]]),
    family("one-factors", graphs::one_factors, &[&[10, 2], &[8, 0], &[10, 3]]),
    family("langford", graphs::langford, &[&[11], &[10], &[12]]),
    family("skolem", graphs::skolem, &[&[11], &[10], &[12]]),
    family("matrices", bounded::matrices, &[&[9, 3], &[8, 4], &[12, 3], &[16, 5]]),
    family(
        "random matrices",
        bounded::random_matrices,
        &[&[10, 10, 40, 1], &[8, 14, 30, 2], &[7, 7, 50, 3], &[14, 14, 20, 4]],
    ),
    family("regular on labels", bounded::regular_on_labels, &[&[9, 4], &[10, 3], &[12, 3], &[16, 2]]),
    family("king cycles", bounded::king_cycles, &[&[6, 6], &[5, 9], &[4, 20]]),
    family("tatami", bounded::tatami, &[&[10, 16], &[12, 12], &[8, 24], &[14, 14]]),
    family("tournaments", bounded::tournaments, &[&[7], &[8], &[9], &[11]]),
    family("rosters", bounded::rosters, &[&[8, 10, 3, 1], &[6, 14, 2, 2], &[10, 12, 4, 3]]),
    family("stars", bounded::stars, &[&[9, 1], &[10, 2], &[11, 2]]),
    family(
        "exams",
        bounded::exams,
        &[&[12, 4, 3, 10, 1], &[14, 5, 3, 12, 2], &[45, 7, 4, 200, 3], &[10, 4, 3, 20, 4]],
    ),
    family("boxes", bounded::boxes, &[&[12, 5, 1, 4], &[20, 6, 2, 5], &[30, 4, 5, 9]]),
    family("sums", combinations::sums, &[&[9], &[8], &[12]]),
    family("zero triples", combinations::zero_triples, &[&[6], &[5], &[7]]),
    family("progressions", combinations::progressions, &[&[24], &[20], &[30]]),
    family("room squares", combinations::room_squares, &[&[7]]),
    family("mendelsohn systems", combinations::mendelsohn, &[&[7], &[9]]),
    family("costas arrays", combinations::costas, &[&[8], &[7], &[9]]),
    family("latin rectangles", combinations::latin_rectangles, &[&[3, 7], &[4, 6], &[2, 12]]),
    family("hypercubes", combinations::hypercubes, &[&[5], &[4]]),
    family("oblongs", puzzles::oblongs, &[&[7], &[6], &[8]]),
    family("filled boxes", puzzles::filled_boxes, &[&[4, 3, 4, 1], &[4, 5, 2, 2], &[3, 3, 5, 3]]),
    family("cages", puzzles::cages, &[&[8, 1], &[7, 2], &[6, 3]]),
    family("houses", puzzles::houses, &[&[5, 5, 12, 1], &[6, 4, 14, 2], &[5, 6, 24, 3]]),
    family("numbered paths", puzzles::numbered_paths, &[&[5, 5, 25, 0], &[5, 5, 4, 1], &[7, 7, 8, 1]]),
    family("jobs", puzzles::jobs, &[&[9, 3, 9, 1], &[12, 4, 10, 2], &[14, 3, 16, 3]]),
    family("torus", puzzles::torus, &[&[6, 7], &[6, 6], &[5, 12]]),
];

#[allow(dead_code, reason = "each bench has its own problems")]
pub(crate) fn cases() -> impl Iterator<Item = Case> {
    cases_of(FAMILIES)
}

/// The problems of the families that nobody looks at while choosing a rule or a constant.
#[allow(dead_code, reason = "each bench has its own problems")]
pub(crate) fn unseen_cases() -> impl Iterator<Item = Case> {
    cases_of(unseen::FAMILIES)
}

fn cases_of(families: &'static [Family]) -> impl Iterator<Item = Case> {
    families.iter().flat_map(|family| {
        family.sizes.iter().enumerate().flat_map(move |(place, size)| {
            (1..=if place == 0 { 3 } else { 1 }).map(move |order| Case { family, size, order })
        })
    })
}

#[allow(dead_code, reason = "each bench has its own problems")]
pub(crate) fn hard_cases() -> impl Iterator<Item = Case> {
    hard_cases_of(hard::FAMILIES)
}

/// Hard problems of the families that nobody looks at while choosing a rule or a constant.
#[allow(dead_code, reason = "each bench has its own problems")]
pub(crate) fn unseen_hard_cases() -> impl Iterator<Item = Case> {
    hard_cases_of(unseen::HARD)
}

fn hard_cases_of(families: &'static [Family]) -> impl Iterator<Item = Case> {
    families
        .iter()
        .flat_map(|family| family.sizes.iter().map(move |size| Case { family, size, order: 1 }))
}

impl Case {
    /// Returns the same problem with its items and options in order number `order`.
    #[allow(dead_code, reason = "each bench has its own problems")]
    pub(crate) fn in_order(&self, order: u64) -> Self {
        Self { order, ..*self }
    }

    pub(crate) fn name(&self) -> String {
        let mut name = self.family.name.to_owned();
        for number in self.size {
            write!(name, " {number}").expect("a string takes anything");
        }
        if self.order > 1 {
            write!(name, " order {}", self.order).expect("a string takes anything");
        }
        name
    }

    pub(crate) fn problem(&self) -> Problem {
        shuffled(&(self.family.make)(self.size), &mut Random::new(self.order))
    }
}

fn shuffled(problem: &Problem, random: &mut Random) -> Problem {
    let mut builder = ProblemBuilder::new();
    let mut items: Vec<_> = problem.items().collect();
    random.shuffle(&mut items);
    let mut places = vec![None; items.len()];
    for &item in &items {
        let name = problem.item_name(item);
        let made = match problem.bounds(item) {
            Some(bounds) => builder.bounded(name, bounds.low, bounds.high),
            None => builder.secondary(name),
        };
        places[item.index()] = Some(made.expect("the names differ"));
    }
    let mut options: Vec<_> = problem.options().collect();
    random.shuffle(&mut options);
    for option in options {
        let mut entries = problem.option(option).to_vec();
        random.shuffle(&mut entries);
        let entry = |entry: &Entry| {
            let item = places[entry.item.index()].expect("it was made");
            entry.color.map_or(Entry::from(item), |color| item.with(color))
        };
        // Creates the colors in their old order, so that each color keeps its number.
        for color in problem.option(option).iter().filter_map(|entry| entry.color) {
            for index in 0..=color.index() {
                builder.color(&index.to_string()).expect("a name");
            }
        }
        builder.option(entries.iter().map(entry).collect::<Vec<_>>()).expect("the items differ");
    }
    builder.build()
}

/// A problem under construction. An item is created when its name is first used. An item is primary
/// unless `?` precedes its name.
#[derive(Default)]
struct Draft {
    builder: ProblemBuilder,
    items: HashMap<String, dlx::ItemId>,
}

impl Draft {
    /// Adds a primary item that must be covered `low` to `high` times.
    fn bounded(&mut self, name: &str, low: u32, high: u32) {
        let item = self.builder.bounded(name, low, high).expect("a new name");
        self.items.insert(name.to_owned(), item);
    }

    fn items(&mut self, names: impl IntoIterator<Item = String>) {
        names.into_iter().for_each(|name| self.bounded(&name, 1, 1));
    }

    /// Adds an option, given as item names with optional colors, such as `a ?b ?c:red`.
    fn option(&mut self, text: &str) {
        let mut entries = Vec::new();
        for word in text.split_whitespace() {
            let (name, color) = word.split_once(':').map_or((word, None), |(n, c)| (n, Some(c)));
            let item = *self.items.entry(name.to_owned()).or_insert_with(|| {
                let made = match name.strip_prefix('?') {
                    Some(name) => self.builder.secondary(name),
                    None => self.builder.primary(name),
                };
                made.expect("a new name")
            });
            entries.push(match color {
                Some(color) => item.with(self.builder.color(color).expect("a name")),
                None => item.into(),
            });
        }
        self.builder.option(entries).expect("the items differ");
    }

    fn done(self) -> Problem {
        self.builder.build()
    }
}

fn parametric(kind: &str, parameter: &str) -> Problem {
    let hints = StreamHints { kind: farandole::kinds::by_name(kind), ..StreamHints::default() };
    let puzzle =
        hints.make(parameter).expect("a kind with a parameter").expect("a parameter that works");
    (**puzzle.problem()).clone()
}

fn written(kind: &str, text: String) -> Problem {
    let hints = StreamHints { kind: farandole::kinds::by_name(kind), ..StreamHints::default() };
    let mut stream = Stream::open(std::io::Cursor::new(text), &hints).expect("a text of the kind");
    let puzzle = stream.next().expect("a puzzle").expect("one that is right");
    (**puzzle.problem()).clone()
}
