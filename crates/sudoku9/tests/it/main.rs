//! What a user of the crate sees, checked with an oracle of its own.

mod answers;
mod bands;
mod generate;
mod grids;
mod lanes;
mod oracle;
