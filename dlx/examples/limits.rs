//! Counts covers under a limit, and shows the partial result.

use std::time::Duration;

use dlx::count::Counter;
use dlx::{End, Engine as _, Limits, ParseError, Problem, Solver};

fn main() -> Result<(), ParseError> {
    // Each of 40 items is covered alone or with its neighbor. The number of covers is a Fibonacci
    // number.
    let names: Vec<_> = (0..40).map(|item| format!("i{item}")).collect();
    let pairs: Vec<_> = names.windows(2).map(|pair| pair.join(" ")).collect();
    let problem: Problem =
        format!("{}\n{}\n{}\n", names.join(" "), names.join("\n"), pairs.join("\n")).parse()?;

    let report = Solver::new(problem.clone()).count(&[], &Limits::new().solutions(1000));
    match report.end {
        End::Exhausted => println!("exactly {}", report.solutions),
        end => println!("at least {} ({end:?})", report.solutions),
    }
    let limits = Limits::new().within(Duration::from_secs(60));
    let report = Counter::new(problem).count(&[], &limits);
    println!("exactly {}", report.total());
    Ok(())
}
