//! The commands that reach a limit in a certain phase, for the test `limits` and for the bench
//! `limits`, which prints the overshoot.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use wait4::{ResUse, Wait4};

/// The limit or signal that stops a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum How {
    /// The option `--time`, in seconds.
    Time(f64),
    /// The option `--memory`, in MiB. A count whose memory is exhausted continues in parts, so
    /// these cases also have a time limit.
    Memory(u64),
    Nodes(u64),
    /// Ctrl-C, or a termination signal, after this processor time (s).
    Interrupt(f64),
    Terminate(f64),
    /// Ctrl-C after this fraction of the processor time of an undisturbed run; used for short
    /// commands whose duration depends on the machine.
    InterruptAt(f64),
}

/// A command, the phase where its limit takes effect, and the expected exit code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) phase: &'static str,
    pub(crate) args: &'static str,
    /// Text for standard input, if any.
    pub(crate) input: Option<fn() -> String>,
    pub(crate) how: How,
    pub(crate) code: i32,
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
    /// Processor time after the limit was reached (s).
    pub(crate) late: f64,
    /// Memory above the limit (MiB), if the case has a memory limit.
    pub(crate) over: Option<f64>,
}

use How::{Interrupt, InterruptAt, Memory, Nodes, Terminate, Time};

const fn on(phase: &'static str, args: &'static str, how: How, code: i32) -> Case {
    Case { phase, args, input: None, how, code }
}

const fn with(
    phase: &'static str,
    args: &'static str,
    input: fn() -> String,
    how: How,
    code: i32,
) -> Case {
    Case { phase, args, input: Some(input), how, code }
}

pub(crate) const CASES: &[Case] = &[
    on("placements", "solve --puzzle polyomino pentominoes:500x500", Time(0.01), 3),
    on("placements", "solve --puzzle polyomino pentominoes:500x500", Memory(100), 3),
    on("placements", "solve --puzzle polyomino dominoes:1000x1000", Memory(100), 3),
    on("placements", "solve --puzzle polyomino pentominoes:500x500", Interrupt(0.05), 130),
    on("placements", "count --puzzle polyomino pentominoes:500x500", Terminate(0.05), 130),
    on("placements", "convert --to dlx --puzzle polyomino pentominoes:500x500", Interrupt(0.05), 130),
    on(
        "placements",
        "compare --engine links --puzzle polyomino pentominoes:500x500",
        Terminate(0.05),
        130,
    ),
    on("sets of pieces", "solve --puzzle polyomino one-sided-heptacubes:20x20x20", Time(0.3), 3),
    // An unoptimized build spends four fifths of the time on reading.
    with("equal options", "count --threads 1 --puzzle cover", twins, InterruptAt(0.9), 130),
    // The time limit includes reading, so reading must finish before the limit.
    with("long options", "count --threads 1 --puzzle cover", many_nested, Time(0.4), 3),
    with("long options", "solve --threads 1 --puzzle cover", many_nested, InterruptAt(0.7), 130),
    with("tables of masks", "count --threads 1 --engine masks --puzzle cover", nested, Time(0.1), 3),
    with(
        "tables of masks",
        "count --threads 1 --engine masks --puzzle cover",
        nested,
        InterruptAt(0.5),
        130,
    ),
    with("one node of cells", "count --threads 1 --engine cells --puzzle cover", dense, Time(0.1), 3),
    with("one node of links", "count --threads 1 --engine links --puzzle cover", dense, Time(0.1), 3),
    with("a dense matrix", "count --threads 1 --puzzle cover", denser, Interrupt(1.0), 130),
    with("prices", "solve --cheapest --threads 1 --puzzle cover", priced, Time(0.1), 3),
    with("prices", "solve --cheapest --threads 1 --puzzle cover", priced, Interrupt(0.2), 130),
    on("search", "count --threads 1 --engine links --puzzle queens 20", Time(0.1), 3),
    on("search", "count --threads 1 --engine cells --puzzle queens 20", Time(0.1), 3),
    on("search", "count --threads 1 --engine masks --puzzle queens 20", Time(0.1), 3),
    on("search", "count --threads 1 --engine learn --puzzle queens 20", Time(0.1), 3),
    on("search", "count --threads 1 --engine naive --puzzle queens 20", Time(0.1), 3),
    on("search", "count --threads 1 --engine links --puzzle queens 20", Nodes(1000), 3),
    on("search", "solve --threads 1 --profile --puzzle langford 61", Time(0.1), 3),
    on("search", "count --threads 2 --engine links --puzzle queens 20", Interrupt(0.3), 130),
    on("search", "list --threads 1 --puzzle queens 20", Terminate(0.3), 130),
    on("search", "compare --engine links,cells --time 1000 --puzzle queens 20", Interrupt(0.3), 130),
    on("search", "trace --time 1000 --puzzle queens 20", Terminate(0.3), 130),
    on("states", "count --threads 1 --time 3 --engine frontier --puzzle queens 16", Memory(64), 3),
    on("states", "count --threads 1 --time 3 --puzzle langford 20", Memory(64), 3),
    on(
        "states on a disk",
        "count --threads 1 --engine frontier --scratch FOLDER --puzzle queens 14",
        Time(0.2),
        3,
    ),
    on(
        "states on a disk",
        "count --engine frontier --scratch FOLDER --puzzle queens 14",
        Interrupt(0.3),
        130,
    ),
    on(
        "layers on a disk",
        "count --threads 1 --engine symmetry --scratch FOLDER --puzzle latin 9",
        Time(0.3),
        3,
    ),
    on("shards", "count --threads 1 --journal FOLDER/j --shards 50 --puzzle queens 20", Time(0.3), 3),
    on("shards", "count --journal FOLDER/j --shards 50 --puzzle queens 20", Interrupt(0.5), 130),
    on("splitting", "split --shards 1000000 --puzzle queens 20", Interrupt(0.3), 130),
    on("counting", "count --threads 1 --puzzle sudoku 8x8", Time(1.0), 3),
    on("counting", "count --threads 1 --puzzle sudoku 8x8", Terminate(1.0), 130),
    on("counting", "count --threads 1 --puzzle latin 64", Time(0.1), 3),
    on("counting", "count --threads 1 --puzzle latin 40", Time(1.0), 3),
    on("counting", "count --threads 1 --puzzle queens 17", Interrupt(1.0), 130),
    on("sizing", "count --per-option --puzzle queens 60", Time(0.01), 3),
    on("sizing", "count --per-option --puzzle queens 100", Time(0.01), 3),
    on("sizing", "count --per-option --puzzle queens 200", Time(0.01), 3),
    on("sizing", "count --per-option --puzzle queens 200", Terminate(0.5), 130),
    on("sizing", "count --histogram --puzzle queens 200", Time(0.01), 3),
    on("sizing", "count --histogram --puzzle queens 200", Terminate(0.5), 130),
    on("sizing", "unrank 0 --puzzle queens 200", Time(0.01), 3),
    on("sizing", "unrank 0 --puzzle queens 200", Interrupt(0.5), 130),
    on("sizing", "unrank 0 --puzzle latin 30", Memory(50), 3),
    with("sizing", "rank --solution - --puzzle queens 200", one_line, Time(0.01), 3),
    with("sizing", "rank --solution - --puzzle queens 200", one_line, Terminate(0.5), 130),
    on("placements", "count --per-option --puzzle polyomino dominoes:200x200", Time(0.01), 3),
    on("sizing", "convert --to zdd --puzzle latin 30", Time(0.1), 3),
    on("sizing", "convert --to zdd --puzzle latin 30", Interrupt(0.5), 130),
    on("writing", "convert --to cnf --puzzle queens 150", Time(0.1), 3),
    on("writing", "convert --to matrix --puzzle polyomino dominoes:100x100", Memory(40), 3),
    on("drawing", "sample -n 200000000 --puzzle queens 8", Time(0.1), 3),
    on("drawing", "sample -n 200000000 --puzzle queens 8", Interrupt(0.3), 130),
    on("estimate", "estimate --puzzle latin 20", Time(0.1), 3),
    on("estimate", "estimate --time 1000 --puzzle latin 20", Interrupt(0.3), 130),
    with("equal options", "list --threads 1 --puzzle cover", triples, Time(0.2), 3),
    with("equal options", "list --threads 1 --puzzle cover", triples, Interrupt(0.3), 130),
    with(
        "equal options",
        "compare --engine auto --time 1000 --puzzle cover",
        triples,
        Terminate(0.3),
        130,
    ),
    on(
        "covers up to symmetry",
        "list --threads 2 --up-to-symmetry --puzzle polyomino dominoes:8x10",
        Interrupt(1.0),
        130,
    ),
    with("compiling clues", "count --threads 1", expressions, Time(0.2), 3),
    with("compiling clues", "check", expressions, Interrupt(0.3), 130),
    with("compiling clues", "solve", long_sum, Time(0.2), 3),
    with("compiling clues", "draw --svg FOLDER/o.svg", distances, Interrupt(0.3), 130),
    with("compiling clues", "convert --to json", distances, Terminate(0.3), 130),
    // These texts are read soon; their translations take long.
    with("translating clues", "count --threads 1", clones, Time(0.5), 3),
    with("translating clues", "solve --engine links --threads 1", clones, Interrupt(0.8), 130),
    with("translating clues", "solve --cheapest", clones, Terminate(0.8), 130),
    with("translating clues", "list --threads 1 --memory 4G", clones, Interrupt(0.8), 130),
    with("translating clues", "check", clones, Terminate(0.8), 130),
    with("translating clues", "check --why", subsets, Interrupt(0.8), 130),
    with("translating clues", "convert --to dlx", clones, Interrupt(0.8), 130),
    with("translating clues", "hint", clones, Time(0.5), 3),
    with("translating clues", "explain", clones, Interrupt(0.8), 130),
    with("translating clues", "rate", clones, Terminate(0.8), 130),
    with("translating clues", "sample", clones, Interrupt(0.8), 130),
    with("translating clues", "estimate", clones, Terminate(0.8), 130),
    with("translating clues", "trace", clones, Interrupt(0.8), 130),
    with("translating clues", "split --shards 10", clones, Terminate(0.8), 130),
    with("translating clues", "count --journal FOLDER/j", clones, Interrupt(0.8), 130),
    with("translating clues", "compare --engine links --time 1000", clones, Interrupt(0.8), 130),
    with("combining sums", "count --threads 1", palindromes, Time(0.5), 3),
    with("combining sums", "check", palindromes, Interrupt(0.5), 130),
    on("pictures", "solve --png FOLDER/o.png --puzzle polyomino dominoes:100x100", Time(0.8), 3),
    on("pictures", "draw --png FOLDER/o.png --puzzle polyomino dominoes:300x300", Interrupt(3.0), 130),
    on("pictures", "draw --svg FOLDER/o.svg --puzzle polyomino dominoes:700x700", Terminate(1.0), 130),
    on("pictures", "draw --svg FOLDER/o.svg --puzzle polyomino dominoes:700x700", Time(0.5), 3),
    on("pictures", "draw --svg FOLDER/o.svg --puzzle polyomino dominoes:700x700", Memory(200), 3),
    // An unoptimized build composes these pictures between its second and its fifth second.
    on("pictures", "draw --svg FOLDER/o.svg --puzzle polyomino dominoes:700x700", Interrupt(2.5), 130),
    on("pictures", "draw --pdf FOLDER/o.pdf --puzzle polyomino dominoes:700x700", Terminate(3.0), 130),
    on(
        "pictures",
        "draw --html FOLDER/o.html --puzzle polyomino dominoes:700x700",
        Interrupt(3.5),
        130,
    ),
    on("making puzzles", "generate --threads 1 --clues 18 sudoku", Time(0.3), 3),
    on("making puzzles", "generate --threads 2 --clues 18 sudoku", Interrupt(0.5), 130),
    with("reading", "count --threads 1 --puzzle cover", twins, Time(0.001), 3),
    with("reading", "check --puzzle cover", large, Terminate(0.1), 130),
    with("reading", "solve --puzzle cover", matrix, Time(0.01), 3),
    with("reading", "solve --puzzle cover", json, Time(0.01), 3),
    with("reading", "solve --puzzle cover", json, Memory(40), 3),
    with("reading", "solve --puzzle cover", one_line, Time(0.01), 3),
    with("reading", "solve --puzzle cover", one_line, Interrupt(0.3), 130),
    with("reading", "count --threads 1 --puzzle cover", one_line, Memory(50), 3),
    with("reading", "convert --to json --puzzle variant", one_line, Memory(50), 3),
];

/// Returns thirty independent pairs of items with three equal options each, which have 3^30 covers.
fn triples() -> String {
    let items = (0..30).map(|pair| format!("a{pair} b{pair} ")).collect::<String>() + "\n";
    items + &(0..30).map(|pair| format!("a{pair} b{pair}\n").repeat(3)).collect::<String>()
}

/// Returns a short text with clues whose automata take long to build.
fn expressions() -> String {
    let clue = "# regex: row 1 = .*(1.{6}|2.{5}|3.{4}).*(4.{5}|5.{6}).*|.*\n";
    let clues = "# order: 16\n# boxes: none\n".to_owned() + &clue.repeat(3000);
    clues + &"................\n".repeat(16)
}

/// Returns the first `count` cells of a square, row by row, turning at the end of each row.
fn winding(order: usize, count: usize) -> String {
    let cell = |place: usize| {
        let (row, column) = (place / order, place % order);
        let column = if row.is_multiple_of(2) { column } else { order - 1 - column };
        format!("r{}c{}", row + 1, column + 1)
    };
    (0..count).map(cell).collect::<Vec<_>>().join(" ")
}

fn empty_grid(order: usize, clues: &str) -> String {
    format!("# puzzle: variant\n# boxes: none\n# order: {order}\n{clues}")
}

/// A sum of all cells of the largest grid.
fn long_sum() -> String {
    empty_grid(64, &format!("# sum: {} = 130000\n", winding(64, 64 * 64)))
}

/// A rule of the whole grid that relates millions of pairs of cells.
fn distances() -> String {
    empty_grid(64, "# rules: anti-taxicab\n")
}

/// Many pairs of cells with equal digits, each with a relation of 64x64 digits.
fn clones() -> String {
    let cells = winding(64, 2000);
    let (first, second) = cells.split_at(cells.match_indices(' ').nth(999).expect("many cells").0);
    empty_grid(64, &format!("# clone: {first} /{second}\n").repeat(200))
}

/// Cages whose digits have no subset of a given sum: each test of a set is slow.
fn subsets() -> String {
    let cells = winding(16, 8);
    let clues = (20..520).map(|sum| format!("# rellik: {cells} = {}\n", sum % 60)).collect::<String>();
    empty_grid(16, &clues)
}

/// Palindromes, whose equations are all equal.
fn palindromes() -> String {
    let clues = (0..50).map(|more| format!("# palindrome: {}\n", winding(64, 2000 + more)));
    empty_grid(64, &clues.collect::<String>())
}

/// Returns one million equal options.
fn twins() -> String {
    "a b c\n".repeat(1_000_000)
}

/// Returns a large problem in Knuth's format that takes long to read.
fn large() -> String {
    let items = (0..1000).map(|item| format!("i{item} ")).collect::<String>() + "\n";
    items.clone() + &items.repeat(5000)
}

/// Returns sets in JSON that take long to read and need far more memory than their text.
fn json() -> String {
    let set = (0..100).map(|item| format!("\"i{item}\"")).collect::<Vec<_>>().join(",");
    let sets = vec![format!("[{set}]"); 10_000];
    format!("{{\"options\": [{}]}}", sets.join(","))
}

/// Returns a problem whose line of items has 24 MB.
fn one_line() -> String {
    (0..2_000_000).map(|item| format!("item{item} ")).collect::<String>() + "\n"
}

/// Returns a matrix that takes long to read.
fn matrix() -> String {
    ("01".repeat(1000) + "\n").repeat(5000)
}

/// Returns a problem whose options are the prefixes and the suffixes of a list of items.
fn nested() -> String {
    nested_in(600)
}

/// Returns a larger problem of the same kind, which no engine finishes at once.
fn many_nested() -> String {
    nested_in(1200)
}

fn nested_in(count: usize) -> String {
    let names = |range: std::ops::Range<usize>| {
        range.map(|item| format!("i{item}")).collect::<Vec<_>>().join(" ") + "\n"
    };
    let options = (1..=count).map(|end| names(0..end) + &names(end - 1..count));
    names(0..count) + &options.collect::<String>()
}

/// Returns a square matrix where about a quarter of the entries are 1.
fn dense() -> String {
    random_rows(1500)
}

/// Returns a larger random matrix, whose search takes seconds.
fn denser() -> String {
    random_rows(2500)
}

fn random_rows(size: usize) -> String {
    let mut random = numbers();
    let mut line = || {
        (0..size).map(|_| if random().is_multiple_of(4) { '1' } else { '0' }).collect::<String>() + "\n"
    };
    (0..size).map(|_| line()).collect()
}

/// Returns options with random items and random costs.
fn priced() -> String {
    let mut random = numbers();
    let mut text = (0..120).map(|item| format!("i{item} ")).collect::<String>() + "\n";
    for _ in 0..20_000 {
        let mut items: Vec<_> = (0..6).map(|_| random() % 120).collect();
        items.sort_unstable();
        items.dedup();
        items.iter().for_each(|item| text += &format!("i{item} "));
        text += &format!("|{}\n", random() % 1000);
    }
    text
}

/// Returns a random number generator with a fixed seed.
fn numbers() -> impl FnMut() -> u64 {
    let mut random = fastrand::Rng::with_seed(1);
    move || random.u64(..)
}

impl Case {
    /// Returns the arguments of the command, including its limit.
    pub(crate) fn args(&self) -> String {
        let limit = match self.how {
            Time(seconds) => format!(" --time {seconds}"),
            Memory(mebibytes) => format!(" --memory {mebibytes}M"),
            Nodes(nodes) => format!(" --nodes {nodes}"),
            Interrupt(_) | Terminate(_) | InterruptAt(_) => String::new(),
        };
        // Insert the limit before `--puzzle`, because a parameter may be the last argument.
        match self.args.split_once(" --puzzle") {
            Some((before, after)) => format!("{before}{limit} --puzzle{after}"),
            None => format!("{}{limit}", self.args),
        }
    }

    /// Runs the command. Its files are in `folder`.
    pub(crate) fn run(&self, program: &str, folder: &Path) -> Outcome {
        self.run_on(self.input.map(|input| input()), program, folder)
    }

    /// Does the same with this text as standard input.
    pub(crate) fn run_on(&self, text: Option<String>, program: &str, folder: &Path) -> Outcome {
        let file = |name: &str| folder.join(name);
        // Remove the files that the previous case kept.
        let place = file("kept").display().to_string();
        let _ = std::fs::remove_dir_all(&place);
        std::fs::create_dir_all(&place).expect("the folder can be written to");
        let has_text = text.is_some();
        if let Some(text) = text {
            std::fs::write(file("in"), text).expect("the folder can be written to");
        }
        let create = |name| File::create(file(name)).expect("the folder can be written to");
        let input = || File::open(file("in")).expect("it was written just now").into();
        let start = || {
            Command::new(program)
                .args(self.args().split_whitespace().map(|word| word.replace("FOLDER", &place)))
                .stdin(if has_text { input() } else { Stdio::null() })
                .stdout(create("out"))
                .stderr(create("err"))
                .spawn()
                .expect("the program starts")
        };
        let read = |name| {
            let mut bytes = Vec::new();
            File::open(file(name))
                .and_then(|mut file| file.read_to_end(&mut bytes))
                .expect("it is there");
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let (whole, answer) = match self.how {
            InterruptAt(_) => {
                let time = seconds(&start().wait4().expect("it ends"));
                (time, Some(read("out")))
            }
            _ => (0.0, None),
        };
        let mut child = start();
        let before = match self.how {
            InterruptAt(share) => send(&child, Signal::INT, share * whole),
            Interrupt(seconds) => send(&child, Signal::INT, seconds),
            Terminate(seconds) => send(&child, Signal::TERM, seconds),
            Time(seconds) => seconds,
            Memory(_) | Nodes(_) => 0.0,
        };
        let peak = match self.how {
            Memory(_) => peak(&child),
            _ => 0.0,
        };
        let ended = child.wait4().expect("it ends");
        let used = seconds(&ended);
        let over = match self.how {
            Memory(limit) => Some((peak - limit as f64).max(0.0)),
            _ => None,
        };
        let out = read("out");
        // Ignore an interrupt that arrives after the complete answer was printed.
        let is_whole = answer.is_some_and(|answer| answer == out);
        Outcome {
            code: if is_whole { 0 } else { ended.status.code().unwrap_or(-1) },
            out,
            err: read("err"),
            late: (used - before).max(0.0),
            over,
        }
    }
}

/// Returns the total processor time of a process (s).
fn seconds(ended: &ResUse) -> f64 {
    (ended.rusage.utime + ended.rusage.stime).as_secs_f64()
}

/// Sends a signal once the child process has used `seconds` of processor time; returns the time it
/// has used.
fn send(child: &Child, signal: Signal, seconds: f64) -> f64 {
    let pid = Pid::from_child(child);
    loop {
        let used = used(child);
        if used >= seconds {
            // If the child has already ended, its exit status shows this.
            let _ = kill_process(pid, signal);
            return used;
        }
        std::thread::sleep(Duration::from_millis(2));
        if !Path::new(&format!("/proc/{}/stat", child.id())).exists() || is_over(child) {
            return used;
        }
    }
}

/// Waits until the child process ends, and returns its peak memory (MiB). The peak that the system
/// reports after the end would include memory of the parent.
fn peak(child: &Child) -> f64 {
    let mut peak = 0.0_f64;
    while !is_over(child) {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes =
            line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
        peak = peak.max(kibibytes.unwrap_or(0.0) / 1024.0);
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}

/// Returns the fields of `/proc/PID/stat` that follow the process name.
fn fields(child: &Child) -> Vec<String> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let behind = text.rsplit_once(')').map_or("", |(_, behind)| behind);
    behind.split_whitespace().map(str::to_owned).collect()
}

fn is_over(child: &Child) -> bool {
    fields(child).first().is_none_or(|state| state == "Z")
}

/// Returns the processor time of a running process (s), with a resolution of 10 ms.
fn used(child: &Child) -> f64 {
    let ticks = |field: Option<&String>| field.and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let fields = fields(child);
    (ticks(fields.get(11)) + ticks(fields.get(12))) / 100.0
}
