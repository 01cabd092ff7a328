//! How answers look where looks count.

pub mod terminal;
