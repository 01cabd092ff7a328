//! The inks of pictures. Each ink has a color on white paper and one on dark paper.

/// The color scheme of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Dark lines on white paper.
    #[default]
    Light,
    /// Light lines on dark paper.
    Dark,
    /// Follows the reader's system, and is white in print. The theme needs a style in the SVG,
    /// which drawing programs ignore.
    Auto,
}

/// An ink, whose color depends on the theme of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// The color of the paper.
    Paper,
    /// Lines between cells of one region.
    Thin,
    /// Walls and givens.
    Wall,
    /// Symbols found by the solver.
    Answer,
    /// Words, and marks other than digits.
    Muted,
    /// Fill of highlighted cells.
    Shade,
    /// Gray, for thermometers.
    Gray,
    /// Green, for whispers.
    Green,
    /// Purple, for renban lines.
    Purple,
    /// Blue, for region sums.
    Blue,
    /// Yellow, for lines without consecutive neighbors.
    Yellow,
    /// Orange, for entropic lines.
    Orange,
    /// Teal, for modular lines.
    Teal,
    /// Pink, for indices.
    Pink,
    /// Red, for exclusions.
    Red,
    /// Strong red, for strokes through a mark.
    Crimson,
    /// White in every theme, for Kropki dots.
    White,
    /// Black in every theme.
    Black,
    /// The fill of a piece: its number (below 36, see [`Ink::piece`]) and its shade (0 to 2).
    Piece(usize, usize),
}

pub(super) const PIECE_INKS: usize = 36;

const INKS: &[(Ink, &str, &str, &str)] = &[
    (Ink::Paper, "paper", "#ffffff", "#15191f"),
    (Ink::Thin, "thin", "#c3c9d1", "#414a56"),
    (Ink::Wall, "wall", "#1d2733", "#e3e8ee"),
    (Ink::Answer, "answer", "#2563a8", "#82b8f2"),
    (Ink::Muted, "muted", "#5a6675", "#9fabb9"),
    (Ink::Shade, "shade", "#e9edf2", "#252d38"),
    (Ink::Gray, "gray", "#cdd2d8", "#4a535f"),
    (Ink::Green, "green", "#a5dca8", "#2d683a"),
    (Ink::Purple, "purple", "#e0b0ea", "#743f85"),
    (Ink::Blue, "blue", "#a9cdf5", "#2f5d92"),
    (Ink::Yellow, "yellow", "#f3e08a", "#6a6111"),
    (Ink::Orange, "orange", "#f8c99b", "#87481a"),
    (Ink::Teal, "teal", "#9fdcd8", "#1f6967"),
    (Ink::Pink, "pink", "#f7c3d4", "#8b3f5b"),
    (Ink::Red, "red", "#f3aaa4", "#8a3036"),
    (Ink::Crimson, "crimson", "#c8342b", "#ff7f76"),
    (Ink::White, "white", "#fdfdfd", "#fdfdfd"),
    (Ink::Black, "black", "#111111", "#111111"),
];

impl Ink {
    /// Returns the ink of a piece. Pieces with consecutive numbers have clearly different colors.
    #[must_use]
    pub fn piece(number: usize) -> Self {
        Self::Piece(number % PIECE_INKS, 0)
    }

    /// Returns the ink with another shade if it is the ink of a piece; otherwise the ink itself.
    pub(super) fn in_shade(self, shade: usize) -> Self {
        match self {
            Self::Piece(number, _) => Self::Piece(number, shade.min(2)),
            other => other,
        }
    }

    /// Returns the color of the ink in a theme. For [`Theme::Auto`] this is the color on white
    /// paper.
    #[must_use]
    pub fn color(self, theme: Theme) -> String {
        let is_dark = theme == Theme::Dark;
        if let Self::Piece(number, shade) = self {
            // Consecutive hues differ by the golden angle, so all hues are different.
            let hue = (number as f64 * 137.508 + 205.0) % 360.0;
            let (saturation, light) = match is_dark {
                false => (0.58, [0.74, 0.82, 0.66][number / 12 % 3]),
                true => (0.42, [0.39, 0.31, 0.24][number / 12 % 3]),
            };
            return hexadecimal(hue, saturation, light * [1.0, 0.86, 0.73][shade.min(2)]);
        }
        let entry = INKS.iter().find(|(ink, ..)| *ink == self);
        let (_, _, light, dark) = entry.expect("all others are in the table");
        (*if is_dark { dark } else { light }).to_owned()
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Piece(number, 0) => format!("piece{number}"),
            Self::Piece(number, shade) => format!("piece{number}-{shade}"),
            _ => INKS.iter().find(|(ink, ..)| *ink == self).map_or("", |(_, name, ..)| name).to_owned(),
        }
    }
}

/// Converts hue (degrees), saturation and lightness (0 to 1) to `#rrggbb`.
fn hexadecimal(hue: f64, saturation: f64, light: f64) -> String {
    let chroma = saturation * light.min(1.0 - light);
    let part = |offset: f64| {
        let at = (offset + hue / 30.0) % 12.0;
        let part = light - chroma * (at - 3.0).min(9.0 - at).clamp(-1.0, 1.0);
        (part * 255.0).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", part(0.0), part(8.0), part(4.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_convert_to_the_expected_hexadecimal_colors() {
        assert_eq!(hexadecimal(0.0, 1.0, 0.5), "#ff0000");
        assert_eq!(hexadecimal(120.0, 1.0, 0.25), "#008000");
        assert_eq!(hexadecimal(240.0, 0.5, 0.5), "#4040bf");
    }

    #[test]
    fn all_inks_have_different_colors_and_names() {
        for theme in [Theme::Light, Theme::Dark] {
            let inks = INKS.iter().map(|entry| entry.0).chain((0..PIECE_INKS).map(Ink::piece));
            let mut known: Vec<_> = inks.map(|ink| (ink.color(theme), ink.name())).collect();
            let count = known.len();
            known.sort_unstable();
            known.dedup_by_key(|known| known.0.clone());
            assert_eq!(known.len(), count);
        }
    }

    /// Red, green and blue from 0 to 255.
    fn parts(color: &str) -> [f64; 3] {
        [1, 3, 5].map(|at| f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()))
    }

    /// The contrast of two colors by the Web Content Accessibility Guidelines 2.1, from 1 to 21.
    fn contrast(one: &str, other: &str) -> f64 {
        let light = |color: &str| {
            let [red, green, blue] = parts(color).map(|part| match part / 255.0 {
                part if part <= 0.03928 => part / 12.92,
                part => ((part + 0.055) / 1.055).powf(2.4),
            });
            0.05 + 0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    const FILLS: [Ink; 10] = [
        Ink::Shade,
        Ink::Gray,
        Ink::Green,
        Ink::Purple,
        Ink::Blue,
        Ink::Yellow,
        Ink::Orange,
        Ink::Teal,
        Ink::Pink,
        Ink::Red,
    ];

    #[test]
    fn digits_are_legible_on_every_fill_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            for fill in FILLS.into_iter().chain([Ink::Paper]) {
                for (ink, least) in [(Ink::Wall, 4.5), (Ink::Answer, 3.0)] {
                    let found = contrast(&ink.color(theme), &fill.color(theme));
                    assert!(found >= least, "{ink:?} on {fill:?}, {theme:?}: {found:.2}");
                }
            }
            for piece in (0..PIECE_INKS).map(Ink::piece) {
                let found = contrast(&Ink::Wall.color(theme), &piece.color(theme));
                assert!(found >= 3.0, "{piece:?}, {theme:?}: {found:.2}");
            }
        }
    }

    #[test]
    fn fills_differ_from_each_other_and_from_the_paper_in_both_themes() {
        for theme in [Theme::Light, Theme::Dark] {
            let inks: Vec<Ink> = FILLS.into_iter().chain([Ink::Paper]).collect();
            for (number, one) in inks.iter().enumerate() {
                for other in &inks[..number] {
                    let [one_parts, other_parts] = [one, other].map(|ink| parts(&ink.color(theme)));
                    let squares = [0, 1, 2].map(|at| (one_parts[at] - other_parts[at]).powi(2));
                    let distance = squares.iter().sum::<f64>().sqrt();
                    assert!(distance > 25.0, "{one:?} and {other:?}, {theme:?}: {distance:.0}");
                }
            }
        }
    }

    #[test]
    fn black_and_white_are_the_same_in_both_themes() {
        for ink in [Ink::White, Ink::Black] {
            assert_eq!(ink.color(Theme::Light), ink.color(Theme::Dark));
        }
        assert!(contrast(&Ink::White.color(Theme::Dark), &Ink::Black.color(Theme::Dark)) > 15.0);
    }
}
