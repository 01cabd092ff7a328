//! Runs a process until it ends or reaches a time limit.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use wait4::Wait4;

use super::Flag;
use crate::Cost;

/// Maximum output of a program (bytes); a program that prints more is stopped.
const OUTPUT_MAX: u64 = 64 << 20;
const TICK: Duration = Duration::from_millis(20);
/// A command with one of these characters is run by a shell.
const SHELL: &[char] = &['|', '&', ';', '<', '>', '(', ')', '$', '`', '*', '?', '~'];

#[derive(Debug)]
pub(super) struct Ended {
    /// The text on standard output and on standard error.
    pub(super) answer: String,
    pub(super) errors: String,
    pub(super) status: ExitStatus,
    pub(super) cost: Cost,
}

#[derive(Debug)]
pub(super) enum Failure {
    /// The process was stopped by the named limit.
    Limit(&'static str),
    Failed(String),
}

/// Builds a process from a command; `fill` replaces the placeholders of file names in each word.
pub(super) fn command(command: &str, fill: impl Fn(&str) -> String) -> Result<Command, Failure> {
    if command.contains(SHELL) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &fill(command)]);
        return Ok(shell);
    }
    let words = shlex::split(command)
        .ok_or_else(|| Failure::Failed("its command has an open quote".to_owned()))?;
    let mut words = words.iter().map(|word| fill(word));
    let program = words.next().ok_or_else(|| Failure::Failed("its command is empty".to_owned()))?;
    let mut process = Command::new(program);
    process.args(words);
    Ok(process)
}

pub(super) fn run(
    mut process: Command,
    input: &str,
    limit: Duration,
    cancel: Option<&Flag>,
) -> Result<Ended, Failure> {
    let failed = |why: String| Failure::Failed(why);
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut process, 0);
    let begun = Instant::now();
    let mut child = process.spawn().map_err(|error| failed(format!("cannot be started: {error}")))?;
    let id = child.id();
    let (mut stdin, mut stdout, mut stderr) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (over, is_over) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || drop(stdin.take().map(|mut stdin| stdin.write_all(input.as_bytes()))));
        let answer = scope.spawn(move || read(stdout.as_mut()));
        let errors = scope.spawn(move || read(stderr.as_mut()));
        let watch = scope.spawn(move || {
            loop {
                let left = limit.saturating_sub(begun.elapsed());
                match is_over.recv_timeout(left.min(TICK)) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return None,
                }
                let is_cancelled = cancel.is_some_and(|flag| flag.load(Relaxed));
                if is_cancelled || begun.elapsed() >= limit {
                    kill(id);
                    return Some(if is_cancelled { "interrupted" } else { "time" });
                }
            }
        });
        let used = child.wait4();
        let wall = begun.elapsed().as_secs_f64();
        // Kill the child processes as well, because they may still hold the pipes open.
        kill(id);
        drop(over);
        let stopped = watch.join().expect("it does not panic");
        let (answer, errors) = (
            answer.join().expect("reading does not panic"),
            errors.join().expect("reading does not panic"),
        );
        if let Some(limit) = stopped {
            return Err(Failure::Limit(limit));
        }
        let used = used.map_err(|error| failed(format!("its end is not known: {error}")))?;
        let cpu = used.rusage.utime + used.rusage.stime;
        let cost = Cost {
            wall,
            cpu: Some(cpu.as_secs_f64()),
            // The peak memory of a process cannot be measured below the memory of this one, because
            // a process starts as a copy of it.
            memory: Some(used.rusage.maxrss).filter(|&bytes| bytes > own_memory()),
            ..Cost::default()
        };
        Ok(Ended { answer, errors, status: used.status, cost })
    })
}

/// Returns the peak memory of this program (bytes); 0 if the system does not provide it.
fn own_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kibibytes.map_or(0, |kibibytes| kibibytes << 10)
}

fn read(pipe: Option<&mut impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        // Output that was read before an error is used.
        let _ = pipe.take(OUTPUT_MAX).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(unix)]
fn kill(id: u32) {
    let id = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(id) = id {
        let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(id: u32) {
    let _ = Command::new("taskkill").args(["/F", "/T", "/PID", &id.to_string()]).output();
}
