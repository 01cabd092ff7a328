//! The verdict of a comparison: a sentence that names the winner.

use std::fmt;

use super::{Comparison, Contender, Mismatch};

/// The verdict of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'c>(&'c Comparison);

impl Comparison {
    /// Returns the verdict, whose `Display` is a sentence.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        Verdict(self)
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { contenders, mismatch, puzzles, .. } = self.0;
        if let Some(Mismatch { puzzle, contenders: [first, second], answers: [one, other], .. }) =
            mismatch
        {
            let name = puzzles.get(*puzzle).map_or("", |puzzle| &puzzle.name);
            return write!(f, "No verdict: on puzzle {name} {first} says {one}, {second} {other}.");
        }
        let finished: Vec<_> = contenders
            .iter()
            .filter(|contender| contender.is_finished() && contender.time().is_some())
            .collect();
        match finished[..] {
            [] => f.write_str("No verdict: nothing finished in time."),
            [only] => write!(f, "Only {} finished.", only.name),
            [first, second, ..] => compare(f, first, second),
        }
    }
}

fn compare(f: &mut fmt::Formatter<'_>, first: &Contender, second: &Contender) -> fmt::Result {
    let (name, other) = (&first.name, &second.name);
    let Some(ratio) = second.ratio_to(first) else { return write!(f, "{name} is the fastest.") };
    let (median, low, high) = (ratio.median, ratio.low, ratio.high);
    if low <= 1.0 {
        return write!(
            f,
            "{name} and {other} are the same within the noise: {other} takes {low:.2} to {high:.2} \
             times as long."
        );
    }
    let digits = if median < 100.0 { 2 } else { 0 };
    write!(
        f,
        "{name} is the fastest: {other} takes {median:.digits$} times as long ({low:.digits$} to \
         {high:.digits$})."
    )
}

#[cfg(test)]
mod tests {
    use super::super::{Cost, PuzzleOutcome, PuzzleRun};
    use super::*;

    fn contender(name: &str, times: &[f64]) -> Contender {
        let rounds = times.iter().map(|&wall| Cost { wall, ..Cost::default() }).collect();
        let name = name.to_owned();
        Contender {
            name,
            rounds,
            runs: vec![PuzzleRun::default()],
            is_complete: true,
            ..Contender::default()
        }
    }

    #[test]
    fn the_verdict_names_a_winner_only_if_the_rounds_are_conclusive() {
        let say = |contenders: &[Contender]| {
            let contenders = contenders.to_vec();
            Comparison { contenders, ..Comparison::default() }.verdict().to_string()
        };
        let (a, b) = (contender("a", &[1.0, 1.0, 1.0]), contender("b", &[1.5, 2.0, 1.25]));
        assert_eq!(
            say(&[a.clone(), b]),
            "a is the fastest: b takes 1.50 times as long (1.25 to 2.00)."
        );
        let c = contender("c", &[1.5, 0.9, 1.0]);
        let same = "a and c are the same within the noise: c takes 0.90 to 1.50 times as long.";
        assert_eq!(say(&[a.clone(), c]), same);
        let mut stopped = contender("d", &[]);
        stopped.runs[0].outcome = PuzzleOutcome::Limit("time".to_owned());
        assert_eq!(say(&[a, stopped.clone()]), "Only a finished.");
        assert_eq!(say(&[stopped]), "No verdict: nothing finished in time.");
    }
}
