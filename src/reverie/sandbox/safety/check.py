"""Check one piece of source against the rules.

What the interpreter saw is compared with the rules, one detector per kind of event. The validator
is the check as the documents name it: rules that can be changed, and one question.
"""

import ast
import fnmatch
import hashlib
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.outcome import TrustTier
from reverie.model.repository.quality import CheckedFile, Finding
from reverie.sandbox.safety.interpreter.calls import place_of
from reverie.sandbox.safety.interpreter.folding import is_decoded
from reverie.sandbox.safety.interpreter.interpreter import (
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
from reverie.sandbox.safety.interpreter.knowledge import knowledge
from reverie.sandbox.safety.interpreter.machine import Machine
from reverie.sandbox.safety.interpreter.values import (
    Atom,
    Known,
    Symbol,
    Unknown,
    Value,
    symbols_of,
)
from reverie.sandbox.safety.rule import Condition, Rule, RuleKind, Scalar, Test
from reverie.sandbox.safety.ruleset import Matcher, RuleSet, matcher_for
from reverie.sandbox.safety.source import MAX_BYTES, Note, parse_or_note, read_source


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


MAX_FINDINGS = 1000
_NEWLINE = re.compile(r"\r\n|\r|\n")


def check_source(
    source: str | bytes,
    path: str = "<source>",
    tier: TrustTier = TrustTier.SANDBOX,
    rules: RuleSet | None = None,
) -> CheckedFile:
    """What the rules say about a piece of source. Never raises because of the source."""
    matcher = matcher_for(rules if rules is not None else RuleSet.default())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # odd escapes in the source are not our caller's problem
        found = read_source(source)
        findings = set(_from_notes(matcher, found.notes))
        for text in found.texts:
            findings |= _judge(matcher, text)
    ordered = sorted(findings, key=_position)[:MAX_FINDINGS]
    failing = {rule.id for rule in matcher.rules if rule.fails_at(tier)}
    return CheckedFile(
        path=path,
        passed=not any(finding.rule in failing for finding in findings),
        findings=tuple(ordered),
        code_hash=code_hash(source),
    )


def check_file(
    path: str | Path, tier: TrustTier = TrustTier.SANDBOX, rules: RuleSet | None = None
) -> CheckedFile:
    """What the rules say about a file; `UsageError` when it cannot be read."""
    try:
        with open(path, "rb") as stream:
            source = stream.read(MAX_BYTES + 1)
            checked = check_source(source, str(path), tier, rules)
            if len(source) <= MAX_BYTES:
                return checked
            digest = hashlib.sha256(source)
            while block := stream.read(MAX_BYTES):
                digest.update(block)
    except (OSError, ValueError) as problem:
        raise UsageError(f"cannot read {str(path)!r}: {problem}") from None
    return replace(checked, code_hash=digest.hexdigest())


def code_hash(source: str | bytes) -> str:
    """sha256 of the source as a file would hold it."""
    raw = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return hashlib.sha256(raw).hexdigest()


def _position(finding: Finding) -> tuple[int, int, str, str]:
    return (finding.line, finding.column, finding.rule, finding.message)


def _judge(matcher: Matcher, text: str) -> set[Finding]:
    tree = parse_or_note(text)
    if isinstance(tree, Note):
        return set(_from_notes(matcher, [tree]))
    objections: dict[tuple[str, ast.AST, str], Objection] = {}

    def report(event: Event) -> None:
        for objection in detect(matcher, event):
            objections.setdefault(objection.key, objection)

    notes: list[Note] = []
    try:
        Machine(report).run(tree)
    except (RecursionError, MemoryError):
        notes.append(Note("too-complex", 1, 1, "nested too deeply to be followed"))
    lines = _NEWLINE.split(text)
    return {_to_finding(o, lines) for o in objections.values()} | set(_from_notes(matcher, notes))


def _to_finding(objection: Objection, lines: list[str]) -> Finding:
    line = max(getattr(objection.node, "lineno", 1), 1)
    offset = max(getattr(objection.node, "col_offset", 0), 0)
    if 0 < line <= len(lines) and not lines[line - 1].isascii():
        before = lines[line - 1].encode("utf-8", "surrogatepass")[:offset]
        offset = len(before.decode("utf-8", "replace"))
    return Finding(
        rule=objection.rule.id,
        severity=objection.rule.severity,
        line=line,
        column=offset + 1,
        message=objection.message,
    )


def _from_notes(matcher: Matcher, notes: Iterable[Note]) -> Iterable[Finding]:
    for note in notes:
        for kind in (RuleKind.SOURCE, RuleKind.UNJUDGED):
            for rule in matcher.matching(kind, note.what):
                node = ast.Pass(lineno=note.line, col_offset=note.column - 1)
                message = Objection(rule, node, note.what, note.detail).message
                yield Finding(rule.id, rule.severity, note.line, note.column, message)


class CodeValidator:
    """Checks code against rules that can be added, enabled and disabled."""

    __slots__ = ("_rules",)

    def __init__(self, rules: RuleSet | None = None) -> None:
        self._rules = rules if rules is not None else RuleSet.default()

    @property
    def rules(self) -> RuleSet:
        """The rules in force."""
        return self._rules

    def add_rule(self, rule: Rule | Mapping[str, Any]) -> None:
        """Add a rule, given as such or as plain data."""
        made = rule if isinstance(rule, Rule) else Rule.from_dict(rule)
        self._rules = self._rules.with_rule(made)

    def enable_rule(self, rule_id: str) -> None:
        """Switch a rule on."""
        self._rules = self._rules.enable(rule_id)

    def disable_rule(self, rule_id: str) -> None:
        """Switch a rule off."""
        self._rules = self._rules.disable(rule_id)

    def validate(
        self, code: str | bytes, tier: TrustTier = TrustTier.SANDBOX, path: str = "<code>"
    ) -> CheckedFile:
        """What the rules say about the code at a tier."""
        return check_source(code, path, tier, self._rules)
