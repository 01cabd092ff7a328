//! Paths from the root of a search tree to a subtree.

use std::fmt;
use std::str::FromStr;

use num_bigint::BigUint;

/// A choice on a path, which represents a class of isomorphic choices of the same node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathChoice {
    /// Index of the choice, from 0.
    pub choice: u32,
    /// Number of choices at the node, where isomorphic choices count once.
    pub degree: u32,
    /// Number of choices that are isomorphic to this one, including itself.
    pub times: u32,
}

/// The choices from the root to a subtree. The text is `root`, or for example `3/17 0/2x5`: the
/// fourth of 17 choices, then the first of two, which represents five.
///
/// ```
/// use dlx::shards::Path;
///
/// let path: Path = "3/17 0/2x5".parse()?;
/// assert_eq!((path.choices().len(), path.to_string().as_str()), (2, "3/17 0/2x5"));
/// assert_eq!(path.weight(), 5_u32.into());
/// assert_eq!("root".parse(), Ok(Path::default()));
/// assert_eq!("2/2".parse::<Path>(), Err("expected a path such as `3/17 0/2`, found `2/2`".to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Path(Vec<PathChoice>);

impl Path {
    /// Returns the choices, starting at the root.
    #[must_use]
    pub fn choices(&self) -> &[PathChoice] {
        &self.0
    }

    /// Creates the path of these choices.
    #[must_use]
    pub fn beginning(choices: &[PathChoice]) -> Self {
        Self(choices.to_vec())
    }

    /// Returns the number of subtrees that the path represents: the product of the multiplicities
    /// of its choices.
    #[must_use]
    pub fn weight(&self) -> BigUint {
        self.0.iter().map(|choice| BigUint::from(choice.times)).product()
    }

    #[must_use]
    pub(super) fn then(&self, choice: PathChoice) -> Self {
        let mut choices = Vec::with_capacity(self.0.len() + 1);
        choices.extend_from_slice(&self.0);
        choices.push(choice);
        Self(choices)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("root");
        }
        let mut separator = "";
        for PathChoice { choice, degree, times } in &self.0 {
            write!(f, "{separator}{choice}/{degree}")?;
            if *times != 1 {
                write!(f, "x{times}")?;
            }
            separator = " ";
        }
        Ok(())
    }
}

impl FromStr for Path {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let choice = |word: &str| {
            let (choice, degree) = word.split_once('/')?;
            let (degree, times) = degree.split_once('x').unwrap_or((degree, "1"));
            let [choice, degree, times] = [choice, degree, times].map(|number| number.parse().ok());
            let choice = PathChoice { choice: choice?, degree: degree?, times: times? };
            (choice.choice < choice.degree && choice.times > 0).then_some(choice)
        };
        let choices = match text {
            "root" => Some(Vec::new()),
            _ => text.split(' ').map(choice).collect(),
        };
        let path = choices.map(Self).filter(|path| path.to_string() == text);
        path.ok_or_else(|| format!("expected a path such as `3/17 0/2`, found `{text}`"))
    }
}
