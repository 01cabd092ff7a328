//! Draws pictures and writes them to one file per picture, an HTML page, or a PDF.
//!
//! Workers draw pictures ([`PictureMaker`]), and the writer stores them in order ([`Gallery`]). A
//! picture is dropped once it is written, so memory does not grow with the number of pictures.
//! Every file is written completely or not at all. After an interrupt, the page is still completed.

mod page;
mod sheet;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dlx::{Limit, Limits};

use self::page::PicturePage;
use self::sheet::PictureSheet;
use super::args::pictures::PictureArgs;
use super::exit::{Exit, name_of};
use super::names::shown;
use super::whole::WholeFile;
use super::{output, whole};
use puzzle::{PdfDrawing, Picture, Theme, budget};

#[derive(Debug, Default)]
pub(crate) struct DrawnPicture {
    /// Caption, such as `puzzles.txt:3`.
    caption: String,
    svg: String,
    png: Vec<u8>,
    pdf: PdfDrawing,
}

impl DrawnPicture {
    pub(crate) fn len(&self) -> usize {
        self.svg.len() + self.png.len() + self.pdf.operators.len()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PictureMaker {
    theme: Theme,
    has_svg: bool,
    has_png: bool,
    has_pdf: bool,
}

/// Returns the message that a limit was reached while a puzzle was drawn.
pub(crate) fn undrawn(puzzle: u64, limit: Limit) -> String {
    format!("puzzle {puzzle}: {} limit reached while it was drawn", name_of(limit))
}

#[cfg(not(target_family = "wasm"))]
fn png(picture: &Picture, theme: Theme, limits: &Limits) -> Result<Vec<u8>, Limit> {
    picture.png_within(theme, limits)
}

/// WebAssembly has no option `--png`: the code and its font would be a tenth of the program.
#[cfg(target_family = "wasm")]
fn png(_: &Picture, _: Theme, _: &Limits) -> Result<Vec<u8>, Limit> {
    Ok(Vec::new())
}

impl PictureMaker {
    /// Returns a maker of pictures, or `None` if the user asked for no pictures.
    pub(crate) fn new(asked: &PictureArgs) -> Option<Self> {
        let has_svg = asked.svg.is_some() || asked.html.is_some();
        asked.is_wanted().then_some(Self {
            theme: asked.theme.into(),
            has_svg,
            has_png: asked.png.is_some(),
            has_pdf: asked.pdf.is_some(),
        })
    }

    /// Composes and draws a picture within the limits; returns `None` if `compose` does.
    pub(crate) fn make(
        self,
        compose: impl FnOnce() -> Option<Picture>,
        caption: String,
        limits: &Limits,
    ) -> Result<Option<DrawnPicture>, Limit> {
        let Some(picture) = budget::within(limits, compose)? else { return Ok(None) };
        let mut drawn = DrawnPicture { caption, ..DrawnPicture::default() };
        if self.has_svg {
            drawn.svg = picture.svg_within(self.theme, limits)?;
        }
        if self.has_png {
            drawn.png = png(&picture, self.theme, limits)?;
        }
        if self.has_pdf {
            drawn.pdf = picture.pdf_within(self.theme, limits)?;
        }
        Ok(Some(drawn))
    }
}

/// Maximum number of answers at the end of a page. They are in memory until then, about 30 kB each.
pub(crate) const ANSWERS_MAX: usize = 10_000;
/// Heading of the answers.
const ANSWERS: &str = "Answers";
/// Heading of a page for readers of files, if the user states none.
const TITLE: &str = "Puzzles";

/// Returns the number of columns of the answers on a page, for `columns` columns of puzzles.
fn answer_columns(columns: u8) -> u8 {
    /// The digits of five 9x9 grids side by side are about 7 points high on A4 paper.
    const LEGIBLE_MAX: u8 = 5;
    (2 * columns).min(LEGIBLE_MAX.max(columns))
}

/// A function that returns the SVG or the PNG of a picture.
type PictureBytes = fn(&DrawnPicture) -> &[u8];

#[derive(Debug)]
struct PictureFiles {
    place: PicturePlace,
    extension: &'static str,
    bytes: PictureBytes,
}

/// The output for pictures: a file, a folder of files, or standard output.
#[derive(Debug)]
enum PicturePlace {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

impl PictureFiles {
    fn new(path: &Path, extension: &'static str, bytes: PictureBytes) -> Result<Self, String> {
        let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        let place = match path {
            _ if path == Path::new("-") => PicturePlace::Stdout,
            _ if is_folder => PicturePlace::Folder(path.to_owned()),
            _ => PicturePlace::File(path.to_owned()),
        };
        let files = Self { place, extension, bytes };
        match &files.place {
            PicturePlace::Stdout => {}
            PicturePlace::File(path) => whole::probe(path)?,
            PicturePlace::Folder(folder) => {
                whole::make_folder(folder)?;
                whole::probe(&files.numbered(folder, 1))?;
            }
        }
        Ok(files)
    }

    fn numbered(&self, folder: &Path, number: u64) -> PathBuf {
        folder.join(format!("{number:04}.{}", self.extension))
    }

    fn write(&self, number: u64, drawn: &DrawnPicture) -> Result<(), PictureFault> {
        let bytes = (self.bytes)(drawn);
        let path = match &self.place {
            PicturePlace::Folder(folder) => self.numbered(folder, number),
            PicturePlace::File(path) if number == 1 => path.clone(),
            PicturePlace::Stdout if number == 1 => {
                let mut stdout = output::stdout();
                return stdout
                    .write_all(bytes)
                    .and_then(|()| stdout.flush())
                    .map_err(PictureFault::Stdout);
            }
            PicturePlace::File(_) | PicturePlace::Stdout => {
                let name = match &self.place {
                    PicturePlace::File(path) => shown(path),
                    _ => "standard output".to_owned(),
                };
                return Err(PictureFault::Message(format!(
                    "{name}: holds one picture, found a second one; name a folder (`pictures/`), or \
                     draw them on a page (--html)"
                )));
            }
        };
        whole::write(&path, bytes).map_err(PictureFault::Message)
    }
}

#[derive(Debug)]
enum PictureFault {
    Stdout(io::Error),
    Message(String),
}

impl PictureFault {
    /// Prints the error message and returns the exit code.
    fn tell(self) -> Exit {
        match self {
            Self::Stdout(error) => output::lost(&error),
            Self::Message(message) => {
                say!("{message}");
                Exit::BadInput
            }
        }
    }
}

/// Stores pictures in their files, in order.
pub(crate) struct Gallery {
    files: Vec<PictureFiles>,
    page: Option<PicturePage>,
    sheet: Option<PictureSheet>,
    count: u64,
    /// The pictures of the last section.
    answers: Vec<DrawnPicture>,
}

impl Gallery {
    /// Prepares the requested files.
    pub(crate) fn open(asked: &PictureArgs, has_text: bool) -> Result<Self, Exit> {
        Self::new(asked, has_text).map_err(|message| PictureFault::Message(message).tell())
    }

    fn new(asked: &PictureArgs, has_text: bool) -> Result<Self, String> {
        let forms: [(_, _, PictureBytes); 2] = [
            (&asked.svg, "svg", |drawn| drawn.svg.as_bytes()),
            (&asked.png, "png", |drawn| &drawn.png),
        ];
        let paths = [&asked.svg, &asked.png, &asked.html, &asked.pdf];
        let to_stdout = paths.iter().filter(|path| path.as_deref() == Some(Path::new("-"))).count();
        if to_stdout > 1 || (to_stdout == 1 && has_text) {
            return Err("expected one thing on standard output, found pictures and more".to_owned());
        }
        let mut files = Vec::new();
        for (path, extension, bytes) in forms {
            if let Some(path) = path {
                files.push(PictureFiles::new(path, extension, bytes)?);
            }
        }
        let page = match &asked.html {
            Some(path) => Some(PicturePage::open(path, asked)?),
            None => None,
        };
        let sheet = match &asked.pdf {
            Some(path) => Some(PictureSheet::open(path, asked)?),
            None => None,
        };
        Ok(Self { files, page, sheet, count: 0, answers: Vec::new() })
    }

    /// Returns whether pictures are written to standard output.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.files.iter().any(|files| matches!(files.place, PicturePlace::Stdout))
            || self.page.as_ref().is_some_and(PicturePage::is_stdout)
            || self.sheet.as_ref().is_some_and(PictureSheet::is_stdout)
    }

    pub(crate) fn add(&mut self, drawn: &DrawnPicture) -> Result<(), Exit> {
        self.count += 1;
        let mut written = self.files.iter().try_for_each(|files| files.write(self.count, drawn));
        if let Some(page) = self.page.as_mut().filter(|_| written.is_ok()) {
            written = page.add(&drawn.caption, &drawn.svg);
        }
        if let Some(sheet) = self.sheet.as_mut().filter(|_| written.is_ok()) {
            written = sheet.add(&drawn.caption, &drawn.pdf);
        }
        written.map_err(PictureFault::tell)
    }

    /// Keeps a picture for the last section of the HTML page and the PDF. Other files do not get
    /// the picture.
    pub(crate) fn add_answer(&mut self, drawn: DrawnPicture) {
        debug_assert!(self.answers.len() < ANSWERS_MAX, "the caller limits the number of answers");
        self.answers.push(drawn);
    }

    /// Completes the HTML page and the PDF, if they contain a picture.
    pub(crate) fn finish(self) -> Result<(), Exit> {
        let Self { page, sheet, count, answers, .. } = self;
        let answers = &answers;
        let page = page.filter(|_| count > 0);
        page.map_or(Ok(()), |page| page.finish(answers)).map_err(PictureFault::tell)?;
        let sheet = sheet.filter(|_| count > 0);
        sheet.map_or(Ok(()), |sheet| sheet.finish(answers)).map_err(PictureFault::tell)
    }
}

enum PageOutput {
    File(WholeFile),
    Stdout(io::BufWriter<output::Stdout>),
}
