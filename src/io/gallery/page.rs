//! Writes an HTML page with a grid of pictures and captions. Page breaks do not split a picture.

use std::io::{self, Write};
use std::path::Path;

use super::{PageOutput, PictureFault};
use crate::io::output;
use crate::io::whole::WholeFile;
use puzzle::{Ink, Theme};
use text::escape::Escaped;

/// The style sheet. A `$` is replaced by the part that depends on the theme.
const STYLE: &str = include_str!("page.css");

pub(super) struct PicturePage {
    output: PageOutput,
    /// Text before the first picture, or `None` once it is written.
    head: Option<String>,
}

impl PicturePage {
    pub(super) fn open(path: &Path, columns: u8, theme: Theme) -> Result<Self, String> {
        let output = match path {
            _ if path == Path::new("-") => PageOutput::Stdout(io::BufWriter::new(output::stdout())),
            _ => PageOutput::File(WholeFile::create(path)?),
        };
        let colors = |theme| {
            let [paper, text] = [Ink::Paper, Ink::Muted].map(|ink| ink.color(theme));
            format!(":root{{background:{paper};color:{text}}}")
        };
        let colors = match theme {
            Theme::Auto => format!(
                "{}\n@media (prefers-color-scheme:dark){{{}}}",
                colors(Theme::Light),
                colors(Theme::Dark)
            ),
            _ => colors(theme),
        };
        let head = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>Puzzles</title>\n\
             <style>\n{colors}\nmain{{grid-template-columns:repeat({columns},minmax(0,1fr))}}\n{STYLE}</style>\n<main>\n"
        );
        Ok(Self { output, head: Some(head) })
    }

    pub(super) fn is_stdout(&self) -> bool {
        matches!(self.output, PageOutput::Stdout(_))
    }

    pub(super) fn add(&mut self, caption: &str, svg: &str) -> Result<(), PictureFault> {
        let head = self.head.take().unwrap_or_default();
        let caption = Escaped(caption);
        self.write(&format!("{head}<figure>\n{svg}<figcaption>{caption}</figcaption>\n</figure>\n"))
    }

    pub(super) fn finish(mut self) -> Result<(), PictureFault> {
        self.write("</main>\n</html>\n")?;
        match self.output {
            PageOutput::File(file) => file.finish().map_err(PictureFault::Message),
            PageOutput::Stdout(mut stdout) => stdout.flush().map_err(PictureFault::Stdout),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), PictureFault> {
        match &mut self.output {
            PageOutput::File(file) => file
                .write_all(text.as_bytes())
                .map_err(|error| PictureFault::Message(file.fault(&error))),
            PageOutput::Stdout(stdout) => {
                stdout.write_all(text.as_bytes()).map_err(PictureFault::Stdout)
            }
        }
    }
}
