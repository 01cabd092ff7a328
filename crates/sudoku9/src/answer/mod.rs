//! Answers that need several runs of the lanes: exact counts, iterators over solutions, texts of
//! lines.

pub mod exact;
pub(crate) mod lines;
pub(crate) mod solutions;
