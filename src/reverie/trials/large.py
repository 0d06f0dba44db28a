"""Both versions of a callable on arguments of many items: what is wrong only from some size on."""

import ast
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.rounds import Comparison, NotMeasured, Rounds
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.change import FileEdit
from reverie.sandbox.engine import Sandbox
from reverie.trials.trees import Trees

_SIZES = (60, 300, 2000)
_MOST_ITEMS = 50_000
_MOST_POWER = 64


def comparison_of(
    trees: Trees, edit: FileEdit, name: str, size: int, seed: int
) -> Comparison | None:
    """Old and new with arguments that grow; None where the annotations do not say enough."""
    sources = growing_calls(edit.before or "", name)
    if not sources:
        return None
    old: Path = trees.base / (edit.renamed_from or edit.path)
    return Comparison(
        parse_target(f"{old}:{name}"),
        parse_target(f"{trees.head / edit.path}:{name}"),
        Inputs(sources=sources),
        size,
        seed,
    )


@dataclass(frozen=True, slots=True)
class LargeLook:
    """What was seen with many items."""

    difference: str | None = None
    """The first that was seen; None says nothing about arguments that were not tried."""
    untried: int | None = None
    """A number that is new in the code, and that no argument went beyond."""


def look_at_large(trees: Trees, edit: FileEdit, name: str, sandbox: Sandbox) -> LargeLook:
    """Both versions with many items, and with more than every number that the change brings in."""
    limits = new_numbers(edit.before or "", edit.after or "")
    for seed, size in enumerate((*_SIZES, *(each + each // 8 for each in limits))):
        is_extra = seed >= len(_SIZES)
        try:
            comparison = comparison_of(trees, edit, name, size, seed)
            if comparison is None:
                return LargeLook(untried=next(iter(limits), None))
            if size > _MOST_ITEMS:
                return LargeLook(untried=limits[seed - len(_SIZES)])
            difference = Rounds(sandbox, comparison).calibrate().difference
        except (UsageError, MachineryError, NotMeasured):
            untried = limits[seed - len(_SIZES)] if is_extra else next(iter(limits), None)
            return LargeLook(untried=untried)
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
