"""Runs the commands of the program in this process: requests of the protocol, and questions about one puzzle."""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union, cast

from . import _farandole
from .answers import Answer, Check, Comparison, CountProof, Explanation, Rating, Request, Step, VerifiedProof
from ._limits import Limits, make_limits, whole
from .errors import LimitReached, ParseError, check_end

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["CommandQuestions", "Source", "ask", "command_text", "options", "question", "questions", "read_option", "run"]

#: The limits in messages, and their names in :class:`LimitReached`.
_LIMITS = {"time": "time", "node": "nodes", "nodes": "nodes", "memory": "memory", "solution": "limit"}
_LIMIT = re.compile(r"\b(time|nodes?|memory|solution) limit\b|\(--(time|nodes|memory)\)")
#: A message with its place: file, line and column, or file and line, or one of the texts in memory.
_PLACES = (
    re.compile(r".*?:(?P<line>\d+):(?P<column>\d+): (?P<message>.*)", re.DOTALL),
    re.compile(r".*?:(?P<line>\d+): (?P<message>.*)", re.DOTALL),
    re.compile(r"(?:standard input|argument|puzzle \d+): (?P<message>.*)", re.DOTALL),
)
_EXCERPT = re.compile(r"\n(  .*)", re.DOTALL)


class Source(NamedTuple):
    """What a command reads: options and arguments, and the text on standard input."""

    arguments: list[str]
    input: bytes = b""
    #: The number of the puzzle in the input, from 1, or ``None`` if there is only one.
    only: Optional[int] = None


class Run(NamedTuple):
    """What a command printed, and how it ended."""

    code: int
    output: bytes
    notes: str
    seconds: float

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON lines of the output."""
        return [json.loads(line) for line in self.output.splitlines() if line.startswith(b"{")]


def run(command: list[str], source: Source, limits: Limits) -> Run:
    """Runs a command. Options follow its name, and the arguments of the source come last."""
    code, output, notes, seconds = _farandole.run_command(
        command + source.arguments, source.input, source.only, limits
    )
    return Run(code, output, notes.decode("utf-8", "replace"), seconds)


def options(**values: Any) -> list[str]:
    """Returns options of a command; those that are ``None`` or ``False`` are left out.

    >>> options(time=1.5, not_minimal=True, seed=None, rules=["diagonals", "windoku"])
    ['--time=1.5', '--not-minimal', '--rules=diagonals,windoku']
    """
    words = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        if isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        option = f"--{name.replace('_', '-')}"
        words.append(option if value is True else f"{option}={value}")
    return words


def read_option(name: str, value: Any) -> str | None:
    """Checks an option that is a text."""
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"expected a text for `{name}`, found {value!r}")


def question(command: list[str], source: Source, what: str, limits: Limits) -> list[dict[str, Any]]:
    """Runs a command, and returns the JSON objects that it printed. Raises its errors.

    The limits of the search are options of the command, and ``limits`` has the rest: progress and cancellation.
    """
    ran = run(command, source, limits)
    objects = [each for each in ran.objects if "error" not in each]
    _check(ran, objects, objects[0] if len(objects) == 1 else objects or None, what, limits)
    return objects


def command_text(command: list[str], source: Source, what: str, limits: Limits) -> str:
    """Runs a command, and returns the text that it printed. Raises its errors."""
    ran = run(command, source, limits)
    text = ran.output.decode("utf-8", "replace")
    _check(ran, text, text, what, limits)
    return text


def _check(ran: Run, answered: Any, known: Any, what: str, limits: Limits) -> None:
    """Raises the error of a command that has not answered."""
    if ran.code == 130:
        check_end("interrupt", what, known, limits=limits)
    if ran.code == 3:
        messages = [str(each.get("message", "")) for each in ran.objects]
        limit = _LIMIT.search("\n".join([ran.notes, *messages]))
        if limit is not None:
            check_end(_LIMITS[limit[1] or limit[2]], what, known, limits=limits)
        raise LimitReached(ran.notes.strip() or f"{what} was stopped by a limit", "", known)
    if ran.code not in (0, 1) and not answered:
        errors = [each["error"] for each in ran.objects if "error" in each]
        raise _refusal(errors[0] if errors else ran.notes)


def _refusal(notes: str) -> ValueError:
    """Returns the exception for the first message of a command that refuses its input.

    >>> _refusal("standard input:2:3: expected an item, found `c`\\n  a c\\n    ^\\n")
    ParseError('expected an item, found `c`', 2, 3, '  a c\\n    ^\\n', '')
    >>> _refusal("error: unexpected argument '--fast' found\\n\\n  tip: none\\n")
    ValueError("unexpected argument '--fast' found")
    """
    if notes.startswith("error: "):
        return ValueError(notes.partition("\n\n")[0].removeprefix("error: "))
    excerpt = _EXCERPT.search(notes)
    message = notes[: excerpt.start()] if excerpt else notes
    for place in _PLACES:
        found = place.fullmatch(message.strip())
        if found:
            groups = found.groupdict()
            lines = excerpt[1] if excerpt else ""
            return ParseError(groups["message"], int(groups.get("line") or 0), int(groups.get("column") or 0), lines)
    return ParseError(message.strip() or "the input was refused")


def ask(
    request: Union[Request, Mapping[str, Any]],
    *,
    progress: Any = None,
    cancel: Any = None,
) -> Answer:
    """Answers a request of the protocol in this process: each question is a command of the program.

    A request names its ``question`` and has an ``input`` text, ``arguments`` such as the size of a board, and ``options`` by
    the long names of the command line. The answer has the ``lines`` of JSON, or ``text`` if the question asks for text, the
    ``notes`` on standard error, the exit ``code`` and the duration in ``seconds``. The code is 0, or 1 without a solution or
    after a failed check. :func:`farandole.questions` lists the questions and their options.

    An invalid request raises ``ValueError``, a text that cannot be read :class:`farandole.ParseError` with its place. If
    some of several puzzles are invalid, their lines have the key ``error``, and the code is 2. A limit raises
    :class:`farandole.LimitReached` with the answer so far in ``known``; ``progress`` and ``cancel`` are as for every query.

    >>> import farandole
    >>> answer = farandole.ask({"question": "count", "options": {"puzzle": "queens"}, "arguments": ["6", "8"]})
    >>> [line["count"] for line in answer["lines"]]
    ['4', '92']
    >>> grid = "1...............\\n"
    >>> farandole.ask({"question": "check", "input": grid, "options": {"json": False}})["text"]
    'valid, 15 cells empty: 72 solutions\\n'
    >>> farandole.ask({"question": "count", "input": "a b\\na c\\n", "options": {"puzzle": "cover"}})
    Traceback (most recent call last):
        ...
    farandole.errors.ParseError: line 2, column 3: expected an item, found `c`
      a c
        ^
    """
    if not isinstance(request, Mapping):
        raise TypeError(f"expected a dictionary as the request, found {request!r}")
    try:
        written = json.dumps(dict(request))
    except TypeError as error:
        raise TypeError(f"expected a request of texts, numbers, lists and dictionaries: {error}") from None
    arguments, text, is_text = _farandole.read_request(written)
    limits = make_limits(progress=progress, cancel=cancel)
    ran = run(arguments, Source([], text.encode()), limits)
    lines = [] if is_text else ran.objects
    answer: Answer = {
        "lines": lines,
        "text": ran.output.decode("utf-8", "replace") if is_text else "",
        "notes": ran.notes.splitlines(),
        "code": ran.code,
        "seconds": ran.seconds,
    }
    answered = ran.output if is_text else [line for line in lines if "error" not in line]
    _check(ran, answered, answer, f"the question `{arguments[0]}`", limits)
    return answer


def questions() -> dict[str, Any]:
    """Returns the questions of :func:`farandole.ask`, with their options and the kind of each option.

    >>> import farandole
    >>> farandole.questions()["hint"]["options"]["technique"]
    'text'
    """
    table: dict[str, Any] = json.loads(_farandole.protocol_texts()[0])["questions"]
    return table


def _path(path: str | os.PathLike[str]) -> str:
    return os.path.abspath(os.fsdecode(path))


def _numbered(answer: dict[str, Any]) -> Any:
    """Makes numbers of texts of digits, which JSON has because its readers may round numbers."""
    for key in ("count", "cost"):
        if isinstance(answer.get(key), str):
            answer[key] = int(answer[key])
    return answer


class CommandQuestions(ABC):
    """The queries about a problem or a puzzle that commands of the program answer.

    Their answers are dictionaries with the keys of the command's JSON, which :mod:`farandole.answers` describes.
    """

    @abstractmethod
    def _command_source(self) -> Source:
        """Returns what a command reads as this puzzle."""

    def _count_by_command(
        self,
        limits: Limits,
        up_to_symmetry: bool | str,
        journal: str | os.PathLike[str] | None,
        scratch: str | os.PathLike[str] | None,
    ) -> int:
        command = ["count", "--json"]
        command += options(
            up_to_symmetry=up_to_symmetry,
            journal=None if journal is None else _path(journal),
            scratch=None if scratch is None else _path(scratch),
            engine=limits.engine,
            limit=limits.limit,
            time=limits.time,
            nodes=limits.nodes,
            memory=limits.memory,
            threads=limits.threads,
        )
        # The command has the limits as options.
        others = Limits(report=limits.report, cancel=limits.cancel)
        ran = run(command, self._command_source(), others)
        found = [each for each in ran.objects if "error" not in each]
        known = int(found[0]["count"]) if found else 0
        if ran.code != 3 or limits.limit is None or known < limits.limit:
            _check(ran, found, known, "the count", others)
        return known

    def check(
        self,
        *,
        why: bool = False,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> Check:
        """Validates the puzzle: whether clues clash, how many solutions it has, and which clues are not needed.

        With ``why`` the answer also explains the number of solutions: two of several solutions with the clues that would
        leave one, or a smallest set of clues that clash. By default at most 1,000,000 nodes are searched; a limit raises
        :class:`farandole.LimitReached` with the answer so far in ``known``.

        >>> import farandole
        >>> grid = farandole.puzzle("sudoku", "12..\\n34..\\n....\\n...2")
        >>> answer = grid.check(why=True)
        >>> answer["unique"], answer["count"], answer["message"]
        (False, 3, 'valid, 11 cells empty: 3 solutions')
        >>> answer["why"]["adding"][0]
        'r1c3=3'
        """
        limits = make_limits(time=time, nodes=nodes, progress=progress, cancel=cancel)
        command = ["check", "--json", *options(why=why, time=limits.time, nodes=limits.nodes)]
        return cast(Check, self._only(command, "the check", limits))

    def explain(
        self,
        *,
        full: bool = False,
        uniqueness: bool = False,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> Explanation:
        """Solves the puzzle as a person would, and returns the steps, each the easiest available one.

        ``full`` keeps long proofs whole. ``uniqueness`` also uses techniques that assume a single solution. ``nodes`` limits
        the branches of a case split, 20,000 by default.

        >>> import farandole
        >>> grid = farandole.puzzle("sudoku", "1...\\n..3.\\n.4..\\n...2")
        >>> answer = grid.explain()
        >>> answer["end"], answer["hardest"], len(answer["steps"]) > 5
        ('solved', 'hidden single', True)
        """
        limits = make_limits(time=time, nodes=nodes, progress=progress, cancel=cancel)
        command = ["explain", "--json", *_step_options(full, uniqueness, limits)]
        return cast(Explanation, self._only(command, "the explanation", limits))

    def hint(
        self,
        *,
        technique: str | None = None,
        full: bool = False,
        uniqueness: bool = False,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> Step | None:
        """Returns the next step of :meth:`explain`, or of a ``technique``; ``None`` if there is none.

        >>> import farandole
        >>> step = farandole.puzzle("sudoku", "1...\\n..3.\\n.4..\\n...2").hint()
        >>> step["name"], step["on"]
        ('hidden single', ['r1c2=3'])
        """
        limits = make_limits(time=time, nodes=nodes, progress=progress, cancel=cancel)
        command = ["hint", "--json", *_step_options(full, uniqueness, limits)]
        command += options(technique=read_option("technique", technique))
        return cast(Optional[Step], self._only(command, "the hint", limits)["step"])

    def rate(
        self,
        *,
        uniqueness: bool = False,
        time: float | None = None,
        nodes: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> Rating:
        """Rates the difficulty by the hardest step: a score from 1.0 to 13.0, and the name of the step.

        >>> import farandole
        >>> rating = farandole.puzzle("sudoku", "1...\\n..3.\\n.4..\\n...2").rate()
        >>> rating["score"], rating["hardest"]
        (1.2, 'hidden single')
        """
        limits = make_limits(time=time, nodes=nodes, progress=progress, cancel=cancel)
        command = ["rate", "--json", *_step_options(False, uniqueness, limits)]
        return cast(Rating, self._only(command, "the rating", limits))

    def compare(
        self,
        engines: Iterable[str] | None = None,
        *,
        limit: SupportsIndex | None = None,
        time: float = 10.0,
        nodes: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> list[Comparison]:
        """Compares algorithms side by side, the fastest first; all of them if ``engines`` is ``None``.

        Their answers are checked against each other. ``limit``, ``time`` and ``nodes`` are limits of each search. To be
        comparable, the algorithms take turns on one thread.

        >>> import farandole
        >>> rows = farandole.puzzle("queens", 6).compare(["links", "cells"], time=1)
        >>> sorted((row["engine"], row["count"]) for row in rows)
        [('cells', 4), ('links', 4)]
        """
        limits = make_limits(limit, time, nodes, cancel=cancel)
        if isinstance(engines, str):
            raise TypeError(f"expected a list of engines, found {engines!r}")
        names = None if engines is None else [str(engine) for engine in engines]
        command = ["compare", "--json", "--quiet"]
        command += options(engine=names, limit=limits.limit, time=limits.time, nodes=limits.nodes)
        rows = question(command, self._command_source(), "the comparison", Limits(cancel=cancel))
        return [cast(Comparison, _numbered(row)) for row in rows]

    def prove_count(
        self,
        path: str | os.PathLike[str],
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> CountProof:
        """Counts the solutions, and writes a proof of the count for the checkers of other programs.

        The ending of the path selects the format: ``.cpog`` for counts of any size, ``.lrat`` or ``.pbp`` for lists of up to
        about a million solutions. The formula is written next to the proof. The answer has the ``count``, and in ``proof``
        the files and the command of a checker. :meth:`verify_proof` checks proofs, too.

        >>> import farandole, tempfile
        >>> problem = farandole.Problem(["ab", "a", "b", "cd", "c", "d"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     problem.prove_count(f"{folder}/four.cpog")["count"]
        ...     problem.verify_proof(f"{folder}/four.cpog")["count"]
        4
        4
        """
        limits = make_limits(time=time, memory=memory, progress=progress, cancel=cancel)
        command = ["count", "--json", *options(proof=_path(path), time=limits.time, memory=limits.memory)]
        return cast(CountProof, self._only(command, "the proof", limits))

    def prove_unique(
        self,
        path: str | os.PathLike[str],
        *,
        time: float | None = None,
        progress: Any = None,
        cancel: Any = None,
    ) -> Check:
        """Checks the puzzle, and writes a proof that it has no solution or only one: ``.lrat`` or ``.pbp``.

        The answer is that of :meth:`check`, with the files in ``proof``. A puzzle with several solutions has no such proof.
        """
        limits = make_limits(time=time, progress=progress, cancel=cancel)
        command = ["check", "--json", *options(proof=_path(path), time=limits.time)]
        return cast(Check, self._only(command, "the proof", limits))

    def verify_proof(
        self,
        path: str | os.PathLike[str],
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> VerifiedProof:
        """Checks a proof about this puzzle with code that no search uses, and returns what it proves.

        Raises :class:`farandole.ParseError` with the first line that does not hold.
        """
        limits = make_limits(time=time, memory=memory, cancel=cancel)
        source = self._command_source()
        command = ["verify-proof", "--json", *options(time=limits.time, memory=limits.memory)]
        words, separator, names = _parted(source.arguments)
        source = source._replace(arguments=[*words, separator, _path(path), *names])
        limits = Limits(cancel=cancel)
        done = run(command, source, limits)
        if done.code == 1:
            raise _refusal(done.notes)
        objects = done.objects
        _check(done, objects, None, "the verification", limits)
        return cast(VerifiedProof, _numbered(objects[0]))

    def _only(self, command: list[str], what: str, limits: Limits) -> Any:
        """Asks a question about this puzzle, and returns the only JSON object of the answer."""
        others = Limits(report=limits.report, cancel=limits.cancel)
        try:
            objects = question(command, self._command_source(), what, others)
        except LimitReached as error:
            if isinstance(error.known, dict):
                error.known = _numbered(error.known)
            raise
        return _numbered(objects[0])


def _parted(arguments: list[str]) -> tuple[list[str], str, list[str]]:
    """Divides the arguments of a source into options and names."""
    place = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:place], "--", arguments[place + 1 :]


def _step_options(full: bool, uniqueness: bool, limits: Limits) -> list[str]:
    return options(full=full, uniqueness=uniqueness, time=limits.time, nodes=limits.nodes)
