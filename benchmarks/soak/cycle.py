"""`python -m benchmarks.soak.cycle`: kill -9 a cycle at any moment, recover it, compare the end.

After every recovery the verdicts must be those of a cycle that nobody disturbed, every promotion
must be one commit with one whole bundle, and nothing of the user's may have changed: files,
index, HEAD, branches, stash. `--real` kills `reverie run` itself on the sample repository.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks.figures import summarize
from reverie.errors import UsageError
from reverie.model.cycle import CycleRecord, CycleState
from reverie.promotion.commits import DREAM_TRAILER
from reverie.store import Journal, journal_url
from reverie.store.cycle_queries import list_cycles, load_cycle

ROOT = Path(__file__).resolve().parents[2]
_AGAIN = 0.4
"""How likely a recovery is killed as well."""
_MOST_KILLS_EACH = 4
_PATIENCE_SECONDS = 1800.0


@dataclass(frozen=True, slots=True)
class End:
    """What a cycle came to, and what is the user's."""

    verdicts: dict[str, str]
    """By dream: module and status."""
    commits: list[str]
    """Dreams on the branch, each once."""
    bundles: list[str]


@dataclass(slots=True)
class Tally:
    """What all kills together showed."""

    cycles: int = 0
    kills: int = 0
    states: Counter[str] = field(default_factory=Counter)
    """How far the cycle was when it was killed."""
    recover_seconds: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    haste: float = 1.0
    """Falls when kills come too late: a busy machine may have calmed down."""


class Subject:
    """A repository of its own for every cycle, with uncommitted work in it."""

    def __init__(self, folder: Path, template: Path, options: argparse.Namespace) -> None:
        self.folder = folder
        self.repository = folder / "lendery"
        self.options = options
        shutil.copytree(template, self.repository, symlinks=True)
        (folder / "log").mkdir()
        self.before = self._belongings()

    def start(self, *, recover: bool) -> "subprocess.Popen[bytes]":
        if self.options.real:
            command = [sys.executable, "-m", "reverie", "run", str(self.repository)]
            command += [] if recover else ["--executions", str(self.options.executions)]
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
                env={**os.environ, "XDG_CONFIG_HOME": str(self.folder.parent / "config")},
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
        ran = subprocess.run(
            ["git", *arguments], cwd=self.repository, capture_output=True, text=True, check=False
        )
        return ran.stdout.strip()


def main() -> int:
    options = _parse_options()
    chance = random.Random(options.seed)
    tally = Tally()
    console = Console()
    with tempfile.TemporaryDirectory(prefix="reverie-night-") as folder, Progress() as bar:
        place = Path(folder)
        template = _template(place)
        expected, seconds = _undisturbed(place, template, options)
        task = bar.add_task("cycles killed and recovered", total=options.kills)
        while tally.kills < options.kills and not tally.failures:
            before = tally.kills
            number = tally.cycles
            _one(place / f"cycle{number}", template, options, chance, expected, seconds, tally)
            bar.update(task, advance=tally.kills - before)
    _show(console, tally, expected, seconds)
    if options.json:
        document = {
            "cycles": tally.cycles,
            "kills": tally.kills,
            "states": dict(tally.states),
            "recover_seconds": tally.recover_seconds,
            "failures": tally.failures,
            "undisturbed_seconds": seconds,
            "expected": asdict(expected),
        }
        Path(options.json).write_text(json.dumps(document, indent=1))
    return 1 if tally.failures else 0


def _template(place: Path) -> Path:
    """The sample repository, with work that nobody has committed yet."""
    sys.path.insert(0, str(ROOT / "examples"))
    from sample_history import make_sample

    folder = place / "template"
    make_sample(folder)
    (folder / "notes.txt").write_text("mine\n")
    readme = folder / "README.md"
    readme.write_text(readme.read_text() + "\nNot committed yet.\n")
    return folder


def _undisturbed(place: Path, template: Path, options: argparse.Namespace) -> tuple[End, float]:
    (place / "undisturbed").mkdir()
    subject = Subject(place / "undisturbed", template, options)
    began = time.monotonic()
    process = subject.start(recover=False)
    code = process.wait(_PATIENCE_SECONDS)
    seconds = time.monotonic() - began
    assert code == 0, (subject.folder / "output.txt").read_text()
    assert subject.changed() == [], subject.changed()
    return subject.end(), seconds


def _one(
    folder: Path,
    template: Path,
    options: argparse.Namespace,
    chance: random.Random,
    expected: End,
    seconds: float,
    tally: Tally,
) -> None:
    """One cycle: killed, recovered, perhaps killed again, at last left alone."""
    folder.mkdir()
    subject = Subject(folder, template, options)
    tally.cycles += 1
    for attempt in range(_MOST_KILLS_EACH):
        if subject.is_finished():
            break
        process = subject.start(recover=subject.record() is not None)
        time.sleep(chance.uniform(0, seconds * tally.haste))
        process.send_signal(signal.SIGKILL)
        if process.wait() == -signal.SIGKILL:
            tally.kills += 1
            tally.states[subject.state()] += 1
        else:
            tally.haste *= 0.8
        if changed := subject.changed():
            tally.failures.append(f"{folder.name}: changed after a kill: {changed}")
        if attempt and chance.random() > _AGAIN:
            break
    if not _left_alone(subject, tally):
        return
    end = subject.end()
    if end != expected:
        tally.failures.append(f"{folder.name}: {_difference(end, expected)}")
    if changed := subject.changed():
        tally.failures.append(f"{folder.name}: changed: {changed}")
    if not options.keep:
        shutil.rmtree(folder, ignore_errors=True)


def _left_alone(subject: Subject, tally: Tally) -> bool:
    """The last recovery, to its end; whether it came to one."""
    if subject.is_finished():
        return True
    began = time.monotonic()
    process = subject.start(recover=subject.record() is not None)
    code = process.wait(_PATIENCE_SECONDS)
    tally.recover_seconds.append(time.monotonic() - began)
    if code != 0:
        said = (subject.folder / "output.txt").read_text()[-1500:]
        tally.failures.append(f"{subject.folder.name}: the recovery ended with {code}: {said}")
    return code == 0


def _difference(end: End, expected: End) -> str:
    for name in ("verdicts", "commits", "bundles"):
        if getattr(end, name) != getattr(expected, name):
            return f"{name}: {getattr(end, name)} instead of {getattr(expected, name)}"
    return "no difference"


def _show(console: Console, tally: Tally, expected: End, seconds: float) -> None:
    verdicts = Counter(text.split()[-1] for text in expected.verdicts.values())
    console.print(
        f"undisturbed: {seconds:.1f} s, {dict(verdicts)}, {len(expected.commits)} commits"
    )
    console.print(f"{tally.cycles} cycles, {tally.kills} kills; how far they were when killed:")
    for state, count in sorted(tally.states.items()):
        console.print(f"  {count:4d}  {state}")
    if tally.recover_seconds:
        console.print(f"recovery: {summarize(tally.recover_seconds)}")
    for failure in tally.failures:
        console.print(f"[red]{failure}[/]")
    if not tally.failures:
        console.print("every end is that of the undisturbed cycle; nothing of the user's changed")


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", action="store_true", help="kill `reverie run` on the sample")
    parser.add_argument("--executions", type=int, default=900, help="budget of --real")
    parser.add_argument("--keep", action="store_true", help="do not remove repositories")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
