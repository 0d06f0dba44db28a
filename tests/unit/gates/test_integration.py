"""An integration adds tests and an import to a package's front, and nothing else."""

import pytest

from reverie.gates.integration import FrontGate, IntegrationGate
from reverie.gates.judge import judge_statically
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


FRONTS = [
    ("from . import a\n", "from . import a, b\n", "ok"),
    ("from . import a\n", "from . import b, a\n", "ok"),
    ("from . import a, b\n", "from . import b, a\n", "name_taken"),
    ("from .x import a\n", "from .x import a, b\n", "not_an_import"),
    ("from .x import a\n", "from .y import a\n", "not_an_import"),
    ("from ..x import a\n", "from .x import a\n", "not_an_import"),
    ("", "from . import a\n", "ok"),
    ("", "from . import a as a\n", "ok"),
    ("", "from . import a as b\n", "not_an_import"),
    ("", "from .. import a\n", "not_an_import"),
    ("", "from .a import b\n", "not_an_import"),
    ("", "from sea import a\n", "ok"),
    ("", "from src.sea import a\n", "ok"),
    ("", "from other.sea import a\n", "not_an_import"),
    ("", "from sea.a import b\n", "not_an_import"),
    ("", "from sea import *\n", "not_an_import"),
    ("", "import sea\n", "not_an_import"),
    ("x = 1\n", "x = 1\nfrom . import x\n", "name_taken"),
    ("def x(): ...\n", "def x(): ...\nfrom . import x\n", "name_taken"),
    ("class x: ...\n", "class x: ...\nfrom . import x\n", "name_taken"),
    ("import x\n", "import x\nfrom . import x\n", "name_taken"),
    ("for x in (): ...\n", "for x in (): ...\nfrom . import x\n", "name_taken"),
    ("print(x)\n", "print(x)\nfrom . import x\n", "ok"),
    ("x = 1\ny = 2\n", "y = 2\nx = 1\n", "not_an_import"),
    ("x = 1\ny = 2\n", "x = 1\n", "statement_lost"),
    ("__all__ = ['a']\n", "__all__ = ['a', 'b']\n", "ok"),
    ("__all__ = ['a']\n", "__all__ = ('b', 'a')\n", "ok"),
    ("__all__ = ['a', 'b']\n", "__all__ = ['b', 'a']\n", "not_an_import"),
    ("__all__ = ['a']\n", "__all__ = ['b']\n", "not_an_import"),
    ("__all__ = ['a']\n", "__all__ = ['a', B]\n", "not_an_import"),
    ("__all__ = ['a']\n", "__all__ = ['a', 1]\n", "not_an_import"),
    ("__all__ = ['a', B]\n", "__all__ = ['a', B, 'c']\n", "not_an_import"),
    ("names = ['a']\n", "names = ['a', 'b']\n", "not_an_import"),
    ("__all__ = x = ['a']\n", "__all__ = x = ['a', 'b']\n", "not_an_import"),
]
SAID = {
    "ok": "fronts of packages get nothing but imports of their own modules",
    "not_an_import": "it is no import of a module of the package",
    "name_taken": "the package gives this name to something else",
    "statement_lost": "statements of the package's front are gone, or in another order",
}


@pytest.mark.parametrize(("before", "after", "code"), FRONTS)
def test_a_front_may_grow_by_its_own_modules(before: str, after: str, code: str) -> None:
    (found,) = FrontGate().judge(matter(front(after, before), stage=Stage.INTEGRATION))
    assert (found.gate, found.reason_code, found.reason) == ("front", code, SAID[code])
    assert found.verdict is (Answer.PASS if code == "ok" else Answer.FAIL)


def test_the_place_of_what_is_wrong_is_told() -> None:
    wrong = front("x = 1\n\nprint(1)\n", "x = 1\n")
    lost = front("", "x = 1\n", "lib/sky/__init__.py")
    found = FrontGate().judge(matter(wrong, lost, stage=Stage.INTEGRATION))
    assert [each.measured for each in found] == ["src/sea/__init__.py:3", "lib/sky/__init__.py:1"]
