//! Tests of heads of requests, doors and files without a socket.

use super::assets::Assets;
use super::door::Door;
use super::http::{Fault, Head, content_length, parse_head};

fn head(text: &str) -> Result<Head, u16> {
    parse_head(text.replace('\n', "\r\n").as_bytes(), Vec::new()).map_err(|fault| status(&fault))
}

fn status(fault: &Fault) -> u16 {
    match fault {
        Fault::Closed => 0,
        Fault::Status(status, _) => *status,
    }
}

#[test]
fn only_well_formed_heads_are_parsed() {
    assert!(head("GET / HTTP/1.1\nHost: a\n\n").is_ok());
    for (text, expected) in [
        ("GET / HTTP/1.0\nHost: a\n\n", 505),
        ("GET /\n\n", 400),
        ("\n\n", 400),
        ("GET / HTTP/1.1\nHost : a\n\n", 400),
        ("GET / HTTP/1.1\n folded\n\n", 400),
        ("GET /\u{0} HTTP/1.1\n\n", 400),
        ("GET  / HTTP/1.1\n\n", 400),
    ] {
        assert_eq!(head(text).err(), Some(expected), "{text:?}");
    }
    let many = format!("GET / HTTP/1.1\n{}\n", "A: b\n".repeat(65));
    assert_eq!(head(&many).err(), Some(431));
}

#[test]
fn the_length_of_a_body_is_one_plain_number() {
    for (lines, expected) in [
        ("", Ok(None)),
        ("Content-Length: 12\n", Ok(Some(12))),
        ("Content-Length: +1\n", Err(400)),
        ("Content-Length: 1, 1\n", Err(400)),
        ("Content-Length: 1\ncontent-length: 1\n", Err(400)),
        ("Content-Length: 99999999999999999999999\n", Err(400)),
        ("Transfer-Encoding: chunked\n", Err(411)),
        ("Content-Length: 1\nTransfer-Encoding: chunked\n", Err(411)),
    ] {
        let head = head(&format!("POST / HTTP/1.1\n{lines}\n")).expect("a head");
        assert_eq!(content_length(&head).map_err(|fault| status(&fault)), expected, "{lines}");
    }
}

#[test]
fn the_door_opens_for_the_page_only() {
    let door = Door::new(8080).expect("a token");
    let token = door.token();
    assert_eq!(door.address(), format!("http://127.0.0.1:8080/{token}/"));
    let other = format!("{}{}", if token.starts_with('0') { '1' } else { '0' }, &token[1..]);
    let path = format!("/{token}/x");
    let good = "Host: 127.0.0.1:8080\n";
    for (path, lines, expected) in [
        (&path, good.to_owned(), Ok("x")),
        (&path, "Host: localhost:8080\n".to_owned(), Ok("x")),
        (&path, format!("{good}Origin: http://127.0.0.1:8080\n"), Ok("x")),
        (&path, format!("{good}Sec-Fetch-Site: same-origin\n"), Ok("x")),
        (&path, format!("{good}Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: navigate\n"), Ok("x")),
        (&format!("/{token}/"), good.to_owned(), Ok("")),
        (&path, String::new(), Err(421)),
        (&path, "Host: 127.0.0.1\n".to_owned(), Err(421)),
        (&path, "Host: 127.0.0.1:80801\n".to_owned(), Err(421)),
        (&path, "Host: evil.example:8080\n".to_owned(), Err(421)),
        (&path, "Host: 127.0.0.1.evil.example:8080\n".to_owned(), Err(421)),
        (&path, format!("{good}Host: evil.example\n"), Err(400)),
        (&path, format!("{good}Origin: http://localhost:8080\n"), Err(403)),
        (&path, format!("{good}Origin: https://127.0.0.1:8080\n"), Err(403)),
        (&path, format!("{good}Origin: null\n"), Err(403)),
        (&path, format!("{good}Sec-Fetch-Site: cross-site\nSec-Fetch-Mode: no-cors\n"), Err(403)),
        (&path, format!("{good}Sec-Fetch-Site: same-site\n"), Err(403)),
        (&format!("/{other}/x"), good.to_owned(), Err(403)),
        (&format!("/{token}0/x"), good.to_owned(), Err(403)),
        (&format!("/{}/x", &token[1..]), good.to_owned(), Err(403)),
        (&"//x".to_owned(), good.to_owned(), Err(403)),
        (&format!("/{token}"), good.to_owned(), Err(404)),
        (&"/".to_owned(), good.to_owned(), Err(404)),
        (&"*".to_owned(), good.to_owned(), Err(404)),
    ] {
        let head = head(&format!("GET {path} HTTP/1.1\n{lines}\n")).expect("a head");
        assert_eq!(door.check(&head).map_err(|fault| status(&fault)), expected, "{path} {lines}");
    }
}

#[test]
fn the_files_are_found_by_their_exact_paths() {
    let assets = Assets::new("abc");
    assert!(assets.find("package/questions.json").is_some());
    for path in
        ["/package/questions.json", "../Cargo.toml", "package/../index.html", "package", "%69ndex.html"]
    {
        assert!(assets.find(path).is_none(), "{path}");
    }
}
