//! Connects the commands with their environment: arguments, inputs, threads, limits, outputs and
//! exit codes.

pub(super) mod args;
mod argument;
pub(super) mod bar;
pub(super) mod batch;
pub(super) mod exit;
pub(super) mod gallery;
pub(super) mod host;
pub(super) mod interrupt;
pub(super) mod live;
pub(super) mod memory;
pub(super) mod names;
pub(super) mod notices;
pub(super) mod output;
pub(super) mod paint;
pub(super) mod single;
pub(super) mod source;
pub(super) mod threads;
pub(super) mod whole;
