"""Dreamers of outside packages, installed into a fresh environment and used by `reverie run`."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Callable
from importlib import util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from reverie.stages.dreamer import Dreamer
from reverie.testing.dreamers import DreamerContract

PLUGINS = Path(__file__).parents[2] / "examples" / "plugins"
SUMS = '''"""Sums."""


def squares(n: int) -> list[int]:
    """The first squares.

    >>> squares(4)
    [0, 1, 4, 9]
    """
    return [i * i for i in range(0, n)]
'''
TESTS = """from sums import squares


def test_squares():
    assert squares(0) == []
    assert squares(1) == [0]
    assert squares(3) == [0, 1, 4]
"""


def load(path: Path) -> ModuleType:
    spec = util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class TestOutsideDreamers(DreamerContract):
    @pytest.fixture(
        params=[
            ("plain-ranges/reverie_plain_ranges.py", "RangeDreamer"),
            ("shown-examples/reverie_shown_examples.py", "ExampleDreamer"),
        ]
    )
    def make_dreamer(self, request: pytest.FixtureRequest) -> Callable[[], Dreamer]:
        path, name = request.param
        make: Callable[[], Dreamer] = getattr(load(PLUGINS / path), name)
        return make


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of its own that sees what is installed here, with the plugins besides."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    (site,) = home.glob("lib/python*/site-packages")
    (site / "here.pth").write_text(
        f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    )
    for name in ("plain-ranges", "shown-examples"):
        line = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
        line += ["--no-deps", "--no-index", "--no-build-isolation", str(PLUGINS / name)]
        subprocess.run(line, check=True, capture_output=True, timeout=300)
    return python


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "sums"
    (folder / "tests").mkdir(parents=True)
    (folder / "sums.py").write_text(SUMS)
    (folder / "tests" / "test_sums.py").write_text(TESTS)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    for line in (["init", "-q"], ["add", "."], ["commit", "-qm", "Begin"]):
        who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *who, *line], cwd=folder, check=True, timeout=60)
    return folder


def test_installed_dreamers_dream_in_a_cycle_and_are_held_to_the_same_proof(
    python: Path, repository: Path
) -> None:
    planned = run(python, repository, "--stage", "A", "--dry-run")
    assert {"tests", "shown-examples"} <= {each["dreamer"] for each in planned["steps"]}
    document = run(python, repository, "--stage", "B")
    assert "Drop the zero of ranges" in [each["title"] for each in document["promotions"]]


def run(python: Path, repository: Path, *options: str) -> dict[str, Any]:
    line = [str(python), "-m", "reverie", "run", "--executions", "40", "--seed", "11", "--json"]
    # One zero less is worth hardly a look; here a look costs nothing, so that the proof is seen.
    free = {"REVERIE_ROI_LEAST_REVIEW": "0", "REVERIE_ROI_REVIEWED_LINE": "0"}
    own = {name: str(repository.parent / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    ran = subprocess.run(
        [*line, *options],
        cwd=repository,
        env={**os.environ, **free, **own},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stderr
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


def test_the_page_about_dreamers_shows_one_of_them() -> None:
    page = (PLUGINS.parents[1] / "docs" / "guides" / "plugins.md").read_text("utf-8")
    assert (PLUGINS / "plain-ranges" / "reverie_plain_ranges.py").read_text("utf-8") in page
    assert (PLUGINS / "plain-ranges" / "pyproject.toml").read_text("utf-8") in page
