"""One figure with what tells it from others of the same name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Observation:
    """A value and its labels."""

    value: float
    labels: Mapping[str, str] = field(default_factory=lambda: _NONE)
