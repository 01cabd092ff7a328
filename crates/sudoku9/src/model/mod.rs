//! Types that all methods use: the board, limits, batches with their answers, and idle cores.

pub(crate) mod batch;
pub(crate) mod board;
pub(crate) mod cores;
