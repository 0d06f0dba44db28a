"""Every refactoring that fits a module, each a change of its own; ruff's fixes among them."""

import ast
import difflib
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise, takewhile
from typing import TypeGuard

from reverie.dreamers.refactor.patterns import catalogue
from reverie.dreamers.refactor.refactoring import EXITS, Elsewhere, Place
from reverie.dreamers.rewriting.source import Source
from reverie.instruments.quality.tools import FixedSpan, LintFix
from reverie.model.change import FileEdit
from reverie.syntax.nodes import Function, is_bare_constant, plain_functions
from reverie.syntax.parsing import parse_module


def without_gaps(before: str, after: str) -> str:
    """The new text, with no wider gap at a change than the old one has there."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    parts = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(None, *parts, autojunk=False)
    for tag, first, last, _, end in reversed(matcher.get_opcodes()):
        if tag == "delete":
            above, below = _blanks(old[: head + first][::-1]), _blanks(old[head + last :])
            del new[head + end : head + end + min(above, below)]
    narrower = "".join(new)
    is_same = ast.dump(parse_module(narrower)) == ast.dump(parse_module(after))
    return narrower if is_same else after


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the first on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _blanks(lines: Sequence[str]) -> int:
    """How many lines are blank from the first on."""
    return next((n for n, line in enumerate(lines) if line.strip()), len(lines))


_NOWHERE = Elsewhere()
MOST_LINES = 40
"""What stage B allows; a larger change would be refused unseen."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A module with one coherent change made."""

    pattern: str
    title: str
    """One line for people: it becomes the subject of a commit."""
    source: str
    lines_changed: int
    touches: frozenset[int]
    """Lines of the module as it is that the change rewrites, with those right beside them."""

    def goes_with(self, others: Iterable["Proposal"]) -> bool:
        """Whether it can be made beside others, in any order."""
        return all(not self.touches & other.touches for other in others)


def imagine_refactorings(
    text: str, entry: str | None = None, elsewhere: Elsewhere = _NOWHERE
) -> list[Proposal]:
    """Proposals for a module, or for one function of it; the plainest first."""
    try:
        source = Source(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = []
    for place in _places(source, entry, elsewhere):
        for refactoring in catalogue():
            for edits in refactoring.propose(place):
                title = refactoring.title(place.qualname)
                new = source.applied(edits)
                found.append(proposal_of(refactoring.name, title, text, new))
    return distinct(found)


def distinct(found: Iterable[Proposal | None]) -> list[Proposal]:
    """Each text once, without those that are too large."""
    unique = {each.source: each for each in reversed([e for e in found if e is not None])}
    return [each for each in reversed(unique.values()) if each.lines_changed <= MOST_LINES]


def functions_of(tree: ast.Module) -> dict[str, Function]:
    """Functions and methods of a module by qualified name."""
    return dict(plain_functions(tree.body))


def _places(source: Source, entry: str | None, elsewhere: Elsewhere) -> Iterator[Place]:
    for qualname, function in functions_of(source.tree).items():
        if entry is None or qualname == entry or qualname.startswith(f"{entry}."):
            yield Place(source, function, qualname, elsewhere)


def proposal_of(pattern: str, title: str, before: str, after: str | None) -> Proposal | None:
    """A change of a whole text; None when it is none, or no Python.

    The same tree is layout, a formatter's matter, unless it stands less deep: `else: if` as `elif`.
    """
    if after is None or after == before:
        return None
    try:
        is_layout = ast.dump(parse_module(after)) == ast.dump(parse_module(before))
        if is_layout and _depth(after) >= _depth(before):
            return None
        after = without_gaps(before, after)
    except (SyntaxError, ValueError, RecursionError):
        return None
    edit = FileEdit("module.py", before, after)
    changed = edit.lines_added + edit.lines_removed
    return Proposal(pattern, title, after, changed, frozenset(_touched(edit)))


def _depth(text: str) -> int:
    return sum(len(line) - len(line.lstrip()) for line in text.splitlines())


def _touched(edit: FileEdit) -> Iterator[int]:
    line = 0
    for each in edit.hunks().splitlines():
        if each.startswith("@@"):
            line = int(each.split()[1].lstrip("-").partition(",")[0])
        elif each.startswith("-"):
            yield from (line - 1, line, line + 1)
            line += 1
        elif each.startswith("+"):
            yield from (line - 1, line)
        elif not each.startswith("\\"):
            line += 1


RULES = (
    "C400", "C401", "C402", "C403", "C404", "C405", "C406", "C409", "C410", "C411", "C413", "C414",
    "C415", "C416", "C417", "C418", "C419", "E711", "E712", "E713", "E714",
    "F541", "F632", "F841", "FURB", "PERF102", "PIE790",
    "PIE800", "PIE804", "PIE807", "PIE808", "PIE810", "PLC0208", "PLR1711", "PLR1714", "PLR1730",
    "PLR1733", "PLR1736", "PLR5501", "PLW0120", "RET501", "RET502", "RET504", "RET505", "RET506",
    "RET507", "RET508", "RUF010", "RUF015",
    "RUF019", "RUF046", "RUF051", "SIM101", "SIM102", "SIM103", "SIM109", "SIM110", "SIM114",
    "SIM118", "SIM201", "SIM202", "SIM208", "SIM210", "SIM211", "SIM212", "SIM222", "SIM223",
    "SIM401", "SIM910", "SIM911", "UP004", "UP008", "UP010", "UP018", "UP024", "UP028",
    "UP032", "UP034", "UP039",
)  # fmt: skip
"""Rules whose fixes make a reader's life easier; matters of layout are a formatter's."""
_ONLY_SAFE = frozenset({"SIM118"})
"""Rules whose other fixes no comparison proves: what has `keys` may be no dictionary."""
_CHAINED = frozenset({"RET505", "RET506", "RET507", "RET508"})
"""Rules that ruff applies to one link of a chain of `elif` at a time."""
_MOST_PLACES = 3
"""Functions in one change: each has to be compared."""
_TITLE = 72


def lint_proposals(text: str, fixes: Iterable[LintFix], entry: str | None = None) -> list[Proposal]:
    """Proposals for a module by what ruff would fix in it."""
    try:
        places = functions_of(parse_module(text))
    except (SyntaxError, ValueError, RecursionError):
        return []
    named = [(fix, _function_at(places, fix.line)) for fix in fixes]
    wanted = [
        (fix, name)
        for fix, name in named
        if entry in (None, name)
        and (fix.is_safe or fix.rule not in _ONLY_SAFE)
        and not (name and _says_something(fix, places[name]))
        and not (name and _is_one_of_a_pair(fix, places[name]))
    ]
    halves = _half_done(text, wanted, places)
    whole = [(fix, name) for fix, name in wanted if (fix.rule, name) not in halves]
    found = [_proposal(text, group) for group in _groups(whole)]
    return [each for each in found if each is not None]


def _half_done(
    text: str,
    named: Iterable[tuple[LintFix, str]],
    places: Mapping[str, Function],
) -> set[tuple[str, str]]:
    """Rules and functions where a chain would be left partly undone: that reads worse than both."""
    spans: dict[tuple[str, str], list[FixedSpan]] = {}
    for fix, name in named:
        if fix.rule in _CHAINED and name:
            spans.setdefault((fix.rule, name), []).extend(fix.spans)
    found = set()
    for (rule, name), some in spans.items():
        try:
            after = functions_of(parse_module(_applied(text, some) or ""))
        except (SyntaxError, ValueError, RecursionError):
            after = {}
        if name not in after or _mixed_chains(after[name]) > _mixed_chains(places[name]):
            found.add((rule, name))
    return found


def _mixed_chains(function: ast.AST) -> int:
    """How often a way out is followed by one that still has an `else`."""
    bodies = [
        body
        for node in ast.walk(function)
        for body in (getattr(node, "body", ()), getattr(node, "orelse", ()))
        if isinstance(body, list)
    ]
    pairs = [pair for body in bodies for pair in pairwise(body)]
    return sum(_leaves(one) and _leaves(two) and bool(two.orelse) for one, two in pairs)


def _leaves(node: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and isinstance(node.body[-1], EXITS)


def _says_something(fix: LintFix, function: Function) -> bool:
    """Whether the words that a fix takes out are all that a function is about: `return None`."""
    doing = [each for each in function.body if not is_bare_constant(each)]
    return fix.rule == "RET501" and len(doing) == 1


def _is_one_of_a_pair(fix: LintFix, function: Function) -> bool:
    """Whether an `else: if` stands across from an `if` that holds one too: two by two cases."""
    if fix.rule != "PLR5501":
        return False
    for node in ast.walk(function):
        match node:
            case ast.If(body=[ast.If(orelse=[_, *_]) as one], orelse=[ast.If() as other]):
                if (one.end_lineno or one.lineno) < fix.line <= other.lineno:
                    return True
    return False


def _function_at(places: Mapping[str, Function], line: int) -> str:
    for name, node in places.items():
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        if first <= line <= (node.end_lineno or node.lineno):
            return name
    return ""


def _groups(
    named: Iterable[tuple[LintFix, str]],
) -> Iterator[tuple[tuple[LintFix, ...], tuple[str, ...]]]:
    """Fixes that are one change: of a safe rule in a few functions, of another one on a line."""
    ordered = sorted(named, key=lambda each: (each[0].rule, not each[0].is_safe, each[0].line))
    for (_, is_safe), some in groupby(ordered, key=lambda each: (each[0].rule, each[0].is_safe)):
        fixes = list(some)
        if not is_safe:
            for _, line in groupby(fixes, key=lambda each: each[0].line):
                beside = list(line)
                yield tuple(fix for fix, _ in beside), (beside[0][1],)
            continue
        functions = list(dict.fromkeys(name for _, name in fixes))
        for start in range(0, len(functions), _MOST_PLACES):
            few = tuple(functions[start : start + _MOST_PLACES])
            yield tuple(fix for fix, name in fixes if name in few), few


def _proposal(text: str, group: tuple[tuple[LintFix, ...], tuple[str, ...]]) -> Proposal | None:
    fixes, functions = group
    after = _applied(text, [span for fix in fixes for span in fix.spans])
    rule, message = fixes[0].rule, fixes[0].message.partition("\n")[0]
    where = f" in {', '.join(filter(None, functions))}" if any(functions) else ""
    if len({fix.message for fix in fixes}) > 1:
        title = f"Apply {rule}{where}"
    else:
        title = f"{message[:_TITLE]}{where} ({rule})"
    return proposal_of(f"ruff:{rule}", title, text, after)


def _applied(text: str, spans: Iterable[FixedSpan]) -> str | None:
    """The text with all fixes made; None when they overlap or point outside of it."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    last = len(text) + 1
    for span in sorted(set(spans), key=lambda each: (each.line, each.column), reverse=True):
        if span.line > len(starts) or span.end_line > len(starts):
            return None
        start = starts[span.line - 1] + span.column - 1
        end = starts[span.end_line - 1] + span.end_column - 1
        if not start <= end <= last or end > len(text):
            return None
        text = text[:start] + span.text + text[end:]
        last = start
    return text


def oldest_python(pyproject: str | None) -> str | None:
    """The oldest Python that a project promises to run on, as ruff names it; None unknown."""
    try:
        wanted = tomllib.loads(pyproject or "")["project"]["requires-python"]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        return None
    for part in str(wanted).split(","):
        version = part.strip().removeprefix(">=").strip().split(".")
        if part.strip().startswith(">=") and len(version) > 1 and version[1].isdigit():
            return f"py{version[0]}{version[1]}"
    return None
