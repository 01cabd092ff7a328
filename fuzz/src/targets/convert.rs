//! Conversions there and back: a problem that a form can hold comes back as it was.

use dlx::{Limits, Problem};
use farandole::puzzle::cover::{self, FORMS};

use super::{Target, noise};
use crate::bytes::Bytes;
use crate::draw;

pub(super) const TARGET: Target = Target {
    name: "convert",
    summary: "problems written in every form and read again, by name and recognized",
    run,
    seeds: noise,
    short_runs: 8_000,
};

/// Draws a problem, writes and reads it in every form.
pub fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let problem = draw::small(&mut bytes);
    let canon = dlx::text::write(&problem);
    let again: Problem = canon.parse().expect("what was written can be read");
    assert_eq!(dlx::text::write(&again), canon);
    let limits = Limits::default();
    for form in FORMS {
        let Ok(text) = (form.write)(&problem, &limits) else { continue };
        let Some(read) = form.read else { continue };
        let again = read(&text, &limits)
            .unwrap_or_else(|error| panic!("{}: {error}\n{text}", form.name))
            .problem;
        assert_eq!(again.option_count(), problem.option_count(), "{}:\n{text}", form.name);
        let written = (form.write)(&again, &limits);
        assert_eq!(written.as_ref(), Ok(&text), "{}: it comes back as it was", form.name);
        if matches!(form.name, "dlx" | "json") {
            assert_eq!(dlx::text::write(&again), canon, "{}:\n{text}", form.name);
        }
        // Where the text is recognized as something, it is read as the same problem, or refused.
        if (form.recognizes)(&text)
            && let Ok(found) = cover::read(&text)
        {
            assert_eq!(found.option_count(), problem.option_count(), "{}:\n{text}", form.name);
        }
    }
}
