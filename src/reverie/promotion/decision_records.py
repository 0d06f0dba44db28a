"""Records of a promotion: flags of the alignment flagger, and a decision record.

What the flagger finds is written down, the worst is refused. A decision record is written from
the evidence, where and how the repository keeps its own.
"""

import json
import logging
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reverie.errors import Refused
from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.model.change import Change, FileEdit
from reverie.model.codec import plain
from reverie.model.cycle import Proven
from reverie.model.events import EventName, Publish, unheard
from reverie.model.repository.quality import AlignmentReport, AlignmentVerdict
from reverie.model.ruling import Approval
from reverie.model.settings.promotion import AlignmentSection
from reverie.model.worth import gains_of, listed
from reverie.promotion.commits import one_line

FLAGS_FILE = "alignment_flags.jsonl"
_log = logging.getLogger(__name__)


def flags_of(proven: Proven, section: AlignmentSection) -> AlignmentReport:
    """What a person should look at in a dream."""
    return HumanAlignmentFlagger(section).flag(proven.dream.change)


def require_aligned(proven: Proven, section: AlignmentSection) -> None:
    """Raise `Refused` for a dream whose flags are too many, or one of them too grave."""
    if not section.enabled:
        return
    report = flags_of(proven, section)
    if report.verdict is AlignmentVerdict.FAILURE:
        rules = ", ".join(dict.fromkeys(flag.rule for flag in report.flags))
        raise Refused(f"the change {proven.dream.id} is an {report.verdict}: {rules}")


def append_flags(
    folder: Path,
    report: AlignmentReport,
    at: datetime,
    about: Mapping[str, str],
    publish: Publish = unheard,
) -> None:
    """Tell of a change that has flags: a line with what it is about, and the event."""
    if not report.flags:
        return
    name = EventName.ALIGNMENT_FLAG
    told = {"event": str(name), "at": at.isoformat(), **about, **plain(report)}
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / FLAGS_FILE, "a", encoding="utf-8") as stream:
        stream.write(json.dumps(told, sort_keys=True) + "\n")
    level = logging.INFO if report.verdict is AlignmentVerdict.PASS else logging.WARNING
    _log.log(level, "%s: %s, score %.2f", name, report.verdict, report.score)
    publish(name, {**about, **plain(report)})


FOLDERS = (
    "docs/decisions",
    "docs/adr",
    "docs/adrs",
    "doc/adr",
    "docs/architecture/decisions",
    "adr",
)
_NUMBERED = re.compile(r"(?P<number>\d{2,6})(?P<parting>[-_])[^/]*\.md")
_BOLD = re.compile(r"(?m)^\*\*(Context|Decision)\.?\*\*")
_TITLE_CHARACTERS = 100
_CANARY_SHARE, _CANARY_CALLS = 0.05, 1000


@dataclass(frozen=True, slots=True)
class Habit:
    """How a repository writes its decisions."""

    folder: str = FOLDERS[0]
    number: int = 1
    digits: int = 4
    parting: str = "-"
    is_bold: bool = False
    """Sections open with a word in bold instead of a heading."""


def read_habit(files: Collection[str], read: Mapping[str, str] | None = None) -> Habit:
    """The habit that the paths of a repository show; `read`: texts of records that are there."""
    for folder in FOLDERS:
        names = [path.removeprefix(f"{folder}/") for path in files if path.startswith(f"{folder}/")]
        found = [match for name in names if (match := _NUMBERED.fullmatch(name))]
        if found:
            newest = max(found, key=lambda match: int(match["number"]))
            text = (read or {}).get(f"{folder}/{newest[0]}", "")
            return Habit(
                folder=folder,
                number=int(newest["number"]) + 1,
                digits=len(newest["number"]),
                parting=newest["parting"],
                is_bold=bool(_BOLD.search(text)),
            )
    return Habit()


def decision_record(
    proven: Proven, approvals: Sequence[Approval], habit: Habit, at: datetime
) -> Change:
    """The record as a change that adds one file."""
    title = one_line(proven.dream.title, _TITLE_CHARACTERS)
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or proven.dream.id
    path = f"{habit.folder}/{habit.number:0{habit.digits}d}{habit.parting}{slug}.md"
    text = "\n".join(_lines(proven, approvals, habit, title, at)) + "\n"
    return Change((FileEdit(path, None, text, mode_after="100644"),))


def _lines(
    proven: Proven, approvals: Sequence[Approval], habit: Habit, title: str, at: datetime
) -> Iterator[str]:
    yield f"# {habit.number}. {_plain(title)}"
    parts = (
        ("Status", [f"Accepted, {at.date().isoformat()}."]),
        ("Context", list(_context(proven))),
        ("Decision", list(_decision(proven, approvals))),
        ("Evidence", list(_evidence(proven))),
        ("Consequences", list(_consequences(proven))),
        ("Rollback", list(_rollback(proven))),
        ("Canary plan", list(_canary(proven))),
        ("How we would notice it was wrong", list(_alarm(proven))),
    )
    for name, lines in parts:
        yield ""
        if habit.is_bold:
            yield f"**{name}.** {lines[0]}"
            yield from lines[1:]
        else:
            yield from (f"## {name}", "", *lines)


def _context(proven: Proven) -> Iterator[str]:
    dream = proven.dream
    yield f"`{_code(dream.module)}` was measured at revision `{proven.source.revision}`."
    yield f"`{_code(dream.dreamer)}` proposed a change of kind {dream.kind}."


def _decision(proven: Proven, approvals: Sequence[Approval]) -> Iterator[str]:
    paths = ", ".join(f"`{_code(path)}`" for path in proven.dream.change.paths)
    yield f"Change {paths}: {proven.dream.change.lines_changed} lines, id `{proven.dream.id}`."
    for each in approvals:
        yield f"Approved by {_plain(each.name)}, key `{each.keyid[:16]}`."


def _evidence(proven: Proven) -> Iterator[str]:
    yield from ("| measure | value |", "|---|---|")
    for name, value in sorted(proven.evidence.measures.items()):
        yield f"| `{_code(name)}` | {value:.6g} |"
    yield ""
    yield from ("| gate | answer | measured | required |", "|---|---|---|---|")
    for each in proven.judgement.rulings:
        told = (each.gate, str(each.verdict), _told(each.measured), _told(each.required))
        yield "| " + " | ".join(_plain(cell) for cell in told) + " |"


def _consequences(proven: Proven) -> Iterator[str]:
    gains = gains_of(proven.evidence.measures)
    if gains:
        yield f"By the evidence above: {listed(gains)}."
    yield "Whoever changes these callables again has to keep what the proof compared."


def _rollback(proven: Proven) -> Iterator[str]:
    yield f"`reverie rollback {proven.dream.id}`: a commit that reverts it."
    yield "That was tried, to the last byte, before this was offered."


def _canary(proven: Proven) -> Iterator[str]:
    calls = f"at least {_CANARY_CALLS} calls"
    yield f"Old and new side by side on {_CANARY_SHARE:.0%} of the calls, {calls}."
    yield "A difference in results, a new error or a slower 95th percentile ends it: roll back."


def _alarm(proven: Proven) -> Iterator[str]:
    yield f"`reverie verify` no longer reproduces the bundle of `{proven.dream.id}`."
    yield "Or the canary ends."


def _told(value: float | str | None) -> str:
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def _plain(text: str) -> str:
    """Text that is only text in Markdown: no table, link, tag or emphasis comes of it."""
    return re.sub(r"([\\`*_\[\]<>|#!])", r"\\\1", one_line(text, 200))


def _code(text: str) -> str:
    return one_line(text, 200).replace("`", "'").replace("|", "\\|")
