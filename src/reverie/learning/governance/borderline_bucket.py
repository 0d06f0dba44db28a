"""`BorderlineBucket`: candidates on the border, in a file that is only ever added to."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.codec import Malformed, parse, plain, read
from reverie.model.governance import MicropilotMode

_RECENT = 10
_LONGEST_LINE = 1 << 16


@dataclass(frozen=True, slots=True)
class Candidate:
    """A workflow, module or dream that nearly passed."""

    subject: str
    raroi: tuple[float, ...]
    """The latest, oldest first."""
    confidence: float
    status: str
    """`candidate`, then `promoted` or `terminated`."""
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the file."""

    subject: str
    event: str
    raroi: float
    confidence: float
    context: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class PilotResult:
    """What a pilot measured: the trial again, repeated more often, with fresh seeds."""

    raroi: float
    confidence: float


Pilot = Callable[[Candidate], PilotResult]
"""Runs a real trial of a candidate."""


class BorderlineBucket:
    """What is queued, by subject. Every change is one line of the file, written whole."""

    def __init__(self, path: str | os.PathLike[str], mode: MicropilotMode | str = "queue") -> None:
        if mode not in list(MicropilotMode):
            raise UsageError(f"{mode!r} is no mode of micro-pilots: {', '.join(MicropilotMode)}")
        self._path = Path(path)
        self.mode = MicropilotMode(mode)

    def enqueue(
        self,
        subject: str,
        raroi: float,
        confidence: float,
        context: Mapping[str, Any] | None = None,
    ) -> None:
        """Queue a candidate, or note its latest figures. With the mode `off` nothing is queued."""
        if self.mode is not MicropilotMode.OFF:
            self._append(
                _Line(subject, "candidate", float(raroi), float(confidence), context or {})
            )

    def candidates(self) -> Mapping[str, Candidate]:
        """Everything that was ever queued, as it stands."""
        found: dict[str, Candidate] = {}
        for line in self._lines():
            before = found.get(line.subject)
            raroi = () if before is None else before.raroi
            found[line.subject] = Candidate(
                line.subject,
                (*raroi, line.raroi)[-_RECENT:],
                line.confidence,
                line.event,
                line.context or ({} if before is None else before.context),
            )
        return found

    def waiting(self) -> tuple[Candidate, ...]:
        """Those that nobody has decided on."""
        return tuple(each for each in self.candidates().values() if each.status == "candidate")

    def process(
        self, pilot: Pilot, raroi_threshold: float, confidence_threshold: float
    ) -> Mapping[str, str]:
        """Pilot every waiting candidate; what each became. An exception leaves it waiting."""
        decided = {}
        for each in self.waiting():
            try:
                found = pilot(each)
            except Exception:  # noqa: BLE001 - any failure of a pilot is a hold, whatever it was
                decided[each.subject] = "hold"
                continue
            decided[each.subject] = self.decide(
                each.subject, found, raroi_threshold, confidence_threshold
            )
        return decided

    def decide(
        self, subject: str, found: PilotResult, raroi_threshold: float, confidence_threshold: float
    ) -> str:
        """Note what a pilot came to: `promoted` or `terminated`."""
        passed = found.raroi >= raroi_threshold and found.confidence >= confidence_threshold
        decided = "promoted" if passed else "terminated"
        self._append(_Line(subject, decided, found.raroi, found.confidence))
        return decided

    def _append(self, line: _Line) -> None:
        text = json.dumps(plain(line), allow_nan=False) + "\n"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="ascii") as stream:
            stream.write(text)

    def _lines(self) -> list[_Line]:
        """Every whole line that is one of ours; a torn or foreign one is passed over."""
        if not self._path.is_file():
            return []
        found = []
        for line in self._path.read_bytes().splitlines():
            if len(line) <= _LONGEST_LINE:
                with suppress(Malformed):
                    found.append(read(_Line, parse(line), loose=True))
        return found


def process_borderline_candidates(
    bucket: BorderlineBucket,
    pilot: Pilot,
    raroi_threshold: float = 0.0,
    confidence_threshold: float = 0.5,
) -> Mapping[str, str]:
    """Pilot everything that waits in a bucket."""
    return bucket.process(pilot, raroi_threshold, confidence_threshold)
