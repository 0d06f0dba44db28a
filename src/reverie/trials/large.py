"""Both versions of a callable on arguments of many items: what is wrong only from some size on."""

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.gates.paths import is_test_path
from reverie.instruments.benchmark.growing import possible_calls
from reverie.instruments.benchmark.rounds import Comparison, NotMeasured, Rounds
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.change import FileEdit
from reverie.model.judgement_sections import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.trials.trees import Trees

_SIZES = (60, 300, 2000)
_MOST_ITEMS = 50_000
_MOST_FITTING = 8
_MOST_BUSY = 4
_BUSY_SHARE = 1 / 8
_MOST_FOR_ALL = 300
_LIKELIEST = 2
_MOST_POWER = 64


@dataclass(frozen=True, slots=True)
class FittingCalls:
    """Arguments that grow with n and that the old version takes."""

    comparison: Comparison
    busy: tuple[str, ...]
    """Those that it works on: what it is done with at once says nothing of its speed."""

    def sized(self, size: int, seed: int) -> Comparison:
        """Old and new with arguments of so many items; of very many, only of the likeliest."""
        inputs = self.comparison.inputs
        if size > _MOST_FOR_ALL:
            inputs = Inputs(sources=inputs.sources[:_LIKELIEST])
        return replace(self.comparison, inputs=inputs, size=size, seed=seed)

    def for_speed(self, size: int, seed: int) -> Comparison:
        """The same with what it works on."""
        return replace(self.sized(size, seed), inputs=Inputs(sources=self.busy))


def fitting_calls(
    trees: Trees, edit: FileEdit, name: str, sandbox: Sandbox, section: GuardSection
) -> FittingCalls | None:
    """Old and new with arguments that grow; None where nothing is known that old would take."""
    old: Path = trees.base / (edit.renamed_from or edit.path)
    text = edit.before or ""
    tests = _tests(trees.base, name, section)
    sources = possible_calls(text, name, tests, _imported(trees.base, old, text))
    if not sources:
        return None
    comparison = Comparison(
        parse_target(f"{old}:{name}"),
        parse_target(f"{trees.head / edit.path}:{name}"),
        Inputs(sources=sources),
        _SIZES[0],
        seed=0,
    )
    costs = Rounds(sandbox, comparison).fit()
    taken = [(text, cost) for text, cost in zip(sources, costs, strict=True) if cost is not None]
    if not taken:
        return None
    most = max(cost for _, cost in taken)
    busy = [text for text, cost in taken if cost >= _BUSY_SHARE * most][:_MOST_BUSY]
    fitting = Inputs(sources=tuple(text for text, _ in taken)[:_MOST_FITTING])
    return FittingCalls(replace(comparison, inputs=fitting), tuple(busy))


def _imported(base: Path, file: Path, source: str) -> Iterator[str]:
    """Texts of the modules of the repository that a module imports names from."""
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ImportFrom):
            continue
        parts = (node.module or "__init__").split(".")
        folders = (
            [file.parents[node.level - 1]] if node.level else [base, base / "src", file.parent]
        )
        places = [folder.joinpath(*parts).with_suffix(".py") for folder in folders]
        places += [folder.joinpath(*parts, "__init__.py") for folder in folders]
        found = next((each for each in places if each.is_file()), None)
        if found is not None and found.is_relative_to(base):
            with suppress(SyntaxError, ValueError):  # then it says nothing
                text = found.read_text("utf-8", "replace")
                ast.parse(text)
                yield text


def _tests(base: Path, name: str, section: GuardSection) -> Iterator[str]:
    """Texts of the tests that name a callable, as they were before the change."""
    called = name.rpartition(".")[2]
    for path in sorted(base.rglob("*.py")):
        if path.is_file() and is_test_path(path.relative_to(base).as_posix(), section):
            text = path.read_text("utf-8", "replace")
            if called in text:
                yield text


@dataclass(frozen=True, slots=True)
class LargeLook:
    """What was seen with many items."""

    difference: str | None = None
    """The first that was seen; None says nothing about arguments that were not tried."""
    untried: int | None = None
    """A number that is new in the code, and that no argument went beyond."""


def look_at_large(
    trees: Trees, edit: FileEdit, name: str, sandbox: Sandbox, section: GuardSection
) -> LargeLook:
    """Both versions with many items, and with more than every number that the change brings in."""
    limits = new_numbers(edit.before or "", edit.after or "")
    untried = next(iter(limits), None)
    try:
        calls = fitting_calls(trees, edit, name, sandbox, section)
    except (UsageError, MachineryError, NotMeasured):
        calls = None
    if calls is None:
        return LargeLook(untried=untried)
    for seed, size in enumerate((*_SIZES, *(each + each // 8 for each in limits))):
        is_extra = seed >= len(_SIZES)
        try:
            if size > _MOST_ITEMS:
                return LargeLook(untried=limits[seed - len(_SIZES)])
            comparison = calls.sized(size, seed)
            count = len(comparison.inputs.sources)
            difference = Rounds(sandbox, comparison).calibrate(count).difference
        except (UsageError, MachineryError, NotMeasured):
            return LargeLook(untried=limits[seed - len(_SIZES)] if is_extra else untried)
        if difference is not None:
            return LargeLook(difference)
    return LargeLook()


def new_numbers(before: str, after: str) -> tuple[int, ...]:
    """Whole numbers of a text, larger than what is tried anyhow, that the other has not."""
    found = _numbers(ast.parse(after)) - _numbers(ast.parse(before))
    return tuple(sorted(each for each in found if each >= _SIZES[-1]))


def _numbers(tree: ast.AST) -> set[int]:
    return {value for node in ast.walk(tree) if (value := _whole(node)) is not None}


def _whole(node: ast.AST) -> int | None:
    """The value of a number, or of a product, sum or power of numbers."""
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.Constant(value=float(value)) if value.is_integer() and abs(value) < 1e15:
            return int(value)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _whole(left), _whole(right)
            if first is None or second is None:
                return None
            match op:
                case ast.Mult():
                    return first * second
                case ast.Add():
                    return first + second
                case ast.Pow() | ast.LShift() if 0 <= second <= _MOST_POWER and abs(first) <= 1000:
                    return first**second if isinstance(op, ast.Pow) else first << second
    return None
