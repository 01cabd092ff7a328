//! Views of a comparison: tables, HTML pages, plots, and exports.
//!
//! Each view needs only the plain data of a [`Comparison`](crate::Comparison).

pub mod export;
mod html;
pub mod plot;
pub mod show;
mod table;

pub use self::html::html;
