//! The files of the page, which are part of the program.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Begins the table of the files, each with its path below `web/`.
macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_bytes!(concat!("../../../web/", $path)).as_slice())),*]
    };
}

/// The files of `web/` that the page loads, with their contents. A test rewrites the list of paths:
/// `FARANDOLE_WRITE=1 cargo test --test it page::`.
const FILES: &[(&str, &[u8])] = files![
    "app/carrier.js",
    "app/compare/engines.js",
    "app/compare/measure.js",
    "app/compare/place.css",
    "app/compare/place.js",
    "app/compare/plot.js",
    "app/count/families.js",
    "app/count/pictures.js",
    "app/count/place.css",
    "app/count/place.js",
    "app/count/records.js",
    "app/count/shards.js",
    "app/lesson/parts.js",
    "app/lesson/place.css",
    "app/lesson/place.js",
    "app/lesson/steps.js",
    "app/main.js",
    "app/pack/answers.js",
    "app/pack/board.js",
    "app/pack/burrtools.js",
    "app/pack/drawing.js",
    "app/pack/editors.js",
    "app/pack/lattice.js",
    "app/pack/model.js",
    "app/pack/place.css",
    "app/pack/place.js",
    "app/pack/presets.js",
    "app/pack/solid.js",
    "app/places.js",
    "app/solve/board.js",
    "app/solve/examples.js",
    "app/solve/hints.js",
    "app/solve/place.css",
    "app/solve/place.js",
    "app/solve/share.js",
    "app/solve/sheet.js",
    "app/solve/tools.js",
    "app/solve/why.js",
    "app/state.js",
    "app/ui.js",
    "app/watch/board.js",
    "app/watch/dance.js",
    "app/watch/examples.js",
    "app/watch/matrix.js",
    "app/watch/paint.js",
    "app/watch/place.css",
    "app/watch/place.js",
    "app/watch/problem.js",
    "app/watch/steps.js",
    "app/watch/theater.js",
    "app/watch/tree.js",
    "app/watch/words.js",
    "icon.svg",
    "index.html",
    "package/questions.json",
    "style.css",
];

/// A file of the page.
pub(super) struct Asset {
    pub(super) path: &'static str,
    /// The media type.
    pub(super) kind: &'static str,
    pub(super) content: Cow<'static, [u8]>,
    /// The quoted entity tag: a digest of the content.
    pub(super) tag: String,
    /// The value of the header `Cache-Control`.
    pub(super) cache: &'static str,
}

pub(super) struct Assets(Vec<Asset>);

impl Assets {
    /// Prepares the files. The token is written into the first page.
    pub(super) fn new(token: &str) -> Self {
        Self(FILES.iter().map(|(path, content)| Asset::new(path, content, token)).collect())
    }

    /// Finds a file by its path below the token; the empty path is the page itself.
    pub(super) fn find(&self, path: &str) -> Option<&Asset> {
        let path = if path.is_empty() { "index.html" } else { path };
        self.0.iter().find(|asset| asset.path == path)
    }
}

impl Asset {
    fn new(path: &'static str, content: &'static [u8], token: &str) -> Self {
        let kind = match path.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" | "mjs" => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            _ => "application/octet-stream",
        };
        let (content, cache) = match path {
            "index.html" => (Cow::Owned(with_token(content, token)), "no-store"),
            // The browser asks whether the file has changed, because another version of the program
            // may have the same address.
            _ => (Cow::Borrowed(content), "no-cache"),
        };
        let mut hasher = DefaultHasher::new();
        content.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        Self { path, kind, content, tag, cache }
    }
}

/// Writes the token into the first tag `<html`, so that the scripts of the page know it.
fn with_token(page: &[u8], token: &str) -> Vec<u8> {
    let begin = b"<html";
    let end = page.windows(begin.len()).position(|part| part == begin).map_or(0, |at| at + begin.len());
    let attribute = if end > 0 { format!(" data-token=\"{token}\"") } else { String::new() };
    [&page[..end], attribute.as_bytes(), &page[end..]].concat()
}
