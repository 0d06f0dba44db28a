"""What the whole suite shares: the command line in process, golden files, and what was not run."""

import gc
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import HealthCheck, settings
from tests.journals import copied_journals, migrated_journals  # noqa: F401  fixtures for all
from tests.postgres import any_url, postgres, postgres_url  # noqa: F401  fixtures for all
from tests.side_by_side import SideBySide

from reverie.home.key_file import KEY_FILE
from reverie.interfaces.cli.boundary import run

pytest.register_assert_rewrite("reverie.testing")

# A busy machine is no failure. `--hypothesis-profile=thorough` looks at more.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("suite", _PATIENT, max_examples=40)
settings.register_profile("thorough", _PATIENT, max_examples=400)
settings.load_profile("suite")

ROOT = Path(__file__).parent.parent

# The suite's own settings and key: those of whoever runs it are neither read nor written.
_HOME = tempfile.TemporaryDirectory(prefix="reverie-tests-home-")


def _move_in(folder: str) -> None:
    """One key for every run: seeds follow from it, and a test that fails fails again."""
    os.environ["XDG_CONFIG_HOME"] = folder
    os.environ["XDG_STATE_HOME"] = folder
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    pem = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = Path(folder, "reverie", KEY_FILE)
    path.parent.mkdir(mode=0o700, parents=True)
    path.touch(mode=0o600)
    path.write_bytes(pem)


_move_in(_HOME.name)


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write what was seen")
    parser.addoption("--side-by-side", type=int, default=0, help="how many processes run tests")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Sixteen thousand tests live until the end: nobody looks among them for what has died."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """In several processes where that was asked for, each with a home of its own."""
    count = session.config.getoption("--side-by-side")
    if not count or session.testsfailed or session.config.option.collectonly:
        return None
    SideBySide(session, count, lambda number: _move_in(f"{_HOME.name}/side{number}")).run()
    return True


@pytest.fixture(scope="session")
def run_folder() -> Path:
    """A folder of this run of the suite alone, shared by the processes that it is run in."""
    return Path(_HOME.name)


NOT_RUN = "NOT RUN: "


@pytest.fixture(scope="session")
def not_run() -> Callable[[str], NoReturn]:
    """Gives up on a test for want of something on this machine, and says so at the very end."""

    def give_up(reason: str) -> NoReturn:
        pytest.skip(NOT_RUN + reason)

    return give_up


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = (str(each.longrepr) for each in terminalreporter.stats.get("skipped", ()))
    reasons = {said[said.index(NOT_RUN) :].rstrip("')") for said in skipped if NOT_RUN in said}
    for reason in sorted(reasons):
        terminalreporter.line(reason, red=True, bold=True)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs one command line with an environment of its own."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*arguments: str, environ: Mapping[str, str] | None = None) -> Ran:
        capsys.readouterr()
        given = environ or {}
        # Of this process, as the user's seal is: a test may have a home of its own.
        names = ("XDG_CONFIG_HOME", "XDG_STATE_HOME")
        home = {} if "HOME" in given else {name: os.environ[name] for name in names}
        code = run(arguments, {**home, **given})
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """An empty repository."""
    folder = tmp_path / "repository"
    for name in ("objects", "refs"):
        (folder / ".git" / name).mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares text with a golden file; `--update-golden` writes the file instead."""

    def compare(name: str, seen: str) -> None:
        path = ROOT / "tests" / "golden" / name
        if request.config.getoption("--update-golden"):
            path.write_text(seen, encoding="utf-8")
        assert seen == path.read_text(encoding="utf-8"), f"differs from {path.name}"

    return compare


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


DAY = 86_400
START = 1_700_000_000


class ScriptedRepository:
    """A repository whose commits are made one by one, with the author and the day given."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, **environment: str) -> str:
        """Run git as its user would."""
        ran = subprocess.run(
            ["git", *arguments],
            cwd=self.folder,
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(self.folder.parent),
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_AUTHOR_NAME": "Ada",
                "GIT_AUTHOR_EMAIL": "ada@example.org",
                "GIT_COMMITTER_NAME": "Ada",
                "GIT_COMMITTER_EMAIL": "ada@example.org",
                **environment,
            },
            capture_output=True,
            text=True,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.strip()

    def write(self, files: dict[str, str | bytes]) -> None:
        """Lay files into the working tree."""
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self,
        message: str,
        files: dict[str, str | bytes] | None = None,
        *,
        day: int = 0,
        author: str = "Ada",
    ) -> str:
        """Commit everything; returns the commit."""
        self.write(files or {})
        moment = f"{START + day * DAY} +0000"
        self.git("add", "-A")
        self.git(
            *("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", message),
            GIT_AUTHOR_NAME=author,
            GIT_AUTHOR_EMAIL=f"{author.lower()}@example.org",
            GIT_AUTHOR_DATE=moment,
            GIT_COMMITTER_DATE=moment,
        )
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[..., ScriptedRepository]:
    """Makes a repository with a past of one's own choosing."""

    def make(name: str = "scripted") -> ScriptedRepository:
        return ScriptedRepository(tmp_path / name)

    return make
