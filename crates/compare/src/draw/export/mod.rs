//! A comparison for other programs: CSV for tables, Markdown for a README.
//!
//! The whole of it, with every round, is JSON: [`Comparison`](crate::Comparison) as it is.

mod csv;
mod markdown;

pub use self::csv::csv;
pub use self::markdown::markdown;
