//! Answers that need several runs of the lane solver: exact counts, iterators over solutions, and
//! texts with one grid per line.

pub mod exact;
pub(crate) mod lines;
pub(crate) mod solutions;
