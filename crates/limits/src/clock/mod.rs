//! The type [`Instant`] of the clock that all libraries of this project use.
//!
//! It is the `Instant` of the standard library, except on wasm32-unknown-unknown, where that one
//! panics. On this target it is [`host::Instant`], whose time comes from the host.

pub mod host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::Instant;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;
