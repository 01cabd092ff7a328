//! Requests and answers of HTTP/1.1: strict, one request per connection, bounded in size and time.
//!
//! The crate `httparse` parses heads. A body needs a `Content-Length`; chunked requests are
//! refused, so that a body has one possible end.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::assets::Asset;

/// Largest number of bytes of a head. Those of browsers have one or two thousand.
const HEAD_MAX: usize = 16 << 10;
/// Largest number of header lines. Those of browsers have about twenty.
const HEADERS_MAX: usize = 64;
/// Longest wait for a client that still sends after its request was refused. Closing at once would
/// discard the answer.
const LINGER_TIME: Duration = Duration::from_secs(1);
/// Largest number of bytes that are read after a refusal.
const LINGER_MAX: usize = 64 << 20;
/// Size of a read (bytes).
const CHUNK_SIZE: usize = 1 << 16;

/// The policy of all answers: only files of this server, no inline scripts, no frames.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The reason why a request has no answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// The connection is closed, or failed.
    Closed,
    /// The request is refused with a status and a message.
    Status(u16, String),
}

impl Fault {
    pub(super) fn status(status: u16, message: &str) -> Self {
        Self::Status(status, message.to_owned())
    }
}

impl From<io::Error> for Fault {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

/// The head of a request.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) method: String,
    pub(super) target: String,
    headers: Vec<(String, String)>,
    /// The beginning of the body, which came with the head.
    rest: Vec<u8>,
}

impl Head {
    /// Returns the value of a header, or `None` if it is absent.
    ///
    /// # Errors
    /// If the header occurs twice.
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, Fault> {
        let mut found = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let first = found.next().map(|(_, value)| &**value);
        match found.next() {
            Some(_) => Err(Fault::Status(400, format!("expected one header `{name}`, found several"))),
            None => Ok(first),
        }
    }
}

/// Reads into `bytes` until the deadline. Returns `false` at the end of the stream.
fn read_more(
    stream: &mut TcpStream,
    bytes: &mut Vec<u8>,
    most: usize,
    end: Instant,
) -> Result<bool, Fault> {
    let late = || Fault::status(408, "the request took too long");
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(late());
    }
    stream.set_read_timeout(Some(left))?;
    let begin = bytes.len();
    bytes.resize(begin + most.min(CHUNK_SIZE), 0);
    let read = stream.read(&mut bytes[begin..]);
    bytes.truncate(begin + read.as_ref().map_or(0, |count| *count));
    match read {
        Ok(count) => Ok(count > 0),
        Err(error) => match error.kind() {
            io::ErrorKind::Interrupted => Ok(true),
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Err(late()),
            _ => Err(Fault::Closed),
        },
    }
}

/// Reads the head of a request.
pub(super) fn read_head(stream: &mut TcpStream, end: Instant) -> Result<Head, Fault> {
    let mut bytes = Vec::new();
    let length = loop {
        let begin = bytes.len().saturating_sub(3);
        if !read_more(stream, &mut bytes, HEAD_MAX + 1, end)? {
            return Err(Fault::Closed);
        }
        if let Some(found) = bytes[begin..].windows(4).position(|four| four == b"\r\n\r\n")
            && begin + found + 4 <= HEAD_MAX
        {
            break begin + found + 4;
        }
        if bytes.len() > HEAD_MAX {
            return Err(Fault::Status(431, format!("expected a head of at most {HEAD_MAX} bytes")));
        }
    };
    let rest = bytes.split_off(length);
    parse_head(&bytes, rest)
}

/// Parses a whole head.
pub(super) fn parse_head(bytes: &[u8], rest: Vec<u8>) -> Result<Head, Fault> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length == bytes.len() => {}
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Fault::Status(431, format!("expected at most {HEADERS_MAX} headers")));
        }
        _ => return Err(Fault::status(400, "expected a request of HTTP/1.1")),
    }
    let (Some(method), Some(target), Some(1)) = (parsed.method, parsed.path, parsed.version) else {
        return Err(Fault::status(505, "expected HTTP/1.1"));
    };
    let headers: Option<Vec<_>> = parsed
        .headers
        .iter()
        .map(|header| Some((header.name.to_owned(), str::from_utf8(header.value).ok()?.to_owned())))
        .collect();
    let headers = headers.ok_or_else(|| Fault::status(400, "expected headers in UTF-8"))?;
    Ok(Head { method: method.to_owned(), target: target.to_owned(), headers, rest })
}

/// Returns the length of the body, if it is stated.
pub(super) fn content_length(head: &Head) -> Result<Option<usize>, Fault> {
    if head.header("Transfer-Encoding")?.is_some() {
        return Err(Fault::status(411, "expected Content-Length, found Transfer-Encoding"));
    }
    let Some(text) = head.header("Content-Length")? else { return Ok(None) };
    let is_number = !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let length = text.parse().ok().filter(|_| is_number);
    length.map(Some).ok_or_else(|| Fault::status(400, "expected a number as Content-Length"))
}

/// Reads the body of a request.
pub(super) fn read_body(
    stream: &mut TcpStream,
    head: &Head,
    most: usize,
    end: Instant,
) -> Result<Vec<u8>, Fault> {
    let length = content_length(head)?;
    let length = length.ok_or_else(|| Fault::status(411, "expected Content-Length"))?;
    if length > most {
        let message = format!("expected a request of at most {most} bytes, found {length}");
        return Err(Fault::Status(413, message));
    }
    if let Some(expected) = head.header("Expect")? {
        if !expected.eq_ignore_ascii_case("100-continue") {
            return Err(Fault::status(417, "expected no other expectation than 100-continue"));
        }
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = head.rest.clone();
    while body.len() < length {
        let most = length - body.len();
        if !read_more(stream, &mut body, most, end)? {
            return Err(Fault::Closed);
        }
    }
    if body.len() > length {
        return Err(Fault::status(400, "expected nothing after the body"));
    }
    Ok(body)
}

/// Returns whether the client has closed the connection, or sends more than its request.
pub(super) fn is_closed(stream: &TcpStream) -> bool {
    if stream.set_nonblocking(true).is_err() {
        return true;
    }
    let peeked = stream.peek(&mut [0]);
    let is_open = peeked.is_err_and(|error| {
        matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
    });
    stream.set_nonblocking(false).is_err() || !is_open
}

/// Formats the head of an answer with the headers of all answers.
fn head_of(status: u16, headers: &[(&str, &str)]) -> String {
    let reason = match status {
        200 => "OK",
        304 => "Not Modified",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        411 => "Length Required",
        413 => "Content Too Large",
        417 => "Expectation Failed",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        505 => "HTTP Version Not Supported",
        _ => "Internal Server Error",
    };
    let mut head = format!(
        "HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Security-Policy: {POLICY}\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n"
    );
    for (name, value) in headers {
        push!(head, "{name}: {value}\r\n");
    }
    head.push_str("\r\n");
    head
}

/// Sends a file of the page, or only that it is unchanged.
pub(super) fn send(stream: &mut TcpStream, asset: &Asset, head: &Head) -> Result<(), Fault> {
    let known = head.header("If-None-Match")?.unwrap_or_default();
    if known.split(',').any(|tag| tag.trim() == asset.tag) {
        let head = head_of(304, &[("ETag", &asset.tag), ("Cache-Control", asset.cache)]);
        return Ok(stream.write_all(head.as_bytes())?);
    }
    let length = asset.content.len().to_string();
    let head = head_of(
        200,
        &[
            ("Content-Type", asset.kind),
            ("Content-Length", &length),
            ("ETag", &asset.tag),
            ("Cache-Control", asset.cache),
        ],
    );
    stream.write_all(head.as_bytes())?;
    Ok(stream.write_all(&asset.content)?)
}

/// Refuses a request with a message, and closes the connection.
pub(super) fn refuse(stream: &mut TcpStream, status: u16, message: &str) {
    let length = message.len().to_string();
    let mut headers = vec![
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", &*length),
        ("Cache-Control", "no-store"),
    ];
    if status == 405 {
        headers.push(("Allow", message.trim_start_matches("expected ")));
    }
    let head = head_of(status, &headers);
    // Ignore errors: the client may be gone.
    let _ = stream.write_all(format!("{head}{message}").as_bytes());
    let _ = stream.shutdown(Shutdown::Write);
    let end = Instant::now() + LINGER_TIME;
    let (mut bytes, mut count) = (Vec::new(), 0);
    while count < LINGER_MAX && matches!(read_more(stream, &mut bytes, CHUNK_SIZE, end), Ok(true)) {
        count += bytes.len();
        bytes.clear();
    }
}

/// An answer that is sent in chunks, as lines of JSON.
pub(super) struct Chunks<'a> {
    stream: &'a mut TcpStream,
}

impl<'a> Chunks<'a> {
    pub(super) fn begin(stream: &'a mut TcpStream) -> io::Result<Self> {
        let head = head_of(
            200,
            &[
                ("Content-Type", "application/x-ndjson"),
                ("Transfer-Encoding", "chunked"),
                ("Cache-Control", "no-store"),
            ],
        );
        stream.write_all(head.as_bytes())?;
        Ok(Self { stream })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.is_empty() {
            // An empty chunk would end the answer.
            return Ok(());
        }
        self.stream.write_all(format!("{:x}\r\n", bytes.len()).as_bytes())?;
        self.stream.write_all(bytes)?;
        self.stream.write_all(b"\r\n")
    }

    pub(super) fn is_closed(&self) -> bool {
        is_closed(self.stream)
    }

    pub(super) fn end(self) -> io::Result<()> {
        self.stream.write_all(b"0\r\n\r\n")
    }
}
