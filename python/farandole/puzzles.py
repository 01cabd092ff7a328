"""Puzzles of every kind, and their solutions."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ._commands import Source, command_text, options, read_option
from ._farandole import Core, Texts, is_parameter
from ._grids import puzzle_text
from ._inputs import as_bytes
from ._limits import Limits, make_limits, whole
from ._parts import Hints
from ._questions import Questions
from .errors import ParseError
from .problem import Problem
from .shards import Whole

if TYPE_CHECKING:
    from typing import SupportsIndex

    from ._farandole import Block

__all__ = ["Puzzle", "Solution", "puzzle", "read_file", "read_text"]


class Solution:
    """A solution of a puzzle: ``str`` formats it like the puzzle, a notebook draws it.

    ``numbers`` are the numbers of its options in the exact cover of the puzzle, ``options`` the options in words, and
    ``cost`` is their total cost, if requested.
    """

    def __init__(self, puzzle: Puzzle, numbers: list[int], cost: int | None = None) -> None:
        self.puzzle = puzzle
        self.numbers = tuple(numbers)
        self.cost = cost

    @property
    def options(self) -> list[str]:
        labels = self.puzzle.problem.options
        return [labels[number] for number in self.numbers]

    def __str__(self) -> str:
        return self.puzzle._core.show(list(self.numbers)).rstrip("\n")

    def __repr__(self) -> str:
        return f"<solution of {self.puzzle!r}: {str(self)!r}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Solution):
            return NotImplemented
        return self.numbers == other.numbers and self.puzzle == other.puzzle

    def __hash__(self) -> int:
        return hash(self.numbers)

    def to_svg(self, theme: str = "light") -> str | None:
        """Draws the solution, or returns ``None`` if it is an exact cover too large for a picture.

        The theme is ``"light"``, ``"dark"``, or ``"auto"``: as the reader's system is set.
        """
        return self.puzzle._core.svg(list(self.numbers), theme)

    def _repr_svg_(self) -> str | None:
        return self.to_svg()


class Puzzle(Questions[Solution]):
    """A puzzle, whose queries return :class:`Solution` objects.

    :func:`puzzle`, :func:`read_text` and :func:`read_file` make puzzles. Puzzles are equal if they are of the same kind and
    have the same exact cover, in whatever format they were written.
    """

    def __init__(self, core: Core, kind: str, source: tuple[Any, ...]) -> None:
        self._core = core
        #: The kind, such as ``"sudoku"``.
        self.kind = kind
        #: The arguments to build the puzzle again.
        self._source = source
        self._problem: Problem[str] | None = None

    @property
    def problem(self) -> Problem[str]:
        """The exact cover of the puzzle, with its clues as given options."""
        if self._problem is None:
            self._problem = Problem._of(self._core, self._core.labels())
        return self._problem

    @property
    def note(self) -> str | None:
        """A note about a valid puzzle, such as the reason why it has no solution."""
        return self._core.note()

    def to_svg(self, theme: str = "light") -> str | None:
        """Draws the puzzle with its clues, or returns ``None`` if it is an exact cover too large for a picture.

        The theme is ``"light"``, ``"dark"``, or ``"auto"``: as the reader's system is set.
        """
        return self._core.svg(self._core.given(), theme)

    def _repr_svg_(self) -> str | None:
        return self.to_svg()

    def _answer(self, numbers: list[int], cost: int | None = None) -> Solution:
        return Solution(self, numbers, cost)

    def _numbers_of(self, solution: Any) -> list[int]:
        if not isinstance(solution, Solution):
            raise TypeError(f"expected a solution of this puzzle, found {solution!r}")
        return list(solution.numbers)

    def _command_source(self) -> Source:
        if isinstance(self._source, _Place):
            place = self._source
            words = _option_words(place.hints)
            if place.text is not None:
                return Source(words, place.text, place.number + 1)
            assert place.path is not None
            return Source([*words, "--", place.path], b"", place.number + 1)
        what, hints = self._source
        words = _option_words(hints)
        if is_parameter(what, hints):
            return Source([*words, "--", what.strip()])
        return Source(words, what.encode())

    def to_text(
        self,
        format: str,
        *,
        time: float | None = None,
        memory: SupportsIndex | None = None,
        cancel: Any = None,
    ) -> str:
        """Writes the puzzle in the named format: one of grids (``line``, ``table`` ...), links, or one of exact covers.

        ``time``, ``memory`` and ``cancel`` limit the writing as they limit a query.

        >>> import farandole
        >>> farandole.puzzle("sudoku", "1...\\n..3.\\n.4..\\n...2").to_text("line")
        '1.....3..4.....2\\n'
        """
        limits = make_limits(time=time, memory=memory, cancel=cancel)
        command = ["convert", *options(to=read_option("format", format), time=limits.time, memory=limits.memory)]
        return command_text(command, self._command_source(), "the conversion", Limits(cancel=cancel))

    def _answers(self, block: Block) -> Iterator[Solution]:
        return (Solution(self, numbers) for numbers in block.numbers())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzle):
            return NotImplemented
        return self is other or hash(self) == hash(other) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash((self.kind, self._core.sizes(), tuple(self._core.given())))

    @cached_property
    def _digest(self) -> str:
        """The digest of the exact cover and the clues."""
        return Whole(self).digest

    def __repr__(self) -> str:
        return f"<farandole.Puzzle of the kind {self.kind}>"

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._source, _Place):
            return (_at, self._source.as_text(self))
        return (_make, self._source)


def _option_words(hints: Hints) -> list[str]:
    """Returns the hints as options of a command."""
    boxes = None if hints.boxes is None else "{}x{}".format(*hints.boxes)
    return [
        f"--{name}={value}"
        for name, value in [("puzzle", hints.kind), ("from", hints.format), ("boxes", boxes), ("rules", hints.rules)]
        if value is not None
    ]


def _make(what: str, hints: Hints, limits: Limits = Limits()) -> Puzzle:
    return Puzzle(Core.make(what, hints, limits), hints.kind or "", (what, hints))


class _Place(NamedTuple):
    """The position of a puzzle in a text or file."""

    text: Optional[bytes]
    path: Optional[str]
    hints: Hints
    number: int

    def as_text(self, puzzle: Puzzle) -> tuple[bytes, Hints, int]:
        """Returns the text for pickling: the whole text, because lines before the puzzle may affect how it is read."""
        if self.text is not None:
            return (self.text, self.hints, self.number)
        assert self.path is not None
        text = Path(self.path).read_bytes()
        try:
            is_same = _at(text, self.hints, self.number)._digest == puzzle._digest
        except (ParseError, ValueError):
            is_same = False
        if not is_same:
            raise ValueError(f"{self.path}: expected the file from which the puzzle was read, found that it was changed")
        return (text, self.hints, self.number)


def _at(text: bytes, hints: Hints, number: int) -> Puzzle:
    """Reads puzzle ``number`` of a text, skipping invalid ones before it."""
    puzzles = _Puzzles(Texts(text, hints, Limits()), _Place(text, None, hints, 0))
    for _ in range(number):
        with contextlib.suppress(ParseError):
            next(puzzles)
    found = next(puzzles, None)
    if found is None:
        raise ValueError(f"expected {number + 1} puzzles, found fewer")
    return found


def puzzle(
    kind: str,
    what: Any,
    *,
    format: str | None = None,
    boxes: tuple[int, int] | None = None,
    rules: str | Sequence[str] | None = None,
    time: float | None = None,
    cancel: Any = None,
) -> Puzzle:
    """Makes a puzzle of a kind (``farandole puzzles`` lists them) from a parameter, or from the text of one puzzle.

    A grid may also be a list of rows, an array or a table of cells, of any size: digits, or the symbols of the format, and
    blanks as in :mod:`farandole.sudoku`.

    ``format`` names the format of an ambiguous text; ``boxes`` are the width and height of the boxes of a grid, ``rules`` its
    extra rules, as on the command line. ``time`` and ``cancel`` limit the reading as they limit a query.

    >>> import farandole
    >>> farandole.puzzle("queens", 8).count()
    92
    >>> farandole.puzzle("polyomino", "dominoes:8x8").count()
    12988816
    >>> print(farandole.puzzle("sudoku", "1...\\n..3.\\n.4..\\n...2").solve())
    1324
    4231
    2413
    3142
    """
    if not isinstance(kind, str):
        raise TypeError(f"expected the name of a kind of puzzle, found {kind!r}")
    text, is_list = puzzle_text(kind, what)
    hints = _hints(kind, format or ("rows" if is_list else None), "", boxes, rules)
    return _make(text, hints, make_limits(time=time, cancel=cancel))


def _hints(kind: Any, format: Any, extension: str, boxes: Any, rules: Any) -> Hints:
    """Checks a caller's hints about a text."""
    for name, argument in (("kind", kind), ("format", format)):
        if argument is not None and not isinstance(argument, str):
            raise TypeError(f"expected a name for `{name}`, found {argument!r}")
    if boxes is not None:
        try:
            width, height = (whole("boxes", side, 1) for side in boxes)
        except (TypeError, ValueError):
            raise TypeError(f"expected width and height as two whole numbers for `boxes`, found {boxes!r}") from None
        boxes = (width, height)
    if rules is not None and not isinstance(rules, str):
        rules = list(rules) if isinstance(rules, (list, tuple)) else [rules]
        if not all(isinstance(rule, str) for rule in rules):
            raise TypeError(f"expected names of rules for `rules`, found {rules!r}")
        rules = ",".join(rules)
    return Hints(kind, format, extension, boxes, rules)


def read_text(
    text: str | bytes | bytearray | memoryview,
    *,
    kind: str | None = None,
    format: str | None = None,
    boxes: tuple[int, int] | None = None,
    rules: str | Sequence[str] | None = None,
    time: float | None = None,
    cancel: Any = None,
) -> Iterator[Puzzle]:
    """Iterates over the puzzles of a text; kind and format are detected unless they are given.

    An invalid puzzle raises :class:`farandole.ParseError` at its position; the iteration may continue after it. ``time``
    and ``cancel`` limit the reading of each puzzle as they limit a query.

    >>> import farandole
    >>> text = "1...............\\n..............12\\n"
    >>> [puzzle.count() for puzzle in farandole.read_text(text)]
    [72, 24]
    """
    data = as_bytes(text, "farandole.read_file")
    hints = _hints(kind, format, "", boxes, rules)
    limits = make_limits(time=time, cancel=cancel)
    return _Puzzles(Texts(data, hints, limits), _Place(data, None, hints, 0))


def read_file(
    path: str | os.PathLike[str],
    *,
    kind: str | None = None,
    format: str | None = None,
    boxes: tuple[int, int] | None = None,
    rules: str | Sequence[str] | None = None,
    time: float | None = None,
    cancel: Any = None,
) -> Iterator[Puzzle]:
    """Iterates over the puzzles of a file, like :func:`read_text`; the file is streamed and may be compressed."""
    path = os.fsdecode(path)
    # Python's own errors name the path.
    if not Path(path).is_fifo():
        open(path, "rb").close()
    extension = Path(path).suffix[1:].lower()
    hints = _hints(kind, format, extension, boxes, rules)
    limits = make_limits(time=time, cancel=cancel)
    return _Puzzles(Texts.open(path, hints, limits), _Place(None, os.path.abspath(path), hints, 0))


class _Puzzles(Iterator[Puzzle]):
    def __init__(self, texts: Texts, place: _Place) -> None:
        self._texts = texts
        self._place = place

    def __next__(self) -> Puzzle:
        place, self._place = self._place, self._place._replace(number=self._place.number + 1)
        core = self._texts.next()
        if core is None:
            raise StopIteration
        return Puzzle(core, self._texts.kind(), place)
