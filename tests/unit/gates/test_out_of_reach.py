"""Nothing that is judged can reach the judge: not at stage B, not at C, whatever else it does."""

import pytest

from reverie.gates.judge import judge
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence, Verdict

from .matters import edit, matter
from .test_rulings_say import GOOD

HONEST = edit(
    "src/shop/stock.py",
    "def total(xs):\n    out = 0\n    for x in xs:\n        out += x\n    return out\n",
    "def total(xs):\n    return sum(xs)\n",
)
JUDGES = [
    "tests/test_stock.py", "tests/data/prices.json", "test/helpers.py", "conftest.py",
    "tests/conftest.py", "src/shop/conftest.py", "src/shop/tests/test_stock.py",
    "src/shop/test_stock.py", "shop/stock_test.py", "pyproject.toml", "sub/pyproject.toml",
    "PyProject.toml", "setup.cfg", "setup.py", "tox.ini", "pytest.ini", ".pytest.ini", "noxfile.py",
    ".coveragerc", "mypy.ini", "ruff.toml", "requirements-dev.txt", "uv.lock", "Makefile", ".env",
    ".env.local", ".github/workflows/ci.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml",
    ".git/hooks/pre-commit", ".gitattributes", ".reverie/journal.db", ".reverie/baseline.json",
    ".reverie/bundles/a/proof.json", "src/.reverie/x.py", "reverie_pytest/__init__.py",
    "src/reverie_pytest.py", "sitecustomize.py", "src/usercustomize.py", "pytest.py",
    "pytest/__init__.py", "src/_pytest/runner.py", "coverage/__init__.py", "src/pluggy.py",
    "unittest/case.py", "evil.pth", "src/shop/stock.so", "src/shop/__pycache__/stock.pyc",
]  # fmt: skip
TEXTS = {
    "src/shop/test_stock.py": ("def test_a():\n    assert 1\n", "def test_a():\n    pass\n"),
}


def beside(path: str, kind: str) -> FileEdit:
    """The ways in which a change can touch a file."""
    before, after = TEXTS.get(path, ("a = 1\n", "a = 2\n"))
    return {
        "changed": edit(path, before, after),
        "added": edit(path, None, after),
        "deleted": edit(path, before, None),
        "moved away": edit("src/shop/moved.py", before, before, renamed_from=path),
        "moved here": edit(path, before, before, renamed_from="src/shop/other.py"),
    }[kind]


@pytest.mark.parametrize("kind", ["changed", "added", "deleted", "moved away", "moved here"])
@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
@pytest.mark.parametrize("path", JUDGES)
def test_a_change_that_touches_the_judge_is_refused(path: str, stage: Stage, kind: str) -> None:
    evidence = Evidence(GOOD[stage], 0, IsolationTier.NONE, ())
    asked = matter(beside(path, kind), HONEST, stage=stage, measures=evidence.measures)
    found = judge(asked)
    assert found.verdict is Verdict.REJECT
    assert any(each.gate == "paths" and each.verdict == "fail" for each in found.rulings)


@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
@pytest.mark.parametrize(
    "path",
    ["src/shop/testing.py", "src/shop/contest.py", "src/shop/latest.py", "src/coverage_map/a.py",
     "src/shop/pytest_plugin.py", "src/shop/unittests_of_measure.py"],
)  # fmt: skip
def test_names_that_only_sound_like_it_are_not(path: str, stage: Stage) -> None:
    asked = matter(edit(path, "a = 1\n", "a = 2\n"), stage=stage, measures=GOOD[stage])
    codes = {each.reason_code for each in judge(asked).rulings if each.gate == "paths"}
    assert codes == {"ok"}


def test_the_honest_half_alone_would_be_let_through() -> None:
    found = judge(matter(HONEST, stage=Stage.B, measures=GOOD[Stage.B]))
    assert found.verdict is Verdict.PROMOTE, found.rulings
