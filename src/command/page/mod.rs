//! The command `page` serves the page of `web/` on this machine, and answers its questions.
//!
//! `http` reads requests and writes answers, `door` decides who may ask, `assets` holds the files
//! of the page, and `answer` runs a question: the program itself as a child process, without a
//! shell, with arguments that the crate `protocol` has checked.
//!
//! Each connection has a thread and carries one request. Every wait ends at a deadline, when the
//! client closes the connection, or on an interrupt of the server; a child ends with the request
//! that it answers.

mod answer;
mod assets;
mod door;
mod http;
#[cfg(test)]
mod tests;

use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use protocol::{Bounds, Request};

use self::answer::Ask;
use self::assets::Assets;
use self::door::Door;
use self::http::{Fault, Head};
use crate::io::args::{PageArgs, thread_count};
use crate::io::exit::Exit;
use crate::io::{host, interrupt, live, memory, output};

/// Largest number of open connections. A browser opens six per page.
const CONNECTIONS_MAX: usize = 64;
/// Number of questions at once that is allowed on machines with fewer cores: the solution, the
/// picture, the candidates and a long count.
const QUESTIONS_MIN: usize = 4;
/// Largest number of questions at once, so that each has a connection.
const QUESTIONS_MAX: usize = 32;
/// Longest wait for the head of a request. Local clients need milliseconds.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Longest wait for the body of a request, which may have 17 MB.
const BODY_TIME: Duration = Duration::from_secs(30);
/// Longest block on a client that does not read its answer.
const WRITE_TIME: Duration = Duration::from_secs(30);
/// Pause between two checks of a waiting connection: the delay of a cancellation.
const PAUSE: Duration = Duration::from_millis(20);
/// Longest wait for the connections at the end of the server; children are killed before it.
const FAREWELL: Duration = Duration::from_secs(3);

/// All that connections share.
struct Server {
    door: Door,
    assets: Assets,
    /// The path of this program.
    program: PathBuf,
    /// Empty working directory of the children, so that no parameter names an existing file.
    folder: tempfile::TempDir,
    bounds: Bounds,
    /// Time after which a question is interrupted.
    time: Duration,
    slots: Slots,
    connections: AtomicUsize,
}

pub(super) fn run(asked: &PageArgs) -> Exit {
    let (listener, server) = match open(asked) {
        Ok(opened) => opened,
        Err(error) => {
            say!("{error}");
            return Exit::BadInput;
        }
    };
    let _ = interrupt::flag();
    let address = server.door.address();
    let exit = output::write_all(format!("{address}\n").as_bytes(), Exit::Done);
    if exit != Exit::Done {
        return exit;
    }
    say!("the page is at this address until Ctrl-C, for this machine only");
    if !asked.no_open {
        browse(&address);
    }
    serve(&listener, &Arc::new(server))
}

/// Binds the port and prepares the server.
fn open(asked: &PageArgs) -> Result<(TcpListener, Server), String> {
    let port = asked.port.unwrap_or(0);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|error| format!("cannot listen on port {port} of 127.0.0.1: {error}"))?;
    let address = listener.local_addr().map_err(|error| format!("cannot read the port: {error}"))?;
    let door = Door::new(address.port()).map_err(|error| format!("cannot draw a token: {error}"))?;
    let program = host::launcher().map_err(|error| format!("cannot find this program: {error}"))?;
    let folder =
        tempfile::tempdir().map_err(|error| format!("cannot create an empty folder: {error}"))?;
    // Two questions may have as much memory as one command.
    let share = memory::share().map(|bytes| bytes as u64 / 2);
    let bounds = Bounds {
        seconds: Some(asked.time.as_secs_f64()),
        bytes: asked.memory.or(share),
        threads: asked.threads.map(u64::from),
    };
    let count = asked.questions.map_or_else(
        || thread_count(None).clamp(QUESTIONS_MIN, QUESTIONS_MAX),
        |count| count.get().min(QUESTIONS_MAX),
    );
    let server = Server {
        assets: Assets::new(door.token()),
        door,
        program,
        folder,
        bounds,
        time: asked.time,
        slots: Slots::new(count),
        connections: AtomicUsize::new(0),
    };
    Ok((listener, server))
}

/// Accepts connections until an interrupt.
fn serve(listener: &TcpListener, server: &Arc<Server>) -> Exit {
    while !interrupt::happened() {
        match listener.accept() {
            Ok((stream, _)) => accept(stream, server),
            // Also without the wait no error is fatal: the client may be gone already.
            Err(_) if live::is_readable(listener, 2 * PAUSE).is_none() => thread::sleep(PAUSE / 2),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            // Out of file descriptors, for example.
            Err(_) => thread::sleep(PAUSE),
        }
    }
    let end = Instant::now() + FAREWELL;
    while server.connections.load(SeqCst) > 0 && Instant::now() < end {
        thread::sleep(PAUSE / 2);
    }
    Exit::Done
}

/// Starts the thread of a connection, or closes it if there are too many.
fn accept(stream: TcpStream, server: &Arc<Server>) {
    let open = OpenConnection::new(server);
    // Without a thread the connection is closed.
    let _ = thread::Builder::new().spawn(move || {
        let mut stream = stream;
        let is_prepared = stream
            .set_nonblocking(false)
            .and_then(|()| stream.set_nodelay(true))
            .and_then(|()| stream.set_write_timeout(Some(WRITE_TIME)));
        if is_prepared.is_err() {
            return;
        }
        let result = match open.is_allowed() {
            true => answer_one(&mut stream, &open.server),
            false => Err(Fault::status(503, "too many connections")),
        };
        if let Err(Fault::Status(status, message)) = result {
            http::refuse(&mut stream, status, &message);
        }
    });
}

/// A counted connection.
struct OpenConnection {
    server: Arc<Server>,
    number: usize,
}

impl OpenConnection {
    fn new(server: &Arc<Server>) -> Self {
        let number = server.connections.fetch_add(1, SeqCst);
        Self { server: Arc::clone(server), number }
    }

    fn is_allowed(&self) -> bool {
        self.number < CONNECTIONS_MAX
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.server.connections.fetch_sub(1, SeqCst);
    }
}

/// Reads the request of a connection and answers it.
fn answer_one(stream: &mut TcpStream, server: &Server) -> Result<(), Fault> {
    let head = http::read_head(stream, Instant::now() + HEAD_TIME)?;
    let path = server.door.check(&head)?;
    match (&*head.method, path) {
        ("POST", "ask") => ask(stream, server, &head),
        (_, "ask") => Err(Fault::status(405, "expected POST")),
        ("GET", path) => {
            let asset = server.assets.find(path).ok_or_else(|| Fault::status(404, "no such file"))?;
            if http::content_length(&head)?.is_some_and(|length| length > 0) {
                return Err(Fault::status(400, "expected no body"));
            }
            http::send(stream, asset, &head)
        }
        _ => Err(Fault::status(405, "expected GET")),
    }
}

/// Answers a question.
fn ask(stream: &mut TcpStream, server: &Server, head: &Head) -> Result<(), Fault> {
    server.door.check_asking(head)?;
    let body = http::read_body(stream, head, protocol::REQUEST_MAX, Instant::now() + BODY_TIME)?;
    let invalid = |error: protocol::RequestError| Fault::Status(400, error.to_string());
    let request = Request::parse(&body).map_err(invalid)?;
    drop(body);
    let arguments = request.arguments(&server.bounds).map_err(invalid)?;
    let output = request.output().map_err(invalid)?;
    let Some(_slot) = server.slots.take(|| interrupt::happened() || http::is_closed(stream)) else {
        return Err(Fault::Closed);
    };
    let ask = Ask {
        program: &server.program,
        folder: server.folder.path(),
        arguments,
        input: request.input,
        output,
        time: server.time,
        memory: server.bounds.bytes,
    };
    ask.answer(stream)
}

/// The places for questions that run at once.
struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

impl Slots {
    fn new(count: usize) -> Self {
        Self { free: Mutex::new(count), freed: Condvar::new() }
    }

    /// Waits for a place, until `is_given_up`.
    fn take(&self, mut is_given_up: impl FnMut() -> bool) -> Option<Slot<'_>> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            if is_given_up() {
                return None;
            }
            free = self.freed.wait_timeout(free, PAUSE).unwrap_or_else(PoisonError::into_inner).0;
        }
        *free -= 1;
        Some(Slot(self))
    }
}

/// A taken place, which is free again when this is dropped.
struct Slot<'a>(&'a Slots);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

/// Opens the user's browser. Without one the user opens the printed address.
fn browse(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // Ignore errors: without the thread only the exit code of the child stays unread.
        let _ = thread::Builder::new().spawn(move || child.wait());
    }
}
