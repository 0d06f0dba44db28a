from pathlib import Path

from reverie.instruments.mutation.inside.entry import survey_files
from reverie.instruments.mutation.mutant_texts import changed_source
from reverie.instruments.mutation.sandbox_side import read_survey
from reverie.model.measurements.suite import Mutant
from reverie.trials.mutants import align_mutants


def mutants(root: Path, source: str, name: str = "shop.py") -> list[Mutant]:
    root.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(source)
    asked = {"root": str(root), "files": [name], "exhaustive": False}
    return list(read_survey(survey_files(asked), [name])[0].mutants)


def pairs(folder: Path, old: str, new: str) -> list[tuple[str, str]]:
    """The changed texts of the mutants that are called the same, statement by statement."""
    before, after = mutants(folder / "old", old), mutants(folder / "new", new)
    found = align_mutants(before, str(folder / "old"), after, str(folder / "new"))
    olds, news = {e.id: e for e in before}, {e.id: e for e in after}
    return [
        (_changed_line(folder / "old", olds[one]), _changed_line(folder / "new", news[two]))
        for one, two in found.items()
    ]


def _changed_line(root: Path, mutant: Mutant) -> str:
    return changed_source(str(root), mutant).split("\n")[mutant.line - 1].strip()


def test_unchanged_code_has_all_its_mutants_on_both_sides(tmp_path: Path) -> None:
    source = "def f(a, b):\n    if a >= 1:\n        return a + b\n    return b\n"
    found = pairs(tmp_path, source, f"import os\n\n\n{source}")
    assert len(found) == len(mutants(tmp_path / "all", source))
    assert all(one == two for one, two in found)


def test_a_mutant_is_not_taken_for_that_of_another_condition(tmp_path: Path) -> None:
    old = "def f(x, delta):\n    if len(x) >= 1:\n        return 1\n    return delta\n"
    new = "def f(x, delta):\n    if delta >= 1:\n        return 1\n    return delta\n"
    shown = [one for one, two in pairs(tmp_path, old, new) if one != two]
    assert shown == []


def test_an_expression_is_known_again_in_another_statement(tmp_path: Path) -> None:
    old = "def f(a, b):\n    c = a * (b - 1)\n    return c\n"
    new = "def f(a, b):\n    return a * (b - 1)\n"
    assert ("c = a * ((b + 1))", "return a * ((b + 1))") in pairs(tmp_path, old, new)


def test_a_statement_is_known_again_in_a_function_of_its_own(tmp_path: Path) -> None:
    old = "def f(a, b):\n    total = a - b\n    return total * 2\n"
    new = (
        "def f(a, b):\n    return _total(a, b) * 2\n\n\n"
        "def _total(a, b):\n    total = a - b\n    return total\n"
    )
    assert ("total = a + b", "total = a + b") in pairs(tmp_path, old, new)


def test_equal_statements_keep_their_order(tmp_path: Path) -> None:
    old = "def f(a):\n    a = a + 1\n    a = a + 1\n    return a\n"
    new = "def f(a):\n    a = a + 1\n    return a\n"
    before, after = mutants(tmp_path / "old", old), mutants(tmp_path / "new", new)
    found = align_mutants(before, str(tmp_path / "old"), after, str(tmp_path / "new"))
    assert len(set(found.values())) == len(found)
    assert len(found) == len(after)


def test_a_renamed_file_is_the_same_file(tmp_path: Path) -> None:
    source = "def f(a):\n    return a + 1\n"
    before = mutants(tmp_path / "old", source)
    after = mutants(tmp_path / "new", source, "store.py")
    roots = str(tmp_path / "old"), str(tmp_path / "new")
    assert align_mutants(before, roots[0], after, roots[1]) == {}
    renamed = {"shop.py": "store.py"}
    assert len(align_mutants(before, roots[0], after, roots[1], renamed)) == len(before)
