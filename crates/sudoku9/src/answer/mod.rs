//! Answers that take more than one run of the lanes: exact counts, solutions one after the other, texts of lines.

pub mod exact;
pub(crate) mod lines;
pub(crate) mod solutions;
