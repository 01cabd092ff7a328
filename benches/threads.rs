//! Measures the speedup by a second thread, method by method. The output is the table of
//! docs/BENCHMARKS.md.
//!
//! `cargo bench --bench threads` measures this build, and `FARANDOLE=PATH cargo bench --bench
//! threads` the program at PATH. Words after `--` select the rows that contain one of them. Each
//! command runs alternately with one thread and with two. The output has the shortest wall time and
//! processor time of each command in three rounds. The ratio of wall times is meaningful only on
//! two idle cores. The ratio of processor times shows duplicated work and overhead even on a busy
//! machine.

use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

const ROWS: &[(&str, &str)] = &[
    ("search, masks", "count --engine masks --puzzle queens 15"),
    ("search, masks", "count --engine masks --puzzle queens 16"),
    ("search, masks", "count --engine masks --puzzle langford 15"),
    ("search, links", "count --engine links --puzzle polyomino pentominoes:6x10"),
    ("search, cells", "count --engine cells --puzzle polyomino pentominoes:6x10"),
    ("search, counts", "count --engine counts --puzzle polyomino pentominoes:6x10"),
    ("search, list in order", "list --engine links --puzzle polyomino pentominoes:6x10"),
    ("search, list in order", "list --engine masks --puzzle queens 13"),
    ("memo", "count --engine memo --puzzle latin 6"),
    ("memo", "count --engine memo --puzzle langford 13"),
    ("symmetry", "count --engine symmetry --puzzle latin 7"),
    ("symmetry", "count --engine symmetry --puzzle latin 8"),
    ("matching", "count --engine matching --puzzle polyomino dominoes:60x60"),
    ("matching", "count --engine matching --puzzle polyomino dominoes:150x150"),
    ("frontier", "count --engine frontier --puzzle queens 13"),
    ("frontier", "count --engine frontier --puzzle langford 14"),
    ("automatic choice", "count --puzzle queens 16"),
    ("automatic choice", "count --puzzle polyomino pentominoes:6x10"),
    ("automatic choice", "count --puzzle langford 15"),
    ("automatic choice", "count --puzzle latin 8"),
];

const ROUNDS: usize = 3;

/// The shortest times of a command (s), and its answer.
struct Taken {
    wall: f64,
    cpu: f64,
    answer: String,
}

fn run(program: &str, args: &str, threads: usize) -> Taken {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(args.split(' '))
        .args(["--quiet", "--threads", &threads.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = child.stdout.take().expect("it is a pipe");
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut out, &mut text).expect("it can be read");
    let used = child.wait4().expect("it ends").rusage;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().count();
    let answer = match text.lines().next() {
        Some(line) if lines == 1 && line.len() <= 24 => line.to_owned(),
        _ => {
            let sum = text.bytes().fold(0u32, |sum, byte| sum.rotate_left(5) ^ u32::from(byte));
            format!("{lines} lines, {sum:08x}")
        }
    };
    let cpu = (used.utime + used.stime).as_secs_f64();
    Taken { wall: begun.elapsed().as_secs_f64(), cpu, answer }
}

fn main() {
    let own = env!("CARGO_BIN_EXE_farandole").to_owned();
    let program = std::env::var("FARANDOLE").unwrap_or(own);
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("| method | command | wall, 1 and 2 threads | | CPU, 1 and 2 threads | | answer |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for (method, args) in ROWS {
        let is_meant = |word: &String| method.contains(word.as_str()) || args.contains(word.as_str());
        if !words.is_empty() && !words.iter().any(is_meant) {
            continue;
        }
        let mut best: [Option<Taken>; 2] = [None, None];
        for _ in 0..ROUNDS {
            for (threads, best) in (1..).zip(&mut best) {
                let taken = run(&program, args, threads);
                *best = Some(match best.take() {
                    None => taken,
                    Some(before) => {
                        assert_eq!(before.answer, taken.answer, "{args}");
                        let (wall, cpu) = (taken.wall.min(before.wall), taken.cpu.min(before.cpu));
                        Taken { wall, cpu, ..taken }
                    }
                });
            }
        }
        let [one, two] = best.map(|taken| taken.expect("there was a round"));
        assert_eq!(one.answer, two.answer, "{args}");
        println!(
            "| {method} | `{args}` | {:.2}, {:.2} s | {:.2}x | {:.2}, {:.2} s | {:.2}x | {} |",
            one.wall,
            two.wall,
            one.wall / two.wall,
            one.cpu,
            two.cpu,
            two.cpu / one.cpu,
            one.answer
        );
    }
}
