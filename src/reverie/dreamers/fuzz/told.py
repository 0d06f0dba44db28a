"""A claim of the sandbox's that a law is broken, read with suspicion."""

import ast
from dataclasses import dataclass
from typing import Any, Self, TypeGuard

_TEXT = 400


@dataclass(frozen=True, slots=True)
class Told:
    """One claim of the sandbox's."""

    law: int
    model: int | None
    class_number: int | None
    arguments: tuple[tuple[str, str], ...]
    is_late: bool
    actual: str
    error: str
    message: str
    frame: str
    held: int
    failed: int
    fresh: tuple[int, int] = (0, 0)
    """Held and failed, of inputs made anew."""
    earlier: tuple[str, ...] = ()
    """Calls that have to be made before."""
    lines: tuple[str, ...] = ()
    asked: str = ""
    expected: str | None = None
    is_truth: bool = False

    @classmethod
    def read(cls, claim: Any) -> Self | None:
        """A claim in the form it has to have; None for anything else."""
        if not isinstance(claim, dict):
            return None
        lines, earlier = claim.get("lines", []), claim.get("earlier", [])
        sources = [source for _, source in claim.get("arguments", [])]
        if not all(map(is_source, (*lines, *earlier, *sources, claim.get("asked", "0")))):
            return None
        expected = claim.get("expected")
        return cls(
            law=_whole(claim.get("law")),
            model=claim["model"] if type(claim.get("model")) is int else None,
            class_number=claim["class"] if type(claim.get("class")) is int else None,
            arguments=tuple(
                (str(name), str(source)) for name, source in claim.get("arguments", [])
            ),
            is_late=claim.get("is_late") is True,
            actual=str(claim.get("actual", ""))[:_TEXT],
            error=str(claim.get("error", ""))[:100],
            message=str(claim.get("message", ""))[:_TEXT],
            frame=str(claim.get("frame", ""))[:100],
            held=_whole(claim.get("held")),
            failed=_whole(claim.get("failed")),
            fresh=_pair(claim.get("fresh")),
            earlier=tuple(map(str, earlier)),
            lines=tuple(map(str, lines)),
            asked=str(claim.get("asked", "")),
            expected=None if expected is None else str(expected),
            is_truth=claim.get("is_truth") is True,
        )

    @property
    def errors(self) -> frozenset[str]:
        """What a script of this claim raises, if it is true."""
        if self.model is not None:
            return frozenset({"AssertionError", self.actual.partition(":")[0]})
        return frozenset({self.error or "AssertionError"})


def is_source(text: Any) -> TypeGuard[str]:
    """Whether a text is one expression or assignment."""
    if not isinstance(text, str):
        return False
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr | ast.Assign)


def _pair(value: Any) -> tuple[int, int]:
    is_pair = isinstance(value, list) and len(value) == 2
    return (_whole(value[0]), _whole(value[1])) if is_pair else (0, 0)


def _whole(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0
