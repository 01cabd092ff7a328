//! Compares the lanes solver of this project with the crate `sudoku`, and with tdoku if available,
//! on lines of 9x9 Sudoku.
//!
//!     cargo run --release --bin lanes -- [--limit N]... [--tdoku LIBRARY]... [--leaf NAME]... [--alone]
//!         [--slices N] [--ms N] [--seed N] [FILE|FOLDER...]
//!
//! Without files it uses the collection of the project. All lines of 81 characters of a file, or of
//! all files of a folder, form a set. The set is repeated until a slice is full; each copy gets its
//! own random symmetry and permutation of digits. All programs solve the same slices, in rotating
//! order. A slice has enough puzzles to take the fastest instruction set of this project N ms (5).
//! The measured thread time includes reading the line and, with a limit of 1, writing the solution;
//! with a higher limit (2) solutions are only counted. The output has the median time per puzzle
//! and, for each other program, the median and the quartiles of its time on a slice divided by the
//! time of the lane solver.
//!
//! The output also has the guesses per puzzle (search nodes with two branches) and, for the lane
//! solver, the steps of a lane per puzzle. If a program disagrees with the lane solver on the
//! number of solutions, or finds an invalid solution, the output names it and the exit code is 1.
//!
//! With `--alone` each call of the lanes solver gets one puzzle. LIBRARY is a shared library with
//! the C function `TdokuSolverDpllTriadSimd`, as tdoku builds it.

use std::ffi::c_char;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cpu_time::ThreadTime;
use sudoku9::{Batch, Board, Lanes, Leaf, Limits, Tally, leaves};
use libloading::{Library, Symbol};
use sudoku::Sudoku;

/// A line padded to 96 bytes, because tdoku reads beyond the 81 characters.
type Line = [u8; 96];

const SLICE_MAX: usize = 50_000;

struct Answers {
    counts: Vec<u64>,
    solutions: Vec<[u8; 81]>,
    guesses: u64,
    steps: u64,
}

trait Program {
    fn name(&self) -> &str;
    fn is_ours(&self) -> bool;
    /// Counts the solutions of each line up to `limit`. If `limit` is 1, also writes the solution.
    fn solve(&mut self, lines: &[Line], limit: u64, answers: &mut Answers);
}

fn text(line: &Line) -> &[u8; 81] {
    line.first_chunk().expect("81 characters")
}

/// The lanes solver, called with all puzzles of a slice or with one at a time.
struct Ours {
    name: String,
    lanes: Lanes,
    is_alone: bool,
}

struct Slice<'s> {
    leaf: &'static Leaf,
    lines: std::slice::Iter<'s, Line>,
    wants_solutions: bool,
    answers: &'s mut Answers,
    nodes: u64,
}

impl Batch for Slice<'_> {
    fn next(&mut self, board: &mut Board) -> bool {
        self.lines.next().map(|line| self.leaf.read_line(text(line), board)).is_some()
    }

    fn wants_solutions(&self) -> bool {
        self.wants_solutions
    }

    fn solution(&mut self, puzzle: usize, board: &Board) -> ControlFlow<()> {
        self.leaf.write_line(board, &mut self.answers.solutions[puzzle]);
        ControlFlow::Continue(())
    }

    fn done(&mut self, puzzle: usize, tally: Tally) {
        self.answers.counts[puzzle] = tally.solutions;
        self.nodes += tally.nodes;
    }
}

impl Program for Ours {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn solve(&mut self, lines: &[Line], limit: u64, answers: &mut Answers) {
        let leaf = self.lanes.leaf();
        if self.is_alone {
            for (at, line) in lines.iter().enumerate() {
                answers.counts[at] = if limit > 1 {
                    self.lanes.count_line(text(line), limit).expect("cells")
                } else if let Ok(Some(solution)) = self.lanes.solve_line(text(line)) {
                    leaf.write_line(&solution, &mut answers.solutions[at]);
                    1
                } else {
                    0
                };
            }
            return;
        }
        let mut slice =
            Slice { leaf, lines: lines.iter(), wants_solutions: limit == 1, answers, nodes: 0 };
        let effort = self.lanes.run(&mut slice, &Limits::new().solutions(limit));
        let nodes = slice.nodes;
        answers.guesses += (nodes - lines.len() as u64) / 2;
        answers.steps += effort.steps;
    }
}

struct Crate;

impl Program for Crate {
    fn name(&self) -> &str {
        "sudoku"
    }

    fn is_ours(&self) -> bool {
        false
    }

    fn solve(&mut self, lines: &[Line], limit: u64, answers: &mut Answers) {
        for (at, line) in lines.iter().enumerate() {
            let line = str::from_utf8(text(line)).expect("digits and points");
            let puzzle = Sudoku::from_str_line(line).expect("81 characters");
            answers.counts[at] = if limit > 1 {
                puzzle.solutions_count_up_to(limit as usize) as u64
            } else if let Some(solution) = puzzle.some_solution() {
                answers.solutions[at] = solution.to_bytes().map(|digit| digit + b'0');
                1
            } else {
                0
            };
        }
    }
}

/// The function of tdoku. Its arguments are the line, the limit, configuration 0, the buffer for a
/// solution (used with a limit of 1), and the counter of guesses.
type Entry = unsafe extern "C" fn(*const c_char, usize, u32, *mut c_char, *mut usize) -> usize;

struct Tdoku {
    name: String,
    library: Library,
}

impl Tdoku {
    const ENTRY: &[u8] = b"TdokuSolverDpllTriadSimd\0";

    fn open(path: &str) -> Result<Self, String> {
        // SAFETY: loading a library runs its constructors, and the user named this library to run
        // it.
        let library = unsafe { Library::new(path) }.map_err(|error| format!("{path}: {error}"))?;
        // SAFETY: this only looks up the symbol and calls nothing.
        unsafe { library.get::<Entry>(Self::ENTRY) }.map_err(|error| format!("{path}: {error}"))?;
        let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self { name: name.trim_start_matches("lib").to_owned(), library })
    }
}

impl Program for Tdoku {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_ours(&self) -> bool {
        false
    }

    fn solve(&mut self, lines: &[Line], limit: u64, answers: &mut Answers) {
        // SAFETY: `Entry` is the signature of the function in tdoku's `include/tdoku.h`.
        let entry: Symbol<'_, Entry> = unsafe { self.library.get(Self::ENTRY) }.expect("it was there");
        let (mut solution, mut guesses) = ([0u8; 96], 0);
        for (at, line) in lines.iter().enumerate() {
            // SAFETY: both buffers have 96 bytes to read and write, and only one thread calls the
            // function.
            let found = unsafe {
                let (line, solution) = (line.as_ptr().cast(), solution.as_mut_ptr().cast());
                entry(line, limit as usize, 0, solution, &raw mut guesses)
            };
            answers.counts[at] = found as u64;
            answers.guesses += guesses as u64;
            if limit == 1 {
                answers.solutions[at] = *text(&solution);
            }
        }
    }
}

/// A xorshift generator of random numbers, with the same numbers on every platform.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % n
    }

    fn permutation<const N: usize>(&mut self) -> [usize; N] {
        let mut order = std::array::from_fn(|i| i);
        self.shuffle(&mut order);
        order
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Returns a random permutation of the rows that preserves bands.
    fn lines(&mut self) -> [usize; 9] {
        let bands: [usize; 3] = self.permutation();
        let inner: [[usize; 3]; 3] = std::array::from_fn(|_| self.permutation());
        std::array::from_fn(|line| 3 * bands[line / 3] + inner[line / 3][line % 3])
    }

    fn permute(&mut self, text: &[u8; 81]) -> Line {
        let (digits, rows, columns) = (self.permutation::<9>(), self.lines(), self.lines());
        let is_transposed = self.below(2) == 1;
        std::array::from_fn(|cell| {
            let Some(row) = rows.get(cell / 9) else { return 0 };
            let (row, column) = (*row, columns[cell % 9]);
            let at = if is_transposed { 9 * column + row } else { 9 * row + column };
            match text[at] {
                c @ b'1'..=b'9' => b'1' + digits[usize::from(c - b'1')] as u8,
                _ => b'.',
            }
        })
    }
}

struct Plan {
    limits: Vec<u64>,
    is_alone: bool,
    slices: usize,
    ms: u64,
    seed: u64,
    leaves: Vec<String>,
    tdoku: Vec<String>,
    files: Vec<PathBuf>,
}

impl Plan {
    fn from_args() -> Result<Self, String> {
        let (limits, leaves, tdoku, files) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut plan =
            Self { limits, is_alone: false, slices: 15, ms: 5, seed: 1, leaves, tdoku, files };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("expected something behind {arg}"));
            let number = |value: String| {
                value.parse::<u64>().map_err(|_| format!("expected a number behind {arg}"))
            };
            match arg.as_str() {
                "--limit" => plan.limits.push(number(value()?)?.max(1)),
                "--alone" => plan.is_alone = true,
                "--slices" => plan.slices = number(value()?)?.max(1) as usize,
                "--ms" => plan.ms = number(value()?)?.max(1),
                "--seed" => plan.seed = number(value()?)?.max(1),
                "--leaf" => plan.leaves.push(value()?),
                "--tdoku" => plan.tdoku.push(value()?),
                _ if arg.starts_with("--") => return Err(format!("there is no {arg}")),
                _ => plan.files.push(arg.into()),
            }
        }
        if plan.limits.is_empty() {
            plan.limits = vec![2, 1];
        }
        if plan.files.is_empty() {
            let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/sudoku");
            plan.files = vec![shipped.join("17-clues.sdm"), shipped];
        }
        Ok(plan)
    }

    /// Returns the programs to compare; the lane solver comes first.
    fn programs(&self) -> Result<Vec<Box<dyn Program>>, String> {
        let mut programs: Vec<Box<dyn Program>> = Vec::new();
        let is_wanted =
            |leaf: &&Leaf| self.leaves.is_empty() || self.leaves.iter().any(|name| name == leaf.name);
        for leaf in leaves().filter(is_wanted) {
            let (name, lanes) = (leaf.name.to_owned(), Lanes::with(leaf));
            programs.push(Box::new(Ours { name, lanes, is_alone: self.is_alone }));
        }
        if programs.is_empty() {
            return Err("this processor has none of these leaves".to_owned());
        }
        programs.push(Box::new(Crate));
        for path in &self.tdoku {
            programs.push(Box::new(Tdoku::open(path)?));
        }
        Ok(programs)
    }
}

fn read(path: &Path) -> Result<Vec<[u8; 81]>, String> {
    let error = |error: std::io::Error| format!("{}: {error}", path.display());
    if path.is_dir() {
        let mut lines = Vec::new();
        for entry in std::fs::read_dir(path).map_err(error)? {
            lines.extend(read(&entry.map_err(error)?.path())?);
        }
        lines.sort_unstable();
        return Ok(lines);
    }
    let text = std::fs::read(path).map_err(error)?;
    let has = |words: &[u8]| text.windows(words.len()).any(|window| window == words);
    if has(b"# rules") || has(b"# regions") {
        return Ok(Vec::new());
    }
    let is_puzzle = |line: &&[u8; 81]| line.iter().all(|c| c.is_ascii_digit() || *c == b'.');
    let lines = text.split(|&c| c == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    Ok(lines.filter_map(|line| line.try_into().ok()).filter(is_puzzle).copied().collect())
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let plan = Plan::from_args()?;
    let mut programs = plan.programs()?;
    let mut agree = true;
    for file in &plan.files {
        let name = file.canonicalize().unwrap_or_default();
        let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let puzzles = read(file)?;
        if puzzles.is_empty() {
            return Err(format!("{}: expected lines of 81 characters", file.display()));
        }
        for &limit in &plan.limits {
            agree &= measure(&name, &puzzles, limit, &plan, &mut programs);
        }
    }
    Ok(if agree { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn time(program: &mut dyn Program, lines: &[Line], limit: u64, answers: &mut Answers) -> f64 {
    let begin = ThreadTime::now();
    program.solve(black_box(lines), limit, answers);
    begin.elapsed().as_secs_f64() / lines.len() as f64
}

/// Measures all programs on a set of puzzles; returns whether their answers agree.
fn measure(
    name: &str,
    puzzles: &[[u8; 81]],
    limit: u64,
    plan: &Plan,
    programs: &mut [Box<dyn Program>],
) -> bool {
    let mut random = Random(plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut order: Vec<&[u8; 81]> = puzzles.iter().collect();
    random.shuffle(&mut order);
    let mut endless = order.iter().cycle();
    let mut lines = |count: usize| -> Vec<Line> {
        endless.by_ref().take(count).map(|text| random.permute(text)).collect()
    };
    let new = |count: usize| Answers {
        counts: vec![0; count],
        solutions: vec![[0; 81]; count],
        guesses: 0,
        steps: 0,
    };
    let goal = plan.ms as f64 * 1e-3;
    let mut size = 64;
    loop {
        let slice = lines(size);
        let took = time(programs[0].as_mut(), &slice, limit, &mut new(size));
        if took * size as f64 > goal / 2.0 || size == SLICE_MAX {
            size = ((goal / took) as usize).clamp(64, SLICE_MAX);
            break;
        }
        size = (2 * size).min(SLICE_MAX);
    }
    let mut answers: Vec<Answers> = programs.iter().map(|_| new(size)).collect();
    let mut times = vec![Vec::new(); programs.len()];
    let (mut wrong, mut by_count) = (vec![0; programs.len()], [0u64; 3]);
    for index in 0..plan.slices {
        let slice = lines(size);
        for turn in 0..programs.len() {
            let at = (turn + index) % programs.len();
            times[at].push(time(programs[at].as_mut(), &slice, limit, &mut answers[at]));
        }
        answers[0].counts.iter().for_each(|&count| by_count[count.min(2) as usize] += 1);
        for at in 0..programs.len() {
            wrong[at] += faults(&slice, limit, &answers[at], &answers[0].counts);
        }
    }
    let total = (plan.slices * size) as f64;
    println!(
        "{name}  limit {limit}{}: {} lines, {} slices of {size} puzzles, 0/1/2+ solutions {:.1}/{:.1}/{:.1} %",
        if plan.is_alone { ", one puzzle at a time" } else { "" },
        puzzles.len(),
        plan.slices,
        by_count[0] as f64 / total * 100.0,
        by_count[1] as f64 / total * 100.0,
        by_count[2] as f64 / total * 100.0,
    );
    for at in 0..programs.len() {
        print!("  {:<14} {:>10.1} ns", programs[at].name(), quartiles(times[at].clone())[1] * 1e9);
        if programs[at].is_ours() {
            for other in (0..programs.len()).filter(|&other| !programs[other].is_ours()) {
                let ratios = times[other].iter().zip(&times[at]).map(|(their, our)| their / our);
                let [low, median, high] = quartiles(ratios.collect());
                print!("  {} {median:.2}x [{low:.2} {high:.2}]", programs[other].name());
            }
        }
        if answers[at].guesses > 0 {
            print!("  guesses {:.2}", answers[at].guesses as f64 / total);
        }
        if answers[at].steps > 0 {
            let (steps, time) = (answers[at].steps as f64 / total, quartiles(times[at].clone())[1]);
            print!("  steps {steps:.1} of {:.1} ns", time / steps * 1e9);
        }
        println!("{}", if wrong[at] > 0 { format!("  {} WRONG", wrong[at]) } else { String::new() });
    }
    wrong.iter().all(|&wrong| wrong == 0)
}

/// Counts the wrong answers of a program: a number of solutions that differs from `counts` (from
/// the lane solver), or an invalid solution.
fn faults(slice: &[Line], limit: u64, answers: &Answers, counts: &[u64]) -> usize {
    let is_right = |at: usize| {
        answers.counts[at] == counts[at]
            && (limit > 1 || counts[at] == 0 || is_solution(text(&slice[at]), &answers.solutions[at]))
    };
    (0..slice.len()).filter(|&at| !is_right(at)).count()
}

fn is_solution(puzzle: &[u8; 81], solution: &[u8; 81]) -> bool {
    let keeps_clues = puzzle.iter().zip(solution).all(|(&clue, &c)| clue == b'.' || clue == c);
    let (mut rows, mut columns, mut boxes) = ([0u16; 9], [0u16; 9], [0u16; 9]);
    for (cell, &c) in solution.iter().enumerate() {
        let (row, column, digit) = (cell / 9, cell % 9, 1 << (c.wrapping_sub(b'0') & 15));
        rows[row] |= digit;
        columns[column] |= digit;
        boxes[row / 3 * 3 + column / 3] |= digit;
    }
    keeps_clues && [rows, columns, boxes].as_flattened().iter().all(|&seen| seen == 0b11_1111_1110)
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}
