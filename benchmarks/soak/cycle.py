"""`python -m benchmarks.soak.cycle`: kill -9 a cycle at any moment, recover it, compare the end.

After every recovery the verdicts must be those of a cycle that nobody disturbed, every promotion
must be one commit with one whole bundle, and nothing of the user's may have changed: files,
index, HEAD, branches, stash. The repository is one small module; `--real` kills `reverie run`
itself, dreams and trials and all.
"""

import argparse
import json
import random
import shutil
import signal
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from benchmarks.figures import summarize
from benchmarks.soak.small import make_small
from benchmarks.soak.subject import End, Subject

_AGAIN = 0.7
"""How likely a recovery is killed as well."""
_MOST_KILLS_EACH = 8
_PATIENCE_SECONDS = 1800.0


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
            told = tally.failures[-1] if tally.failures else "as if undisturbed"
            bar.console.print(f"cycle {number + 1}: killed {tally.kills - before} times, {told}")
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
    """A repository with work that nobody has committed yet."""
    folder = place / "template"
    make_small(folder)
    (folder / "notes.txt").write_text("mine\n")
    readme = folder / "README.md"
    readme.write_text(readme.read_text() + "\nNot committed yet.\n")
    return folder


def _wishes(options: argparse.Namespace) -> list[str] | None:
    return ["--executions", str(options.executions), "--seed", "3"] if options.real else None


def _undisturbed(place: Path, template: Path, options: argparse.Namespace) -> tuple[End, float]:
    (place / "undisturbed").mkdir()
    subject = Subject(place / "undisturbed", template, _wishes(options))
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
    subject = Subject(folder, template, _wishes(options))
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
    parser.add_argument("--real", action="store_true", help="kill `reverie run` itself")
    parser.add_argument("--executions", type=int, default=20, help="budget of --real")
    parser.add_argument("--keep", action="store_true", help="do not remove repositories")
    parser.add_argument("--json", metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
