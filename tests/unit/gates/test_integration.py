"""An integration adds tests and an import to a package's front, and nothing else."""

import pytest

from reverie.gates.integration import FrontGate, IntegrationGate
from reverie.gates.stages import judge_statically
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.ruling import Answer

from .matters import edit, matter

FRONT = '"""Sea."""\n\nfrom sea.waves import swell\n\n__all__ = ["swell"]\n'
TESTS = edit(
    "tests/test_tides.py",
    None,
    "from sea.tides import tide\n\n\ndef test_tide():\n    assert tide(1) == 2\n",
)
GOOD = {
    "orphans.integrated": 1.0,
    "orphans.redundant": 0.0,
    "orphans.legacy": 0.0,
    "imports.failing": 0.0,
    "imports.new_libraries": 0.0,
    "imports.noisy": 0.0,
}


def front(after: str, before: str = FRONT, path: str = "src/sea/__init__.py") -> FileEdit:
    return edit(path, before, after)


def codes(*edits: FileEdit) -> list[str]:
    found = FrontGate().judge(matter(*edits, stage=Stage.INTEGRATION))
    return [each.reason_code for each in found]


@pytest.mark.parametrize(
    "after",
    [
        FRONT.replace("from sea.waves", "from sea import tides\nfrom sea.waves"),
        FRONT.replace("from sea.waves", "from . import tides as tides\nfrom sea.waves"),
        FRONT.replace('["swell"]', '["swell", "tides"]') + "\nfrom . import tides\n",
    ],
)
def test_an_import_of_an_own_module_may_be_added(after: str) -> None:
    assert codes(front(after), TESTS) == ["ok"]


@pytest.mark.parametrize(
    ("after", "code"),
    [
        (FRONT + "\nimport os\n", "not_an_import"),
        (FRONT + "\nfrom sky import tides\n", "not_an_import"),
        (FRONT + "\nfrom . import *\n", "not_an_import"),
        (FRONT + "\nfrom . import tides as swell\n", "not_an_import"),
        (FRONT + "\nprint('hello')\n", "not_an_import"),
        (FRONT + "\nfrom . import swell\n", "name_taken"),
        (FRONT.replace('__all__ = ["swell"]\n', ""), "statement_lost"),
        (FRONT.replace('["swell"]', '["tides"]'), "not_an_import"),
        (FRONT.replace("import swell", "import tides"), "not_an_import"),
    ],
)
def test_anything_else_is_refused(after: str, code: str) -> None:
    assert codes(front(after), TESTS) == [code]


def test_a_wider_import_keeps_what_it_had() -> None:
    before = "from . import waves\n"
    assert codes(front("from . import tides, waves\n", before)) == ["ok"]
    assert codes(front("from . import tides\n", before)) == ["statement_lost"]


@pytest.mark.parametrize(
    ("touched", "code"),
    [
        (edit("src/sea/waves.py", "x = 1\n", "x = 2\n"), "production_changed"),
        (edit("src/sea/__init__.py", None, "from . import tides\n"), "production_changed"),
        (edit("src/sea/__init__.py", "x = 1\n", None), "production_changed"),
        (edit("tests/test_old.py", "x = 1\n", "x = 2\n"), "production_changed"),
    ],
)
def test_no_other_file_is_touched(touched: FileEdit, code: str) -> None:
    rulings = judge_statically(matter(touched, stage=Stage.INTEGRATION))
    failed = [each.reason_code for each in rulings if each.verdict is Answer.FAIL]
    assert code in failed


def test_three_files_are_too_many() -> None:
    more = edit("tests/test_more.py", None, "def test_a():\n    assert 1 == 2 - 1\n")
    made = front(FRONT + "\nfrom . import tides\n")
    rulings = judge_statically(matter(made, TESTS, more, stage=Stage.INTEGRATION))
    assert "too_many_files" in {each.reason_code for each in rulings}


@pytest.mark.parametrize(
    ("name", "value", "answer", "code"),
    [
        ("orphans.integrated", 0.0, Answer.FAIL, "nothing_integrated"),
        ("orphans.redundant", 1.0, Answer.FAIL, "redundant_module"),
        ("orphans.legacy", 1.0, Answer.FAIL, "legacy_module"),
        ("imports.failing", 1.0, Answer.FAIL, "import_fails"),
        ("imports.new_libraries", 1.0, Answer.FAIL, "new_requirement"),
        ("imports.noisy", 1.0, Answer.HOLD, "import_effect"),
    ],
)
def test_every_measure_has_its_bound(name: str, value: float, answer: Answer, code: str) -> None:
    gate = IntegrationGate()
    (ruling,) = gate.judge(matter(TESTS, stage=Stage.INTEGRATION, measures={**GOOD, name: value}))
    assert (ruling.verdict, ruling.reason_code) == (answer, code)
    absent = {key: each for key, each in GOOD.items() if key != name}
    (held,) = gate.judge(matter(TESTS, stage=Stage.INTEGRATION, measures=absent))
    assert (held.verdict, held.reason_code) == (Answer.HOLD, "not_measured")


def test_all_measures_in_their_bounds_pass() -> None:
    (ruling,) = IntegrationGate().judge(matter(TESTS, stage=Stage.INTEGRATION, measures=GOOD))
    assert ruling.verdict is Answer.PASS
