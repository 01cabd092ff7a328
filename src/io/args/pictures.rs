//! The arguments of the commands that draw.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use puzzle::Theme;

/// Heading of the picture options in the help.
const PICTURES: &str = "Pictures";

// The picture options.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PictureArgs {
    /// Draw into this file, as SVG; `-` is standard output, and a folder (`pictures/`) gets one
    /// file per picture
    #[arg(long, help_heading = PICTURES, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Draw into this file, as PNG; `-` is standard output, and a folder (`pictures/`) gets one
    /// file per picture
    #[cfg_attr(not(target_family = "wasm"), arg(long, help_heading = PICTURES, value_name = "FILE"))]
    #[cfg_attr(target_family = "wasm", arg(skip))]
    pub(crate) png: Option<PathBuf>,
    /// Write all pictures to one printable HTML page; `-` is standard output
    #[arg(long, help_heading = PICTURES, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write all pictures to the A4 pages of a PDF file; `-` is standard output
    #[arg(long, help_heading = PICTURES, value_name = "FILE")]
    pub(crate) pdf: Option<PathBuf>,
    /// Put this many pictures side by side on a page of HTML or PDF
    #[arg(long, help_heading = PICTURES, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=20))]
    pub(crate) columns: u8,
    /// Put this heading above the pictures of a page of HTML or PDF
    #[arg(long, help_heading = PICTURES, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The colors of pictures
    #[arg(long, help_heading = PICTURES, value_name = "THEME", default_value = "auto")]
    pub(crate) theme: Colors,
}

impl PictureArgs {
    /// Returns whether the user asked for pictures.
    pub(crate) fn is_wanted(&self) -> bool {
        self.svg.is_some() || self.png.is_some() || self.html.is_some() || self.pdf.is_some()
    }
}

/// The colors of pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colors {
    /// Dark on white paper, or light on dark where the reader's system is set so; PNG and prints
    /// are light
    #[default]
    Auto,
    /// Dark on white paper
    Light,
    /// Light on dark paper
    Dark,
}

impl From<Colors> for Theme {
    fn from(colors: Colors) -> Self {
        match colors {
            Colors::Auto => Self::Auto,
            Colors::Light => Self::Light,
            Colors::Dark => Self::Dark,
        }
    }
}
