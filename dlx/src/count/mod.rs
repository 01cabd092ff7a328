//! Counting covers without enumerating them: exact at any size.
#![allow(dead_code, reason = "the parts come one after the other")]

mod memo;
mod watch;
mod weighted;

pub(crate) use watch::{Cut, Watch};
pub(crate) use weighted::{Parts, Weighted};
