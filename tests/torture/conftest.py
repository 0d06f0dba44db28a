"""Runs of the torture project by a pytest of its own: its tests fail on purpose."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

collect_ignore = ["project"]

BESIDE = Path(sys.prefix) / "beside"
PLUGINS = ("execnet", "pytest-xdist", "pytest-asyncio")
_OUTCOME = re.compile(r"^(PASSED|FAILED|ERROR|XFAIL|XPASS|SKIPPED) (\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Inner:
    """One run of pytest."""

    code: int
    out: str
    err: str
    events: tuple[dict[str, Any], ...]

    @property
    def outcomes(self) -> list[tuple[str, str]]:
        return sorted(set(_OUTCOME.findall(self.out)))

    @property
    def signatures(self) -> dict[tuple[str, str], tuple[str, str]]:
        """By test and phase: the signature, and the message without what no run can repeat."""
        return {
            (each["test_id"], each["phase"]): (each["signature"], scrubbed(each["message"]))
            for each in self.events
        }

    def messages(self, test: str) -> set[str]:
        return {each["message"] for each in self.events if each["test_id"].endswith(f"::{test}")}


def scrubbed(message: str) -> str:
    return re.sub(r"0x[0-9a-f]+|/tmp/\S+|'gw\d'", "#", message)


Runner = Callable[..., Inner]


def environment(changes: Mapping[str, str | None], beside: tuple[str, ...]) -> dict[str, str]:
    """Without the variables of the run that this test is part of; `None` takes one away.

    The hash seed is given, unless a test wants to see the restart that it saves.
    """
    ours = ("PYTEST_", "_REVERIE", "REVERIE", "PYTHONHASHSEED", "PYTHONPATH", "FREEZE_", "ALLOW_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    path = os.pathsep.join(str(BESIDE / name) for name in beside)
    kept |= {"PYTHONHASHSEED": "0"} | ({"PYTHONPATH": path} if path else {})
    return {name: value for name, value in {**kept, **changes}.items() if value is not None}


def events_in(folder: Path) -> tuple[dict[str, Any], ...]:
    file = folder / "reports" / "events.ndjson"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return tuple(map(json.loads, lines))


@pytest.fixture
def run_pytest() -> Runner:
    """Runs pytest in a folder; `program` is how it is started."""

    def run(
        folder: Path,
        *arguments: str,
        beside: tuple[str, ...] = (),
        program: tuple[str, ...] = (sys.executable, "-m", "pytest"),
        **environ: str | None,
    ) -> Inner:
        line = [*program, "-p", "no:cacheprovider", *arguments]
        ran = subprocess.run(
            line,
            cwd=folder,
            env=environment(environ, beside),
            capture_output=True,
            text=True,
            timeout=120,
        )
        return Inner(ran.returncode, ran.stdout, ran.stderr, events_in(folder))

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A fresh copy of the torture project."""
    folder = tmp_path / "project"
    shutil.copytree(Path(__file__).parent / "project", folder)
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Callable[..., Path]:
    """A project of one file."""

    def write(test: str, ini: str = "") -> Path:
        (tmp_path / "test_it.py").write_text(test, encoding="utf-8")
        (tmp_path / "pytest.ini").write_text(f"[pytest]\n{ini}\n", encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture(scope="session")
def plugins(not_run: Callable[[str], NoReturn]) -> tuple[str, ...]:
    """pytest-xdist and pytest-asyncio, where the setup could fetch them."""
    if not all((BESIDE / name).is_dir() for name in PLUGINS):
        not_run("pytest-xdist and pytest-asyncio are not beside the virtual environment")
    return PLUGINS
