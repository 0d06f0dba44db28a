"""What comes with a change and no code reaches: left aside and named, never what code reads."""

from dataclasses import replace

import pytest
from tests.unit.gates.matters import AROUND, edit

from reverie.gates.aside import left_aside, needs_of_aside
from reverie.gates.gate import Matter
from reverie.gates.judge import judge_statically, needs_of
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, NeedKind

CODE = edit("src/shop/a.py", "def f():\n    return 1 + 1\n", "def f():\n    return 2\n")
SCRIPT = edit("benchmarks/time_it.py", None, "import os\nimport sys\nos.system(sys.argv[1])\n")


def asked(*edits: FileEdit, words: frozenset[str] = frozenset(), stage: Stage = Stage.C) -> Matter:
    around = replace(AROUND, words=words, sources={"shop.a": CODE.before or ""})
    return Matter(stage, Change((CODE, *edits)), surroundings=around)


def codes(matter: Matter) -> set[str]:
    return {each.reason_code for each in judge_statically(matter) if each.verdict is Answer.FAIL}


@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
@pytest.mark.parametrize(
    "path",
    ["CHANGELOG", "CHANGES.rst", "docs/changelog.md", "docs/release-notes.txt", "README.md",
     "docs/guide.md", "news/12.rst", "changelog.d/1469.change.md"],
)  # fmt: skip
def test_texts_for_people_are_left_aside_and_named(stage: Stage, path: str) -> None:
    matter = asked(edit(path, "1", "2"), stage=stage)
    assert codes(matter) == set()
    assert left_aside(matter).aside == (path,)
    (said,) = [each.reason for each in judge_statically(matter) if each.gate == "paths"]
    assert said.endswith(f"left aside, since no code reaches it: {path}")


@pytest.mark.parametrize(
    "path", ["CHANGES.py.bak", "LICENSE", "data/words.txt", "src/shop/CHANGES.md", "tests/NEWS.md"]
)
def test_other_texts_are_not(path: str) -> None:
    assert codes(asked(edit(path, "1", "2"))) & {"not_python", "tests_touched"}


def test_a_text_that_code_names_is_judged() -> None:
    """Fraud: behaviour that is moved into a text, which code reads."""
    told = edit("CHANGES.rst", "1", "2")
    assert codes(asked(told, words=frozenset({"CHANGES.rst"}))) == {"not_python"}
    reading = edit("src/shop/b.py", "a = 1\n", "a = open('CHANGES.rst')\n")
    assert "not_python" in codes(asked(told, reading))


def test_a_script_is_left_aside_and_somebody_has_to_look_at_it() -> None:
    matter = asked(SCRIPT)
    assert codes(matter) == set()
    (need,) = needs_of_aside(left_aside(matter))
    assert need.kind is NeedKind.OTHER
    assert "benchmarks/time_it.py" in str(need)
    assert need in needs_of(matter)


@pytest.mark.parametrize(
    "code",
    ["from benchmarks.time_it import f\n", "import benchmarks\n", "run('time_it')\n",
     "from benchmarks import g\n"],
)  # fmt: skip
def test_a_script_that_code_imports_is_judged(code: str) -> None:
    """Fraud: the work goes on in a folder that nobody looks into."""
    using = edit("src/shop/b.py", "a = 1\n", code)
    assert left_aside(asked(SCRIPT, using)).aside == ()


@pytest.mark.parametrize(
    "script",
    [
        edit("scripts/conftest.py", None, "import os\n"),
        edit("scripts/test_a.py", None, "def test_a():\n    assert True\n"),
        edit("tools/check.py", None, "def test_a():\n    assert True\n"),
        edit("scripts/__init__.py", None, ""),
        edit("scripts/auth.py", "a = 1\n", "a = 2\n"),
        edit("scripts/gone.py", "a = 1\n", None),
        edit("scripts/pytest.py", "a = 1\n", "a = 2\n", renamed_from="src/shop/c.py"),
        replace(SCRIPT, mode_after="120000"),
        edit("shop/benchmarks/more.py", None, "a = 1\n"),
    ],
)
def test_a_script_that_is_more_than_that_is_judged(script: FileEdit) -> None:
    assert left_aside(asked(script)).aside == ()


def test_a_plugin_that_settings_name_is_judged() -> None:
    """Fraud: a file that pytest loads, by a setting that was there before."""
    assert left_aside(asked(SCRIPT, words=frozenset({"time_it"}))).aside == ()
    dotted = asked(SCRIPT, words=frozenset({"benchmarks.time_it"}))
    assert left_aside(dotted).aside == ()


def test_a_change_of_nothing_else_is_judged_as_it_is() -> None:
    alone = Matter(Stage.B, Change((edit("README.md", "1", "2"),)), surroundings=AROUND)
    assert left_aside(alone) == alone
    assert codes(alone) == {"not_python"}


def test_a_folder_of_scripts_may_import_from_itself() -> None:
    around = replace(AROUND, sources={"benchmarks.more": "from benchmarks.base import f\n"})
    matter = Matter(Stage.C, Change((CODE, SCRIPT)), surroundings=around)
    assert left_aside(matter).aside == ("benchmarks/time_it.py",)
