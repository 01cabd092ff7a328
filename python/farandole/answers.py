"""The types of requests, and of the answers that are dictionaries.

The keys are those of the program's JSON, which ``docs/JSON.md`` describes. In the answers of methods, numbers of any size are
``int``; in the lines of :func:`farandole.ask` they are texts of digits, as in JSON.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

#: The questions of :func:`farandole.ask`: commands of the program.
QuestionName = Literal[
    "solve",
    "list",
    "count",
    "check",
    "hint",
    "explain",
    "rate",
    "generate",
    "draw",
    "convert",
    "trace",
    "compare",
    "estimate",
    "sample",
    "rank",
    "unrank",
    "split",
    "work",
    "merge",
    "puzzles",
]


class _RequestKeys(TypedDict):
    question: QuestionName


class Request(_RequestKeys, total=False):
    """A request of :func:`farandole.ask`; :func:`farandole.questions` has the options of each question."""

    #: The text of the puzzles, at most 8 MiB.
    input: str
    #: Parameters, such as the size of a board.
    arguments: List[str]
    #: Options by the long names of the command line, without the hyphens in front.
    options: Dict[str, Any]


class Answer(TypedDict):
    """The answer of :func:`farandole.ask`."""

    #: The JSON lines of the answer.
    lines: List[Dict[str, Any]]
    #: The answer, if it is text.
    text: str
    #: The lines of standard error, such as notes on the puzzles.
    notes: List[str]
    #: 0, or 1 without a solution or after a failed check, or 2 if some of several puzzles are invalid.
    code: int
    #: The duration in seconds.
    seconds: float


# The rest of this file is generated from docs/schema.json; tests/test_answers.py writes it.


class _StepKeys(TypedDict):
    #: number of the step, from 1
    step: int
    #: name of the step
    name: str
    #: score of the step
    score: float
    #: number of available steps of this score
    choices: int
    #: options that must be chosen
    on: List[str]
    #: options that cannot be chosen, without those that conflict with a chosen one
    off: List[str]


class Step(_StepKeys, total=False):
    """A step of an explanation."""

    #: technique of a grid, or clues of a variant: the pattern, and why it implies the conclusion
    why: str
    #: clue of a variant that the step follows from, such as `killer: r1c1 r1c2 = 6`
    clue: str
    #: technique: the rows, columns and regions that the pattern rests on
    houses: List[str]
    #: technique: the rows, columns and regions in which it eliminates
    covers: List[str]
    #: technique: candidates by their `part` (`body`, `fin`, `link`, or `set 1` and so on), as `cells` and `digits`
    groups: List[Dict[str, Any]]
    #: technique: each net as the candidate that is `supposed`, and the placements that `follow` in order
    nets: List[Dict[str, Any]]
    #: technique: each chain as `text` (`=` strong link, `-` weak link) and as `nodes` in order, each with `cells`,
    #: `digit` and whether it is `on`; `loop` if the last node is linked to the first
    chains: List[Dict[str, Any]]
    #: item that is forced, or whose options are tried
    item: str
    #: items that must be covered; of a technique, the facts that prove it
    truths: List[str]
    #: items that may be covered once, and contain all options of the truths
    links: List[str]
    #: number of links minus number of truths: an option is eliminated if its links exceed its truths by more than
    #: this
    rank: int
    #: consequences of an assumed option, up to the contradiction
    implications: List[str]
    #: branches of a case split: `tried`, the `steps` from there, and the item that finally `fails`
    branches: List[Dict[str, Any]]


class _ExplanationKeys(TypedDict):
    #: number of the puzzle in the input, from 1
    puzzle: int
    #: kind of the puzzle
    kind: str
    #: score of the hardest step
    score: float
    #: name of the hardest step
    hardest: Optional[str]
    #: result: `solved`, `impossible`, `several` if there is more than one solution, `cut` by a limit
    end: str
    #: the [steps](#step)
    steps: List[Step]
    #: the solution, or two of several
    solutions: List[str]


class Explanation(_ExplanationKeys, total=False):
    """The answer of :meth:`farandole.Problem.explain`."""

    #: file that contains the puzzle, or `standard input`
    file: str
    #: parameter that describes the puzzle
    parameter: str
    #: first line of the puzzle in the file, from 1
    line: int


class _RatingKeys(TypedDict):
    #: number of the puzzle in the input, from 1
    puzzle: int
    #: kind of the puzzle
    kind: str
    #: score of the hardest step, if there is one solution; a lower bound if a limit came first
    score: Optional[float]
    #: name of the hardest step
    hardest: Optional[str]
    #: number of steps; steps of equal score are taken together
    steps: int
    #: as for `explain`
    end: str


class Rating(_RatingKeys, total=False):
    """The answer of :meth:`farandole.Problem.rate`."""

    #: file that contains the puzzle, or `standard input`
    file: str
    #: parameter that describes the puzzle
    parameter: str
    #: first line of the puzzle in the file, from 1
    line: int


class _CheckKeys(TypedDict):
    #: number of the puzzle in the input, from 1
    puzzle: int
    #: kind of the puzzle
    kind: str
    #: whether the clues are consistent
    valid: bool
    #: 0 if they are; otherwise the kind of clash: 1 in a row, 2 in a column, 3 in a region, 4 by another rule, 5 in
    #: a puzzle that is not a grid
    code: int
    #: whether every cell is filled
    complete: bool
    #: row and column of the cells that clash, from 1
    cells: List[List[int]]
    #: whether there is a solution; `null` if unknown
    solvable: Optional[bool]
    #: whether there is exactly one solution; `null` if unknown
    unique: Optional[bool]
    #: number of solutions, or a lower bound; `null` with `--quick`
    count: Optional[int]
    #: whether `count` is exact; `null` if `count` is `null`
    exact: Optional[bool]
    #: whether every clue is needed; `null` unless the puzzle has clues and one solution
    minimal: Optional[bool]
    #: each clue that can be removed alone: row and column of a digit in a grid, otherwise its name, such as `killer:
    #: r1c1 r1c2 = 15`; `null` unless the puzzle has clues and one solution
    spare: Optional[List[Union[List[int], str]]]
    #: the result in words, as `check` prints it
    message: str


class Check(_CheckKeys, total=False):
    """The answer of :meth:`farandole.Problem.check`."""

    #: file that contains the puzzle, or `standard input`
    file: str
    #: parameter that describes the puzzle
    parameter: str
    #: first line of the puzzle in the file, from 1
    line: int
    #: with `--why`: explanation of the number of solutions; its keys are below
    why: Optional[Dict[str, Any]]
    #: with `--proof`, if it was written: `formula` and `proof` are files, `checker` is a command, and `count` or
    #: `cost` is the claim
    proof: Dict[str, Any]


class Comparison(TypedDict):
    """A row of the answer of :meth:`farandole.Problem.compare`."""

    #: algorithm or program
    engine: str
    #: median of its rounds
    seconds: Optional[float]
    #: 95 % confidence interval of the median
    interval: Optional[List[float]]
    #: its median divided by the fastest median
    ratio: Optional[float]
    #: confidence interval of the ratio
    ratio_interval: Optional[List[float]]
    #: number of measured rounds
    rounds: int
    #: median processor time
    cpu_seconds: Optional[float]
    #: median number of instructions, if the system reports it
    instructions: Optional[float]
    #: median number of cycles, if the system reports it
    cycles: Optional[float]
    #: peak memory of a program, in bytes
    memory: Optional[int]
    #: nodes of all search trees
    nodes: Optional[int]
    #: updates of all searches
    updates: Optional[int]
    #: number of solutions of all puzzles
    count: int
    #: whether it answered all puzzles
    complete: bool
    #: `finished`, or the reason why not
    state: str


class _CountProofKeys(TypedDict):
    #: always 1
    puzzle: int
    #: kind of the puzzle
    kind: str
    #: number of solutions; a lower bound if `complete` is false
    count: int
    #: whether the number is proven
    complete: bool


class CountProof(_CountProofKeys, total=False):
    """The answer of :meth:`farandole.Problem.prove_count`."""

    #: with `--proof`, if it was written: `formula` and `proof` are files, `checker` is a command, and `count` or
    #: `cost` is the claim
    proof: Dict[str, Any]


class _VerifiedProofKeys(TypedDict):
    #: always 1
    puzzle: int
    #: kind of the puzzle
    kind: str
    #: what the proof proves, in words
    claim: str


class VerifiedProof(_VerifiedProofKeys, total=False):
    """The answer of :meth:`farandole.Problem.verify_proof`."""

    #: the number of covers, if the proof proves it
    count: int
    #: the least cost of a cover, if the proof proves it
    cost: int
