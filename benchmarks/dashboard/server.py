"""The servers that are measured: `reverie serve`, and a PostgreSQL whose data can be kept."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import Server, find_programs

DATABASE = "journal_0"


class KeptServer(Server):
    """The tests' server, started again on what it was stopped with."""

    def _reachable(self, programs: Path) -> Path:
        copied = list((self.home / "programs").glob("*/*/bin"))
        return copied[0] if copied else super()._reachable(programs)

    def start(self) -> None:
        """Make the cluster unless it is there, and run it."""
        if not self.data.exists():
            super().start()
            self.new_database()
            return
        control = self.programs / "pg_ctl"
        options = f"-c listen_addresses='' -c fsync=off -c max_connections=50 -k {self.home}"
        log = self.home / "log"
        self._run([control, "-D", self.data, "-w", "-t", "60", "-l", log, "-o", options, "start"])

    def stop(self) -> None:
        """Stop it so that it can be started again."""
        self._run([self.programs / "pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop"])


@contextmanager
def postgres(home: Path) -> Iterator[tuple[str, int]]:
    """A server: the address of its database, and the process that its others come from."""
    programs = find_programs()
    if programs is None:
        raise SystemExit("no PostgreSQL programs here: not measured")
    home.mkdir(parents=True, exist_ok=True)
    server = KeptServer(programs, home)
    server.start()
    try:
        watched = int((server.data / "postmaster.pid").read_text().split()[0])
        yield server.url(DATABASE), watched
    finally:
        server.stop()


@contextmanager
def served(repository: Path, url: str) -> Iterator[tuple[str, int, str, int]]:
    """`reverie serve`: host, port, token and process."""
    line = [sys.executable, "-m", "reverie", "serve", "--port", "0", "--json"]
    line += ["--repo", str(repository), "--journal-url", url]
    process = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            said = process.stdout.readline()
            assert said, "the server has ended"
            told += said
        document = json.loads(told)
        host, port = re.findall(r"//([^:]+):(\d+)", document["address"])[0]
        yield host, int(port), document["token"], process.pid
    finally:
        process.terminate()
        process.wait(10)
