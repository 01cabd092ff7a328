//! Requests, and the command lines that they stand for.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::table::{Arguments, OptionKind, Output, QUESTIONS, Question, REFUSED};
use crate::{ARGUMENT_MAX, ARGUMENTS_MAX, INPUT_MAX, REQUEST_MAX, VALUE_MAX};

/// A question with its options and the text of its puzzles.
///
/// ```
/// # use protocol::{Bounds, Request};
/// let request = Request::parse(br#"{"question": "count", "input": "a b\na\nb\n", "options": {"limit": 9}}"#)?;
/// assert_eq!(request.arguments(&Bounds::default())?, ["count", "--json", "--limit=9"]);
/// # Ok::<(), protocol::RequestError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The name of the question.
    pub question: String,
    /// The text of the puzzles, for standard input.
    #[serde(default)]
    pub input: String,
    /// The arguments, such as the size of a board.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The options by their long names without the leading hyphens.
    #[serde(default)]
    pub options: Map<String, Value>,
}

/// Bounds that a carrier puts on every request.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Largest time limit in seconds.
    pub seconds: Option<f64>,
    /// Largest memory limit in bytes.
    pub bytes: Option<u64>,
    /// Largest number of threads.
    pub threads: Option<u64>,
}

/// An invalid request: the expected and the found part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    message: String,
}

impl RequestError {
    fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RequestError {}

impl Request {
    /// Parses a request.
    ///
    /// # Errors
    /// If the text is longer than [`REQUEST_MAX`], or is no JSON object with the keys of a request.
    pub fn parse(text: &[u8]) -> Result<Self, RequestError> {
        if text.len() > REQUEST_MAX {
            let found = text.len();
            return Err(RequestError::new(format!(
                "expected a request of at most {REQUEST_MAX} bytes, found {found}"
            )));
        }
        // `serde` also accepts the fields of a struct as an array.
        if !text.trim_ascii_start().starts_with(b"{") {
            return Err(RequestError::new("expected a request as JSON: an object"));
        }
        serde_json::from_slice(text)
            .map_err(|error| RequestError::new(format!("expected a request as JSON: {error}")))
    }

    /// Finds the question.
    ///
    /// # Errors
    /// If there is no such question.
    pub fn question(&self) -> Result<&'static Question, RequestError> {
        QUESTIONS.iter().find(|question| question.name == self.question).ok_or_else(|| {
            let names: Vec<&str> = QUESTIONS.iter().map(|question| question.name).collect();
            let found = shown(&self.question);
            RequestError::new(format!("expected a question ({}), found {found}", names.join(", ")))
        })
    }

    /// Returns the form of the answer.
    ///
    /// # Errors
    /// If there is no such question.
    pub fn output(&self) -> Result<Output, RequestError> {
        let question = self.question()?;
        let is_text =
            question.options().any(|option| match (option.kind, self.options.get(option.name)) {
                (OptionKind::Json, Some(value)) => value == false,
                (OptionKind::TextFlag | OptionKind::Picture, Some(value)) => value == true,
                _ => false,
            });
        Ok(if is_text { Output::Text } else { question.output })
    }

    /// Checks the request and returns the arguments of the program. The first is the command.
    ///
    /// # Errors
    /// If a question, option or argument is unknown or has a value of the wrong type, or something
    /// is too long.
    pub fn arguments(&self, bounds: &Bounds) -> Result<Vec<String>, RequestError> {
        let question = self.question()?;
        let output = self.output()?;
        if self.input.len() > INPUT_MAX {
            let found = self.input.len();
            return Err(RequestError::new(format!(
                "expected an input of at most {INPUT_MAX} bytes, found {found}"
            )));
        }
        for name in self.options.keys() {
            if question.option(name).is_none() {
                return Err(unknown_option(question, name));
            }
        }
        let mut arguments = vec![question.name.to_owned()];
        for option in question.options() {
            let asked = self.options.get(option.name);
            let value = match asked {
                Some(value) => value_of(option.kind, value).ok_or_else(|| {
                    let (expected, found) = (option.kind.expected(), shown_value(value));
                    RequestError::new(format!(
                        "option `{}`: expected {expected}, found {found}",
                        option.name
                    ))
                })?,
                None => OptionValue::Absent,
            };
            if let OptionValue::Text(text) = &value {
                check_value(option.name, text)?;
            }
            match bounded(option.kind, value, bounds, output) {
                OptionValue::Absent => {}
                OptionValue::Flag => arguments.push(format!("--{}", option.name)),
                OptionValue::Text(text) => arguments.push(format!("--{}={text}", option.name)),
            }
        }
        let positional = self.positional(question)?;
        if !positional.is_empty() {
            arguments.push("--".to_owned());
            arguments.extend(positional);
        }
        Ok(arguments)
    }

    /// Checks the arguments that are no options, and returns them.
    fn positional(&self, question: &Question) -> Result<Vec<String>, RequestError> {
        let count = self.arguments.len();
        let most = match question.arguments {
            Arguments::None => 0,
            Arguments::Name => 1,
            _ => ARGUMENTS_MAX,
        };
        if count > most {
            let expected = question.arguments.meaning();
            let message = if most == ARGUMENTS_MAX {
                format!("expected at most {most} arguments, found {count}")
            } else {
                format!("`{}`: expected {expected}, found {count} arguments", question.name)
            };
            return Err(RequestError::new(message));
        }
        if question.arguments == Arguments::Kind && count == 0 && !self.input.is_empty() {
            return Ok(vec!["-".to_owned()]);
        }
        let mut parameters = &self.arguments[..];
        if question.arguments == Arguments::Indices {
            let Some((indices, rest)) = parameters.split_first() else {
                return Err(RequestError::new(
                    "`unrank`: expected indices of solutions, found no argument",
                ));
            };
            let is_list = |c: char| c.is_ascii_digit() || c == ',';
            if indices.is_empty() || indices.len() > ARGUMENT_MAX || !indices.chars().all(is_list) {
                let found = shown(indices);
                return Err(RequestError::new(format!(
                    "expected indices of solutions such as `0,5`, found {found}"
                )));
            }
            parameters = rest;
        }
        if let Some(parameter) = parameters.iter().find(|parameter| !is_parameter(parameter)) {
            let found = shown(parameter);
            return Err(RequestError::new(format!(
                "expected an argument of letters, digits and `:?,.+*=_-`, found {found}"
            )));
        }
        let needs_kind = matches!(question.arguments, Arguments::Parameters | Arguments::Indices);
        if needs_kind && !parameters.is_empty() && !self.options.contains_key("puzzle") {
            return Err(RequestError::new(
                "expected the option `puzzle`, whose parameters the arguments are, found none",
            ));
        }
        Ok(self.arguments.clone())
    }
}

/// Whether a text can be a parameter of a puzzle or a name. It can be no path, except of a file in
/// the current folder.
fn is_parameter(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || ":?,.+*=_-".contains(c);
    text.len() <= ARGUMENT_MAX
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(is_allowed)
}

/// A checked value of an option.
#[derive(Debug)]
enum OptionValue {
    Absent,
    Flag,
    Text(String),
}

/// Returns the value of an option, or `None` if it has the wrong type.
fn value_of(kind: OptionKind, value: &Value) -> Option<OptionValue> {
    let flag =
        || value.as_bool().map(|is_on| if is_on { OptionValue::Flag } else { OptionValue::Absent });
    let text = || match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let text = match kind {
        OptionKind::Flag
        | OptionKind::TextFlag
        | OptionKind::Json
        | OptionKind::Picture
        | OptionKind::Input => return flag(),
        OptionKind::FlagOrText if value.is_boolean() => return flag(),
        OptionKind::Number | OptionKind::Bytes => whole(value)?.to_string(),
        OptionKind::Threads => whole(value).filter(|count| *count > 0)?.to_string(),
        OptionKind::Seconds { .. } => {
            let seconds: f64 = text()?.parse().ok()?;
            // Very large values would have hundreds of digits.
            (0.0..1e15).contains(&seconds).then(|| seconds.to_string())?
        }
        OptionKind::Text | OptionKind::FlagOrText => text()?,
        OptionKind::Names => match value {
            Value::Array(names) => {
                let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
                names?.join(",")
            }
            _ => text()?,
        },
    };
    Some(OptionValue::Text(text))
}

/// Returns a whole number from 0, also one that is written as digits in a text.
fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) if text.bytes().all(|c| c.is_ascii_digit()) => text.parse().ok(),
        _ => value.as_u64(),
    }
}

/// Lowers a limit to the bound of the carrier, or sets it.
fn bounded(kind: OptionKind, value: OptionValue, bounds: &Bounds, output: Output) -> OptionValue {
    let lower = |bound: Option<u64>| {
        let asked = match &value {
            OptionValue::Text(text) => text.parse().ok(),
            _ => None,
        };
        let least = asked.into_iter().chain(bound).min();
        least.map_or(OptionValue::Absent, |least: u64| OptionValue::Text(least.to_string()))
    };
    match kind {
        OptionKind::Json if output == Output::Lines => OptionValue::Flag,
        OptionKind::Json => OptionValue::Absent,
        OptionKind::Picture | OptionKind::Input => match value {
            OptionValue::Flag => OptionValue::Text("-".to_owned()),
            other => other,
        },
        OptionKind::Bytes => lower(bounds.bytes),
        OptionKind::Threads => lower(bounds.threads),
        OptionKind::Seconds { default } => {
            let asked = match &value {
                OptionValue::Text(text) => text.parse().ok(),
                _ => default,
            };
            match bounds.seconds {
                Some(bound) if asked.is_none_or(|asked: f64| asked > bound) => {
                    OptionValue::Text(bound.to_string())
                }
                _ => value,
            }
        }
        _ => value,
    }
}

/// Checks the text of a value: not empty or long, no control characters, no start of an option.
fn check_value(name: &str, text: &str) -> Result<(), RequestError> {
    let expected = match text {
        "" => "a text that is not empty".to_owned(),
        _ if text.len() > VALUE_MAX => format!("at most {VALUE_MAX} bytes"),
        _ if text.starts_with('-') => "a value that does not start with `-`".to_owned(),
        _ if text.contains(char::is_control) => "a text without control characters".to_owned(),
        _ => return Ok(()),
    };
    let found = shown(text);
    Err(RequestError::new(format!("option `{name}`: expected {expected}, found {found}")))
}

/// Returns the error for an option that is not in the table.
fn unknown_option(question: &Question, name: &str) -> RequestError {
    let refused = REFUSED.iter().find(|(refused, questions, _)| {
        *refused == name && (questions.is_empty() || questions.contains(&question.name))
    });
    if let Some((_, _, reason)) = refused {
        return RequestError::new(format!("the option `{name}` is refused, because it {reason}"));
    }
    let names: Vec<&str> = question.options().map(|option| option.name).collect();
    let (question, found) = (question.name, shown(name));
    let expected = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    RequestError::new(format!("expected an option of `{question}` ({expected}), found {found}"))
}

/// Largest number of characters of a found text in an error message; a line of a terminal.
const SHOWN_MAX: usize = 80;

/// Formats a found text for an error message: escaped, shortened and quoted.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN_MAX).flat_map(char::escape_default).collect();
    let rest = if text.chars().nth(SHOWN_MAX).is_some() { "..." } else { "" };
    format!("`{short}{rest}`")
}

/// Formats a found value for an error message.
fn shown_value(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => shown(text),
        _ => shown(&value.to_string()),
    }
}
