//! Writes a PDF file with pictures in columns and captions below them.
//!
//! A page is written as soon as the next row of pictures does not fit. Only the offsets of the
//! objects are kept in memory, for the cross-reference table.
//!
//! Source: ISO 32000-1, section 7.5.

use std::io::{self, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

use super::{ANSWERS, DrawnPicture, PageOutput, PictureFault, TITLE, answer_columns};
use crate::io::args::pictures::PictureArgs;
use crate::io::output;
use crate::io::whole::WholeFile;
use puzzle::{Ink, PdfDrawing, Theme, pdf_color, pdf_string, pdf_text};

/// Width and height of A4 paper, in points (1/72 inch).
const PAPER: [f64; 2] = [595.28, 841.89];
/// Margin of the page, and gap between pictures (points).
const EDGE: f64 = 40.0;
const GAP: f64 = 24.0;
/// Default side of a grid cell (points). A picture is drawn larger, up to `CELL_MAX`, if it fits
/// its column and a third of the page.
const CELL: f64 = 23.5;
/// Largest side of a grid cell (points).
const CELL_MAX: f64 = 60.0;
/// Largest font size of a caption, and its height (points).
const CAPTION: f64 = 7.0;
const CAPTION_ROOM: f64 = 14.0;
/// Largest font size of a caption, in cells: smaller than the sentences in a picture.
const CAPTION_CELLS: f64 = 0.3;
/// Font size and height of a heading (points).
const HEADING: f64 = 15.0;
const HEADING_ROOM: f64 = 30.0;

pub(super) struct PictureSheet {
    output: PageOutput,
    title: String,
    columns: u8,
    is_single: bool,
    theme: Theme,
    length: usize,
    /// The file offset of each object, starting with object 1. The offset is 0 for objects not
    /// written yet.
    starts: Vec<usize>,
    /// The pictures in the last row, which is not full yet.
    row: Vec<(PdfDrawing, String)>,
    /// The drawing operators of the current page, the end of its heading, and the height used so
    /// far.
    page: Vec<u8>,
    top: f64,
    bottom: f64,
}

/// Identifiers of the first PDF objects: the catalog, the list of pages, and two fonts.
const CATALOG: usize = 1;
const PAGES: usize = 2;
const FONTS: [usize; 2] = [3, 4];

impl PictureSheet {
    pub(super) fn open(path: &Path, asked: &PictureArgs) -> Result<Self, String> {
        let output = match path {
            _ if path == Path::new("-") => PageOutput::Stdout(io::BufWriter::new(output::stdout())),
            _ => PageOutput::File(WholeFile::create(path)?),
        };
        let mut sheet = Self {
            output,
            title: asked.title.clone().unwrap_or_else(|| TITLE.to_owned()),
            columns: asked.columns.max(1),
            is_single: false,
            theme: asked.theme.into(),
            length: 0,
            starts: vec![0; 4],
            row: Vec::new(),
            page: Vec::new(),
            top: EDGE,
            bottom: EDGE,
        };
        if let Some(title) = &asked.title {
            sheet.head(title);
        }
        Ok(sheet)
    }

    pub(super) fn is_stdout(&self) -> bool {
        matches!(self.output, PageOutput::Stdout(_))
    }

    pub(super) fn add(&mut self, caption: &str, drawing: &PdfDrawing) -> Result<(), PictureFault> {
        self.row.push((drawing.clone(), caption.to_owned()));
        if self.row.len() < usize::from(self.columns) { Ok(()) } else { self.end_row() }
    }

    /// Writes a heading at the top of the current page, which must be empty.
    fn head(&mut self, text: &str) {
        let at = [PAPER[0] / 2.0, EDGE + HEADING / 2.0];
        let most = ((PAPER[0] - 2.0 * EDGE) / (0.5 * HEADING)) as usize;
        let short: String = text.chars().take(most).collect();
        let drawn =
            pdf_color(Ink::Wall, self.theme, false) + &pdf_text(at, &short, HEADING, true, false);
        self.page.extend(drawn.chars().map(|c| c as u8));
        self.top = EDGE + HEADING_ROOM;
        self.bottom = self.top;
    }

    /// Adds the answers on pages of their own, and completes the file.
    pub(super) fn finish(mut self, answers: &[DrawnPicture]) -> Result<(), PictureFault> {
        // If the file has only one puzzle, its picture may fill the page.
        let is_first = self.bottom <= self.top && self.starts.len() == 4;
        self.is_single = is_first && self.row.len() == 1;
        self.end_row()?;
        self.end_page()?;
        if !answers.is_empty() {
            self.is_single = false;
            self.columns = answer_columns(self.columns);
            self.head(ANSWERS);
            answers.iter().try_for_each(|drawn| self.add(&drawn.caption, &drawn.pdf))?;
            self.end_row()?;
            self.end_page()?;
        }
        let pages = self.starts.len().saturating_sub(4) / 2;
        let kids: Vec<String> = (0..pages).map(|page| format!("{} 0 R", 5 + 2 * page)).collect();
        let kids = kids.join(" ");
        self.object(CATALOG, format!("<</Type/Catalog/Pages {PAGES} 0 R>>").as_bytes())?;
        self.object(PAGES, format!("<</Type/Pages/Count {pages}/Kids[{kids}]>>").as_bytes())?;
        for (font, name) in FONTS.into_iter().zip(["Helvetica", "Helvetica-Bold"]) {
            let font_object =
                format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>");
            self.object(font, font_object.as_bytes())?;
        }
        self.starts.push(0);
        let info = self.starts.len();
        let title = format!("<</Title({})/Producer(Farandole)>>", pdf_string(&self.title));
        let title: Vec<u8> = title.chars().map(|c| c as u8).collect();
        self.object(info, &title)?;
        let (start, size) = (self.length, self.starts.len() + 1);
        let mut table = format!("xref\n0 {size}\n0000000000 65535 f \n");
        for start in &self.starts {
            table += &format!("{start:010} 00000 n \n");
        }
        table += &format!(
            "trailer\n<</Size {size}/Root {CATALOG} 0 R/Info {info} 0 R>>\nstartxref\n{start}\n%%EOF\n"
        );
        self.write(table.as_bytes())?;
        match self.output {
            PageOutput::File(file) => file.finish().map_err(PictureFault::Message),
            PageOutput::Stdout(mut stdout) => stdout.flush().map_err(PictureFault::Stdout),
        }
    }

    fn end_row(&mut self) -> Result<(), PictureFault> {
        let row = std::mem::take(&mut self.row);
        let columns = if self.is_single { 1.0 } else { f64::from(self.columns) };
        let width = ((PAPER[0] - 2.0 * EDGE - (columns - 1.0) * GAP) / columns).max(1.0);
        let room = PAPER[1] - self.top - EDGE - CAPTION_ROOM;
        let rows = if columns > 1.0 { 3.0 } else { 1.0 };
        let third = (PAPER[1] - self.top - EDGE - (rows - 1.0) * GAP) / rows - CAPTION_ROOM - 0.1;
        let scale = |size: [f64; 2]| {
            let cell = CELL.max(third / size[1]).min(CELL_MAX);
            (width / size[0]).min(room / size[1]).min(cell)
        };
        let height = row.iter().map(|(drawn, _)| drawn.size[1] * scale(drawn.size)).fold(0.0, f64::max);
        if row.is_empty() {
            return Ok(());
        }
        if self.bottom + height + CAPTION_ROOM > PAPER[1] - EDGE && self.bottom > self.top {
            self.end_page()?;
        }
        for (number, (drawing, caption)) in row.iter().enumerate() {
            let scale = scale(drawing.size);
            let middle = EDGE + number as f64 * (width + GAP) + width / 2.0;
            let left = middle - drawing.size[0] * scale / 2.0;
            let place = format!("q {scale:.4} 0 0 {scale:.4} {left:.2} {:.2} cm\n", self.bottom);
            self.page.extend_from_slice(place.as_bytes());
            self.page.extend_from_slice(&drawing.operators);
            self.page.extend_from_slice(b"Q\n");
            let under = [middle, self.bottom + drawing.size[1] * scale + 0.6 * CAPTION_ROOM];
            let color = pdf_color(Ink::Muted, self.theme, false);
            // Truncate the caption to the width of its column.
            let size = CAPTION.min(CAPTION_CELLS * scale);
            let most = (width / (0.5 * size)) as usize;
            let short: String = caption.chars().take(most).collect();
            let text = color + &pdf_text(under, &short, size, false, false);
            self.page.extend(text.chars().map(|c| c as u8));
        }
        self.bottom += height + CAPTION_ROOM + GAP;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), PictureFault> {
        if self.page.is_empty() {
            return Ok(());
        }
        let [wide, high] = PAPER;
        // Move the origin to the upper left corner of the page.
        let mut operators = format!("1 0 0 -1 0 {high} cm\n").into_bytes();
        if self.theme == Theme::Dark {
            operators.extend(pdf_color(Ink::Paper, self.theme, false).bytes());
            operators.extend_from_slice(format!("0 0 {wide} {high} re f\n").as_bytes());
        }
        operators.append(&mut self.page);
        (self.top, self.bottom) = (EDGE, EDGE);
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
        let packed = packer.write_all(&operators).and_then(|()| packer.finish());
        let packed = packed.map_err(PictureFault::Stdout)?;
        let number = self.starts.len() + 1;
        self.starts.extend([0, 0]);
        let [plain, bold] = FONTS;
        let page = format!(
            "<</Type/Page/Parent {PAGES} 0 R/MediaBox[0 0 {wide} {high}]/Contents {} 0 R\
             /Resources<</Font<</F1 {plain} 0 R/F2 {bold} 0 R>>>>>>",
            number + 1
        );
        self.object(number, page.as_bytes())?;
        let mut stream =
            format!("<</Length {}/Filter/FlateDecode>>\nstream\n", packed.len()).into_bytes();
        stream.extend_from_slice(&packed);
        stream.extend_from_slice(b"\nendstream");
        self.object(number + 1, &stream)
    }

    fn object(&mut self, number: usize, bytes: &[u8]) -> Result<(), PictureFault> {
        if self.length == 0 {
            // Bytes above 127 mark the file as binary.
            self.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")?;
        }
        self.starts[number - 1] = self.length;
        self.write(format!("{number} 0 obj\n").as_bytes())?;
        self.write(bytes)?;
        self.write(b"\nendobj\n")
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), PictureFault> {
        self.length += bytes.len();
        match &mut self.output {
            PageOutput::File(file) => {
                file.write_all(bytes).map_err(|error| PictureFault::Message(file.fault(&error)))
            }
            PageOutput::Stdout(stdout) => stdout.write_all(bytes).map_err(PictureFault::Stdout),
        }
    }
}
