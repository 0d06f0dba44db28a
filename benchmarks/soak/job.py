"""One execution of the soak, and what may come of it."""

from collections.abc import Callable
from dataclasses import dataclass

from reverie.model.execution import Execution, Request


@dataclass(frozen=True, slots=True)
class Job:
    """A request, and the judgement on its execution, made here on the host."""

    kind: str
    is_hostile: bool
    request: Request
    objection: Callable[[Execution], str | None]
    """What is wrong with an execution of it; None when it is as it should be."""
