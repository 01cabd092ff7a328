"""New puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

from ._commands import Source, options, question, read_option
from ._limits import Limits, make_limits, whole
from .errors import Interrupted, LimitReached
from .puzzles import Puzzle, puzzle

if TYPE_CHECKING:
    from typing import SupportsIndex

__all__ = ["generate"]

#: A range: one number, or the first and the last one.
Range = Union[int, float, "tuple[float, float]"]


def generate(
    kind: str | Puzzle = "sudoku",
    parameter: str | int | None = None,
    *,
    count: SupportsIndex = 1,
    seed: SupportsIndex | None = None,
    rules: str | Sequence[str] | None = None,
    boxes: tuple[int, int] | None = None,
    clues: Range | None = None,
    rating: Range | None = None,
    technique: str | None = None,
    symmetry: str | None = None,
    jigsaw: bool = False,
    killer: bool = False,
    cage_size: Range | None = None,
    pieces: SupportsIndex | None = None,
    minimal: bool = True,
    controlled_bias: bool = False,
    tries: SupportsIndex | None = None,
    time: float | None = None,
    nodes: SupportsIndex | None = None,
    memory: SupportsIndex | None = None,
    threads: SupportsIndex | None = None,
    progress: Any = None,
    cancel: Any = None,
) -> list[Puzzle]:
    """Makes new puzzles with exactly one solution.

    ``kind`` and ``parameter`` give the shape, such as ``"sudoku", "2x3"`` or ``"latin", 7``; or ``kind`` is a puzzle, whose
    shape, rules and clues are kept and to which clues are added. A solution is drawn at random, and clues are removed while
    it stays unique, so every remaining clue is needed.

    ``clues``, ``rating`` (as :meth:`farandole.Problem.rate`) and ``cage_size`` are numbers or pairs of the least and the
    largest; ``technique`` is the name of the hardest step. ``symmetry`` arranges the clues, ``jigsaw`` draws regions,
    ``killer`` cages, and ``pieces`` a board for so many pieces. ``minimal=False`` keeps superfluous clues up to a number
    drawn from ``clues``. ``controlled_bias`` makes all minimal 9x9 Sudoku with the same number of clues equally likely.

    The same ``seed`` makes the same puzzles. ``tries`` and ``time`` bound a search for rare puzzles; if they end it,
    ``known`` is the list of those found.

    >>> import farandole
    >>> grid, = farandole.generate("sudoku", "2x3", seed=1, symmetry="half-turn")
    >>> grid.is_unique()
    True
    >>> [board.kind for board in farandole.generate("latin", 5, count=2, seed=3)]
    ['latin', 'latin']
    """
    limits = make_limits(None, time, nodes, memory, threads, progress, cancel)
    if rules is not None and not isinstance(rules, str):
        rules = ",".join(rules)
    words = options(
        count=whole("count", count, 1),
        seed=None if seed is None else whole("seed", seed, 0),
        rules=read_option("rules", rules),
        boxes=None if boxes is None else "{}x{}".format(*boxes),
        clues=_range("clues", clues),
        rating=_range("rating", rating, ".1f"),
        technique=read_option("technique", technique),
        symmetry=read_option("symmetry", symmetry),
        jigsaw=bool(jigsaw),
        killer=bool(killer),
        cage_size=_range("cage_size", cage_size),
        pieces=None if pieces is None else whole("pieces", pieces, 1),
        not_minimal=not minimal,
        controlled_bias=bool(controlled_bias),
        tries=None if tries is None else whole("tries", tries, 1),
        time=limits.time,
        nodes=limits.nodes,
        memory=limits.memory,
        threads=limits.threads,
    )
    if isinstance(kind, Puzzle):
        if parameter is not None:
            raise TypeError(f"expected no `parameter` with a puzzle, found {parameter!r}")
        source = _base(kind)
    else:
        source = Source(["--", kind, *([] if parameter is None else [str(parameter)])])
    others = Limits(report=limits.report, cancel=limits.cancel)
    try:
        made = question(["generate", "--json", *words], source, "the making of puzzles", others)
    except (Interrupted, LimitReached) as error:
        known = error.known or []
        error.known = [_read(each) for each in (known if isinstance(known, list) else [known])]
        raise
    return [_read(each) for each in made]


def _read(made: dict[str, Any]) -> Puzzle:
    return puzzle(made["kind"], made["text"])


def _base(base: Puzzle) -> Source:
    """Returns a puzzle as the command reads it, which has no options for the kind and the format."""
    source = base._command_source()
    place = source.arguments.index("--") if "--" in source.arguments else len(source.arguments)
    words, names = source.arguments[:place], source.arguments[place + 1 :]
    kept = [word for word in words if not word.startswith(("--puzzle=", "--from="))]
    if names and source.only is None:
        # A parameter follows the name of its kind.
        return Source([*kept, "--", base.kind, *names])
    head = f"# puzzle: {base.kind}\n".encode() if not names and len(kept) < len(words) else b""
    return source._replace(arguments=[*kept, "--", *(names or ["-"])], input=head + source.input)


def _range(name: str, given: Any, form: str = "d") -> str | None:
    """Returns a range as the command reads it.

    >>> _range("clues", 24), _range("clues", (22, 24)), _range("rating", (3, 4.5), ".1f")
    ('24', '22..24', '3.0..4.5')
    """
    if given is None:
        return None
    ends = given if isinstance(given, (tuple, list)) else [given]
    try:
        return "..".join(format(end, form) for end in ends)
    except (TypeError, ValueError):
        raise TypeError(f"expected a number or a pair of numbers for `{name}`, found {given!r}") from None
