//! The table of questions, and the options that no request may use.

/// A question: a command of the program.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The name of the command.
    pub name: &'static str,
    /// The form of the answer, unless an option changes it.
    pub output: Output,
    /// The arguments of the command.
    pub arguments: Arguments,
    /// The allowed options, in groups.
    groups: &'static [&'static [QuestionOption]],
}

impl Question {
    /// Returns the allowed options.
    pub fn options(&self) -> impl Iterator<Item = &'static QuestionOption> + use<> {
        self.groups.iter().copied().flatten()
    }

    /// Finds an allowed option by its name, without the leading hyphens.
    pub fn option(&self, name: &str) -> Option<&'static QuestionOption> {
        self.options().find(|option| option.name == name)
    }
}

/// The form of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// One JSON object per line.
    Lines,
    /// Text, such as a picture as SVG or a puzzle in another format.
    Text,
}

impl Output {
    /// Returns the name of the form in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Text => "text",
        }
    }
}

/// The arguments of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// No arguments.
    None,
    /// Parameters of the kind that the option `puzzle` names, such as `8`.
    Parameters,
    /// Indices of solutions, then parameters.
    Indices,
    /// A kind of puzzle and its parameter. Without arguments, the text of the request if there is
    /// one.
    Kind,
    /// At most one name of a kind, format or engine.
    Name,
}

impl Arguments {
    /// Returns the name of the arguments in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Parameters => "parameters",
            Self::Indices => "indices",
            Self::Kind => "kind",
            Self::Name => "name",
        }
    }

    /// Describes the arguments.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::None => "no arguments",
            Self::Parameters => "parameters of the kind that the option `puzzle` names, such as `8`",
            Self::Indices => "indices of solutions separated by commas, then parameters",
            Self::Kind => "a kind of puzzle and its parameter; without them, the input if there is one",
            Self::Name => "at most one name of a kind, format or engine",
        }
    }
}

/// An allowed option of a question.
#[derive(Clone, Copy, Debug)]
pub struct QuestionOption {
    /// The long name without the leading hyphens.
    pub name: &'static str,
    /// The values of the option.
    pub kind: OptionKind,
}

/// The values of an option.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OptionKind {
    /// `true`; `false` is the same as no option.
    Flag,
    /// As [`OptionKind::Flag`], but the answer is text.
    TextFlag,
    /// Whether the answer is JSON lines; `true` by default.
    Json,
    /// A whole number from 0, or its digits as a text.
    Number,
    /// A number of seconds. A carrier may lower it, and sets it if it is absent and the command has
    /// no such limit by default.
    Seconds {
        /// The value that the command uses if the option is absent.
        default: Option<f64>,
    },
    /// A number of bytes. A carrier may lower or set it.
    Bytes,
    /// A number of threads. A carrier may lower or set it.
    Threads,
    /// A text, or a number that is written as text.
    Text,
    /// `true`, or a text or number.
    FlagOrText,
    /// A text, or a list of texts that are joined by commas.
    Names,
    /// `true`: the picture is the answer, as text.
    Picture,
    /// `true`: the text of the request holds the value.
    Input,
}

impl OptionKind {
    /// Returns the name of the kind in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::TextFlag => "text-flag",
            Self::Json => "json",
            Self::Number => "number",
            Self::Seconds { .. } => "seconds",
            Self::Bytes => "bytes",
            Self::Threads => "threads",
            Self::Text => "text",
            Self::FlagOrText => "flag-or-text",
            Self::Names => "names",
            Self::Picture => "picture",
            Self::Input => "input",
        }
    }

    /// Describes the valid values.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Flag | Self::TextFlag | Self::Json | Self::Picture | Self::Input => "true or false",
            Self::Number => "a whole number from 0",
            Self::Seconds { .. } => "a number of seconds from 0",
            Self::Bytes => "a whole number of bytes",
            Self::Threads => "a whole number of threads from 1",
            Self::Text => "a text",
            Self::FlagOrText => "true or a text",
            Self::Names => "a text or a list of texts",
        }
    }
}

const fn option(name: &'static str, kind: OptionKind) -> QuestionOption {
    QuestionOption { name, kind }
}

const fn flag(name: &'static str) -> QuestionOption {
    option(name, OptionKind::Flag)
}

const fn number(name: &'static str) -> QuestionOption {
    option(name, OptionKind::Number)
}

const fn text(name: &'static str) -> QuestionOption {
    option(name, OptionKind::Text)
}

const TIME: QuestionOption = option("time", OptionKind::Seconds { default: None });
/// The limit of commands that stop after ten seconds by default.
const TEN_SECONDS: QuestionOption = option("time", OptionKind::Seconds { default: Some(10.0) });
const MEMORY: QuestionOption = option("memory", OptionKind::Bytes);
const THREADS: QuestionOption = option("threads", OptionKind::Threads);
const JSON: QuestionOption = option("json", OptionKind::Json);
const QUIET: QuestionOption = flag("quiet");
const TO: QuestionOption = text("to");
const SEED: QuestionOption = number("seed");
const NODES: QuestionOption = number("nodes");
const LIMIT: QuestionOption = number("limit");
const ENGINE: QuestionOption = option("engine", OptionKind::Names);

/// Options for reading puzzles.
const READ: &[QuestionOption] =
    &[text("from"), text("puzzle"), option("rules", OptionKind::Names), text("boxes")];
/// Options for pictures.
const PICTURES: &[QuestionOption] = &[
    option("svg", OptionKind::Picture),
    option("html", OptionKind::Picture),
    number("columns"),
    text("title"),
    text("theme"),
];
/// Options of searches.
const SEARCH: &[QuestionOption] = &[
    JSON,
    LIMIT,
    TIME,
    option("up-to-symmetry", OptionKind::FlagOrText),
    THREADS,
    QUIET,
    text("engine"),
    NODES,
    MEMORY,
    text("isa"),
    flag("stats"),
    flag("profile"),
];
/// Options for answers that are solutions.
const SHOW: &[QuestionOption] = &[TO, flag("option-numbers")];
/// Options of questions that the diagram of all solutions answers.
const DIAGRAM: &[QuestionOption] = &[JSON, TIME, MEMORY, QUIET, TO, flag("option-numbers")];
/// Options of questions about the steps of a person.
const STEPS: &[QuestionOption] = &[JSON, TIME, NODES, flag("uniqueness"), THREADS, QUIET];

/// The questions.
pub const QUESTIONS: &[Question] = &[
    Question {
        name: "solve",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[
            SEARCH,
            READ,
            SHOW,
            PICTURES,
            &[flag("all"), option("cheapest", OptionKind::FlagOrText)],
        ],
    },
    Question {
        name: "list",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[SEARCH, READ, SHOW, PICTURES],
    },
    Question {
        name: "count",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[SEARCH, READ, &[flag("check"), flag("per-option"), flag("histogram"), flag("names")]],
    },
    Question {
        name: "check",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[
            &[JSON, TIME, NODES, LIMIT, QUIET],
            READ,
            PICTURES,
            &[flag("quick"), flag("why"), flag("candidates"), flag("same")],
            &[option("solution", OptionKind::Input)],
        ],
    },
    Question {
        name: "hint",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[STEPS, READ, PICTURES, &[flag("full"), text("technique")]],
    },
    Question {
        name: "explain",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[STEPS, READ, PICTURES, &[flag("full")]],
    },
    Question {
        name: "rate",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[STEPS, READ],
    },
    Question {
        name: "generate",
        output: Output::Lines,
        arguments: Arguments::Kind,
        groups: &[
            &[JSON, number("count"), SEED, TIME, NODES, MEMORY, THREADS, QUIET, TO],
            &[option("rules", OptionKind::Names), text("boxes")],
            &[text("clues"), text("rating"), text("technique"), text("symmetry")],
            &[flag("jigsaw"), flag("killer"), text("cage-size"), number("pieces")],
            &[flag("not-minimal"), flag("controlled-bias"), number("tries"), flag("answers")],
            PICTURES,
        ],
    },
    Question {
        name: "draw",
        output: Output::Text,
        arguments: Arguments::Parameters,
        groups: &[READ, PICTURES, &[TIME, MEMORY, QUIET]],
    },
    Question {
        name: "convert",
        output: Output::Text,
        arguments: Arguments::Parameters,
        groups: &[READ, &[TO, TIME, MEMORY, QUIET]],
    },
    Question {
        name: "trace",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[READ, &[number("events"), number("sample"), LIMIT, TEN_SECONDS, NODES, QUIET]],
    },
    Question {
        name: "compare",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[
            READ,
            &[JSON, ENGINE, text("range"), LIMIT, TEN_SECONDS, NODES, text("precision"), QUIET],
            &[option("each", OptionKind::Seconds { default: None })],
            &[option("lesson", OptionKind::TextFlag)],
        ],
    },
    Question {
        name: "estimate",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[
            READ,
            &[JSON, TEN_SECONDS, text("precision"), number("beam"), number("runs"), SEED, QUIET],
        ],
    },
    Question {
        name: "sample",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[DIAGRAM, READ, PICTURES, &[number("count"), SEED]],
    },
    Question {
        name: "rank",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[DIAGRAM, READ, &[option("solution", OptionKind::Input)]],
    },
    Question {
        name: "unrank",
        output: Output::Lines,
        arguments: Arguments::Indices,
        groups: &[DIAGRAM, READ, PICTURES],
    },
    Question {
        name: "split",
        output: Output::Lines,
        arguments: Arguments::Parameters,
        groups: &[READ, &[number("shards")]],
    },
    Question {
        name: "work",
        output: Output::Lines,
        arguments: Arguments::None,
        groups: &[&[text("part"), TIME, THREADS, MEMORY, flag("digest"), QUIET]],
    },
    Question { name: "merge", output: Output::Lines, arguments: Arguments::None, groups: &[&[JSON]] },
    Question { name: "puzzles", output: Output::Text, arguments: Arguments::Name, groups: &[] },
];

/// Options of the program that no request may use, with the reason: the option, and the questions
/// that refuse it (all if empty).
pub const REFUSED: &[(&str, &[&str], &str)] = &[
    ("help", &[], "describes the command line"),
    ("color", &[], "colors are for terminals"),
    ("png", &[], "writes a picture that is not text"),
    ("pdf", &[], "writes a picture that is not text"),
    ("journal", &[], "names a file"),
    ("shards", &["count", "list"], "belongs to a journal, which is a file"),
    ("scratch", &[], "names a folder"),
    ("trace", &[], "names a file"),
    ("proof", &[], "names a file"),
    ("proofs", &["merge"], "names a folder"),
    ("apart", &["split"], "is for proofs, which are files"),
    ("pattern", &[], "names a file"),
    ("like", &[], "names a file or a puzzle"),
    ("with", &[], "starts another program"),
    ("html", &["compare"], "names a file"),
    ("svg", &["compare"], "names a folder"),
    ("csv", &[], "names a file"),
    ("markdown", &[], "names a file"),
    ("save", &[], "names a file"),
    ("show", &[], "names a file"),
    ("against", &[], "names a file"),
];

/// Commands of the program that are no questions, with the reason.
pub const REFUSED_COMMANDS: &[(&str, &str)] = &[
    ("watch", "plays in the terminal; `trace` has the same events"),
    ("page", "is the server that carries requests"),
    ("verify-proof", "reads files"),
    ("completions", "writes a script for a shell"),
    ("man", "writes a manual page"),
    ("help", "describes the command line"),
];
