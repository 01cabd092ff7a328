"""Runs the Python sessions of the guide and the README."""

from __future__ import annotations

import doctest
import importlib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import farandole
from farandole import Problem

HERE = Path(__file__).resolve().parent
GUIDE = HERE.parents[1] / "docs" / "GUIDE.md"
PACKAGES = {"exact-cover": "exact_cover", "xcover": "xcover", "SageMath": "sage.combinat.matrices.dancing_links"}


def chapter() -> str:
    if not GUIDE.exists():
        pytest.skip("the guide is not in a distribution of sources")
    text = GUIDE.read_text(encoding="utf-8")
    return text[text.index("\n## Python\n") :].split("\n## Output files")[0]


def run(text: str, name: str) -> None:
    """Runs all sessions of a text, one after the other in one namespace."""
    sessions = "\n".join(re.findall(r"```pycon\n(.*?)```", text, flags=re.DOTALL))
    assert ">>>" in sessions
    test = doctest.DocTestParser().get_doctest(sessions, {}, name, None, None)
    results = doctest.DocTestRunner().run(test)
    assert results.failed == 0, f"{results.failed} examples of {name} failed"


def test_the_sessions_of_the_guide_are_reproducible() -> None:
    run(chapter(), "GUIDE.md")


def test_the_sessions_of_the_readme_are_reproducible() -> None:
    readme = HERE.parent / "README.md"
    if not readme.exists():
        pytest.skip("there is no README here")
    run(readme.read_text(encoding="utf-8"), "README.md")


ROWS = re.findall(r"^\| ([\w-]+) \| `(.*?)` \| `(.*?)` \|$", chapter() if GUIDE.exists() else "", flags=re.MULTILINE)


def plain(answer: Any) -> Any:
    """Makes answers comparable: covers as unordered sets."""
    if isinstance(answer, Iterable) and not isinstance(answer, str):
        found = [plain(part) for part in answer]
        return sorted(found)
    return answer.item() if hasattr(answer, "item") else answer


@pytest.mark.parametrize(("package", "there", "here"), ROWS, ids=[row[1] for row in ROWS])
def test_both_sides_of_the_table_of_packages_give_the_same_answer(package: str, there: str, here: str) -> None:
    np = pytest.importorskip("numpy")
    rows = [[0, 2], [1], [0, 1], [2]]
    names: dict[str, Any] = {
        "rows": rows,
        "matrix": np.array([[item in row for item in range(3)] for row in rows]),
        "texts": [["p", "x:A"], ["q", "x:A"], ["q", "x:B"]],
        "options": [{"p": None, "x": "A"}, {"q": None, "x": "A"}, {"q": None, "x": "B"}],
        "Problem": Problem,
        "farandole": farandole,
    }
    ours = eval(here, names)
    try:
        module = importlib.import_module(PACKAGES[package])
    except ImportError:
        pytest.skip(f"{package} is not installed")
    names[PACKAGES[package]] = module
    if package == "SageMath":
        names["dlx_solver"] = module.dlx_solver
        if isinstance(ours, str):
            return
    assert plain(eval(there, names)) == plain(ours)
