"""The types of answers agree with the JSON Schema of the program; `FARANDOLE_WRITE=1 pytest tests/test_answers.py` writes them."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path
from typing import Any

import pytest

import farandole
from farandole import _farandole

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schema.json"
ANSWERS = Path(__file__).resolve().parents[1] / "farandole" / "answers.py"
BEGIN = "# The rest of this file is generated from docs/schema.json; tests/test_answers.py writes it.\n"

#: The classes, with the section of the schema and the first line of the docstring.
CLASSES = [
    ("Step", "step", "A step of an explanation."),
    ("Explanation", "explain", "The answer of :meth:`farandole.Problem.explain`."),
    ("Rating", "rate", "The answer of :meth:`farandole.Problem.rate`."),
    ("Check", "check", "The answer of :meth:`farandole.Problem.check`."),
    ("Comparison", "compare", "A row of the answer of :meth:`farandole.Problem.compare`."),
    ("CountProof", "count-proof", "The answer of :meth:`farandole.Problem.prove_count`."),
    ("VerifiedProof", "verify-proof", "The answer of :meth:`farandole.Problem.verify_proof`."),
]
#: Types that the schema does not name.
NAMED = {("Explanation", "steps"): "List[Step]"}


def type_of(schema: dict[str, Any]) -> str:
    """Returns the type of the values of a schema. Texts of digits are numbers in Python."""
    if "anyOf" in schema:
        parts = [type_of(part) for part in schema["anyOf"]]
        others = [part for part in parts if part != "None"]
        union = others[0] if len(others) == 1 else f"Union[{', '.join(others)}]"
        return f"Optional[{union}]" if "None" in parts else union
    kind = schema["type"]
    if kind == "array":
        return f"List[{type_of(schema['items'])}]"
    if kind == "string" and "pattern" in schema:
        return "int"
    plain = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "object": "Dict[str, Any]"}
    return {**plain, "null": "None"}[kind]


def class_of(name: str, section: dict[str, Any], docstring: str) -> str:
    """Writes the class of a section. Keys that may be missing are those of a class without totality."""
    section = section["anyOf"][0] if "anyOf" in section else section
    required = section["required"]

    def keys(are_required: bool) -> str:
        lines = []
        for key, schema in section["properties"].items():
            if (key in required) == are_required:
                lines += [f"    #: {line}" for line in textwrap.wrap(schema["description"], 110)]
                lines.append(f"    {key}: {NAMED.get((name, key)) or type_of(schema)}")
        return "\n".join(lines)

    rest = keys(False)
    if not rest:
        return f'class {name}(TypedDict):\n    """{docstring}"""\n\n{keys(True)}\n'
    base = f"class _{name}Keys(TypedDict):\n{keys(True)}\n"
    return f'{base}\n\nclass {name}(_{name}Keys, total=False):\n    """{docstring}"""\n\n{rest}\n'


def test_the_types_of_answers_are_those_of_the_schema() -> None:
    if not SCHEMA.exists():
        pytest.skip("the schema is not in a distribution of sources")
    sections = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    classes = [class_of(name, sections[section], docstring) for name, section, docstring in CLASSES]
    written = BEGIN + "".join(f"\n\n{each}" for each in classes)
    head, _, found = ANSWERS.read_text(encoding="utf-8").partition(BEGIN)
    if os.environ.get("FARANDOLE_WRITE"):
        ANSWERS.write_text(head + written, encoding="utf-8")
    else:
        assert BEGIN + found == written


def test_the_questions_of_the_type_are_those_of_the_protocol() -> None:
    names = farandole.answers.QuestionName.__args__  # type: ignore[attr-defined]
    assert list(names) == list(farandole.questions())


#: Puzzles that give answers with most keys.
GRIDS = ["1...\n..3.\n.4..\n...2", "12..\n34..\n....\n...2", "11..\n....\n....\n....", "1234\n3412\n2143\n4321"]


@pytest.mark.parametrize("grid", GRIDS)
def test_answers_have_the_keys_of_their_types(grid: str) -> None:
    puzzle = farandole.puzzle("sudoku", grid)
    answers: list[tuple[Any, Any]] = [
        (puzzle.check(why=True), farandole.answers.Check),
        (puzzle.explain(), farandole.answers.Explanation),
        (puzzle.rate(), farandole.answers.Rating),
        (puzzle.hint(), farandole.answers.Step),
    ]
    for answer, kind in answers:
        if answer is not None:
            assert set(answer) >= kind.__required_keys__, kind
            assert set(answer) <= kind.__required_keys__ | kind.__optional_keys__, kind


def test_the_schema_of_requests_is_json() -> None:
    assert "$defs" in json.loads(_farandole.protocol_texts()[1])
