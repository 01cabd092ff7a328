//! The clock of the libraries: [`Instant`], the same type on every target.
//!
//! It is the type of the standard library, except on wasm32-unknown-unknown, where that panics:
//! there it is [`host::Instant`], whose time comes from the host.

pub mod host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::Instant;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
