"""A finding that contradicts its docs is laid beside the smallest edit that makes them true."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.dreamers.fuzz.fuzz import Wish, fuzz
from reverie.index import read_repository
from reverie.model.sections import IndexSection, SafetySection
from reverie.promotion.trial_tree import read_source
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Survey
from reverie.stages.grounds import Grounds, Interpreter, measure_suite
from reverie.stages.mending import Mended, mend

CODE = '''def heaviest(weights: dict[str, int], count: int) -> list[str]:
    """The heaviest things first.

    >>> heaviest({"lamp": 2, "sword": 7, "rope": 4}, 2)
    ['sword', 'rope']
    """
    return sorted(weights, key=lambda name: weights[name])[:count]
'''
ONE = """from things import heaviest


def test_one() -> None:
    assert heaviest({"a": 1}, 1) == ["a"]
"""
AS_IT_IS = ONE.replace('{"a": 1}, 1) == ["a"]', '{"a": 1, "b": 2}, 1) == ["a"]')


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def mended(sandbox: Sandbox, folder: Path, test: str) -> Mended | None:
    (folder / "things.py").write_text(CODE)
    (folder / "test_things.py").write_text(test)
    code = read_repository(folder, IndexSection(), SafetySection().tier_of)
    grounds = Grounds(folder, folder, read_source(folder, None), code, Interpreter(None))
    survey = Survey(grounds, sandbox, measure_suite(sandbox, folder, None, 30.0, None))
    place = f"{folder / 'things.py'}:heaviest"
    (found,) = fuzz(sandbox, place, folder, Wish(10.0, 2000)).findings
    return mend(survey.about("things", "things.py"), found, 60.0)


def test_the_edit_makes_the_docs_true(sandbox: Sandbox, tmp_path: Path) -> None:
    found = mended(sandbox, tmp_path, ONE)
    assert found is not None
    assert found.said == "its script passes, and 1 test as before"
    subprocess.run(["git", "apply"], cwd=tmp_path, input=found.diff, text=True, check=True)
    expected = CODE.replace("weights[name])", "weights[name], reverse=True)")
    assert (tmp_path / "things.py").read_text() == expected


def test_an_edit_that_breaks_a_test_is_none(sandbox: Sandbox, tmp_path: Path) -> None:
    assert mended(sandbox, tmp_path, AS_IT_IS) is None
