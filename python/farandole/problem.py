"""Exact-cover problems on sets of arbitrary hashable items."""

from __future__ import annotations

import operator
import os
import re
import warnings
from abc import ABCMeta
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Generic, TypeVar, Union, cast, overload

from ._farandole import Core, Cover
from ._inputs import (
    TEXTS,
    as_bytes,
    check_distinct_iterators,
    check_item,
    check_option,
    found,
    library,
    take_costs,
    take_items,
    take_options,
)
from ._commands import Source
from ._limits import Limits, make_limits
from ._matrix import take_apart
from ._parts import Hints, Parts
from ._questions import Questions

if TYPE_CHECKING:
    from ._farandole import Block

__all__ = ["Cover", "Option", "Problem"]

Label = TypeVar("Label")

#: An option: the items that it covers, or a dictionary from items to colors, with ``None`` for no color.
Option = Union[Iterable[Hashable], Mapping[Any, Any]]


# Covers can be matched by patterns as other sequences.
cast(ABCMeta, Sequence).register(Cover)


class Problem(Questions["Cover[Label]"], Generic[Label]):
    """An exact-cover problem: choose options such that every item is covered exactly once.

    ``options`` is a list of options, or a dictionary whose values are options; a cover then consists of its keys. An
    option is a collection of items, which may be anything hashable. An option with colors is a dictionary from
    items to colors, with ``None`` for no color. The edges of a networkx graph are options whose items are nodes.
    Ambiguous arguments are refused with the alternatives: a matrix, a table, a text, an option with spaces.

    ``secondary`` items need not be covered; they are covered at most once, or by several options that agree on the color.
    Only secondary items have colors. All other items are primary. If ``primary`` is given and ``secondary`` is not, all other
    items are secondary. If both are given, options may not have other items.

    ``bounds`` says how often primary items are covered, if not exactly once: ``{"a": (0, 2)}``. ``costs`` are
    non-negative whole numbers, one for each option, or a dictionary with the keys of ``options``.

    The ``note`` names listed items that occur in no option. If such an item is primary, so that there is no cover, or if its
    name nearly equals that of another item, there is also a ``UserWarning``.

    Problems are equal if they have the same options, the same items by name, bounds, costs and given options.

    >>> import farandole
    >>> problem = farandole.Problem(["ceg", "adf", "bc", "bg", "ad", "deg", "ce", "f"])
    >>> problem.solve()
    ('adf', 'bg', 'ce')
    >>> problem.option_count, problem.count()
    (8, 2)

    Dominoes on a board of 8x8, and a secondary item with colors:

    >>> board = [(row, column) for row in range(8) for column in range(8)]
    >>> across = [((r, c), (r, c + 1)) for r, c in board if c < 7]
    >>> down = [((r, c), (r + 1, c)) for r, c in board if r < 7]
    >>> farandole.Problem(across + down).count()
    12988816
    >>> paint = [{"p": None, "x": "red"}, {"q": None, "x": "red"}, {"q": None, "x": "blue"}]
    >>> farandole.Problem(paint, secondary=["x"]).count()
    1
    """

    _labels: Sequence[Label]
    #: A note about a valid problem, such as items in no option, or ``None``.
    note: str | None

    @overload
    def __init__(
        self,
        options: Mapping[Label, Option],
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] | None = None,
        bounds: Mapping[Any, tuple[int, int]] | None = None,
        costs: Mapping[Label, int] | Iterable[int] | None = None,
    ) -> None: ...

    @overload
    def __init__(
        self,
        options: Iterable[Label],
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] | None = None,
        bounds: Mapping[Any, tuple[int, int]] | None = None,
        costs: Iterable[int] | None = None,
    ) -> None: ...

    def __init__(
        self,
        options: Any,
        *,
        primary: Iterable[Hashable] | None = None,
        secondary: Iterable[Hashable] | None = None,
        bounds: Mapping[Any, tuple[int, int]] | None = None,
        costs: Any = None,
    ) -> None:
        check_distinct_iterators(options=options, primary=primary, secondary=secondary, costs=costs)
        labels, each, is_named = take_options(options)
        builder = _Builder(primary, secondary, bounds, is_named)
        builder.add_options(each, labels)
        builder.check_booleans()
        parts = builder.finish(take_costs(costs, options, labels, is_named))
        try:
            self._core = Core(parts)
        except ValueError as error:
            raise builder.explain(error, each, labels) from None
        self._labels = labels
        unused = builder.unused()
        near = builder.near([item for _, item in unused])
        self.note = _remark(unused, near, isinstance(secondary, str))

    @classmethod
    def _of(cls, core: Core, labels: Sequence[Any], note: str | None = None) -> Problem[Any]:
        problem = cls.__new__(cls)
        problem._core, problem._labels, problem.note = core, labels, note
        return problem

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        secondary: Iterable[int] | None = None,
        bounds: Mapping[int, tuple[int, int]] | None = None,
        costs: Iterable[int] | None = None,
    ) -> Problem[int]:
        """Builds a problem from a 0/1 matrix: an option for each row, a primary item for each column.

        The matrix is from numpy, scipy (sparse) or pandas, or a list of lists. A cover consists of the numbers of its rows,
        from 0. A row of zeros is in no cover. ``secondary`` lists the numbers of columns that need not be covered. A primary
        column of zeros makes covers impossible: a ``UserWarning`` and the ``note`` name it.

        >>> import farandole
        >>> farandole.Problem.from_matrix([[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, 0, 1]]).solve()
        (0, 1)
        """
        row_count, column_count, rows, starts, entries = take_apart(matrix)
        is_secondary = {_column("secondary", column, column_count) for column in take_items("secondary", secondary)}
        all_bounds = [None if column in is_secondary else (1, 1) for column in range(column_count)]
        for item, both in _mapping("bounds", bounds).items():
            column = _column("bounds", item, column_count)
            if column in is_secondary:
                raise ValueError(f"`bounds` has item {item!r}, which is no primary item")
            all_bounds[column] = _bounds(item, both)
        all_costs = take_costs(costs, None, range(row_count), False)
        parts = Parts(
            names=[str(column) for column in range(column_count)],
            bounds=all_bounds,
            starts=starts,
            entries=entries,
            costs=[all_costs[row] for row in rows] if all_costs else [],
        )
        covered = set(array("I", entries))
        empty = [column for column, both in enumerate(all_bounds) if both and both[0] and column not in covered]
        problem = cls._of(Core(parts), rows, _remark([("column", column) for column in empty]))
        return problem

    @classmethod
    def from_text(
        cls,
        text: str | bytes | bytearray | memoryview,
        *,
        format: str | None = None,
        time: float | None = None,
        cancel: Any = None,
    ) -> Problem[str]:
        """Reads a problem: Knuth's format, a 0/1 matrix, JSON, or any other format of exact covers that Farandole knows.

        The format is detected unless ``format`` names it. ``time`` and ``cancel`` limit the reading as they limit a
        query. A cover consists of the names of its options if the text has names, or else of the options in Knuth's
        notation. The ``note`` of the problem comments on valid texts, for instance if an option without items was
        skipped.

        >>> import farandole
        >>> text = "a b c | x\\na b x:red\\nc x:red\\nc x:blue\\n"
        >>> farandole.Problem.from_text(text).solve()
        ('a b x:red', 'c x:red')
        >>> farandole.Problem.from_text("110\\n002\\n")
        Traceback (most recent call last):
            ...
        farandole.errors.ParseError: line 2, column 3: expected `0` or `1`, found `2`
          002
            ^
        """
        limits = make_limits(time=time, cancel=cancel)
        core = Core.read(as_bytes(text, "Problem.from_file"), Hints("cover", format), limits)
        return cls._of(core, core.labels(), core.note())

    @classmethod
    def from_file(
        cls,
        path: str | bytes | os.PathLike[str],
        *,
        format: str | None = None,
        time: float | None = None,
        cancel: Any = None,
    ) -> Problem[str]:
        """Reads a problem from a file, like :meth:`from_text`; the file may be compressed by gzip."""
        path = Path(os.fsdecode(path))
        hints = Hints("cover", format, path.suffix[1:].lower())
        core = Core.read(path.read_bytes(), hints, make_limits(time=time, cancel=cancel))
        return cls._of(core, core.labels(), core.note())

    def to_text(self, format: str = "dlx", *, time: float | None = None, cancel: Any = None) -> str:
        """Writes the problem: as Knuth's text, or in the named format (``cnf``, ``opb``, ``lp``, ``json`` ...).

        ``time`` and ``cancel`` limit the writing as they limit a query.

        >>> import farandole
        >>> print(farandole.Problem([(1, 2), (2,), (1,)]).to_text(), end="")
        1 2
        1 2
        2
        1
        """
        return self._core.write(format, make_limits(time=time, cancel=cancel))

    def __getstate__(self) -> tuple[Any, ...]:
        return (self._core.parts(), self._core.given(), self._labels, self.note)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        parts, given, self._labels, self.note = state
        self._core = Core(Parts(*parts))
        if given:
            self._core = self._core.with_given(given)

    def _answer(self, numbers: list[int], cost: int | None = None) -> Cover[Label]:
        return Cover.of(self._labels, numbers, cost)

    def _answers(self, block: Block) -> Iterable[Cover[Label]]:
        return block.covers(self._labels)

    def _option_names(self) -> Sequence[Any]:
        return self.options

    def _numbers_of(self, solution: Any) -> list[int]:
        if isinstance(solution, Cover) and solution.numbers:
            return list(solution.numbers)
        if isinstance(solution, TEXTS) or not isinstance(solution, Iterable):
            raise TypeError(f"expected a cover of this problem, found {found(solution)}")
        return [self._number(option) for option in solution]

    def _command_source(self) -> Source:
        core = self._core
        given = core.given()
        if given:
            core = Core(_forced(Parts(*core.parts()), given))
        return Source(["--puzzle=cover", "--from=dlx"], core.write("dlx", Limits()).encode())

    def to_svg(self, cover: Cover[Label] | None = None, *, theme: str = "light") -> str | None:
        """Draws the problem as a matrix, with the options of a cover, or its given options; ``None`` if it is too large.

        The theme is ``"light"``, ``"dark"``, or ``"auto"``: as the reader's system is set. A notebook draws problems.

        >>> import farandole
        >>> problem = farandole.Problem(["ab", "bc", "cd", "d"])
        >>> problem.to_svg(problem.solve())[:4]
        '<svg'
        """
        numbers = self._core.given() if cover is None else self._numbers_of(cover)
        return self._core.svg(numbers, theme)

    def _repr_svg_(self) -> str | None:
        return self.to_svg()

    def with_given(self, options: Iterable[Label]) -> Problem[Label]:
        """Returns the problem of the covers that contain these options.

        >>> import farandole
        >>> problem = farandole.Problem(["ab", "a", "b", "cd", "c", "d"])
        >>> list(problem.with_given(["ab", "c"]))
        [('ab', 'c', 'd')]
        """
        labels = self._labels
        if isinstance(options, Cover) and [labels[number] for number in options.numbers if number < len(labels)] == [*options]:
            # Of equal options choose those in the cover.
            return self._of(self._core.with_given(list(options.numbers)), labels, self.note)
        if isinstance(options, TEXTS) or not isinstance(options, Iterable):
            raise TypeError(f"expected a list of options, found {found(options)}: `[option]` is a list of one")
        numbers = [self._number(option) for option in options]
        return self._of(self._core.with_given(numbers), labels, self.note)

    def _number(self, option: Any) -> int:
        """Returns the number of the first option that is identical or equal to this one."""
        try:
            return self._labels.index(option)
        except ValueError:
            # No such option, or the options are numpy arrays.
            for number, label in enumerate(self._labels):
                if _is_same(label, option):
                    return number
        raise ValueError(f"{option!r} is no option of this problem")

    @property
    def options(self) -> Sequence[Label]:
        """The options as given, or their names; covers consist of these."""
        return self._labels

    @property
    def option_count(self) -> int:
        """The number of options. A problem has no ``len``, which would be the number of covers that ``count()`` returns."""
        return len(self._labels)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        if self is other:
            return True
        if hash(self) != hash(other) or self._core.parts() != other._core.parts():
            return False
        return all(map(_is_same, self._labels, other._labels))

    def __hash__(self) -> int:
        return hash((self._core.sizes(), tuple(self._core.given())))

    def __repr__(self) -> str:
        primary, secondary, options = self._core.sizes()
        items = f"{primary} items" + (f" and {secondary} secondary ones" if secondary else "")
        return f"<farandole.Problem of {options} options and {items}>"


def _forced(parts: Parts, given: Sequence[int]) -> Parts:
    """Returns the same problem with an item for each given option that only this option covers."""
    starts, entries = array("I"), array("I")
    starts.frombytes(parts.starts)
    entries.frombytes(parts.entries)
    colors = array("I")
    colors.frombytes(parts.colors)
    names, begin = list(parts.names), "given"
    item_of = {option: len(names) + place for place, option in enumerate(given)}
    while any(name.startswith(begin) for name in names):
        begin += "_"
    new_starts, new_entries, new_colors = array("I", [0]), array("I"), array("I")
    for option, (start, end) in enumerate(zip(starts, starts[1:])):
        new_entries.extend(entries[start:end])
        new_colors.extend(colors[start:end])
        if option in item_of:
            new_entries.append(item_of[option])
            new_colors.extend([0] * bool(colors))
        new_starts.append(len(new_entries))
    return parts._replace(
        names=[*names, *(f"{begin}{option + 1}" for option in given)],
        bounds=[*parts.bounds, *((1, 1) for _ in given)],
        starts=new_starts.tobytes(),
        entries=new_entries.tobytes(),
        colors=new_colors.tobytes(),
    )


class _Items(Dict[Any, int]):
    """The number of each item; a new item gets a number, unless only listed items are allowed."""

    is_open: bool

    def __missing__(self, item: Hashable) -> int:
        if not self.is_open:
            raise LookupError(item)
        check_item(item)
        number = self[item] = len(self)
        return number


class _Builder:
    """Numbers items and options."""

    def __init__(
        self,
        primary: Iterable[Hashable] | None,
        secondary: Iterable[Hashable] | None,
        bounds: Mapping[Any, tuple[int, int]] | None,
        is_named: bool,
    ) -> None:
        self.is_named = is_named
        self.items = _Items()
        self.items.is_open = True
        for item in take_items("primary", primary):
            self.items[item]
        self.primary_end = len(self.items)
        for item in take_items("secondary", secondary):
            if self.items[item] < self.primary_end:
                raise ValueError(f"item {item!r} is both primary and secondary")
        self.listed_end = len(self.items)
        self.items.is_open = primary is None or secondary is None
        #: Whether items that were not listed are primary.
        self.are_others_primary = primary is None
        self.bounds = _mapping("bounds", bounds)
        self.starts = array("I", [0])
        self.entries = array("I")
        self.colors: dict[Any, int] = {}
        #: The color of each entry, once a color was used.
        self.entry_colors = array("I")

    def _name(self, place: int, keys: Sequence[Any]) -> str:
        """Names an option in the caller's terms."""
        return f"options[{keys[place]!r}]" if self.is_named else f"options[{place}]"

    def _is_primary(self, number: int) -> bool:
        if number >= self.listed_end:
            return self.are_others_primary
        return number < self.primary_end

    def add_options(self, options: Iterable[Any], keys: Sequence[Any]) -> None:
        items, starts, entries = self.items, self.starts, self.entries
        for place, option in enumerate(options):
            try:
                if type(option) not in _PLAIN:
                    check_option(option)
                if isinstance(option, Mapping):
                    self._add_colored(place, option, keys)
                else:
                    entries.extend([items[item] for item in option])
            except LookupError as error:
                name = self._name(place, keys)
                message = f"{name} has item {error.args[0]!r}, which is neither primary nor secondary"
                raise ValueError(message) from None
            except TypeError as error:
                raise TypeError(f"{self._name(place, keys)}: {error}") from None
            if len(entries) == starts[-1]:
                raise ValueError(f"{self._name(place, keys)} has no item")
            starts.append(len(entries))

    def _add_colored(self, place: int, option: Mapping[Any, Any], keys: Sequence[Any]) -> None:
        for item, color in option.items():
            number = self.items[item]
            if color is not None:
                if self._is_primary(number):
                    name = self._name(place, keys)
                    raise ValueError(f"{name} gives a color to the primary item {item!r}")
                missing = len(self.entries) - len(self.entry_colors)
                self.entry_colors.extend([0] * missing)
                if color not in self.colors:
                    check_item(color)
                self.entry_colors.append(self.colors.setdefault(color, len(self.colors) + 1))
            self.entries.append(number)

    def finish(self, costs: Sequence[int]) -> Parts:
        all_bounds: list[tuple[int, int] | None] = [
            (1, 1) if self._is_primary(number) else None for number in range(len(self.items))
        ]
        for item, both in self.bounds.items():
            number = self.items.get(item)
            if number is None or not self._is_primary(number):
                raise ValueError(f"`bounds` has item {item!r}, which is no primary item")
            all_bounds[number] = _bounds(item, both)
        if self.entry_colors:
            self.entry_colors.extend([0] * (len(self.entries) - len(self.entry_colors)))
        return Parts(
            names=_names(self.items),
            bounds=all_bounds,
            starts=self.starts.tobytes(),
            entries=self.entries.tobytes(),
            colors=self.entry_colors.tobytes(),
            color_names=_names(self.colors),
            costs=costs,
        )

    def check_booleans(self) -> None:
        """Refuses options whose items are only `True` and `False`, the cells of a matrix."""
        # `bool_` is the name of the type in numpy 1.
        are_booleans = all(type(item).__name__ in ("bool", "bool_") for item in self.items)
        if len(self.items) == 2 and are_booleans and not self.listed_end:
            raise TypeError("expected collections of items, found only True and False: `Problem.from_matrix` takes a 0/1 matrix")

    def near(self, listed: list[Any]) -> tuple[Any, Any] | None:
        """Returns the first listed item whose name equals an unlisted one except for type or case, with that one."""
        others = {str(item).casefold(): item for item in list(self.items)[self.listed_end :]} if listed else {}
        pairs = ((item, others.get(str(item).casefold())) for item in listed[:NEAR_MAX])
        return next(((item, other) for item, other in pairs if other is not None), None)

    def unused(self) -> list[tuple[str, Any]]:
        """The listed items that occur in no option, except items with lower bound 0."""
        used = set(self.entries) if self.listed_end else set()
        listed = zip(self.items, range(self.listed_end))
        unused = [(item, number) for item, number in listed if number not in used]
        kinds = (("primary item" if self._is_primary(number) else SECONDARY, item) for item, number in unused)
        return [(kind, item) for kind, item in kinds if item not in self.bounds or _bounds(item, self.bounds[item])[0]]

    def explain(self, error: ValueError, options: Sequence[Any], keys: Sequence[Any]) -> ValueError:
        """Explains an error in the caller's own terms."""
        message, place, entry = error.args
        if entry is None:
            return ValueError(message)
        items = list(options[place])
        is_row = all(type(item) in (bool, int, float) or library(item) == "numpy" for item in items) and {0, 1}.issuperset(items)
        hint = " (`Problem.from_matrix` takes a 0/1 matrix)" if is_row else ""
        return ValueError(f"{self._name(place, keys)} has item {items[entry]!r} twice{hint}")


def _remark(unused: list[tuple[str, Any]], near: tuple[Any, Any] | None = None, is_text: bool = False) -> str | None:
    """Builds the note about items in no option.

    It warns if there is no cover, if an item has a similar name, or if the items are the characters of a text.
    """
    if not unused:
        return None
    unused = sorted(unused, key=lambda each: each[0] == SECONDARY)
    is_open = unused[0][0] != SECONDARY
    named = ", ".join(f"the {kind} {item!r}" for kind, item in unused[:3])
    more = f" and {len(unused) - 3} more" if len(unused) > 3 else ""
    verb = "stand" if len(unused) > 1 else "stands"
    note = f"{named}{more} {verb} in no option" + (", so there is no cover" if is_open else "")
    if near is not None:
        note += f" (for {near[0]!r}, did you mean {near[1]!r}?)"
    if is_open or is_text or near is not None:
        warnings.warn(note, stacklevel=3)
    return note


def _is_same(first: Any, second: Any) -> bool:
    """Returns whether two options are equal; numpy arrays compare element by element."""
    if first is second:
        return True
    try:
        return bool(first == second)
    except ValueError:
        return bool(type(first) is type(second) and list(first) == list(second))


def _mapping(name: str, argument: Any) -> dict[Any, Any]:
    if argument is None:
        return {}
    if not isinstance(argument, Mapping):
        raise TypeError(f"expected a dictionary for `{name}`, found {found(argument)}")
    return dict(argument)


def _column(name: str, column: Any, count: int) -> int:
    """Returns the number of a column."""
    try:
        number = -1 if isinstance(column, bool) else operator.index(column)
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise ValueError(f"`{name}` has {column!r}, which is no column of {count}")
    return number


def _bounds(item: Any, both: Any) -> tuple[int, int]:
    try:
        if not isinstance(both, (tuple, list)) and not hasattr(both, "dtype"):
            raise TypeError
        low, high = (operator.index(bound) for bound in both)
    except (TypeError, ValueError):
        message = f"expected two whole numbers as the bounds of item {item!r}, found {both!r}"
        raise TypeError(message) from None
    if not 0 <= low <= high < 1 << 32:
        raise ValueError(f"expected bounds 0 <= low <= high < 2**32 for item {item!r}, found {both!r}")
    return low, high


SECONDARY = "secondary item"
#: Largest number of unused items for which similar names are searched.
NEAR_MAX = 1000
#: Options of these types are plain collections of items.
_PLAIN = {list, tuple, set, frozenset, dict}
#: Characters that names in a text cannot contain.
_WRONG = re.compile(r"[\s:|]+")
#: An object whose representation differs between runs.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+>")


def _names(things: Iterable[Any]) -> list[str]:
    """Returns distinct names for items or colors in texts, the same in every run.

    >>> _names(["a b", (1, 2), 1, "1", object()])
    ['a_b', '(1,2)', '1', "1'", 'object4']
    """
    counts: dict[str, int] = {}
    names = []
    for number, thing in enumerate(things):
        if type(thing).__module__ == "numpy" and hasattr(thing, "item"):
            thing = thing.item()
        if isinstance(thing, str):
            name = _WRONG.sub("_", thing) or "_"
        else:
            name = _WRONG.sub("", repr(thing))
            if not name or _ADDRESS.search(repr(thing)):
                name = f"{type(thing).__name__}{number}"
        while name in counts:
            counts[name] += 1
            name = f"{name}'" if counts[name] == 1 else f"{name}'{counts[name]}"
        counts[name] = 0
        names.append(name)
    return names
