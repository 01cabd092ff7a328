//! The commands that write and check proofs of counts and of covers.

mod counts;
mod covers;
mod shards;
