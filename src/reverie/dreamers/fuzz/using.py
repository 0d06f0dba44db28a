"""Uses that tests and documents show, tried in the sandbox: from its claims to findings.

Laws here are not of one function's words: an object that is a sequence, a set or a mapping answers
like one, an input one edit away from one that works is not an error that nobody means, a number
and its spelling are the same. What most uses of a package obey is meant, the rest is found.
"""

import hashlib
import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Self

from reverie.dreamers.enrich.search.search import as_list, as_whole
from reverie.dreamers.enrich.target import Target, told_by, trying_policy, trying_request
from reverie.dreamers.fuzz.claims.subjects import Reading
from reverie.dreamers.fuzz.inside.prelude import stray_raises
from reverie.dreamers.fuzz.law import Basis, LawKind
from reverie.dreamers.fuzz.program import ENTRY, uses_program
from reverie.dreamers.fuzz.repro import Failing, script
from reverie.dreamers.fuzz.shown import shown_uses
from reverie.model.execution import Call
from reverie.model.repository.environment import Discovery
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import NOT_PYTHON, parse_expression, parse_module

_SPARE_SECONDS, _RESULT_MB, _HASH_SEED = 45.0, 16, 0
_PRELOADED = ("ast", "copy", "itertools", "linecache", "pickle", "unicodedata")
_TEXT = 400
_HANDLER = re.compile(r"raise|err|handle|exc|fail|response", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Shown:
    """One claim of the sandbox's about a use."""

    key: str
    statements: tuple[str, ...]
    check: str
    says: str
    actual: str
    input: str
    errors: frozenset[str]
    is_late: bool
    where: str
    held: int

    @classmethod
    def read(cls, claim: Any) -> Self | None:
        """A claim in the form it has to have; None for anything else."""
        if not isinstance(claim, dict):
            return None
        statements = tuple(map(str, as_list(claim.get("statements"))))
        check = str(claim.get("check", ""))
        try:
            parse_module("\n".join(statements))
            parse_expression(check)
        except NOT_PYTHON:
            return None
        return cls(
            key=str(claim.get("key", "")),
            statements=statements,
            check=check,
            says=str(claim.get("says", ""))[:_TEXT],
            actual=str(claim.get("actual", ""))[:_TEXT],
            input=str(claim.get("input", ""))[:_TEXT],
            errors=frozenset(map(str, as_list(claim.get("errors")))),
            is_late=claim.get("is_late") is True,
            where=str(claim.get("where", ""))[:100],
            held=as_whole(claim.get("held")),
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of the uses of one module."""

    claims: tuple[Shown, ...]
    executions: int


def try_uses(
    sandbox: Sandbox, target: Target, names: Sequence[str], seconds: float, most: int | None = None
) -> Tried:
    """Uses that come to the named functions and classes, or to any of the module."""
    stray = tuple(misplaced_raises(target, names))
    uses = shown_uses(target, names)
    if not uses:
        return Tried(stray, 0)
    base = Path(target.import_root, target.package)
    request = {
        "module": target.module,
        "paths": [each for each in (target.import_root, target.repository) if each],
        "folder": str(base) + os.sep if base.is_dir() else target.path,
        "names": list(names),
        "uses": [each.document() for each in uses],
        "protocols": protocols(),
        "most": most or 10**9,
        "seconds": max(1.0, seconds),
    }
    call = Call(uses_program(), ENTRY, {"request": request})
    policy = trying_policy(sandbox, target, _HASH_SEED, _PRELOADED)
    asked = trying_request(sandbox, call, policy, seconds + _SPARE_SECONDS, _RESULT_MB)
    answer = told_by(sandbox.run(asked), target)
    claims = tuple(filter(None, map(Shown.read, as_list(answer.get("findings")))))
    return Tried((*stray, *claims), as_whole(answer.get("executions")))


@cache
def protocols() -> dict[str, Any]:
    """Laws of Python's protocols, as their file says them."""
    file = resources.files("reverie.dreamers.fuzz.claims") / "protocols.toml"
    return tomllib.loads(file.read_text("utf-8"))


def misplaced_raises(target: Target, names: Sequence[str]) -> Iterator[Shown]:
    """A `raise` of nothing outside of every handler: the source alone shows what comes of it."""
    for name in stray_raises(target.source):
        if names and name.partition(".")[0] not in names:
            continue
        if _HANDLER.search(name):
            continue  # made to be called where something is handled
        yield Shown(
            key=f"error raise {name}",
            statements=(f"source = inspect.getsource(sys.modules[{target.module!r}])",),
            check=f"{name!r} not in stray_raises(source)",
            says="what is raised again is being handled",
            actual="RuntimeError: No active exception to reraise, whenever that line is reached",
            input=f"a bare raise in {name}, outside of every except",
            errors=frozenset({"AssertionError"}),
            is_late=False,
            where=name,
            held=0,
        )


def discoveries(
    claims: Sequence[Shown], target: Target, reading: Reading
) -> Iterator[tuple[Discovery, Shown]]:
    """A finding for each claim."""
    for told in claims:
        failing = Failing(told.says, told.statements, told.check, told.is_late)
        yield (
            Discovery(
                signature=_signature(told, target),
                callable=told.where or told.says.partition(":")[0].partition(" ")[0],
                kind=_kind(told),
                basis=Basis.NAMED.value if told.held else Basis.STATED.value,
                input=told.input,
                expected=told.says,
                actual=told.actual,
                hypothesis=_hypothesis(told),
                action=_action(told),
                repro=script(failing, target, reading.names),
            ),
            told,
        )


def _signature(told: Shown, target: Target) -> str:
    return hashlib.sha256(f"use|{target.module}|{told.key}".encode()).hexdigest()[:16]


_KINDS = {
    "error": LawKind.ERROR.value, "endless": "endless", "model": LawKind.MODEL.value,
    "equal": LawKind.AGREEMENT.value, "spelled": LawKind.AGREEMENT.value,
    "normal": LawKind.AGREEMENT.value, "round": LawKind.ROUND_TRIP.value,
}  # fmt: skip


def _kind(told: Shown) -> str:
    return _KINDS.get(told.key.partition(" ")[0], LawKind.POSTCONDITION.value)


def _hypothesis(told: Shown) -> str:
    if told.is_late:
        return "a loop does not come nearer to its end for this input"
    if told.key.startswith("error"):
        return f"an input next to one that works meets a case that is not handled in {told.where}"
    share = f"; {told.held} others obey" if told.held else ""
    return f"a case at the edge is computed differently{share}"


def _action(told: Shown) -> str:
    if told.is_late:
        return "see that every round gets on, or refuse the input"
    if told.key.startswith("error"):
        return "handle the case, or refuse it in words"
    return "step through it beside one that obeys"
