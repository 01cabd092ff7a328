//! Answers a question with a child process, and sends its output as events.
//!
//! Three threads feed and read the child; the thread of the connection sends events and watches the
//! client and the clock. Queues and lines are bounded. A question ends with an interrupt (the child
//! then prints what it has), and soon after with a kill.

use std::io::{self, Read, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use protocol::{End, Event, Output};

use super::PAUSE;
use super::http::{Chunks, Fault};
use crate::io::{bar, interrupt};

/// Size of a read of the child's output (bytes): the capacity of a pipe.
const BLOCK_SIZE: usize = 1 << 16;
/// Largest number of blocks that wait for the client.
const BLOCKS_MAX: usize = 8;
/// Largest length of a line of output (bytes). A list of all solutions of a puzzle is one line.
const LINE_MAX: usize = 64 << 20;
/// Largest length of an answer (bytes): more than a page can hold.
const ANSWER_MAX: usize = 256 << 20;
/// Largest length of a line of standard error (bytes), which quotes at most one line of the input.
const NOTE_MAX: usize = 16 << 10;
/// Largest number of notes of an answer.
const NOTES_MAX: usize = 1000;
/// Time between the interrupt and the kill of a child at the time limit, to print partial results.
const GRACE: Duration = Duration::from_secs(2);
/// Time between the interrupt and the kill of a child without a client.
const SHORT_GRACE: Duration = Duration::from_millis(200);
/// Extra wait of the server after the time limit, which the child has too.
const SLACK: Duration = Duration::from_secs(1);

/// A question with everything that its process needs.
pub(super) struct Ask<'a> {
    pub(super) program: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) arguments: Vec<String>,
    pub(super) input: String,
    pub(super) output: Output,
    pub(super) time: Duration,
    pub(super) memory: Option<u64>,
}

/// A part of the output of a child.
enum Block {
    Output(Vec<u8>),
    Error(Vec<u8>),
}

/// A child that is killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the child has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    /// Asks the child to end and to print its partial results.
    fn interrupt(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process};
            // The child has not been waited for, so no other process has its number.
            if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process(pid, Signal::INT);
            }
        }
        #[cfg(not(unix))]
        let _ = self.0.kill();
    }

    /// Bounds the address space of the child, in addition to its own memory limit. Other systems
    /// than Linux set such a bound only from inside the child, so there its own limit must suffice.
    #[cfg_attr(not(target_os = "linux"), expect(unused_variables))]
    fn bound(&self, memory: u64) {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Pid, Resource, Rlimit, prlimit};
            // A command without an option for memory uses at most half of its address space.
            let bytes = memory.saturating_mul(2).saturating_add(ADDRESSES);
            let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
            if let Some(pid) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
                // Ignore errors: the limit of the server may be lower.
                let _ = prlimit(Some(pid), Resource::As, limit);
            }
        }
    }
}

/// Room for reserved addresses (bytes), such as stacks of threads.
#[cfg(target_os = "linux")]
const ADDRESSES: u64 = 8 << 30;

impl Ask<'_> {
    /// Runs the question and sends its answer.
    pub(super) fn answer(self, stream: &mut TcpStream) -> Result<(), Fault> {
        let begun = Instant::now();
        let spawned = Command::new(self.program)
            .args(&self.arguments)
            .current_dir(self.folder)
            .env(bar::VARIABLE, "json")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let failed = |error: io::Error| Fault::Status(500, format!("cannot run the program: {error}"));
        let mut child = Running(spawned.map_err(failed)?);
        if let Some(memory) = self.memory {
            child.bound(memory);
        }
        let blocks = connect(&mut child.0, self.input).map_err(failed)?;
        let mut sender = Sender::new(Chunks::begin(stream)?, self.output);
        let mut end = begun.checked_add(self.time).and_then(|end| end.checked_add(SLACK));
        let mut is_ending = false;
        let mut checked = begun;
        let status = loop {
            let received = blocks.recv_timeout(PAUSE);
            let now = Instant::now();
            if !sender.is_lost && (received.is_err() || now - checked >= PAUSE) {
                checked = now;
                sender.is_lost = sender.chunks.is_closed();
            }
            let is_over = end.is_some_and(|end| now >= end);
            let is_left = sender.is_lost || interrupt::happened();
            if is_over && is_ending {
                break None;
            }
            if !is_ending && (is_left || is_over || sender.is_full) {
                child.interrupt();
                is_ending = true;
                end = Some(now + if is_left { SHORT_GRACE } else { GRACE });
                if is_over {
                    sender.note("time limit of the page reached".to_owned());
                }
            }
            match received {
                Ok(block) => sender.add(block),
                Err(RecvTimeoutError::Timeout) => {}
                // The child has closed its output; it ends soon.
                Err(RecvTimeoutError::Disconnected) => {
                    if let Some(status) = child.0.try_wait()? {
                        break Some(status);
                    }
                    thread::sleep(PAUSE / 10);
                }
            }
        };
        let status = match status {
            Some(status) => Some(status),
            None => {
                let _ = child.0.kill();
                child.0.wait().ok()
            }
        };
        drop(child);
        let code = status.map_or(-1, code_of);
        Ok(sender.end(End { code, seconds: begun.elapsed().as_secs_f64() })?)
    }
}

/// Returns the exit code of a process; for a signal, 128 and its number.
fn code_of(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(-1)
}

/// Starts the threads of a child: one writes its input, two read its output.
fn connect(child: &mut Child, input: String) -> io::Result<Receiver<Block>> {
    let (sender, receiver) = mpsc::sync_channel(BLOCKS_MAX);
    if let Some(mut stdin) = child.stdin.take() {
        // Ignore errors: the child may end before it has read everything.
        thread::Builder::new().spawn(move || drop(stdin.write_all(input.as_bytes())))?;
    }
    if let Some(output) = child.stdout.take() {
        let sender = sender.clone();
        thread::Builder::new().spawn(move || read(output, &sender, Block::Output))?;
    }
    if let Some(error) = child.stderr.take() {
        thread::Builder::new().spawn(move || read(error, &sender, Block::Error))?;
    }
    Ok(receiver)
}

/// Sends the blocks of a stream until its end, or until the client has left.
fn read(mut stream: impl Read, sender: &SyncSender<Block>, kind: fn(Vec<u8>) -> Block) {
    let mut buffer = vec![0; BLOCK_SIZE];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return,
            Ok(count) if sender.send(kind(buffer[..count].to_vec())).is_err() => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

/// Returns whether a line is a JSON object.
fn is_object(line: &[u8]) -> bool {
    line.starts_with(b"{") && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok()
}

/// Turns the output of a child into events and sends them.
struct Sender<'a> {
    chunks: Chunks<'a>,
    output: Output,
    /// The beginning of a line of standard output, or of a character of text.
    line: Vec<u8>,
    /// The beginning of a line of standard error.
    note: Vec<u8>,
    note_count: usize,
    length: usize,
    /// Whether the answer is longer than [`ANSWER_MAX`] or one of its lines than [`LINE_MAX`].
    is_full: bool,
    /// Whether the client is gone.
    is_lost: bool,
    /// Events that are not sent yet.
    events: Vec<u8>,
}

impl<'a> Sender<'a> {
    fn new(chunks: Chunks<'a>, output: Output) -> Self {
        Self {
            chunks,
            output,
            line: Vec::new(),
            note: Vec::new(),
            note_count: 0,
            length: 0,
            is_full: false,
            is_lost: false,
            events: Vec::new(),
        }
    }

    fn add(&mut self, block: Block) {
        if self.is_lost {
            return;
        }
        match block {
            Block::Output(_) if self.is_full => {}
            Block::Output(bytes) => self.add_output(&bytes),
            Block::Error(bytes) => self.add_notes(&bytes),
        }
        self.send();
    }

    fn add_output(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        self.line.extend_from_slice(bytes);
        if self.output == Output::Text {
            // Keep the beginning of a character that another block completes.
            let complete = match str::from_utf8(&self.line) {
                Err(error) if error.error_len().is_none() => error.valid_up_to(),
                _ => self.line.len(),
            };
            let rest = self.line.split_off(complete);
            let text = std::mem::replace(&mut self.line, rest);
            self.push_text(&text);
        } else if let Some(end) = bytes.iter().rposition(|byte| *byte == b'\n') {
            let rest = self.line.split_off(self.line.len() - bytes.len() + end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            lines.split_inclusive(|byte| *byte == b'\n').for_each(|line| self.push_line(line));
        }
        if self.length > ANSWER_MAX || self.line.len() > LINE_MAX {
            self.is_full = true;
            self.line = Vec::new();
            self.note(format!("the answer is longer than {} MB", ANSWER_MAX >> 20));
        }
    }

    /// Adds a line of standard output as an event.
    fn push_line(&mut self, line: &[u8]) {
        let object = line.trim_ascii();
        if is_object(object) {
            self.events.extend_from_slice(b"{\"line\":");
            self.events.extend_from_slice(object);
            self.events.extend_from_slice(b"}\n");
        } else {
            self.push_text(line);
        }
    }

    fn push_text(&mut self, text: &[u8]) {
        if !text.is_empty() {
            self.push(&Event::Text(String::from_utf8_lossy(text).into_owned()));
        }
    }

    fn add_notes(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = NOTE_MAX.saturating_sub(self.note.len());
            self.note.extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") {
                let note = std::mem::take(&mut self.note);
                // A line of progress is already an event.
                if note.starts_with(b"{\"progress\":") && is_object(note.trim_ascii()) {
                    self.events.extend_from_slice(&note);
                } else {
                    self.note(String::from_utf8_lossy(&note).trim_end().to_owned());
                }
            }
        }
    }

    fn note(&mut self, text: String) {
        self.note_count += 1;
        if self.note_count <= NOTES_MAX {
            self.push(&Event::Note(text));
        }
    }

    fn push(&mut self, event: &Event) {
        // Writing texts and numbers as JSON cannot fail.
        if serde_json::to_writer(&mut self.events, event).is_ok() {
            self.events.push(b'\n');
        }
    }

    fn send(&mut self) {
        self.is_lost |= self.chunks.write(&self.events).is_err();
        self.events.clear();
    }

    /// Sends the rest and the last event.
    fn end(mut self, end: End) -> io::Result<()> {
        if self.is_lost {
            return Ok(());
        }
        let line = std::mem::take(&mut self.line);
        if self.output == Output::Text {
            self.push_text(&line);
        } else {
            self.push_line(&line);
        }
        let note = std::mem::take(&mut self.note);
        if !note.is_empty() {
            self.note(String::from_utf8_lossy(&note).into_owned());
        }
        self.push(&Event::End(end));
        self.send();
        self.chunks.end()
    }
}
