import gzip
import json
from pathlib import Path

import pytest

from reverie.instruments.mutation.cache import Contents, VerdictCache
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import Order, read_baseline
from reverie.model.measurements.suite import (
    CoverageMap,
    JudgedMutant,
    Mutant,
    MutantVerdict,
    TestLook,
)

CODE = "LIMIT = 1\n\n\ndef f(a):\n    return a\n\n\ndef g(a):\n    return f(a)\n"
MUTANT = Mutant("a.py::f::x::1", "a.py", 5, "x", "f", "f", 5, 5, 0, 1, "None", 0)


def look(name: str, *functions: str) -> TestLook:
    lines = {"a.py": {each: frozenset({1}) for each in functions}}
    return TestLook(f"tests/test_a.py::{name}", "passed", "", 0.0, False, False, lines)


def key(root: Path, *, at_import: bool = False) -> str:
    coverage = CoverageMap((look("t", "f"), look("u", "g", "f")), {}, {}, 0.1)
    contents = Contents(find_project(root))
    return contents.of_order(Order(MUTANT, at_import, (0,)), coverage.usable)


def project(root: Path) -> Path:
    (root / "tests").mkdir()
    (root / "a.py").write_text(CODE)
    (root / "tests" / "test_a.py").write_text("def test_t(): pass\n")
    return root


def test_a_verdict_holds_while_nothing_it_was_made_from_changes(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = key(root)
    (root / "a.py").write_text(CODE.replace("return f(a)", "return f(a) + 1\n    # more"))
    assert key(root) == before


def test_a_verdict_falls_with_anything_it_was_made_from(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = key(root)
    for change in (("return a\n\n", "return -a\n\n"), ("LIMIT = 1", "LIMIT = 2")):
        (root / "a.py").write_text(CODE.replace(*change))
        assert key(root) != before
    (root / "a.py").write_text(CODE)
    assert key(root) == before
    for name in ("tests/test_a.py", "tests/conftest.py"):
        (root / name).write_text("def test_t(): assert 1\n")
        assert key(root) != before
        before = key(root)


def test_an_import_time_verdict_depends_on_every_test(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = key(root, at_import=True)
    (root / "a.py").write_text(CODE.replace("return f(a)", "return f(a) + 1"))
    assert key(root, at_import=True) != before


def test_verdicts_survive_the_process_and_a_line_cut_short(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path / "cache")
    cache.add([("k", JudgedMutant(MUTANT, MutantVerdict.KILLED, "t"))])
    cache.add([("e", JudgedMutant(MUTANT, MutantVerdict.ERROR))])
    with (tmp_path / "cache" / "verdicts.jsonl").open("a") as file:
        file.write('{"key": "x", "verd')
    again = VerdictCache(tmp_path / "cache")
    found = again.find("k", MUTANT)
    assert found is not None
    assert (found.verdict, found.killer, found.is_cached) == (MutantVerdict.KILLED, "t", True)
    assert again.find("e", MUTANT) is None
    assert again.find("x", MUTANT) is None


def test_a_map_that_was_cut_off_is_no_map(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.add_map("k" * 64, {"tests": []}, "/r")
    assert cache.find_map("k" * 64) == {"tests": []}
    (path,) = tmp_path.glob("coverage-*.gz")
    path.write_bytes(path.read_bytes()[:10])
    assert cache.find_map("k" * 64) is None


def test_a_map_is_found_again_from_another_folder(tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        root.mkdir()
        project(root)
    first, second = (Contents(find_project(root)).of_project for root in roots)
    assert first == second
    name = f"{roots[0]}/a.py"
    look = {"id": "t", "outcome": "failed", "why": f"no {name}", "cpu": 0, "traced": True,
            "lines": {name: {"f": [5]}}, "arcs": {name: [[4, 5]]}}  # fmt: skip
    answer = {"tests": [look], "imports": {name: {"": [1]}}, "import_arcs": {},
              "collect_seconds": 0, "collection_errors": [], "writes": []}  # fmt: skip
    cache = VerdictCache(tmp_path / "cache")
    cache.add_map(first, answer, str(roots[0]))
    (kept,) = (tmp_path / "cache").glob("coverage-*.gz")
    assert str(tmp_path).encode() not in gzip.decompress(kept.read_bytes()[65:])
    coverage = read_baseline(cache.find_map(second), str(roots[1]))
    assert coverage == read_baseline(
        {**answer, "tests": [{**look, "why": "no a.py"}]}, str(roots[0])
    )


def test_without_a_folder_nothing_is_kept() -> None:
    cache = VerdictCache(None)
    cache.add([("k", JudgedMutant(MUTANT, MutantVerdict.KILLED))])
    cache.add_map("k", {}, "/r")
    assert cache.find_map("k") is None


def test_a_verdict_that_somebody_shipped_is_not_believed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = {"key": "k", "verdict": "killed", "killer": "t"}
    (tmp_path / "verdicts.jsonl").write_text(f"{json.dumps(forged)}\n[1]\n")
    assert VerdictCache(tmp_path).find("k", MUTANT) is None
    assert caplog.text.count("made anew") == 1
    with monkeypatch.context() as patch:  # sealed, but by somebody else
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path / "their home"))
        VerdictCache(tmp_path).add([("k", JudgedMutant(MUTANT, MutantVerdict.KILLED, "t"))])
        VerdictCache(tmp_path).add_map("k" * 64, {"tests": []}, "/r")
        assert VerdictCache(tmp_path).find("k", MUTANT) is not None
    assert VerdictCache(tmp_path).find("k", MUTANT) is None
    assert VerdictCache(tmp_path).find_map("k" * 64) is None


def test_a_seal_holds_for_one_verdict_alone(tmp_path: Path) -> None:
    cache = VerdictCache(tmp_path)
    cache.add([("k", JudgedMutant(MUTANT, MutantVerdict.SURVIVED))])
    cache.add_map("k" * 64, {"tests": []}, "/r")
    file = tmp_path / "verdicts.jsonl"
    file.write_text(file.read_text().replace("survived", "killed"))
    assert VerdictCache(tmp_path).find("k", MUTANT) is None
    (tmp_path / f"coverage-{'k' * 32}.json.gz").rename(tmp_path / f"coverage-{'j' * 32}.json.gz")
    assert cache.find_map("j" * 64) is None
