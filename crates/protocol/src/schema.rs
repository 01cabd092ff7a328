//! The protocol as JSON: the table of questions for other languages, and its JSON Schema.

use serde_json::{Map, Value, json};

use crate::table::{OptionKind, QUESTIONS, Question};
use crate::{ARGUMENT_MAX, ARGUMENTS_MAX, INPUT_MAX, VALUE_MAX};

/// Returns the table of questions as JSON.
///
/// The key `questions` has, for each question, the form of its `output`, the sort of its
/// `arguments`, and the kind of each of its `options`.
pub fn table() -> Value {
    let question = |question: &Question| {
        let options: Map<String, Value> = question
            .options()
            .map(|option| (option.name.to_owned(), option.kind.name().into()))
            .collect();
        let value = json!({
            "output": question.output.name(),
            "arguments": question.arguments.name(),
            "options": options,
        });
        (question.name.to_owned(), value)
    };
    let questions: Map<String, Value> = QUESTIONS.iter().map(question).collect();
    json!({
        "limits": {
            "input": INPUT_MAX,
            "value": VALUE_MAX,
            "arguments": ARGUMENTS_MAX,
            "argument": ARGUMENT_MAX,
        },
        "questions": questions,
    })
}

/// Returns the JSON Schema (draft 2020-12) of requests and events.
pub fn schema() -> Value {
    let requests: Vec<Value> = QUESTIONS.iter().map(request).collect();
    let end = json!({
        "type": "object",
        "properties": {
            "code": {"type": "integer", "description": "exit code of the program"},
            "seconds": {"type": "number", "description": "duration of the run in seconds"},
        },
        "required": ["code", "seconds"],
        "additionalProperties": false,
    });
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Questions to Farandole and the events of their answers",
        "$defs": {
            "request": {"anyOf": requests},
            "event": {"anyOf": [
                event("line", json!({"type": "object"}), "a line of standard output"),
                event("text", json!({"type": "string"}), "a piece of standard output that is text"),
                event("note", json!({"type": "string"}), "a line of standard error"),
                event("progress", json!({"type": "object"}), "the progress of a search"),
                event("end", end, "the end of the answer; comes last, exactly once"),
            ]},
        },
    });
    for option in QUESTIONS.iter().flat_map(Question::options) {
        schema["$defs"][option.kind.name()] = values(option.kind);
    }
    schema
}

/// Returns the schema of an event: an object with one key.
fn event(key: &str, value: Value, description: &str) -> Value {
    let mut properties = Map::new();
    properties.insert(key.to_owned(), value);
    json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "required": [key],
        "additionalProperties": false,
    })
}

/// Returns the schema of the requests of a question.
fn request(question: &Question) -> Value {
    let options: Map<String, Value> = question
        .options()
        .map(|option| {
            let reference = format!("#/$defs/{}", option.kind.name());
            (option.name.to_owned(), json!({"$ref": reference}))
        })
        .collect();
    let mut properties = json!({
        "question": {"const": question.name},
        "input": {"type": "string", "description": "text of the puzzles"},
    });
    properties["arguments"] = json!({
        "type": "array",
        "items": {"type": "string"},
        "description": question.arguments.meaning(),
    });
    properties["options"] = json!({
        "type": "object",
        "properties": options,
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": properties,
        "required": ["question"],
        "additionalProperties": false,
    })
}

/// Returns the schema of the values of an option.
fn values(kind: OptionKind) -> Value {
    let types: &[&str] = match kind {
        OptionKind::Flag
        | OptionKind::TextFlag
        | OptionKind::Json
        | OptionKind::Picture
        | OptionKind::Input => &["boolean"],
        OptionKind::Number | OptionKind::Bytes | OptionKind::Threads => &["integer", "string"],
        OptionKind::Seconds { .. } | OptionKind::Text => &["number", "string"],
        OptionKind::FlagOrText => &["boolean", "number", "string"],
        OptionKind::Names => {
            return json!({
                "description": kind.expected(),
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            });
        }
    };
    let types: Vec<Value> = types.iter().map(|name| json!({"type": name})).collect();
    json!({"description": kind.expected(), "anyOf": types})
}
