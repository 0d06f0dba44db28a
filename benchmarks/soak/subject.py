"""A repository whose cycles are killed: with uncommitted work in it, looked at from outside."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.soak.small import SETTINGS
from reverie.errors import UsageError
from reverie.model.cycle import CycleRecord, CycleState
from reverie.promotion.commits import DREAM_TRAILER
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import list_cycles, load_cycle

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class End:
    """What a cycle came to, and what is the user's."""

    verdicts: dict[str, str]
    """By dream: module and status."""
    commits: list[str]
    """Dreams on the branch, each once."""
    bundles: list[str]


class Subject:
    """A repository of its own for every cycle, with uncommitted work in it."""

    def __init__(self, folder: Path, template: Path, wishes: Sequence[str] | None) -> None:
        self.folder = folder
        self.repository = folder / template.name
        self.wishes = wishes
        """What `reverie run` is asked for; None: everything but the dreams is real."""
        shutil.copytree(template, self.repository, symlinks=True)
        (folder / "log").mkdir()
        self.before = self._belongings()

    def start(self, *, recover: bool) -> "subprocess.Popen[bytes]":
        """A cycle, or the recovery of one, in a process of its own."""
        if self.wishes is not None:
            command = [sys.executable, "-m", "reverie", "run", "--stage", "A", str(self.repository)]
            command += [] if recover else self.wishes
        else:
            command = [sys.executable, "-m", "benchmarks.soak.night", str(self.repository)]
            command += ["--log", str(self.folder / "log")]
        if recover:
            command.append("--recover")
        with (self.folder / "output.txt").open("ab") as output:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
                env={
                    **os.environ,
                    **SETTINGS,
                    "XDG_CONFIG_HOME": str(self.folder.parent / "config"),
                },
            )

    def end(self) -> End:
        """What the journal, git and the disk say."""
        with Journal.open(journal_url(self.repository)) as journal:
            (header,) = list_cycles(journal, self.repository)
            record = load_cycle(journal, header.id)
        assert header.state == "finished", f"{header.state}: {header.error}"
        verdicts = {each.dream.id: f"{each.dream.module} {each.status}" for each in record.dreams}
        named = f"--format=%(trailers:key={DREAM_TRAILER},valueonly)"
        branch = header.branch
        log = "" if branch is None else self.git("log", named, f"main..{branch}")
        bundles = self.repository / ".reverie" / "bundles"
        there = sorted(path.name for path in bundles.iterdir()) if bundles.is_dir() else []
        return End(verdicts, sorted(log.split()), there)

    def record(self) -> CycleRecord | None:
        """The cycle as the journal has it, if it has one."""
        try:
            with Journal.open(journal_url(self.repository), create=False) as journal:
                headers = list_cycles(journal, self.repository)
                return load_cycle(journal, headers[0].id) if headers else None
        except UsageError:
            return None  # killed before there was a journal

    def state(self) -> str:
        """How far the cycle is."""
        record = self.record()
        if record is None:
            return "before its first entry"
        if record.header.baseline is None:
            return "surveying"
        done = sum(step.state == "done" for step in record.steps)
        return f"{done} of {len(record.steps)} steps done"

    def is_finished(self) -> bool:
        """Whether nothing is left to do."""
        record = self.record()
        return record is not None and record.header.state is CycleState.FINISHED

    def changed(self) -> list[str]:
        """What of the user's is not as it was."""
        after = self._belongings()
        return sorted(
            name for name in {*self.before, *after} if self.before.get(name) != after.get(name)
        )

    def _belongings(self) -> dict[str, str]:
        """Every file of the tree, and what git says of it; not what is ours."""
        found = {}
        for path in sorted(self.repository.rglob("*")):
            name = path.relative_to(self.repository).as_posix()
            if path.is_file() and not name.startswith((".reverie/", ".git/")):
                found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        refs = self.git("for-each-ref", "--format=%(refname) %(objectname)")
        theirs = [line for line in refs.splitlines() if "refs/heads/reverie/" not in line]
        found["git refs"] = "\n".join(theirs)
        found["git HEAD"] = self.git("rev-parse", "HEAD") + self.git("symbolic-ref", "HEAD")
        found["git status"] = self.git("status", "--porcelain")
        found["git stash"] = self.git("stash", "list")
        index = self.repository / ".git" / "index"
        found["git index"] = self.git("ls-files", "--stage")
        found["git index there"] = str(index.is_file())
        return found

    def git(self, *arguments: str) -> str:
        """What git says about it."""
        ran = subprocess.run(
            ["git", *arguments], cwd=self.repository, capture_output=True, text=True, check=False
        )
        return ran.stdout.strip()
