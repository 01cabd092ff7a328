//! Decides who may ask: only a page of this server, which knows the token of its address.
//!
//! The name of the host is checked, so that no foreign name can be bound to this address (DNS
//! rebinding), and the origin, so that no foreign page can ask. The token keeps out other users of
//! the machine.

use std::hint::black_box;

use super::http::{Fault, Head};

/// Number of random bytes of a token.
const TOKEN_SIZE: usize = 16;

pub(super) struct Door {
    port: u16,
    token: String,
}

impl Door {
    /// Draws a token.
    pub(super) fn new(port: u16) -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_SIZE];
        getrandom::fill(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { port, token })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// Returns the address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Checks host, origin and token of a request. Returns the path after the token.
    pub(super) fn check<'a>(&self, head: &'a Head) -> Result<&'a str, Fault> {
        let host = head.header("Host")?.unwrap_or_default();
        let is_known = ["127.0.0.1", "localhost"].iter().any(|name| {
            host.strip_prefix(name).is_some_and(|port| match port.strip_prefix(':') {
                Some(port) => port == self.port.to_string(),
                None => port.is_empty() && self.port == 80,
            })
        });
        if !is_known {
            return Err(Fault::status(421, "expected the host 127.0.0.1 with the port of this page"));
        }
        let is_foreign = match head.header("Origin")? {
            Some(origin) => origin.strip_prefix("http://") != Some(host),
            None => false,
        };
        // A link or a bookmark may open the page; other pages may load nothing of it.
        let is_foreign = is_foreign
            || match head.header("Sec-Fetch-Site")? {
                None | Some("same-origin" | "none") => false,
                Some(_) => head.method != "GET" || head.header("Sec-Fetch-Mode")? != Some("navigate"),
            };
        if is_foreign {
            return Err(Fault::status(403, "expected a request of this page"));
        }
        let path = head.target.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').and_then(|path| path.split_once('/'));
        let (token, path) = path.ok_or_else(|| Fault::status(404, "no such file"))?;
        if !is_same(token, &self.token) {
            return Err(Fault::status(403, "expected the token of this page"));
        }
        Ok(path)
    }

    /// Checks the header that only a script of the page can set.
    pub(super) fn check_asking(&self, head: &Head) -> Result<(), Fault> {
        match head.header("X-Farandole-Token")? {
            Some(token) if is_same(token, &self.token) => Ok(()),
            _ => Err(Fault::status(403, "expected the header X-Farandole-Token")),
        }
    }
}

/// Compares two texts in a time that depends on their lengths only.
fn is_same(left: &str, right: &str) -> bool {
    let difference =
        left.bytes().zip(right.bytes()).fold(0, |all, (left, right)| black_box(all | (left ^ right)));
    left.len() == right.len() && black_box(difference) == 0
}
