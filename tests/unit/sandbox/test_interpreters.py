"""An interpreter inside of a repository: when it is taken without being named."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from reverie.sandbox import interpreters
from reverie.sandbox.interpreters import choose, environment_in


def make_environment(repository: Path, name: str = ".venv") -> Path:
    folder = repository / name
    venv.create(folder, symlinks=True)
    return folder


def problem(repository: Path) -> str | None:
    found = environment_in(repository)
    assert found is not None
    return found.problem


def test_an_environment_that_links_to_a_known_interpreter_is_taken(tmp_path: Path) -> None:
    folder = make_environment(tmp_path)
    packages = next(folder.glob("lib/python3*/site-packages"))
    (packages / "pytest").mkdir()
    assert problem(tmp_path) is None
    found = choose(tmp_path, None)
    assert found is not None
    assert (found.python, found.note) == (str(folder / "bin/python"), None)


def test_a_repository_without_one_has_no_choice(tmp_path: Path) -> None:
    assert environment_in(tmp_path) is None
    assert choose(tmp_path, None) is None


def test_without_pytest_it_is_no_use_for_tests(tmp_path: Path) -> None:
    make_environment(tmp_path, "venv")
    found = choose(tmp_path, None)
    assert found is not None
    assert found.python is None
    assert "venv has no pytest" in (found.note or "")
    other = choose(tmp_path, None, needs_pytest=False)
    assert other is not None
    assert other.python is not None


def test_a_program_of_the_repository_is_used_only_when_it_is_named(tmp_path: Path) -> None:
    python = make_environment(tmp_path) / "bin/python"
    python.unlink()
    python.write_text("#!/bin/sh\n")
    python.chmod(0o755)
    assert problem(tmp_path) == "is a program of the repository"
    found = choose(tmp_path, None)
    assert found is not None
    assert found.python is None
    assert "unless --python names it" in (found.note or "")
    named = choose(tmp_path, str(python))
    assert named is not None
    assert named.python == str(python)


@pytest.mark.parametrize("inside", [True, False])
def test_a_link_to_a_program_that_nobody_knows_is_not_followed(
    tmp_path: Path, inside: bool
) -> None:
    repository = tmp_path / "repository"
    python = make_environment(repository) / "bin/python"
    program = (repository if inside else tmp_path) / "tools/bin/python3.11"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    python.unlink()
    python.symlink_to(program)
    words = "program of the repository" if inside else "no known interpreter"
    assert words in (problem(repository) or "")


def test_a_program_beside_known_interpreters_is_none(tmp_path: Path) -> None:
    python = make_environment(tmp_path) / "bin/python"
    python.unlink()
    python.symlink_to("/usr/bin/env")
    assert "no known interpreter" in (problem(tmp_path) or "")


def test_a_link_that_leads_nowhere_is_not_taken(tmp_path: Path) -> None:
    python = make_environment(tmp_path) / "bin/python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert problem(tmp_path) == "leads nowhere"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "has no pyvenv.cfg"),
        ("", "another interpreter"),
        ("home = {repository}/tools\n", "another interpreter"),
        ("home = {home}\nversion = 2.7.18\n", "another version"),
        ("home = {home}\nversion_info = 3.1.final.0\n", "another version"),
        ("home = {repository}\nHOME = {home}\nversion = {version}\n", None),
    ],
)
def test_an_environment_says_which_interpreter_it_was_made_from(
    tmp_path: Path, text: str | None, words: str | None
) -> None:
    configuration = make_environment(tmp_path) / "pyvenv.cfg"
    configuration.unlink()
    if text is not None:
        home = os.path.dirname(os.path.realpath(sys.executable))
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        configuration.write_text(text.format(repository=tmp_path, home=home, version=version))
    assert (words or "") in (problem(tmp_path) or "")
    assert (problem(tmp_path) is None) is (words is None)


def test_an_interpreter_that_others_can_change_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, known = tmp_path / "repository", tmp_path / "known"
    python = make_environment(repository) / "bin/python"
    program = known / "versions/3.12/bin/python3.12"
    program.parent.mkdir(parents=True)
    program.write_text("")
    program.chmod(0o777)
    python.unlink()
    python.symlink_to(program)
    monkeypatch.setenv("PYENV_ROOT", str(known))
    assert "others can change" in (problem(repository) or "")
    program.chmod(0o755)
    assert problem(repository) == "has a pyvenv.cfg of another interpreter"
    (repository / ".venv/pyvenv.cfg").write_text(f"home = {program.parent}\n")
    assert problem(repository) is None


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("below", ["", "inner/"])
def test_an_environment_that_git_keeps_is_used_only_when_it_is_named(
    tmp_path: Path, below: str
) -> None:
    git(tmp_path, "init")
    make_environment(tmp_path / below)
    assert problem(tmp_path / below) is None
    git(tmp_path, "add", "-f", f"{below}.venv")
    assert problem(tmp_path / below) == "came with the repository"


def test_a_link_to_a_folder_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    make_environment(tmp_path, "tools")
    (tmp_path / ".venv").symlink_to("tools")
    assert problem(tmp_path) == "came with the repository"


def test_packages_of_an_environment_lie_in_it(tmp_path: Path) -> None:
    folder = make_environment(tmp_path)
    packages = next(folder.glob("lib/python3*/site-packages"))
    shutil.rmtree(packages)
    (tmp_path / "src").mkdir()
    packages.symlink_to(tmp_path / "src")
    assert problem(tmp_path) == "has packages that lie elsewhere"


def test_what_is_known_are_places_outside_of_any_repository() -> None:
    roots = list(interpreters._known_roots())
    assert all(os.path.isabs(root) and root != "/" for root in roots)
