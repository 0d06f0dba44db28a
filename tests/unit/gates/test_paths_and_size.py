import pytest

from reverie.gates.paths import PathsGate, SizeGate
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.ruling import Answer
from reverie.model.settings.judgement import GuardSection

from .matters import edit, matter


def codes(*edits: FileEdit, stage: Stage, section: GuardSection | None = None) -> set[str]:
    rulings = PathsGate().judge(matter(*edits, stage=stage, section=section))
    return {ruling.reason_code for ruling in rulings if ruling.verdict is Answer.FAIL}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("src/shop/auth.py", "protected_file"),
        ("src/shop/security/hashing.py", "protected_file"),
        ("shop/oauth_client.py", "protected_file"),
        ("shop/migrations/0002_add.py", "migration_file"),
        ("alembic/versions/1.py", "migration_file"),
        ("pyproject.toml", "configuration_file"),
        ("tests/pytest.ini", "configuration_file"),
        ("requirements-dev.txt", "configuration_file"),
        (".github/workflows/ci.yml", "pipeline_file"),
        (".reverie/baseline.json", "own_file"),
        ("../outside.py", "path_outside"),
        ("shop/fast.so", "compiled_file"),
    ],
)
@pytest.mark.parametrize("stage", [Stage.A, Stage.B, Stage.C])
def test_red_lines_hold_at_every_stage(path: str, code: str, stage: Stage) -> None:
    assert code in codes(edit(path, "a = 1\n", "a = 2\n"), stage=stage)


def test_an_old_name_counts_as_much_as_a_new_one() -> None:
    moved = edit("src/shop/other.py", "a = 1\n", "a = 1\n", renamed_from="src/shop/auth.py")
    assert codes(moved, stage=Stage.B) == {"protected_file"}


def test_stage_a_changes_tests_only() -> None:
    assert codes(edit("tests/test_a.py", None, ""), stage=Stage.A) == set()
    assert codes(edit("src/shop/a.py", "", "a = 1\n"), stage=Stage.A) == {"production_changed"}
    assert codes(edit("tests/data.json", "1", "2"), stage=Stage.A) == {"test_data_changed"}


@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
@pytest.mark.parametrize("path", ["tests/test_a.py", "tests/conftest.py", "conftest.py"])
def test_production_changes_leave_tests_alone(path: str, stage: Stage) -> None:
    assert codes(edit(path, "a = 1\n", "a = 2\n"), stage=stage) == {"tests_touched"}


def test_a_lost_test_is_called_so() -> None:
    gone = edit("tests/test_a.py", "def test_a():\n    assert f()\n", None)
    assert codes(gone, stage=Stage.B) == {"test_deleted"}


def test_settings_protect_more() -> None:
    section = GuardSection(protected=("src/shop/core/**",))
    inside = edit("src/shop/core/a.py", "a = 1\n", "a = 2\n")
    assert codes(inside, stage=Stage.B, section=section) == {"protected_file"}


@pytest.mark.parametrize(
    "text", ["def f(:\n", "# -*- coding: utf-7 -*-\n", "a = '\udcff'\n", "a = 1\0\n"]
)
def test_what_python_cannot_read_is_refused(text: str) -> None:
    assert codes(edit("src/shop/a.py", "", text), stage=Stage.B) == {"unreadable_file"}


def test_links_and_modes_are_refused() -> None:
    link = FileEdit("tests/test_a.py", None, "/etc/passwd", None, None, "120000")
    assert "not_a_plain_file" in codes(link, stage=Stage.A)
    mode = FileEdit("src/shop/a.py", "", "a = 1\n", None, "100644", "100755")
    assert codes(mode, stage=Stage.B) == {"mode_changed"}


def size(*edits: FileEdit, stage: Stage) -> set[str]:
    rulings = SizeGate().judge(matter(*edits, stage=stage))
    return {ruling.reason_code for ruling in rulings if ruling.verdict is Answer.FAIL}


def test_two_files_are_enough() -> None:
    files = [edit(f"tests/test_{n}.py", None, "a = 1\n") for n in range(3)]
    assert size(*files[:2], stage=Stage.A) == set()
    assert size(*files, stage=Stage.A) == {"too_many_files"}
    assert size(*files, stage=Stage.C) == {"too_many_files"}


def test_forty_lines_are_enough_for_a_refactoring() -> None:
    just = edit("src/a.py", "x\n" * 20, "y\n" * 20)
    more = edit("src/a.py", "x\n" * 20, "y\n" * 21)
    assert size(just, stage=Stage.B) == set()
    assert size(more, stage=Stage.B) == {"too_many_lines"}
    assert size(more, stage=Stage.C) == set()
