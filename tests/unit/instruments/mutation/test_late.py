import sys
from pathlib import Path

import pytest

from reverie.instruments.mutation.inside.changes import Changes
from reverie.instruments.mutation.inside.late import LateValues, Unimportable, Watch
from reverie.instruments.mutation.inside.loading import TargetFinder

CODE = """
TABLE = {"a": 1, "b": 2}
BACK = {v: k for k, v in TABLE.items()}
NUMBER = 5
TEXT = "12"
LIMIT = int(TEXT)

def find(key):
    return TABLE[key], BACK, NUMBER
"""


@pytest.fixture
def finder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TargetFinder:
    path = tmp_path / "shelf_of_values.py"
    path.write_text(CODE)
    finder = TargetFinder(frozenset({str(path)}))
    monkeypatch.setattr(sys, "meta_path", [finder, *sys.meta_path])
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shelf_of_values", raising=False)
    return finder


def mutant(finder: TargetFinder, changes: Changes, line: int, operator: str) -> dict:
    (path,) = finder.files
    sites = changes.survey(path).sites
    number = next(
        number
        for number, site in enumerate(sites)
        if site.operator == operator and site.lines[0] == line
    )
    return {"path": path, "number": number}


def late_values(finder: TargetFinder, ran: list[str], seen: list[str]) -> tuple:
    changes = Changes(finder, exhaustive=False)
    (path,) = finder.files
    late = LateValues(changes, finder, {path: ran})
    late.seen = {path: seen}
    return late, changes


def test_a_value_is_bound_anew_with_what_was_made_from_it(finder: TargetFinder) -> None:
    import shelf_of_values as module

    late, changes = late_values(finder, ["<module>", "<dictcomp>"], ["find"])
    chosen = mutant(finder, changes, 2, "number_up")
    places = late.places(chosen)
    late.prepare(chosen, places)()
    assert module.find("a") == (2, {2: "b"}, 5)


@pytest.mark.parametrize("name", ["TABLE", "BACK", "__dict__"])
def test_a_name_that_somebody_looked_at_needs_an_import(finder: TargetFinder, name: str) -> None:
    late, changes = late_values(finder, ["<module>"], [name])
    assert late.places(mutant(finder, changes, 2, "number_up")) is None


def test_a_module_whose_functions_ran_needs_an_import(finder: TargetFinder) -> None:
    late, changes = late_values(finder, ["<module>", "find"], [])
    assert late.places(mutant(finder, changes, 2, "number_up")) is None


def test_a_statement_that_raises_says_so(finder: TargetFinder) -> None:
    import shelf_of_values  # noqa: F401

    late, changes = late_values(finder, ["<module>"], [])
    chosen = mutant(finder, changes, 5, "string_affix")
    with pytest.raises(Unimportable):
        late.prepare(chosen, late.places(chosen))()


def test_a_scout_sees_who_looks_at_what(finder: TargetFinder) -> None:
    watch = Watch(finder)
    import shelf_of_values
    from shelf_of_values import TABLE  # noqa: F401

    _ = shelf_of_values.NUMBER
    (names,) = watch.seen().values()
    assert {"TABLE", "NUMBER"} <= set(names)
    assert {"BACK", "LIMIT"}.isdisjoint(names)


def test_a_file_that_is_executed_twice_is_not_spoken_of(finder: TargetFinder) -> None:
    import importlib

    watch = Watch(finder)
    import shelf_of_values

    importlib.reload(shelf_of_values)
    assert watch.seen() == {}
