//! Reads the sections `pieces` and `piece`.

use dlx::Limit;

use super::super::lattice::Motions;
use super::super::shape::{MarkedCell, Position, parts, plain};
use super::super::{MAX_PIECE_CELLS, Piece, Supply, sets};
use super::drawing::{DrawnMark, MarkedDrawing};
use super::{TextReader, TextWord, is_name, show};
use text::InputError;

/// Returns the error for a limit that ended the building of a set.
fn limited_set(limit: Limit) -> InputError {
    InputError::limited(puzzle::text_limit(limit), "while the set of pieces was made")
}

impl TextReader<'_> {
    pub(super) fn set(
        &self,
        number: usize,
        rest: &[TextWord<'_>],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), InputError> {
        let found = rest.first().copied().unwrap_or(self.end(number));
        let set = sets::by_name(found.text, self.limits).map_err(limited_set)?;
        let Some(set) = set else {
            let message = format!("expected {}, {}", sets::expected(found.text), show(found));
            return Err(self.error(number, found.start, message));
        };
        if set.lattice.name != self.lattice.name {
            let message = format!(
                "expected pieces of the lattice {}, found `{}` of the lattice {}",
                self.lattice.name, found.text, set.lattice.name
            );
            return Err(self.error(number, found.start, message));
        }
        let (supply, motions) = self.options(number, &rest[1..])?;
        let motions = motions.or(set.motions);
        for (name, cells) in set.pieces {
            let is_free = |name: &char| pieces.iter().all(|piece| piece.name != *name);
            let name =
                Some(name).filter(is_free).or_else(|| sets::letters().find(is_free)).unwrap_or(name);
            let piece = Piece { name, cells, supply, motions, has_own_name: false, line: number };
            self.add_piece(found.start, piece, pieces)?;
        }
        Ok(())
    }

    /// Reads drawings up to the next keyword, where each letter is a piece. The pieces have the
    /// options `rest`.
    pub(super) fn drawn_pieces(
        &mut self,
        number: usize,
        rest: &[TextWord<'_>],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), InputError> {
        let (supply, motions) = self.options(number, rest)?;
        let mut is_first = true;
        loop {
            while self.line().is_some_and(super::is_head) {
                self.next += 1;
            }
            let word = self.line().and_then(|line| line.split_whitespace().next());
            if !is_first && word.is_none_or(|word| super::KEYWORDS.contains(&word)) {
                return Ok(());
            }
            is_first = false;
            let MarkedDrawing { mut marks, .. } = self.drawing(number, "of pieces", true)?;
            marks.retain(|mark| mark.character != '.');
            if let Some(mark) = marks.iter().find(|mark| !is_name(mark.character)) {
                let message = format!(
                    "expected a letter for each piece or `.` for no cell, found `{}`",
                    mark.character
                );
                return Err(self.error(mark.line, mark.start, message));
            }
            self.check_cells(&marks)?;
            let mut names: Vec<char> = Vec::new();
            for mark in &marks {
                if !names.contains(&mark.character) {
                    names.push(mark.character);
                }
            }
            for name in names {
                let own: Vec<&DrawnMark> = marks.iter().filter(|mark| mark.character == name).collect();
                let cells: Vec<Position> = own.iter().map(|mark| mark.cell).collect();
                if let [_, ref second, ..] = parts(self.lattice, &cells, |_, _| true)[..] {
                    let message =
                        format!("expected the piece `{name}` in one part, found a second part");
                    let mark = own[second[0]];
                    return Err(self.error(mark.line, mark.start, message));
                }
                let (line, start) = (own[0].line, own[0].start);
                let cells: Vec<MarkedCell> = plain(cells);
                let piece = Piece { name, cells, supply, motions, has_own_name: true, line };
                self.add_piece(start, piece, pieces)?;
            }
        }
    }

    pub(super) fn piece(
        &mut self,
        number: usize,
        rest: &[TextWord<'_>],
        pieces: &mut Vec<Piece>,
    ) -> Result<(), InputError> {
        let found = rest.first().copied().unwrap_or(self.end(number));
        let mut characters = found.text.chars();
        let name = match (characters.next(), characters.next()) {
            (Some(name), None) if is_name(name) => name,
            _ => {
                let message =
                    format!("expected the name of the piece, one letter or digit, {}", show(found));
                return Err(self.error(number, found.start, message));
            }
        };
        let (supply, motions) = self.options(number, &rest[1..])?;
        let of = format!("of the piece `{name}`");
        let MarkedDrawing { mut marks, .. } = self.drawing(number, &of, true)?;
        let is_gap = |mark: &DrawnMark| mark.character == '.';
        if let Some(mark) =
            marks.iter().find(|mark| !(is_gap(mark) || [name, '#'].contains(&mark.character)))
        {
            let message = format!(
                "expected `#` or `{name}` for a cell or `.` for none, found `{}`",
                mark.character
            );
            return Err(self.error(mark.line, mark.start, message));
        }
        marks.retain(|mark| !is_gap(mark));
        let cells: Vec<Position> = marks.iter().map(|mark| mark.cell).collect();
        self.check_cells(&marks)?;
        match parts(self.lattice, &cells, |_, _| true)[..] {
            [] => {
                let message =
                    format!("expected cells `#` in the drawing of the piece `{name}`, found none");
                return Err(self.error(number, 0, message));
            }
            [_] => {}
            [_, ref second, ..] => {
                let message = format!("expected the piece `{name}` in one part, found a second part");
                let mark = marks[second[0]];
                return Err(self.error(mark.line, mark.start, message));
            }
        }
        if cells.len() > MAX_PIECE_CELLS {
            let count = cells.len();
            let message = format!(
                "piece `{name}` has {count} cells, which exceeds the limit of {MAX_PIECE_CELLS}"
            );
            return Err(self.error(number, 0, message));
        }
        let cells: Vec<MarkedCell> = plain(cells);
        let piece = Piece { name, cells, supply, motions, has_own_name: true, line: number };
        self.add_piece(found.start, piece, pieces)
    }

    fn add_piece(&self, start: usize, piece: Piece, pieces: &mut Vec<Piece>) -> Result<(), InputError> {
        if let Some(first) = pieces.iter().find(|other| other.name == piece.name) {
            let (name, first) = (piece.name, first.line + 1);
            let message = format!("piece `{name}` is defined twice (first on line {first})");
            return Err(self.error(piece.line, start, message));
        }
        pieces.push(piece);
        Ok(())
    }

    pub(super) fn options(
        &self,
        number: usize,
        rest: &[TextWord<'_>],
    ) -> Result<(Supply, Option<Motions>), InputError> {
        let mut supply = None;
        let mut motions = None;
        for word in rest {
            let is_second = match word.text {
                "fixed" => motions.replace(Motions::Fixed).is_some(),
                "rotate" => motions.replace(Motions::Rotate).is_some(),
                "reflect" => motions.replace(Motions::Reflect).is_some(),
                text => {
                    let new = parse_supply(text).ok_or_else(|| {
                        let message = format!(
                            "expected copies (`x2`, `x0-1`, `unlimited`) or motions (`fixed`, \
                             `rotate`, \
                             `reflect`), found `{text}`"
                        );
                        self.error(number, word.start, message)
                    })?;
                    supply.replace(new).is_some()
                }
            };
            if is_second {
                let message = format!(
                    "expected one word for copies and one for motions, found `{}` too",
                    word.text
                );
                return Err(self.error(number, word.start, message));
            }
        }
        Ok((supply.unwrap_or(Supply::ONCE), motions))
    }
}

fn parse_supply(text: &str) -> Option<Supply> {
    if text == "unlimited" {
        return Some(Supply::UNLIMITED);
    }
    let number = |digits: &str| {
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| is_number)
    };
    let text = text.strip_prefix('x')?;
    let (low, high) = match text.split_once('-') {
        Some((low, high)) => (number(low)?, number(high)?),
        None => (number(text)?, number(text)?),
    };
    (low <= high).then_some(Supply { low, high: Some(high) })
}
