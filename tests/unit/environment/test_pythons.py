"""Interpreters and environments are found without running any."""

import base64
import hashlib
import os
import sys
from pathlib import Path

from reverie.environment.installed import installed_versions, missing_from
from reverie.environment.making import lay_environment
from reverie.environment.needs import Requirement
from reverie.environment.pythons import (
    BasePython,
    environments_for,
    fitting_pythons,
    own_version,
    reach_of,
    version_of,
)
from reverie.sandbox.interpreters import own_interpreter


def own_base() -> BasePython:
    return BasePython(own_interpreter().binary, own_version())


def test_our_own_version_comes_first_where_it_fits() -> None:
    found = fitting_pythons(">=3.9", os.environ)
    assert found[0].version == own_version()


def test_where_no_version_fits_there_is_none() -> None:
    assert fitting_pythons("<3.9", os.environ) == []


def test_folders_that_cannot_be_looked_at_are_passed_over() -> None:
    # A name too long is refused to root too, as a folder of somebody else is to a user.
    unreadable = "/" + "x" * 300
    environ = {"PATH": unreadable, "PYENV_ROOT": unreadable, "HOME": unreadable}
    assert [each.version for each in fitting_pythons(None, environ)] == [own_version()]
    assert list(environments_for(Path("/nowhere"), "shop", environ)) == []


def test_an_environment_is_laid_as_venv_would(tmp_path: Path) -> None:
    python = lay_environment(tmp_path / "made", own_base())
    assert version_of(python) == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert installed_versions(python) == {}
    assert [str(each) for each in missing_from(python, [Requirement("attrs")])] == ["attrs"]


def test_what_is_there_in_another_version_is_missing(tmp_path: Path) -> None:
    python = lay_environment(tmp_path / "made", own_base())
    site = next((tmp_path / "made").glob("lib/*/site-packages"))
    (site / "Some_Package-1.5.dist-info").mkdir()
    wanted = [Requirement("some-package>=1"), Requirement("some.package<1")]
    assert missing_from(python, wanted) == (wanted[1],)
    assert missing_from(python, wanted, {wanted[1].name}) == ()


def test_environments_are_asked_in_the_order_of_who_named_them(tmp_path: Path) -> None:
    repository = tmp_path / "shop"
    repository.mkdir()
    digest = hashlib.sha256(os.path.realpath(repository).encode()).digest()
    word = base64.urlsafe_b64encode(digest).decode()[:8]
    digest = hashlib.md5(os.path.realpath(repository).encode(), usedforsecurity=False).digest()
    pdm = base64.urlsafe_b64encode(digest).decode()[:8]
    places = {
        "VIRTUAL_ENV": tmp_path / "active",
        "UV_PROJECT_ENVIRONMENT": tmp_path / "by uv",
        ".venv": repository / ".venv",
        "CONDA_PREFIX": tmp_path / "conda",
        "pdm": tmp_path / f"data/pdm/venvs/shop-{pdm}-3.11",
        "poetry": tmp_path / f"cache/pypoetry/virtualenvs/shop-{word}-py3.11",
        "hatch": tmp_path / f"data/hatch/env/virtual/shop/{word}/shop",
    }
    for place in places.values():
        lay_environment(place, own_base())
    environ = {
        "VIRTUAL_ENV": str(places["VIRTUAL_ENV"]), "CONDA_PREFIX": str(places["CONDA_PREFIX"]),
        "UV_PROJECT_ENVIRONMENT": "../by uv",
        "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_DATA_HOME": str(tmp_path / "data"),
        "HOME": str(tmp_path),
    }  # fmt: skip
    found = list(environments_for(repository, "shop", environ))
    assert [each.origin for each in found] == list(places)
    assert all(each.problem is None for each in found)


def test_an_environment_that_a_variable_names_inside_is_looked_at_too(tmp_path: Path) -> None:
    lay_environment(tmp_path / "env", own_base())
    (tmp_path / "env" / "bin" / "python").unlink()
    program = tmp_path / "evil"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (tmp_path / "env" / "bin" / "python").symlink_to(program)
    (found,) = environments_for(tmp_path, None, {"VIRTUAL_ENV": str(tmp_path / "env")})
    assert found.problem == "is a program of the repository"


def test_what_is_done_for_code_of_a_version_is_said() -> None:
    assert reach_of("3.9") == "not run"
    assert reach_of("3.10") == "suites are run, nothing is improved"
    assert {reach_of(f"3.{minor}") for minor in (11, 12, 13, 14)} == {"improved"}
