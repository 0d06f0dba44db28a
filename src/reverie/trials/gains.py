"""What a change gains, in the units in which its worth is counted, place by place."""

import ast
import os
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from reverie.gates.paths import is_test_path
from reverie.gates.python import parse
from reverie.gates.quality import decisions_of, nesting_of
from reverie.instruments.quality.tools import Bench, find_fixes
from reverie.model.change import Change
from reverie.model.measurements.suite import Mutant
from reverie.model.settings.analysis import QualitySection
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.scoring.roi import told_amounts
from reverie.trials.findings import Findings
from reverie.trials.plan import Trees

ELSEWHERE = "<module>"
"""The place of what stands in no function."""
_NODES_PER_POINT = 20
"""Pieces of syntax that weigh as much as one decision to follow."""
_DEPTH_PER_POINT = 4
"""Levels of indentation, over all statements, that do."""
_FIXABLE = ("C4", "E71", "F541", "F632", "F841", "FURB", "PERF102", "PIE", "PLC0208", "PLR",
            "PLW0120", "RET", "RUF0", "SIM", "UP")  # fmt: skip
"""Rules of ruff whose fixes spare a reader something."""


def note_conditions(found: Findings, killed: Iterable[Mutant]) -> None:
    """Conditions and statements newly protected: ten mutants of one line are one."""
    places: dict[str, set[int]] = {}
    for each in killed:
        places.setdefault(f"{each.file}:{each.unit or ELSEWHERE}", set()).add(each.line)
    _note_amounts(found, "conditions.protected", {k: float(len(v)) for k, v in places.items()})


def note_clarity(found: Findings, change: Change, section: GuardSection) -> None:
    """What a reader has less to follow: decisions, deep ones most; levels; pieces of syntax."""
    amounts: dict[str, float] = {}
    for edit in change.edits:
        if edit.path.endswith(".py") and not is_test_path(edit.path, section):
            before, after = (parse(edit.path, text or "") for text in (edit.before, edit.after))
            if before is not None and after is not None:
                for place, amount in _gains(before.tree, after.tree):
                    amounts[f"{edit.path}:{place}"] = round(amount, 2)
    _note_amounts(found, "clarity.gained", amounts)


def note_lint(found: Findings, trees: Trees, sandbox: Sandbox) -> None:
    """Findings of ruff with a fix that a change leaves fewer of; absent where ruff is not there."""
    paths = [edit.path for edit in trees.change.edits if edit.path.endswith(".py")]
    sides = trees.base, trees.head
    both = [path for path in paths if all((side / path).is_file() for side in sides)]
    if find_spec("ruff") is None:
        return
    bench = Bench(sandbox, Path(os.path.commonpath(sides)), QualitySection())
    files = [side / path for side in sides for path in both]
    fixes = find_fixes(bench, files, _FIXABLE) if both else {}
    before, after = (sum(len(fixes.get(f"{side / p}", ())) for p in both) for side in sides)
    found.note("lint.mended", max(0, before - after))


def _note_amounts(found: Findings, name: str, amounts: Mapping[str, float]) -> None:
    found.note(name, sum(amounts.values()))
    if told := told_amounts(amounts):
        found.details[name] = told


def _gains(before: ast.Module, after: ast.Module) -> Iterator[tuple[str, float]]:
    """By function, where anything changed; what is in none counts as one more."""
    old, new = _functions(before), _functions(after)
    total = _load(before) - _load(after)
    for name in sorted({*old, *new}):
        gain = _load(old.get(name)) - _load(new.get(name))
        if gain:
            total -= gain
            yield name, gain
    if abs(total) > 1e-9:
        yield ELSEWHERE, total


def _functions(tree: ast.Module) -> dict[str, ast.AST]:
    """Outermost functions, and methods of outermost classes."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        for each in inside:
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                found[f"{owner}{each.name}"] = each
    return found


def _load(node: ast.AST | None) -> float:
    """What a reader has to follow, in decisions; nothing where there is nothing."""
    if node is None:
        return 0.0
    # A branch that becomes part of a condition moves from one count to the other: the mean of both.
    decisions = (nesting_of(node) + decisions_of(node)) / 2
    nodes = sum(1 for _ in ast.walk(node))
    return decisions + _depth(node) / _DEPTH_PER_POINT + nodes / _NODES_PER_POINT


def _depth(node: ast.AST, level: int = 0) -> int:
    """Levels of indentation below a node, over all statements."""
    total = 0
    for child in ast.iter_child_nodes(node):
        is_statement = isinstance(child, ast.stmt)
        is_elif = isinstance(child, ast.If) and isinstance(node, ast.If) and node.orelse == [child]
        below = level + (is_statement and not is_elif)
        total += (below if is_statement else 0) + _depth(child, below)
    return total
