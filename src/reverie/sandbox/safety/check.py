"""Check one piece of source against the rules."""

import ast
import hashlib
import re
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from reverie.errors import UsageError
from reverie.model.finding import CheckedFile, Finding
from reverie.model.outcome import TrustTier
from reverie.sandbox.safety.detectors import Objection, detect
from reverie.sandbox.safety.interpreter.events import Event
from reverie.sandbox.safety.interpreter.machine import Machine
from reverie.sandbox.safety.matching import Matcher, matcher_for
from reverie.sandbox.safety.rule import RuleKind
from reverie.sandbox.safety.ruleset import RuleSet
from reverie.sandbox.safety.source import MAX_BYTES, Note, parse_or_note, read_source

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
