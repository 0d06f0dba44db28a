"""From what the sandbox told to findings: read with suspicion, said in words, with a script."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.fuzz.claims.classes import ClassPromises
from reverie.dreamers.fuzz.claims.containers import Container
from reverie.dreamers.fuzz.claims.subjects import Reading
from reverie.dreamers.fuzz.explaining import explained
from reverie.dreamers.fuzz.law import Basis, Law, LawKind
from reverie.dreamers.fuzz.repro import Failing, failing_of, script
from reverie.dreamers.fuzz.told import Told
from reverie.model.discovery import Discovery
from reverie.model.failure import failure_signature

_LEAST_HELD = 10
_MOST_NAMED, _MOST_PAIRED, _MOST_SAID = 0.34, 0.85, 0.7
"""Shares of the inputs that may break a law before it is none."""
_MOST_ASSURED = 0.97
_ASSURED = re.compile(r"\b(?:guaranteed|always|never|exactly)\b", re.IGNORECASE)
"""Words that leave little room to misread a sentence."""


def is_believable(told: Told, laws: Sequence[Law]) -> bool:
    """Whether a broken law is a law: what nearly no input obeys was never meant."""
    if told.model is not None or told.class_number is not None:
        return True
    if told.law >= len(laws):
        return False
    law = laws[told.law]
    if told.is_late:
        return not law.subject.rpartition(".")[2].startswith("_")
    share = min(_share(told.held, told.failed), _share(*told.fresh))
    if law.basis is Basis.NAMED:
        most = _MOST_PAIRED if law.kind is LawKind.ROUND_TRIP else _MOST_NAMED
        return told.held >= _LEAST_HELD and share <= most
    if law.kind is LawKind.FORMULA and law.variables:
        return told.held > 0
    if law.kind is LawKind.POSTCONDITION and not law.steps:
        return share <= (_MOST_ASSURED if _ASSURED.search(law.says) else _MOST_SAID)
    return True


def discovery_of_law(
    told: Told, laws: Sequence[Law], target: Target, reading: Reading
) -> Discovery | None:
    """The finding that a broken law is."""
    law = laws[told.law]
    names = tuple(each.name for each in law.variables)
    if tuple(name for name, _ in told.arguments) != names:
        return None
    if told.is_late:
        expected, kind = f"{law.subject} returns", "endless"
    else:
        expected, kind = law.says, law.kind.value
    failing = failing_of(law, told.arguments, told.is_late)
    failing = replace(failing, statements=(*told.earlier, *failing.statements))
    hypothesis, action = explained(law, told)
    return Discovery(
        signature=_signature(law, told, target),
        callable=law.subject,
        kind=kind,
        basis=law.basis.value,
        input=_input(law, told),
        expected=expected,
        actual=told.actual,
        hypothesis=hypothesis,
        action=action,
        repro=script(failing, target, reading.names),
    )


def discovery_of_model(
    told: Told, containers: Sequence[Container], target: Target, reading: Reading
) -> Discovery | None:
    """The finding that a class parts from its model."""
    if told.model is None or told.model >= len(containers):
        return None
    container = containers[told.model]
    asked = told.asked
    if told.is_late:
        statements: tuple[str, ...] = (*told.lines, f"result = {asked}")
        check, expected = "True", f"{asked} returns"
    elif told.expected is None:
        statements = (*told.lines, f"raised = errors_of(lambda: {asked})")
        check, expected = "raised", "an error, or nothing: it is not there"
    else:
        value = f"bool({asked})" if told.is_truth else asked
        statements = (*told.lines, f"result = {value}")
        check, expected = (
            f"same(result, {told.expected})",
            f"{told.expected}, as a plain {container.model} says",
        )
    says = f"{container.name} answers like a plain {container.model}"
    failing = Failing(says, statements, check, told.is_late)
    done = "; ".join((*told.lines, asked))
    return Discovery(
        signature=_digest(f"model|{container.name}|{container.model}|{target.module}"),
        callable=container.name,
        kind=LawKind.MODEL.value,
        basis=Basis.STATED.value,
        input=done,
        expected=expected,
        actual=told.actual,
        hypothesis=f"these uses leave it in a state that no {container.model} can be in",
        action=f"look at what the last change before {asked} does to the others",
        repro=script(failing, target, reading.names),
    )


def discovery_of_class(
    told: Told, classes: Sequence[ClassPromises], target: Target, reading: Reading
) -> Discovery | None:
    """The finding that a class breaks its word after some uses."""
    if told.class_number is None or told.class_number >= len(classes):
        return None
    made = classes[told.class_number]
    if told.law >= len(made.laws):
        return None
    law = made.laws[told.law]
    values = [source for _, source in told.arguments]
    given = [f"{name} = {source}" for name, source in zip(law.parameters, values, strict=False)]
    statements = (*told.lines, *given, f"result = {told.asked}")
    failing = Failing(law.says, statements, law.check or "True")
    name = made.name if law.method is None else f"{made.name}.{law.method}"
    return Discovery(
        signature=_digest(f"class|{target.module}|{name}|{law.check or told.error}"),
        callable=name,
        kind=(LawKind.POSTCONDITION if law.check else LawKind.ERROR).value,
        basis=Basis.STATED.value,
        input="; ".join((*told.lines, told.asked)),
        expected=law.says,
        actual=told.actual,
        hypothesis=(
            "a check before the change is missing or one off"
            if law.check
            else f"the uses before leave a state that is not handled: {told.error}"
        ),
        action=f"look at what {told.asked} lets pass",
        repro=script(failing, target, reading.names),
    )


def _input(law: Law, told: Told) -> str:
    before = "".join(f"{_bare(each)}; " for each in told.earlier)
    return before + _own_input(law, told)


def _bare(call: str) -> str:
    return call.removeprefix("errors_of(lambda: ").removesuffix(")")


def _own_input(law: Law, told: Told) -> str:
    given = dict(told.arguments)
    if law.variables and all(each.owner == law.subject for each in law.variables):
        return f"{law.subject}({', '.join(given.values())})"
    if not law.variables:
        return "; ".join(law.steps)
    return ", ".join(f"{name} = {source}" for name, source in given.items())


def _signature(law: Law, told: Told, target: Target) -> str:
    """The same for every input that breaks the same law in the same way."""
    if told.is_late:
        return _digest(f"endless|{target.module}|{law.subject}")
    if told.error and law.kind is LawKind.ERROR:
        return failure_signature(told.error, told.message, f"{target.module}:{told.frame}")
    return _digest(
        f"{law.kind}|{target.module}|{law.subject}|{law.check}|{law.guard}|{law.setup}{law.steps}"
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _share(held: int, failed: int) -> float:
    return failed / (held + failed) if held + failed else 1.0
