//! Export of a comparison as CSV or Markdown.
//!
//! For the complete data with every round, serialize [`Comparison`](crate::Comparison) as JSON.

mod csv;
mod markdown;

pub use self::csv::csv;
pub use self::markdown::markdown;
