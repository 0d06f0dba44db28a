"""Who is asked which modules nobody uses: Reverie, vulture and deptry, each by its command."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from benchmarks.orphans.sample import Sample

PEERS = Path(__file__).parent.parent / ".peers" / "orphans"
_REPORT = re.compile(
    r"^(.*?\.py):(\d+): unused (?:function|class|method|variable|attribute) '(\w+)'"
)
_TIMEOUT_SECONDS = 280


@dataclass(frozen=True, slots=True)
class Answer:
    """The paths that a judge calls unused or redundant, and the marks where it gives some."""

    flagged: frozenset[str]
    marks: dict[str, dict[str, bool]]


def ask_reverie(sample: Sample) -> Answer:
    """`reverie orphans --json`."""
    text = _output(sys.executable, "-m", "reverie", "orphans", str(sample.folder), "--json")
    modules = json.loads(text)["modules"]
    marks = {each["path"]: each for each in modules}
    flagged = {path for path, each in marks.items() if each["orphan"] or each["redundant"]}
    return Answer(frozenset(flagged), marks)


def ask_vulture(sample: Sample) -> Answer:
    """A module counts as flagged when vulture calls everything that it defines unused."""
    unused: dict[str, set[str]] = {}
    for line in _output(str(PEERS / "venv/bin/vulture"), str(sample.folder)).splitlines():
        if found := _REPORT.match(line):
            path = Path(found[1])
            path = path if path.is_absolute() else Path.cwd() / path
            unused.setdefault(str(path.relative_to(sample.folder.resolve())), set()).add(found[3])
    flagged = {
        path for path in sample.labels if _defined(sample.folder / path) <= unused.get(path, set())
    }
    return Answer(frozenset(path for path in flagged if _defined(sample.folder / path)), {})


def ask_deptry(sample: Sample) -> Answer:
    """deptry judges dependencies; a module counts as flagged when any of its lines names it."""
    text = _output(str(PEERS / "venv/bin/deptry"), str(sample.folder), folder=sample.folder)
    return Answer(frozenset(path for path in sample.labels if f"'{path}'" in text), {})


def _defined(path: Path) -> set[str]:
    text = path.read_text("utf-8", errors="replace")
    return set(re.findall(r"^(?:async )?(?:def|class) (\w+)", text, re.MULTILINE))


def _output(*command: str, folder: Path | None = None) -> str:
    ran = subprocess.run(
        command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, cwd=folder
    )
    return ran.stdout + (ran.stderr if "deptry" in command[0] else "")
