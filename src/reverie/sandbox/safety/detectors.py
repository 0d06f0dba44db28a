"""Compare what the interpreter saw with the rules, one detector per kind of event."""

import ast
import fnmatch
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from reverie.sandbox.safety.interpreter.accesses import place_of
from reverie.sandbox.safety.interpreter.events import (
    Assignment,
    AttributeUse,
    Dynamic,
    Event,
    Excess,
    FileAccess,
    FormatUse,
    Import,
    Invocation,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.folding import is_decoded
from reverie.sandbox.safety.interpreter.knowledge import knowledge
from reverie.sandbox.safety.interpreter.values import (
    Atom,
    Known,
    Symbol,
    Unknown,
    Value,
    symbols_of,
)
from reverie.sandbox.safety.matching import Matcher
from reverie.sandbox.safety.rule import Condition, Rule, RuleKind, Scalar, Test


@dataclass(frozen=True, slots=True)
class Objection:
    """A rule objects to something at a node."""

    rule: Rule
    node: ast.AST
    symbol: str
    detail: str = ""

    @property
    def key(self) -> tuple[str, ast.AST, str]:
        """One finding per rule, place and symbol; further details add nothing."""
        return (self.rule.id, self.node, self.symbol)

    @property
    def message(self) -> str:
        """The rule's message about this place."""
        shown = self.symbol.removeprefix("builtins.")
        return self.rule.message.replace("{symbol}", shown).replace("{detail}", self.detail)


def detect(matcher: Matcher, event: Event) -> Iterator[Objection]:
    """The objections that one event raises."""
    yield from _DETECTORS[type(event)](matcher, event)


def _reference(matcher: Matcher, event: Reference) -> Iterator[Objection]:
    for rule in matcher.matching(RuleKind.CALL, event.symbol):
        yield Objection(rule, event.node, event.symbol)
    if event.role is Role.VALUE:
        for rule in matcher.matching(RuleKind.VALUE, event.symbol):
            yield Objection(rule, event.node, event.symbol)


def _invocation(matcher: Matcher, event: Invocation) -> Iterator[Objection]:
    for rule in matcher.matching(RuleKind.ARGUMENT, event.symbol.name):
        if all(_holds(condition, event) for condition in rule.when):
            yield Objection(rule, event.node, event.symbol.name)


def _import(matcher: Matcher, event: Import) -> Iterator[Objection]:
    seen: set[str] = set()
    name = event.name
    while name:
        for rule in matcher.matching(RuleKind.IMPORT, name):
            if rule.id not in seen:
                seen.add(rule.id)
                yield Objection(rule, event.node, name)
        name = name.rpartition(".")[0]


def _attribute(matcher: Matcher, event: AttributeUse) -> Iterator[Objection]:
    for rule in matcher.matching(RuleKind.ATTRIBUTE, event.name):
        if event.then is None or event.then not in rule.exceptions:
            yield Objection(rule, event.node, event.name)


def _assignment(matcher: Matcher, event: Assignment) -> Iterator[Objection]:
    for rule in matcher.matching(RuleKind.ASSIGN, event.symbol):
        yield Objection(rule, event.node, event.symbol)


def _dynamic(matcher: Matcher, event: Dynamic) -> Iterator[Objection]:
    for rule in matcher.matching(RuleKind.DYNAMIC, event.symbol):
        yield Objection(rule, event.node, event.symbol)


def _format(matcher: Matcher, event: FormatUse) -> Iterator[Objection]:
    for name in event.names:
        for rule in matcher.matching(RuleKind.FORMAT, name):
            yield Objection(rule, event.node, name, ".".join(event.names))


def _file_access(matcher: Matcher, event: FileAccess) -> Iterator[Objection]:
    place = place_of(event.path)
    for rule in matcher.of_kind(RuleKind.PATH):
        if rule.access is event.access and place in rule.places:
            shown = "".join("…" if part is None else part for part in event.path)
            yield Objection(rule, event.node, event.symbol, f"{place.value}: {shown}"[:120])


def _excess(matcher: Matcher, event: Excess) -> Iterator[Objection]:
    for rule in matcher.matching(RuleKind.RESOURCE, event.what):
        yield Objection(rule, event.node, event.what, event.detail)


_DETECTORS: dict[type, Callable[[Matcher, Any], Iterator[Objection]]] = {
    Reference: _reference,
    Invocation: _invocation,
    Import: _import,
    AttributeUse: _attribute,
    Assignment: _assignment,
    Dynamic: _dynamic,
    FormatUse: _format,
    FileAccess: _file_access,
    Excess: _excess,
}


def _holds(condition: Condition, event: Invocation) -> bool:
    value = event.arguments.get(condition.position, condition.argument)
    if value is None:
        return condition.if_absent
    match condition.test:
        case Test.IN:
            return any(_is_listed(atom, condition.values) for atom in value)
        case Test.NOT_IN:
            return not all(_is_listed(atom, condition.values) for atom in value)
        case Test.NONE_IN:
            return not any(_is_listed(atom, condition.values) for atom in value)
        case Test.UNKNOWN:
            return any(isinstance(atom, (Unknown, Symbol)) for atom in value)
        case Test.ABOVE:
            return any(_is_above(atom, condition.values) for atom in value)
        case Test.DECODED:
            return is_decoded(value) or _from_decoder(value)


def _is_listed(atom: Atom, values: tuple[Scalar, ...]) -> bool:
    if isinstance(atom, Known):
        if isinstance(atom.value, str):
            words = [v for v in values if isinstance(v, str)]
            return any(fnmatch.fnmatchcase(atom.value, word) for word in words)
        return any(type(atom.value) is type(v) and atom.value == v for v in values)
    if isinstance(atom, Symbol):
        return any(isinstance(v, str) and fnmatch.fnmatchcase(atom.name, v) for v in values)
    return False


def _is_above(atom: Atom, values: tuple[Scalar, ...]) -> bool:
    if not isinstance(atom, Known) or not isinstance(atom.value, (int, float)):
        return False
    return any(isinstance(v, (int, float)) and atom.value > v for v in values[:1])


def _from_decoder(value: Value) -> bool:
    decoders = knowledge().decoders
    for found in symbols_of(value):
        name = found.name
        if any(name.startswith(f"{decoder}()") for decoder in decoders):
            return True
    return False
