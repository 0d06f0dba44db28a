"""What governance says about a workflow, a module or a dream, and on what grounds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class ReasonCode(StrEnum):
    """Why a promotion is not safe."""

    PROJECTED_ROI = "projected_roi_below_threshold"
    LOW_CONFIDENCE = "low_confidence"
    COLLAPSE = "roi_collapse_risk"
    IMPACT = "negative_dag_impact"
    UNKNOWN = "unknown"


class DeploymentVerdict(StrEnum):
    """What is to be done, worst last."""

    PROMOTE = "promote"
    PILOT = "pilot"
    BORDERLINE = "borderline"
    HOLD = "hold"
    DEMOTE = "demote"

    @property
    def severity(self) -> int:
        """Position in the order above."""
        return list(DeploymentVerdict).index(self)


class MicropilotMode(StrEnum):
    """What is done with candidates on the border."""

    AUTO = "auto"
    """Queue, and run a pilot at once."""
    QUEUE = "queue"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Override:
    """A person's word against a decision, whose signature was checked, until it expires."""

    subject: str
    verdict: DeploymentVerdict
    name: str
    why: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done, every reason, and the figures it rests on."""

    verdict: DeploymentVerdict
    reason_codes: tuple[str, ...]
    figures: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    overridden_by: str | None = None
