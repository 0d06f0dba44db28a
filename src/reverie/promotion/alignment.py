"""The alignment flagger on every promotion: what it finds is written down, the worst is refused."""

import json
import logging
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from reverie.errors import Refused
from reverie.gates.alignment.flagger import HumanAlignmentFlagger
from reverie.model.alignment import AlignmentReport, AlignmentVerdict
from reverie.model.alignment_section import AlignmentSection
from reverie.model.codec import plain
from reverie.model.promotion import Proven
from reverie.model.published import EventName, Publish, unheard

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
        raise Refused(f"the dream {proven.dream.id} is an {report.verdict}: {rules}")


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
