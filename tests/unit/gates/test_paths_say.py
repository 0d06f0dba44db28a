"""Which files may be touched: every name that is out of bounds, and the names beside it that are not."""

import pytest

from reverie.gates.paths import PathsGate, is_test_module, is_test_path, matches, red_line
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling
from reverie.model.settings.judgement import GuardSection

from .matters import edit, matter

SECTION = GuardSection()
SECURITY = "authentication and security code is for people to change"
FINE = Ruling("paths", Answer.PASS, "ok", "every file may be touched at this stage")
REASONS = {
    "protected_file": "the settings protect this file",
    "path_outside": "the path leads out of the repository",
    "own_file": "Reverie's own files are not for changes to touch",
    "pipeline_file": "continuous integration is for people to change",
    "configuration_file": "configuration decides how changes are judged",
    "shadows_judge": "it would be imported instead of what runs and judges the tests",
    "compiled_file": "nobody can read compiled code",
    "migration_file": "schema migrations are for people to change",
    "production_changed": "a change of tests touches files of tests only",
    "test_data_changed": "data that tests read is changed",
    "not_python": "refactorings and speed-ups change Python code only",
    "critical_module": "the settings call this module critical",
    "unreadable_file": "Python cannot read it, or reads it otherwise than a person does",
    "not_a_plain_file": "a link or a submodule leads out of what can be judged",
    "mode_changed": "the change makes a file executable or the reverse",
}
LEFT = "a change of production code leaves the tests as they are"
WORDS = """auth authn authz authentication authorization authorisation oauth oauth2 security crypto
    cryptography credential credentials secret secrets login password passwords permission
    permissions jwt csrf saml ldap acl rbac signing authenticator certificates tls ssl""".split()
CONFIGURATION = """pyproject.toml setup.py setup.cfg tox.ini noxfile.py pytest.ini .pytest.ini
    pytest.toml .pytest.toml mypy.ini .mypy.ini ruff.toml .ruff.toml .coveragerc .flake8 Makefile
    MANIFEST.in Pipfile Pipfile.lock poetry.lock uv.lock pdm.lock environment.yml Dockerfile
    justfile tasks.py hatch.toml .env CODEOWNERS .gitattributes .gitignore .gitmodules
    sitecustomize.py usercustomize.py _pytest.py pytest.py Jenkinsfile requirements.txt
    requirements-dev.txt constraints.txt .env.local path.pth a.egg-link""".split()
PIPELINES = """.github/a.yml .gitlab/a.yml .circleci/a.yml .ci/run .azure-pipelines/a.yml
    .buildkite/a.yml .woodpecker/a.yml .git/config .husky/pre-commit .pre-commit/a .gitlab-ci.yml
    .gitlab-ci-more.yml .travis.yml azure-pipelines.yml .pre-commit-config.yaml appveyor.yml
    .drone.yml bitbucket-pipelines.yml""".split()
COMPILED = "a.so a.pyd a.pyc a.pyo a.dll a.dylib a.a a.o a.whl a.egg".split()
JUDGES = """pytest _pytest pluggy iniconfig coverage unittest hypothesis sitecustomize
    usercustomize""".split()


def told(path: str, section: GuardSection = SECTION) -> str | None:
    """The reason code, once its reason is the one it stands for."""
    found = red_line(path, section)
    if found is not None and found[1] != SECURITY:
        assert found[1] == REASONS[found[0]]
    return None if found is None else found[0]


@pytest.mark.parametrize("word", WORDS)
def test_security_is_known_by_a_word_of_a_file_or_a_folder(word: str) -> None:
    code = "protected_file", SECURITY
    for path in (f"src/shop/{word}.py", f"shop/my-{word}.v2.py", f"shop/{word}_of_it/a.py",
                 f"shop/{word.upper()}.py"):  # fmt: skip
        assert red_line(path, SECTION) == code, path
    assert red_line(f"tests/test_{word}.py", SECTION) is None
    assert red_line(f"src/shop/x{word}x.py", SECTION) is None


@pytest.mark.parametrize("word", ["migration", "migrations", "alembic", "schema_migrations"])
def test_migrations_are_known_by_a_word(word: str) -> None:
    assert told(f"shop/{word}/0001.py") == "migration_file"
    assert told(f"tests/{word}/test_0001.py") is None


def test_a_folder_named_schema_migrations_counts_as_one_word() -> None:
    assert told("db/schema_migrations/a.sql") == "migration_file"


@pytest.mark.parametrize("name", CONFIGURATION)
def test_configuration_is_known_by_name_in_any_folder(name: str) -> None:
    assert told(name) == told(f"sub/folder/{name}") == told(name.upper()) == "configuration_file"
    assert told(f"shop/{name.lstrip('.')}_more.py") in (None, "protected_file")


@pytest.mark.parametrize("path", PIPELINES)
def test_pipelines_are_known_by_folder_or_name(path: str) -> None:
    assert told(path) == told(f"sub/{path}") == "pipeline_file"


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_code_is_known_by_its_end(name: str) -> None:
    assert told(f"shop/{name}") == "compiled_file"
    assert told(f"shop/{name}.py") is None


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("place", ["{}/a.py", "src/{}/a.py", "lib/{}/a.py"])
def test_a_package_that_shadows_the_judge_is_refused(name: str, place: str) -> None:
    assert told(place.format(name)) == "shadows_judge"
    assert told(f"shop/{name}/a.py") is None


@pytest.mark.parametrize("path", ["pluggy.py", "src/coverage.pyi", "unittest.py", "lib/pluggy.py"])
def test_a_module_that_shadows_the_judge_is_refused(path: str) -> None:
    assert told(path) == "shadows_judge"


@pytest.mark.parametrize("path", ["src", "lib", "src/shop.py", "shop/src/pluggy.py"])
def test_a_folder_alone_shadows_nobody(path: str) -> None:
    assert told(path) is None


@pytest.mark.parametrize(
    "path", ["../a.py", "a/../b.py", "/etc/passwd", "shop//a.py", "shop/", "a/.."]
)
def test_paths_that_lead_out_are_refused(path: str) -> None:
    assert told(path) == "path_outside"


@pytest.mark.parametrize(
    "path", [".reverie/a", "sub/.reverie/a", "reverie_pytest/a.py", ".REVERIE/a"]
)
def test_our_own_files_are_refused(path: str) -> None:
    assert told(path) == "own_file"


def test_a_file_that_the_settings_protect_is_told_first() -> None:
    section = GuardSection(protected=("pyproject.toml", "src/core"))
    assert told("pyproject.toml", section) == "protected_file"
    assert told("src/core/deep/a.py", section) == "protected_file"
    assert told("src/score/a.py", section) is None


@pytest.mark.parametrize(
    ("pattern", "path", "answer"),
    [
        ("core", "src/core/a.py", True),
        ("core", "core", True),
        ("core", "src/score/a.py", False),
        ("a.py", "src/core/a.py", True),
        ("src/core", "src/core/a.py", True),
        ("src/core/", "src/core/a.py", True),
        ("/src/core", "src/core/a.py", True),
        ("src/core/**", "src/core/deep/a.py", True),
        ("src/core/**", "src/core", True),
        ("core/a.py", "src/core/a.py", False),
        ("src/*/a.py", "src/core/a.py", True),
        ("*.sql", "db/one.sql", True),
        ("src/core/a.py", "src/core/a.py", True),
        ("src/core/a.py/more", "src/core/a.py", False),
        ("Core", "src/core/a.py", False),
    ],
)
def test_a_pattern_names_a_path_a_folder_above_or_a_part(
    pattern: str, path: str, answer: bool
) -> None:
    assert matches(path, pattern) is answer


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("tests/a.py", True), ("test/data/a.json", True), ("src/shop/tests/a.py", True),
        ("tests.py", True), ("src/tests.py", False), ("src/tests", False), ("latests/a.py", False),
        ("conftest.py", True), ("src/conftest.py", True), ("src/conftest.pyi", False),
        ("test_a.py", True), ("shop/a_test.py", True), ("src/test_a.py", False),
        ("src/a_test.py", False), ("shop/contest.py", False), ("test_a.txt", False),
    ],
)  # fmt: skip
def test_what_is_part_of_the_tests(path: str, answer: bool) -> None:
    assert is_test_path(path, SECTION) is answer


def test_roots_of_tests_may_be_paths() -> None:
    section = GuardSection(test_roots=("/checks/", "src/shop/proofs"))
    assert is_test_path("checks/a.py", section)
    assert is_test_path("sub/checks/a.py", section)
    assert is_test_path("src/shop/proofs/a.py", section)
    assert not is_test_path("src/shop/other/a.py", section)
    assert not is_test_path("tests/a.py", section)


@pytest.mark.parametrize(
    ("path", "answer"),
    [("a/test_b.py", True), ("b_test.py", True), ("a/tests.py", False), ("test_a/b.py", False)],
)
def test_what_pytest_collects(path: str, answer: bool) -> None:
    assert is_test_module(path) is answer


def judged(*edits: FileEdit, stage: Stage, section: GuardSection = SECTION) -> list[Ruling]:
    return list(PathsGate().judge(matter(*edits, stage=stage, section=section)))


def refused(code: str, path: str, said: str | None = None) -> Ruling:
    return Ruling("paths", Answer.FAIL, code, said or REASONS[code], path)


TESTS = "def test_a():\n    assert f()\n"
TWO = f"{TESTS}\n\ndef test_b():\n    assert f()\n"


def test_stage_a_takes_new_tests_and_new_data() -> None:
    for change in (edit("tests/test_a.py", None, TESTS), edit("tests/test_a.py", TESTS, TWO),
                   edit("tests/data.json", None, "1"), edit("tests/a.pyi", "", "a: int\n")):  # fmt: skip
        assert judged(change, stage=Stage.A) == [FINE]
    old = edit("tests/data.json", "1", "2")
    assert judged(old, stage=Stage.A) == [refused("test_data_changed", "tests/data.json")]
    code = edit("src/shop/a.py", "", "a = 1\n")
    assert judged(code, stage=Stage.A) == [refused("production_changed", "src/shop/a.py")]


@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        (TWO, TESTS, "test_deleted"),
        (TESTS, None, "test_deleted"),
        ("a = 1\n", None, "test_deleted"),
        (TESTS, TWO, "tests_touched"),
        (None, TESTS, "tests_touched"),
        (TESTS, TESTS.replace("f()", "1"), "tests_touched"),
    ],
)
def test_production_changes_say_what_they_do_to_tests(
    stage: Stage, before: str | None, after: str | None, code: str
) -> None:
    found = judged(edit("tests/test_a.py", before, after), stage=stage)
    assert found == [refused(code, "tests/test_a.py", LEFT)]


@pytest.mark.parametrize(
    "text",
    [
        TESTS,
        "class TestA:\n    x = 1\n",
        "async  def test_a():\n    pass\n",
        "if 1:\n    def test_b(): ...\n",
    ],
)
def test_a_module_with_tests_in_it_is_one_wherever_it_lies(text: str) -> None:
    path = "src/shop/test_stock.py"
    for change in (edit(path, text, "a = 1\n"), edit(path, "a = 1\n", text)):
        (found,) = judged(change, stage=Stage.B)
        assert found.reason == LEFT
    assert judged(edit(path, "a = 1\n", "a = 2\n"), stage=Stage.B) == [FINE]
    other = edit("src/shop/stock.py", text, text + "\n")
    (found,) = judged(other, stage=Stage.B)
    assert (found == FINE) is ("assert" not in text)


@pytest.mark.parametrize("stage", [Stage.B, Stage.C])
def test_production_changes_are_python(stage: Stage) -> None:
    for name in ("a.py", "a.pyi"):
        assert judged(edit(f"src/shop/{name}", "", "a = 1\n"), stage=stage) == [FINE]
    found = judged(edit("src/shop/a.txt", "1", "2"), stage=stage)
    assert found == [refused("not_python", "src/shop/a.txt")]


def test_critical_modules_are_closed_to_stage_c_alone() -> None:
    section = GuardSection(critical=("src/shop/core.py",))
    change = edit("src/shop/core.py", "", "a = 1\n")
    other = edit("src/shop/other.py", "", "a = 1\n")
    assert judged(change, stage=Stage.B, section=section) == [FINE]
    found = judged(change, other, stage=Stage.C, section=section)
    assert found == [refused("critical_module", "src/shop/core.py")]


FRONT = "src/shop/__init__.py"
NO_FRONT = "an integration adds tests, and an import to the front of a package"


@pytest.mark.parametrize(
    "change",
    [
        edit(FRONT, "", "a = 1\n"), edit("tests/test_a.py", None, TESTS),
        edit("__init__.py", "", "a = 1\n"), edit("tests/a.pyi", None, "a: int\n"),
    ],
)  # fmt: skip
def test_an_integration_takes_new_tests_and_changed_fronts(change: FileEdit) -> None:
    assert judged(change, stage=Stage.INTEGRATION) == [FINE]


@pytest.mark.parametrize(
    "change",
    [
        edit(FRONT, None, "a = 1\n"), edit(FRONT, "a = 1\n", None),
        edit("src/shop/a.py", "", "a = 1\n"), edit("tests/test_a.py", TESTS, TWO),
        edit("tests/data.json", None, "1"), edit(FRONT, "", "", renamed_from="src/sea/__init__.py"),
    ],
)  # fmt: skip
def test_an_integration_takes_nothing_else(change: FileEdit) -> None:
    found = judged(change, stage=Stage.INTEGRATION)
    assert found == [refused("production_changed", change.path, NO_FRONT)]


def test_an_old_name_out_of_bounds_is_the_one_that_is_told() -> None:
    moved = edit("src/shop/a.py", "", "", renamed_from="setup.py")
    other = edit("src/shop/b.py", "", "a = 1\n")
    assert judged(moved, other, stage=Stage.B) == [refused("configuration_file", "setup.py")]
    both = edit("tox.ini", "", "", renamed_from="setup.py")
    assert judged(both, stage=Stage.B) == [refused("configuration_file", "tox.ini")]


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n", "# a\0\n",
        "# coding: latin-1\n", "#!/usr/bin/python\n# vim: set fileencoding=utf-7 :\n",
        " \t# -*- coding=cp1252 -*-\n",
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.py", "a.pyi"])
def test_what_python_reads_otherwise_is_refused(text: str, name: str) -> None:
    found = judged(edit(f"src/shop/{name}", "", text), stage=Stage.B)
    assert found == [refused("unreadable_file", f"src/shop/{name}")]


@pytest.mark.parametrize(
    "text",
    [
        "# coding: utf-8\n", "# -*- coding: UTF8 -*-\n", "a = 1\nb = 2\n# coding: latin-1\n",
        "a = '\ud7ff\ue000'\n", "", "# encoding of things\n",
    ],
)  # fmt: skip
def test_what_python_reads_as_a_person_does_is_fine(text: str) -> None:
    assert judged(edit("src/shop/a.py", "", text), stage=Stage.B) == [FINE]


@pytest.mark.parametrize("point", [0xD800, 0xDC80, 0xDFFF])
def test_half_a_character_is_unreadable(point: int) -> None:
    found = judged(edit("src/shop/a.py", "", f"a = '{chr(point)}'\n"), stage=Stage.B)
    assert found == [refused("unreadable_file", "src/shop/a.py")]


def test_a_file_of_data_need_not_be_python() -> None:
    assert judged(edit("tests/data.txt", None, "def f(:\0"), stage=Stage.A) == [FINE]


def moded(before: str | None, after: str | None, gone: bool = False) -> list[Ruling]:
    text = None if gone else "a = 1\n"
    change = FileEdit("src/shop/a.py", "", text, None, before, after)
    return judged(change, stage=Stage.B)


def test_links_submodules_and_changed_modes_are_refused() -> None:
    path = "src/shop/a.py"
    for odd in ("120000", "160000"):
        assert moded("100644", odd) == moded(odd, "100644") == [refused("not_a_plain_file", path)]
    assert moded("100644", "100755") == [refused("mode_changed", path)]
    assert moded("100755", "100644") == [refused("mode_changed", path)]
    for before, after in (("100755", "100755"), (None, "100755"), ("100644", None)):
        assert moded(before, after) == [FINE]
    assert moded("100644", "100755", gone=True) == [FINE]
    new = FileEdit(path, None, "a = 1\n", None, "100644", "100755")
    assert judged(new, stage=Stage.B) == [FINE]


def test_a_link_that_python_cannot_read_is_refused_for_both() -> None:
    link = FileEdit("src/shop/a.py", "", "/etc/passwd", None, "100644", "120000")
    codes = [each.reason_code for each in judged(link, stage=Stage.B)]
    assert codes == ["unreadable_file", "not_a_plain_file"]
