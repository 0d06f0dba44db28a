"""What a class says of its instances and of what its methods return."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.fuzz.claims.protocols import protocol_laws
from reverie.dreamers.fuzz.claims.saying import CONDITIONAL, RULES, Said, is_source, sentences
from reverie.dreamers.fuzz.claims.subjects import ClassSubject, Subject, errors_named

_NEVER_NEGATIVE = re.compile(
    r"(?:the |its )?(?P<name>\w+) (?:is|are|stays|gets) never negative", re.IGNORECASE
)
_ANSWERS = re.compile(
    r"\b(?:None|False|True|0|an empty \w+|nothing|default) (?:when|if|for|where|unless)\b[^.;\n]*"
    r"|\bor None\b|\bwhether\b[^.;\n]*|\bnever raises\b"
)
_AT_MOST = re.compile(r"(?:at most|never more than|no more than) (?P<name>\w+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ClassLaw:
    """A condition on `result` after one method, or on `subject` after every one.

    Without a condition the law is that the method comes to a result, whatever was done before.
    """

    method: str | None
    says: str
    check: str
    parameters: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    """Errors that are told, where there is no condition."""


@dataclass(frozen=True, slots=True)
class ClassPromises:
    """A class that can be made and used, and the laws of that."""

    name: str
    methods: tuple[str, ...]
    laws: tuple[ClassLaw, ...]

    def document(self) -> dict[str, Any]:
        """As `inside` reads it."""
        laws = [
            [each.method, each.check, list(each.parameters), list(each.allowed)]
            for each in self.laws
        ]
        return {"name": self.name, "methods": list(self.methods), "laws": laws}


def class_promises(made: ClassSubject) -> ClassPromises | None:
    """The laws of a class; None when it states none that can be read."""
    methods = [each for each in made.methods if each.is_public and _is_usable(each)]
    laws = (
        *_invariants(made),
        *(ClassLaw(None, says, check) for says, check in protocol_laws(made)),
        *(law for each in methods for law in _results(each)),
        *(law for each in methods for law in _total(each, made)),
    )
    if not laws:
        return None
    return ClassPromises(made.name, tuple(each.name for each in methods), laws)


def _is_usable(method: Subject) -> bool:
    """Whether it is simply called on an instance: neither a property nor of the class."""
    return method.is_plain and not method.is_lazy and not method.node.decorator_list


def _invariants(made: ClassSubject) -> Iterator[ClassLaw]:
    attributes = {
        each.attr
        for method in made.methods
        for each in ast.walk(method.node)
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
        and each.value.id == "self" and isinstance(each.ctx, ast.Store)
    }  # fmt: skip
    for text in sentences(made.doc):
        found = _NEVER_NEGATIVE.search(text)
        if found is not None and found["name"] in attributes:
            yield ClassLaw(None, text, f"subject.{found['name']} >= 0")
        limit = _AT_MOST.search(text)
        if limit is not None and limit["name"] in attributes and "__len__" in made.by_name:
            yield ClassLaw(None, text, f"len(subject) <= subject.{limit['name']}")


def _total(method: Subject, made: ClassSubject) -> Iterator[ClassLaw]:
    """`None when nobody waits`: a method that says what it gives then raises nothing else."""
    if not _ANSWERS.search(method.doc) or any(
        each.annotation is None for each in method.parameters
    ):
        return
    told = errors_named(f"{method.doc} {made.doc}")
    says = f"{made.name}.{method.name} returns: {_ANSWERS.search(method.doc)[0]}"  # type: ignore[index]
    yield ClassLaw(method.name, says, "", method.names, tuple(sorted(told)))


def _results(method: Subject) -> Iterator[ClassLaw]:
    for number, text in enumerate(sentences(method.doc)):
        if CONDITIONAL.search(text):
            continue
        for pattern, make, _ in RULES:
            for found in pattern.finditer(text):
                check = make(Said(method, text, number == 0), found)
                if check is not None and is_source(check):
                    yield ClassLaw(method.name, text, check, method.names)
