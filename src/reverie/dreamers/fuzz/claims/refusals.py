"""Errors: which ones a callable says it raises, and when it says that it has to."""

import ast
import re
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.conditions import disjuncts
from reverie.dreamers.fuzz.claims.subjects import Reading, Subject, errors_named
from reverie.dreamers.fuzz.law import Basis, Law, LawKind, Variable

_RAISES = re.compile(
    r"(?:raises?|throws?) (?:an? )?`*(?P<error>[A-Z]\w*)`*,? (?:only )?"
    r"(?P<when>(?:when|if|for|unless)\b(?:[^.\n;]|\.\.|\.(?=\d))*)",
    re.IGNORECASE,
)
_SHORT = re.compile(r"(?P<error>[A-Z]\w*Error) (?P<when>(?:when|if)\b(?:[^.\n;]|\.\.|\.(?=\d))*)")
_SECTION = re.compile(
    r"(?:^|\n):?raises? (?P<error>[A-Z]\w*)\s*:\s*(?P<when>[^\n.]*)", re.IGNORECASE
)
_NEVER = re.compile(
    r"never raises|does not raise|always returns|never fails|raises nothing|total function"
    r"|works for (?:every|any|all)|accepts any",
    re.IGNORECASE,
)
_ALWAYS_TYPICAL = ("NotImplementedError", "KeyboardInterrupt", "SystemExit", "GeneratorExit")


def error_law(subject: Subject, reading: Reading) -> Law:
    """That a call raises nothing but what is documented or raised on purpose."""
    told = documented_errors(subject, reading)
    never = "" if not never_raises(subject) else "never"
    known = "stated" if told else ""
    says = (
        f"{subject.name} raises only {', '.join(sorted(told))}"
        if told
        else f"{subject.name} returns for every argument of the right type"
    )
    return Law(
        LawKind.ERROR,
        subject.qualname,
        says,
        "True",
        variables=own_variables(subject),
        steps=(f"result = {subject.call()}",),
        allowed=(*sorted(told | raised_errors(subject, reading)), *_ALWAYS_TYPICAL),
        shown=never or known,
    )


def documented_errors(subject: Subject, reading: Reading) -> frozenset[str]:
    """Exceptions that its documentation names, or that of what it calls."""
    found = errors_named(ast.get_docstring(subject.node) or "")
    for each in reading.related(subject.qualname):
        found |= errors_named(ast.get_docstring(reading.functions[each].node) or "")
    owner = reading.classes.get(subject.qualname.partition(".")[0])
    for name in subject.calls & set(reading.classes):
        made = reading.classes[name]
        found |= errors_named(made.doc)
        for method in made.methods:
            found |= errors_named(method.doc) | _raised(method)
    return found | (errors_named(owner.doc) if owner is not None else frozenset())


def raised_errors(subject: Subject, reading: Reading) -> frozenset[str]:
    """Exceptions that it raises by itself, or what it calls does."""
    found = _raised(subject)
    for each in reading.related(subject.qualname):
        found |= _raised(reading.functions[each])
    return found


def never_raises(subject: Subject) -> bool:
    """Whether it says that it always comes to a result."""
    return bool(_NEVER.search(subject.doc)) and not re.search(r"\braises? [A-Z]", subject.doc)


def refusal_laws(subject: Subject) -> Iterator[Law]:
    """That a call raises what it says it raises, when it says so."""
    seen: set[str] = set()
    for pattern in (_RAISES, _SHORT, _SECTION):
        for found in pattern.finditer(subject.doc):
            when = re.sub(r"^(?:when|if|for) ", "", found["when"].strip())
            when = re.split(r",? and (?:an? )?(?=[A-Z]\w*Error)", when)[0]
            if found["when"].lower().startswith("unless"):
                continue
            for text in disjuncts(when, subject.parameters):
                if text not in seen:
                    seen.add(text)
                    yield _refusal(subject, found["error"], text)


def own_variables(subject: Subject) -> tuple[Variable, ...]:
    """Its parameters, as variables of a law."""
    return tuple(Variable(each, subject.qualname, each) for each in subject.names)


def _refusal(subject: Subject, error: str, when: str) -> Law:
    """Another documented error will do: two conditions may hold at once."""
    others = sorted(errors_named(ast.get_docstring(subject.node) or "") - {error})
    rest = "".join(f" or {each!r} in raised" for each in others)
    return Law(
        LawKind.REFUSAL,
        subject.qualname,
        f"{subject.name} raises {error} when {when}",
        f"{error!r} in raised{rest}",
        variables=own_variables(subject),
        guard=when,
        setup=(f"raised = errors_of(lambda: {subject.call()})",),
        basis=Basis.STATED,
        shown="raised[0] if raised else 'no error'",
    )


def _raised(subject: Subject) -> frozenset[str]:
    found = set()
    for node in ast.walk(subject.node):
        if isinstance(node, ast.Raise) and node.exc is not None:
            target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            found.add(ast.unparse(target).rpartition(".")[2])
    return frozenset(found)
