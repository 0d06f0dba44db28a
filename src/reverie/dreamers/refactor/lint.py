"""Ruff's fixes as proposals: a rule at a time where ruff calls them safe, else one by one."""

import ast
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise
from typing import TypeGuard

from reverie.dreamers.refactor.proposals import Proposal, functions_of, proposal_of
from reverie.instruments.quality.fixes import FixedSpan, LintFix

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
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_MOST_PLACES = 3
"""Functions in one change: each has to be compared."""
_TITLE = 72


def lint_proposals(text: str, fixes: Iterable[LintFix], entry: str | None = None) -> list[Proposal]:
    """Proposals for a module by what ruff would fix in it."""
    try:
        places = functions_of(ast.parse(text))
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
    places: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef],
) -> set[tuple[str, str]]:
    """Rules and functions where a chain would be left partly undone: that reads worse than both."""
    spans: dict[tuple[str, str], list[FixedSpan]] = {}
    for fix, name in named:
        if fix.rule in _CHAINED and name:
            spans.setdefault((fix.rule, name), []).extend(fix.spans)
    found = set()
    for (rule, name), some in spans.items():
        try:
            after = functions_of(ast.parse(_applied(text, some) or ""))
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
    return isinstance(node, ast.If) and isinstance(node.body[-1], _LEAVING)


def _says_something(fix: LintFix, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the words that a fix takes out are all that a function is about: `return None`."""
    doing = [each for each in function.body if not _is_words(each)]
    return fix.rule == "RET501" and len(doing) == 1


def _is_one_of_a_pair(fix: LintFix, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether an `else: if` stands across from an `if` that holds one too: two by two cases."""
    if fix.rule != "PLR5501":
        return False
    for node in ast.walk(function):
        match node:
            case ast.If(body=[ast.If(orelse=[_, *_]) as one], orelse=[ast.If() as other]):
                if (one.end_lineno or one.lineno) < fix.line <= other.lineno:
                    return True
    return False


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _function_at(places: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef], line: int) -> str:
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
