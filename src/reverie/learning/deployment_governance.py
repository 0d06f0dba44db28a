"""`deployment_governance.evaluate`: one decision on a workflow, a module or a dream.

Candidates on the border go into a `BorderlineBucket`, a file that is only ever added to.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.gates.governance import Question, Rule, decide_deployment
from reverie.learning.foresight_gate import Safety, is_foresight_safe_to_promote
from reverie.learning.foresight_tracker import ForesightTracker
from reverie.model.codec import Malformed, parse, pick, plain, read
from reverie.model.foresight import Decision, DeploymentVerdict, MicropilotMode, Override
from reverie.scoring.synergy import WorkflowGraph

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


Log = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Policy:
    """What an owner has laid down: rules, and words of people whose signature was checked."""

    rules: Sequence[Rule] = ()
    overrides: Sequence[Override] = ()
    roi_threshold: float = 0.0
    needs_history: bool = True
    """Whether little confidence in a history speaks against what was proven by itself."""
    log: Log | None = None
    """Takes every decision: the decision log."""
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


def evaluate(
    vetting: Mapping[str, Any],
    scorecard: Mapping[str, Any],
    *,
    patch: Sequence[str],
    foresight_tracker: ForesightTracker,
    workflow_id: str,
    workflow_graph: WorkflowGraph | None = None,
    borderline_bucket: BorderlineBucket | None = None,
    policy: Policy | None = None,
    candidate: str | None = None,
) -> dict[str, Any]:
    """`verdict`, `reason_codes`, `figures` and `overridden_by`. Whatever goes wrong is a hold.

    `candidate`: what is decided on and queued, where that is a change of the workflow or module.
    """
    subject = candidate or workflow_id
    law = policy or Policy()
    bucket = borderline_bucket
    if bucket is not None and bucket.mode is MicropilotMode.OFF:
        bucket = None
    try:
        safety = is_foresight_safe_to_promote(
            workflow_id, patch, foresight_tracker, workflow_graph, law.roi_threshold
        )
        question = _question(vetting, scorecard, subject, safety, law, bucket is not None)
        decision = decide_deployment(question, law.rules, law.overrides, law.now())
        if bucket is not None and decision.verdict is DeploymentVerdict.BORDERLINE:
            raroi, confidence = float(scorecard["raroi"]), float(scorecard["confidence"])
            bucket.enqueue(subject, raroi, confidence, {"patch": list(patch)})
    except Exception as error:  # noqa: BLE001 - fail closed: what cannot be decided is held
        decision = Decision(DeploymentVerdict.HOLD, (f"unknown: {type(error).__name__}",))
    told = pick(decision)
    if law.log is not None:
        law.log(subject, told)
    return told


def _question(
    vetting: Mapping[str, Any],
    scorecard: Mapping[str, Any],
    subject: str,
    safety: Safety,
    law: Policy,
    has_bucket: bool,
) -> Question:
    projected = [] if safety.forecast is None else [each.roi for each in safety.forecast.cycles]
    figures = dict(scorecard)
    if safety.forecast is not None:
        figures["forecast"] = {"confidence": safety.forecast.confidence, "n": safety.forecast.n}
    if safety.collapse is not None:
        figures["collapse"] = plain(safety.collapse)
    return Question(
        subject=subject,
        alignment=str(vetting["alignment"]["status"]),
        scorecard=figures,
        reasons=safety.reason_codes,
        lowest_projected=min(projected, default=None),
        roi_threshold=law.roi_threshold,
        has_bucket=has_bucket,
        cycles=None if law.needs_history else _cycles(safety),
    )


def _cycles(safety: Safety) -> int:
    return 0 if safety.forecast is None else safety.forecast.n
