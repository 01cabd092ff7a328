//! Game IDs of Simon Tatham's puzzle collection, such as `5x5:a1b2`: parameters, a colon, and the
//! clues. A link to his page also names the game.

use super::TextLine;
use grid::MAX_ORDER;
use text::{InputError, content_lines};

/// A game ID.
#[derive(Clone, Copy, Debug)]
pub struct GameId<'t> {
    /// The line of the text.
    pub line: TextLine<'t>,
    /// The parameters before the colon.
    pub parameters: &'t str,
    /// The clues after the colon.
    pub body: &'t str,
    /// Whether the text is a link, which names the game.
    pub is_link: bool,
}

impl<'t> GameId<'t> {
    /// Returns the game ID that is the only line of a text, unless it is a link to another game
    /// than those named `games`.
    #[must_use]
    pub fn of(text: &'t str, games: &[&str]) -> Option<Self> {
        let mut lines = content_lines(text);
        let (number, line) = lines.next()?;
        if lines.next().is_some() {
            return None;
        }
        let mut id = line.trim();
        let is_link = id.starts_with("http");
        if is_link {
            let (page, behind) = id.split_once('#')?;
            let name = page.rsplit('/').next()?;
            games.iter().find(|game| name.strip_suffix(".html") == Some(game))?;
            id = behind;
        }
        let (parameters, body) = id.split_once(':')?;
        let is_size = parameters.starts_with(|c: char| c.is_ascii_digit())
            && parameters.chars().all(|c| c.is_ascii_alphanumeric());
        let is_body = !body.is_empty() && !body.contains(char::is_whitespace);
        (is_size && is_body).then_some(Self {
            line: TextLine { number, text: line },
            parameters,
            body,
            is_link,
        })
    }

    /// Returns whether a text is a link to one of these games.
    #[must_use]
    pub fn is_link_to(text: &str, games: &[&str]) -> bool {
        GameId::of(text, games).is_some_and(|id| id.is_link)
    }

    /// Returns the width and the height.
    ///
    /// # Errors
    /// If the parameters do not begin with a size, or it is too large.
    pub fn size(&self) -> Result<(usize, usize), InputError> {
        let sizes = self.parameters.trim_end_matches(|c: char| !c.is_ascii_digit());
        let number =
            |text: &str| text::plain_number(text).filter(|size| (1..=MAX_ORDER).contains(size));
        let sizes = match sizes.split_once('x') {
            Some((width, height)) => number(width).zip(number(height)),
            None => number(sizes).map(|size| (size, size)),
        };
        sizes.ok_or_else(|| {
            let message = format!(
                "expected a size such as 5x5, at most {MAX_ORDER}x{MAX_ORDER}, found `{}`",
                self.parameters
            );
            self.line.error(self.parameters, message)
        })
    }
}
