"""The far side's modules as one program, sent into the sandbox with the request."""

from functools import cache

from reverie.instruments.self_check import random_name
from reverie.model.outcome import IsolationTier
from reverie.sandbox.bundle import bundled
from reverie.sandbox.engine import Sandbox

ENTRY = "answer"
PLANTED = random_name()
"""What the mutant says that cannot be overlooked."""
_INSIDE = "reverie.instruments.mutation.inside"
PLANTED_INSIDE = {f"{_INSIDE}.sites": {"PLANTED": PLANTED}}


@cache
def far_side() -> str:
    """The source of a program whose `answer` takes a request and returns what was found."""
    return bundled(f"{_INSIDE}.entry:{ENTRY}", planted=PLANTED_INSIDE)


def private_folders(sandbox: Sandbox) -> list[str]:
    """Shared folders inside that nobody outside of the sandbox sees."""
    has_own_root = sandbox.tier is IsolationTier.NAMESPACES
    return ["$TMPDIR", *(("/tmp", "/dev/shm") if has_own_root else ())]
