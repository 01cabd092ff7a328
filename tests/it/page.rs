//! `farandole page` over real sockets: answers stream, and hostile or vanished clients do no harm.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use protocol::Event;
use serde_json::{Value, json};

use crate::command::command;

/// A puzzle that is answered at once, and one whose search takes years.
const QUICK: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..\n";
const ENDLESS: &str =
    ".................................................................................\n";

/// Returns a question whose first line comes at once, and whose second never comes.
fn quick_then_endless() -> Value {
    let input = format!("{QUICK}{ENDLESS}");
    json!({"question": "count", "input": input, "options": {"engine": "links"}})
}

/// A running server.
struct Page {
    child: Child,
    port: u16,
    token: String,
    /// Whether a test has ended the server.
    is_ended: bool,
}

impl Page {
    fn start(options: &str) -> Self {
        let mut child = command(&format!("page --no-open {options}"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut address = String::new();
        let output = child.stdout.take().expect("a standard output");
        BufReader::new(output).read_line(&mut address).expect("an address");
        let rest = address.trim().strip_prefix("http://127.0.0.1:").expect("this machine");
        let (port, token) = rest.split_once('/').expect("a path");
        let token = token.strip_suffix('/').expect("a folder").to_owned();
        assert_eq!(token.len(), 32);
        Self { child, port: port.parse().expect("a port"), token, is_ended: false }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(9))).expect("a limit");
        stream
    }

    /// Sends bytes and returns the whole answer.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // The server may refuse the request before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).expect("UTF-8")
    }

    fn get(&self, path: &str, headers: &str) -> String {
        let (port, token) = (self.port, &self.token);
        let head = format!("GET /{token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n");
        self.send(head.as_bytes())
    }

    /// Returns the text of a question over HTTP.
    fn post(&self, body: &str, headers: &str) -> String {
        let (port, token, length) = (self.port, &self.token, body.len());
        format!(
            "POST /{token}/ask HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Farandole-Token: {token}\r\n\
             Content-Length: {length}\r\n{headers}\r\n{body}"
        )
    }

    fn ask(&self, request: &Value) -> Vec<Event> {
        let answer = self.send(self.post(&request.to_string(), "").as_bytes());
        assert_eq!(status(&answer), 200, "{request}: {answer}");
        events(&answer)
    }

    /// Sends a question and returns the connection after its first event.
    fn begin(&self, request: &Value) -> (BufReader<TcpStream>, String) {
        let mut stream = self.connect();
        stream.write_all(self.post(&request.to_string(), "").as_bytes()).expect("sent");
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        while !line.starts_with('{') {
            line.clear();
            assert!(reader.read_line(&mut line).expect("a line") > 0, "no event");
        }
        (reader, line)
    }

    /// Sends a question, and closes the connection once its process runs.
    #[cfg(target_os = "linux")]
    fn abandon(&self, request: &Value) {
        let mut stream = self.connect();
        stream.write_all(self.post(&request.to_string(), "").as_bytes()).expect("sent");
        wait_until("the question runs", || !children(self.child.id()).is_empty());
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let status = self.child.try_wait().expect("a status");
        assert!(
            self.is_ended || status.is_none() || thread::panicking(),
            "the server has ended: {status:?}"
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the numbers of the running children of a process.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers
        .filter(|number: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
            let mut words = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            let state = words.next();
            words.next() == Some(&parent.to_string()) && state != Some("Z")
        })
        .collect()
}

fn wait_until(what: &str, is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < Duration::from_secs(8), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

fn status(answer: &str) -> u16 {
    let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
    status.unwrap_or_default()
}

/// Returns the events of a whole answer.
fn events(answer: &str) -> Vec<Event> {
    let (_, mut body) = answer.split_once("\r\n\r\n").expect("a head");
    let mut text = String::new();
    loop {
        let (length, rest) = body.split_once("\r\n").expect("a chunk");
        let length = usize::from_str_radix(length, 16).expect("a length");
        if length == 0 {
            assert_eq!(rest, "\r\n");
            break;
        }
        text.push_str(&rest[..length]);
        body = rest[length..].strip_prefix("\r\n").expect("the end of a chunk");
    }
    let events: Vec<Event> =
        text.lines().map(|line| serde_json::from_str(line).expect("an event")).collect();
    let ends = events.iter().filter(|event| matches!(event, Event::End(_))).count();
    assert!(ends == 1 && matches!(events.last(), Some(Event::End(_))), "{events:?}");
    events
}

/// Returns the exit code and the objects of an answer.
fn code_and_lines(events: &[Event]) -> (i32, Vec<&Value>) {
    let lines = events.iter().filter_map(|event| match event {
        Event::Line(line) => Some(line),
        _ => None,
    });
    let Some(Event::End(end)) = events.last() else { panic!("{events:?}") };
    (end.code, lines.collect())
}

fn text(events: &[Event]) -> String {
    let parts = events.iter().filter_map(|event| match event {
        Event::Text(text) => Some(&**text),
        _ => None,
    });
    parts.collect()
}

#[test]
fn questions_are_answered_as_on_the_command_line() {
    let page = Page::start("");
    let answer = page.ask(&json!({"question": "solve", "input": QUICK}));
    let (code, lines) = code_and_lines(&answer);
    assert_eq!((code, lines.len()), (0, 1));
    assert_eq!(lines[0]["solutions"][0].as_str().map(str::len), Some(81));
    let queens = json!({"puzzle": "queens"});
    let answer = page.ask(&json!({"question": "count", "options": queens, "arguments": ["6", "8"]}));
    let counts: Vec<_> = code_and_lines(&answer).1.iter().map(|line| line["count"].clone()).collect();
    assert_eq!(counts, ["4", "92"]);
    let answer = page.ask(&json!({"question": "draw", "input": QUICK}));
    let picture = text(&answer);
    assert!(picture.starts_with("<svg ") && picture.trim_end().ends_with("</svg>"), "{picture}");
    let answer = page.ask(&json!({"question": "solve", "input": QUICK, "options": {"json": false}}));
    assert_eq!(text(&answer).len(), 82);
    let answer = page.ask(&json!({"question": "solve", "input": "x", "options": {"json": false}}));
    assert_eq!(code_and_lines(&answer).0, 2);
    assert!(answer.iter().any(|event| matches!(event, Event::Note(note) if note.contains("expected"))));
    // A parameter is no file, and neither is one of the server's folder.
    let answer =
        page.ask(&json!({"question": "count", "options": queens, "arguments": ["Cargo.toml"]}));
    let (code, lines) = code_and_lines(&answer);
    assert_eq!(code, 2);
    assert!(lines[0]["error"].is_string(), "{lines:?}");
}

#[test]
fn the_lines_of_an_answer_arrive_as_they_are_printed() {
    let page = Page::start("");
    let request = quick_then_endless();
    let (mut reader, line) = page.begin(&request);
    assert!(line.contains(r#""count":"1""#), "{line}");
    // The second puzzle takes years; its progress arrives.
    loop {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).expect("a line") > 0);
        if line.starts_with('{') {
            let event: Event = serde_json::from_str(&line).expect("an event");
            if let Event::Progress(progress) = event {
                assert!(progress["message"].is_string(), "{progress}");
                break;
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_closed_connection_ends_its_question() {
    let page = Page::start("--questions 1");
    let endless = json!({"question": "count", "input": ENDLESS, "options": {"engine": "links"}});
    page.abandon(&endless);
    wait_until("the question has ended", || children(page.child.id()).is_empty());
    // A question that waits for another ends as well.
    let (reader, _) = page.begin(&quick_then_endless());
    let mut waiting = page.connect();
    waiting.write_all(page.post(&endless.to_string(), "").as_bytes()).expect("sent");
    thread::sleep(Duration::from_millis(100));
    assert_eq!(children(page.child.id()).len(), 1);
    drop(waiting);
    drop(reader);
    wait_until("both questions have ended", || children(page.child.id()).is_empty());
    let events = page.ask(&json!({"question": "solve", "input": QUICK}));
    assert_eq!(code_and_lines(&events).0, 0);
}

#[cfg(target_os = "linux")]
#[test]
fn the_end_of_the_server_ends_its_questions() {
    // An estimate reports no progress.
    let waiting =
        json!({"question": "estimate", "input": ENDLESS, "options": {"time": 600, "precision": 1e-9}});
    for (request, signal) in [
        (quick_then_endless(), rustix::process::Signal::TERM),
        (quick_then_endless(), rustix::process::Signal::KILL),
        (waiting.clone(), rustix::process::Signal::TERM),
        (waiting, rustix::process::Signal::KILL),
    ] {
        let mut page = Page::start("");
        let mut stream = page.connect();
        stream.write_all(page.post(&request.to_string(), "").as_bytes()).expect("sent");
        wait_until("the question runs", || children(page.child.id()).len() == 1);
        let running = children(page.child.id());
        let server = rustix::process::Pid::from_child(&page.child);
        rustix::process::kill_process(server, signal).expect("a signal");
        let status = page.child.wait().expect("the server ends");
        page.is_ended = true;
        let question = format!("/proc/{}", running[0]);
        let is_over = || !Path::new(&question).exists();
        if signal == rustix::process::Signal::TERM {
            assert!(status.success() && is_over(), "{status}");
        } else {
            // The question ends, since the reader of its standard error has gone.
            wait_until("the question has ended", is_over);
        }
    }
}

#[test]
fn the_time_limit_of_the_server_ends_a_question_with_its_partial_count() {
    let page = Page::start("--time 0.5 --memory 100M --threads 1");
    let answer = page.ask(&json!({
        "question": "count", "input": ENDLESS, "options": {"engine": "links", "time": 1000},
    }));
    let (code, lines) = code_and_lines(&answer);
    assert_eq!(code, 3, "{answer:?}");
    assert_eq!(lines[0]["complete"], false);
    // The limit holds for all puzzles of a question together.
    let begun = Instant::now();
    let answer = page.ask(&json!({
        "question": "count", "input": (ENDLESS.repeat(20)), "options": {"engine": "links"},
    }));
    assert!(begun.elapsed() < Duration::from_secs(8));
    let is_noted = |event: &Event| matches!(event, Event::Note(note) if note.contains("of the page"));
    assert!(answer.iter().any(is_noted), "{answer:?}");
}

#[test]
fn two_questions_are_answered_at_once() {
    let page = Page::start("");
    let request = quick_then_endless();
    let (_first, _) = page.begin(&request);
    let (_second, _) = page.begin(&request);
    assert_eq!(code_and_lines(&page.ask(&json!({"question": "count", "input": QUICK}))).0, 0);
}

#[test]
fn only_the_page_may_ask() {
    let page = Page::start("");
    let body = json!({"question": "puzzles"}).to_string();
    let good = page.post(&body, "");
    let (host, token) = (format!("Host: 127.0.0.1:{}", page.port), page.token.clone());
    let other = "0".repeat(32);
    for (change, expected) in [
        (good.clone(), 200),
        (page.post(&body, &format!("Origin: http://127.0.0.1:{}\r\n", page.port)), 200),
        (page.post(&body, "Origin: https://evil.example\r\n"), 403),
        (page.post(&body, "Origin: null\r\n"), 403),
        (page.post(&body, "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n"), 403),
        (good.replace(&host, "Host: evil.example"), 421),
        (good.replace(&format!("{host}\r\n"), ""), 421),
        (good.replace(&format!("/{token}/"), &format!("/{other}/")), 403),
        (good.replace(&format!("/{token}/"), "/"), 404),
        (good.replace(&format!("Token: {token}"), &format!("Token: {other}")), 403),
        (good.replace(&format!("X-Farandole-Token: {token}\r\n"), ""), 403),
        (good.replace("POST ", "GET "), 405),
        (good.replace("POST ", "OPTIONS "), 405),
        (good.replace("/ask ", "/ "), 405),
        (good.replace("/ask ", "/index.html "), 405),
        (good.replace("HTTP/1.1", "HTTP/1.0"), 505),
        (good.replace("Content-Length", "Content-Size"), 411),
        (good.replace("Content-Length", "Transfer-Encoding: chunked\r\nContent-Length"), 411),
        (good.replace("Content-Length: ", "Content-Length: -"), 400),
    ] {
        let answer = page.send(change.as_bytes());
        assert_eq!(status(&answer), expected, "{change}\n{answer}");
    }
    // A client that closes in the middle of its request gets no answer.
    let short = good.replace("Content-Length: ", "Content-Length: 9");
    let mut stream = page.connect();
    stream.write_all(short.as_bytes()).expect("sent");
    stream.shutdown(Shutdown::Write).expect("closed");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the end");
    assert_eq!(answer, "");
}

#[test]
fn the_page_is_served_with_strict_headers() {
    let page = Page::start("");
    let index = page.get("", "");
    assert_eq!(status(&index), 200, "{index}");
    assert!(index.contains(&format!("<html data-token=\"{}\"", page.token)), "{index}");
    for line in [
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'; script-src 'self';",
        "X-Content-Type-Options: nosniff",
        "Referrer-Policy: no-referrer",
        "Cross-Origin-Opener-Policy: same-origin",
        "Cross-Origin-Embedder-Policy: require-corp",
        "Cross-Origin-Resource-Policy: same-origin",
        "Cache-Control: no-store",
    ] {
        assert!(index.contains(&format!("\r\n{line}")), "{line}: {index}");
    }
    let script = page.get("app/main.js", "");
    assert!(script.contains("\r\nContent-Type: text/javascript; charset=utf-8\r\n"), "{script}");
    let (_, rest) = script.split_once("\r\nETag: ").expect("a tag");
    let tag = rest.split("\r\n").next().expect("a tag");
    let same = page.get("app/main.js", &format!("If-None-Match: {tag}\r\n"));
    assert!(status(&same) == 304 && same.ends_with("\r\n\r\n"), "{same}");
    assert_eq!(status(&page.get("app/main.js", "If-None-Match: \"x\"\r\n")), 200);
    for path in [
        "../Cargo.toml",
        "app/../index.html",
        "%2e%2e/Cargo.toml",
        "app",
        "app/",
        "/etc/passwd",
        "package.json",
    ] {
        assert_eq!(status(&page.get(path, "")), 404, "{path}");
    }
}

#[test]
fn hostile_requests_are_refused_and_the_server_goes_on() {
    let page = Page::start("");
    let long = format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(1 << 20));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(100));
    let large = page.post("", "").replace("Content-Length: 0", "Content-Length: 99999999");
    let option = json!({"question": "count", "options": {"journal": "x"}}).to_string();
    let deep = "[".repeat(1 << 20);
    for (request, expected) in [
        (long, 431),
        (many, 431),
        (large.clone(), 413),
        (large + &"x".repeat(20 << 20), 413),
        (page.post("{", ""), 400),
        (page.post(&deep, ""), 400),
        (page.post(&format!("{{\"question\": {deep}"), ""), 400),
        (page.post(&option, ""), 400),
        (page.post(&json!({"question": "sovle"}).to_string(), ""), 400),
        (page.post("{}", "") + "more", 400),
        ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(), 400),
        ("GET /\u{0} HTTP/1.1\r\n\r\n".to_owned(), 400),
    ] {
        let answer = page.send(request.as_bytes());
        let begin: String = request.chars().take(300).collect();
        assert_eq!(status(&answer), expected, "{begin}\n{answer}");
    }
    let message = page.send(page.post(&option, "").as_bytes());
    assert!(message.ends_with("the option `journal` is refused, because it names a file"), "{message}");
    // Inputs that no parser accepts are answered with an error.
    for input in ["x".repeat(8 << 20), "\0\u{1}\0".repeat(1000), "[".repeat(1 << 20), String::new()] {
        let events = page.ask(&json!({"question": "solve", "input": input}));
        assert_eq!(code_and_lines(&events).0, 2);
    }
    let events = page.ask(&json!({"question": "solve", "input": QUICK}));
    assert_eq!(code_and_lines(&events).0, 0);
}

#[test]
fn a_silent_client_does_not_hold_up_the_others() {
    let page = Page::start("");
    let mut silent: Vec<TcpStream> = (0..40).map(|_| page.connect()).collect();
    silent[0].write_all(b"GET / HT").expect("sent");
    assert_eq!(status(&page.get("", "")), 200);
    // The server closes silent connections after five seconds.
    let mut answer = String::new();
    silent[0].read_to_string(&mut answer).expect("an answer");
    assert_eq!(status(&answer), 408, "{answer}");
    // At most 64 connections are open.
    let mut more: Vec<TcpStream> = (0..80).map(|_| page.connect()).collect();
    let mut answer = String::new();
    more[79].read_to_string(&mut answer).expect("an answer");
    assert_eq!(status(&answer), 503, "{answer}");
}

/// Returns the paths of the files that the page loads, below `web/`.
fn files_of_the_page() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut folders = vec![root.join("app")];
    let mut files = vec![root.join("package/questions.json")];
    let top =
        std::fs::read_dir(&root).expect("the folder web").map(|entry| entry.expect("a file").path());
    let is_top = |path: &PathBuf| {
        path.extension().is_some_and(|kind| ["html", "css", "svg"].iter().any(|known| kind == *known))
    };
    files.extend(top.filter(is_top));
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    let relative = |path: PathBuf| {
        path.strip_prefix(&root).expect("below web").to_str().expect("UTF-8").replace('\\', "/")
    };
    let mut files: Vec<String> = files.into_iter().map(relative).collect();
    files.sort();
    files
}

#[test]
fn the_program_contains_all_files_of_the_page() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/command/page/assets.rs");
    let source = std::fs::read_to_string(&path).expect("a source").replace("\r\n", "\n");
    let (head, rest) = source.split_once("= files![\n").expect("the table");
    let (table, tail) = rest.split_once("];").expect("the end of the table");
    let expected: String =
        files_of_the_page().iter().map(|path| format!("    \"{path}\",\n")).collect();
    if std::env::var_os("FARANDOLE_WRITE").is_some() {
        std::fs::write(&path, format!("{head}= files![\n{expected}];{tail}")).expect("written");
    } else {
        assert_eq!(table, expected, "FARANDOLE_WRITE=1 cargo test --test it page:: rewrites the table");
    }
}
