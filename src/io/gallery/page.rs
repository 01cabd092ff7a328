//! Writes an HTML page with a grid of pictures and captions. Page breaks do not split a picture.

use std::io::{self, Write};
use std::path::Path;

use super::{ANSWERS, DrawnPicture, PageOutput, PictureFault, TITLE, answer_columns};
use crate::io::args::pictures::PictureArgs;
use crate::io::output;
use crate::io::whole::WholeFile;
use puzzle::{Ink, Theme};
use text::escape::Escaped;

/// The style sheet. A `$` is replaced by the part that depends on the theme.
const STYLE: &str = include_str!("page.css");

/// Largest width of all columns, and gap between columns, as in the style sheet (rem).
const WIDTH: f64 = 61.0;
const GAP: f64 = 2.5;
/// Largest font size of a caption (rem).
const CAPTION: f64 = 0.75;
/// Largest font size of a caption, as a share of the column: smaller than a sentence in the picture
/// of a 9x9 grid, which takes 0.029.
const CAPTION_SHARE: f64 = 0.026;

pub(super) struct PicturePage {
    output: PageOutput,
    /// Text before the first picture, or `None` once it is written.
    head: Option<String>,
}

impl PicturePage {
    pub(super) fn open(path: &Path, asked: &PictureArgs) -> Result<Self, String> {
        let (columns, theme) = (asked.columns, Theme::from(asked.theme));
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
        let title = Escaped(asked.title.as_deref().unwrap_or(TITLE));
        let heading = asked.title.as_deref().map(|title| format!("<h1>{}</h1>\n", Escaped(title)));
        let heading = heading.unwrap_or_default();
        let grid = |part: &str, columns: u8| {
            let count = f64::from(columns);
            let column = (WIDTH - GAP * (count - 1.0)) / count;
            let size = CAPTION.min(CAPTION_SHARE * column);
            format!(
                "{part}{{grid-template-columns:repeat({columns},minmax(0,1fr));--caption:{size:.3}rem}}"
            )
        };
        let grids = [grid("main", columns), grid("section", answer_columns(columns))].join("\n");
        let head = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
             <style>\n{colors}\n{grids}\n{STYLE}</style>\n{heading}<main>\n"
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

    /// Adds the answers in a section of their own, and completes the page.
    pub(super) fn finish(mut self, answers: &[DrawnPicture]) -> Result<(), PictureFault> {
        self.write("</main>\n")?;
        if !answers.is_empty() {
            self.write(&format!("<h2>{ANSWERS}</h2>\n<section>\n"))?;
            answers.iter().try_for_each(|drawn| self.add(&drawn.caption, &drawn.svg))?;
            self.write("</section>\n")?;
        }
        self.write("</html>\n")?;
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
