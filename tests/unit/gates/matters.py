"""Changes in a line or two, for tests of gates."""

from collections.abc import Mapping

from reverie.gates.gate import Matter, Surroundings
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Evidence
from reverie.model.settings.judgement import GuardSection

AROUND = Surroundings(
    packages=frozenset({"shop"}),
    modules=frozenset({"random", "json", "time", "pytest", "os"}),
    fixtures=frozenset({"tmp_path"}),
)


def edit(
    path: str, before: str | None, after: str | None, renamed_from: str | None = None
) -> FileEdit:
    return FileEdit(
        path,
        before,
        after,
        renamed_from,
        None if before is None else "100644",
        None if after is None else "100644",
    )


def matter(
    *edits: FileEdit,
    stage: Stage = Stage.A,
    measures: Mapping[str, float] | None = None,
    section: GuardSection | None = None,
) -> Matter:
    evidence = None if measures is None else Evidence(measures, 0, IsolationTier.NONE, ())
    return Matter(stage, Change(edits), evidence, section or GuardSection(), AROUND)


def new_test(body: str, *, head: str = "from shop import price\n") -> Matter:
    """A change that adds one file of tests."""
    return matter(edit("tests/test_shop.py", None, f"{head}\n{body}"))


def production(before: str, after: str, stage: Stage = Stage.B) -> Matter:
    """A change of one production file."""
    return matter(edit("src/shop/stock.py", before, after), stage=stage)


def proven(
    measures: Mapping[str, float],
    details: Mapping[str, tuple[str, ...]] | None = None,
    stage: Stage = Stage.A,
    baseline: Mapping[str, float] | None = None,
    section: GuardSection | None = None,
) -> Matter:
    """A change of one file, with what was measured of it and the names behind the figures."""
    evidence = Evidence(measures, 0, IsolationTier.NONE, (), details=details or {})
    change = Change((edit("tests/test_a.py", None, "def test_a():\n    assert f() == 1\n"),))
    return Matter(stage, change, evidence, section or GuardSection(), AROUND, baseline)
