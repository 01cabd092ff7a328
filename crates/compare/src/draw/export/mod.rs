//! Export of a comparison: CSV for tables, Markdown for a README.
//!
//! For the complete data with every round, serialize [`Comparison`](crate::Comparison) as
//! JSON.

mod csv;
mod markdown;

pub use self::csv::csv;
pub use self::markdown::markdown;
