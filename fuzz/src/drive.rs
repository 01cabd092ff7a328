//! The fuzz driver for stable Rust. The driver changes the seeds randomly, without guidance by
//! coverage.
//!
//! The same random seed gives the same inputs. A failing input is shortened as long as it still
//! fails, and then printed.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::mutate::Mutator;
use crate::targets::Target;

/// The words of the dictionary, in the format of libFuzzer.
const DICTIONARY: &str = include_str!("../dictionary.txt");
/// Maximum time of an execution; generous, because the machine may be busy.
const LONGEST: Duration = Duration::from_secs(120);
/// Memory limit of the process, in pages of 4 KiB (2 GiB in total).
const PAGES_MAX: u64 = 1 << 19;
const LENGTH_MAX: usize = 4096;
/// Maximum number of inputs in the pool, including the seeds. Inputs of the pool are changed
/// further.
const POOL_MAX: usize = 2000;

/// The condition to stop fuzzing.
#[derive(Clone, Copy, Debug)]
pub enum Until {
    /// After this number of executions.
    Runs(u64),
    /// After this time has passed.
    Time(Duration),
}

/// An input on which a target panics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The message of the panic.
    pub message: String,
    /// The failing input.
    pub input: Vec<u8>,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\ninput: b\"{}\"", self.message, self.input.escape_ascii())
    }
}

/// Returns the words of the dictionary.
///
/// ```
/// let words = farandole_fuzz::drive::words();
/// assert!(words.contains(&b"# puzzle: ".to_vec()));
/// ```
#[must_use]
pub fn words() -> Vec<Vec<u8>> {
    let quoted = |line: &str| -> Option<Vec<u8>> {
        let text = line.trim().strip_prefix('"')?.strip_suffix('"')?;
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            match byte {
                b'\\' => match rest.next()? {
                    b'x' => {
                        let digits = [rest.next()?, rest.next()?];
                        let digits = std::str::from_utf8(&digits).ok()?.to_owned();
                        bytes.push(u8::from_str_radix(&digits, 16).ok()?);
                    }
                    other => bytes.push(other),
                },
                byte => bytes.push(byte),
            }
        }
        Some(bytes)
    };
    DICTIONARY.lines().filter_map(quoted).collect()
}

/// Runs a target; returns the number of executions.
///
/// # Errors
/// The failing input.
pub fn drive(target: &'static Target, seed: u64, until: Until) -> Result<u64, Failure> {
    let words = words();
    let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
    let mut mutator = Mutator::new(seed);
    let mut pool = (target.seeds)();
    let guard = Guard::new(target.name);
    let start = Instant::now();
    let mut runs = 0;
    loop {
        let is_over = match until {
            Until::Runs(wanted) => runs >= wanted,
            Until::Time(time) => start.elapsed() >= time,
        };
        if is_over {
            guard.runs.store(u64::MAX, Relaxed);
            return Ok(runs);
        }
        let input = match pool.get(runs as usize) {
            Some(seed) if runs < POOL_MAX as u64 / 2 => seed.clone(),
            _ => {
                let place = mutator.below(pool.len());
                let mut input = mutator.mutate(&pool[place], &words);
                input.truncate(LENGTH_MAX);
                input
            }
        };
        runs += 1;
        guard.runs.store(runs, Relaxed);
        guard.input.lock().expect("no thread panics with it").clone_from(&input);
        if let Err(message) = try_once(target, &input) {
            let name = target.name;
            return Err(Failure { message: format!("{name}, execution {runs}: {message}"), input });
        }
        // Adding changed inputs to the pool reaches further than changing only the seeds.
        if mutator.below(16) == 0 && pool.len() < POOL_MAX {
            pool.push(input);
        }
    }
}

/// Runs a target on one input.
///
/// # Errors
/// The message of the panic, if the target panics.
pub fn try_once(target: &Target, input: &[u8]) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(input))).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })
}

/// Removes parts of a failing input as long as it still fails.
#[must_use]
pub fn shrink(target: &Target, failure: Failure) -> Failure {
    let Failure { mut input, mut message } = failure;
    let start = Instant::now();
    let mut length = input.len() / 2;
    while length > 0 {
        let mut place = 0;
        while place + length <= input.len() && start.elapsed() < LONGEST / 8 {
            let mut shorter = input.clone();
            shorter.drain(place..place + length);
            if let Err(found) = try_once(target, &shorter) {
                (input, message) = (shorter, found);
            } else {
                place += length;
            }
        }
        length /= 2;
    }
    Failure { message, input }
}

/// Ends the process and prints the input if an execution exceeds the limit of time or memory.
struct Guard {
    runs: AtomicU64,
    input: Mutex<Vec<u8>>,
}

impl Guard {
    fn new(name: &'static str) -> Arc<Self> {
        let guard = Arc::new(Self { runs: AtomicU64::new(0), input: Mutex::new(Vec::new()) });
        let shared = Arc::clone(&guard);
        std::thread::spawn(move || {
            let (mut seen, mut since) = (0, Instant::now());
            loop {
                std::thread::sleep(Duration::from_millis(100));
                let runs = shared.runs.load(Relaxed);
                if runs == u64::MAX {
                    return;
                }
                if runs != seen {
                    (seen, since) = (runs, Instant::now());
                }
                let pages = std::fs::read_to_string("/proc/self/statm").ok();
                let pages = pages.and_then(|text| text.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
                if since.elapsed() > LONGEST || pages > PAGES_MAX {
                    let input = shared.input.lock().map(|input| input.clone()).unwrap_or_default();
                    eprintln!(
                        "{name}, execution {runs}: {:.0} s and {} MiB\ninput: b\"{}\"",
                        since.elapsed().as_secs_f64(),
                        pages / 256,
                        input.escape_ascii()
                    );
                    std::process::exit(1);
                }
            }
        });
        guard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::{TARGETS, by_name};

    fn hunt(name: &str) {
        let target = by_name(name).expect("it is in the table");
        let runs = drive(target, 1, Until::Runs(target.short_runs));
        let runs = runs.unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(runs, target.short_runs);
    }

    macro_rules! hunts {
        ($($name:ident)*) => {
            $(#[test]
            fn $name() {
                hunt(stringify!($name));
            })*

            #[test]
            fn every_target_has_a_test_of_its_short_run() {
                let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
                assert_eq!(names, [$(stringify!($name)),*]);
            }
        };
    }

    hunts!(problem large calls lines texts edits heads proof verify record zdd convert blocks files);
}
