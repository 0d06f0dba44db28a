"""More calls than tests make: on arguments of many items, and on objects that have been used.

Some code is wrong only from some size on. A cart that is always empty shows nothing of how its
total is computed: receivers are filled by other methods first.
"""

import ast
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.gates.paths import is_test_path
from reverie.gates.production.state import changed_attributes
from reverie.instruments.benchmark.growing import possible_calls
from reverie.instruments.benchmark.rounds import Comparison, NotMeasured, Rounds
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.call import Call, Expression
from reverie.model.change import FileEdit
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import parse_module
from reverie.syntax.unparsing import unparse
from reverie.trials.plan import Trees

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
            inputs = replace(inputs, sources=inputs.sources[:_LIKELIEST])
        return replace(self.comparison, inputs=inputs, size=size, seed=seed)

    def for_speed(self, size: int, seed: int) -> Comparison:
        """The same with what it works on."""
        inputs = replace(self.comparison.inputs, sources=self.busy)
        return replace(self.sized(size, seed), inputs=inputs)


def fitting_calls(
    trees: Trees, edit: FileEdit, name: str, sandbox: Sandbox, section: GuardSection
) -> FittingCalls | None:
    """Old and new with arguments that grow; None where nothing is known that old would take."""
    old: Path = trees.base / (edit.renamed_from or edit.path)
    text = edit.before or ""
    tests = _tests_naming(trees.base, name, section)
    sources = possible_calls(text, name, tests, imported_texts(trees.base, old, text))
    if not sources:
        return None
    comparison = Comparison(
        parse_target(f"{old}:{name}"),
        parse_target(f"{trees.head / edit.path}:{name}"),
        Inputs(sources=sources),
        _SIZES[0],
        seed=0,
    )
    return fitting_of(sandbox, comparison)


def fitting_of(sandbox: Sandbox, comparison: Comparison) -> FittingCalls | None:
    """Of the arguments of a comparison, those that the old version takes; None for none."""
    sources = comparison.inputs.sources
    costs = Rounds(sandbox, comparison).fit()
    taken = [(text, cost) for text, cost in zip(sources, costs, strict=True) if cost is not None]
    if not taken:
        return None
    most = max(cost for _, cost in taken)
    busy = [text for text, cost in taken if cost >= _BUSY_SHARE * most]
    if comparison.old.watched:
        busy = sorted(busy, key=lambda each: -dict(taken)[each])
    if not comparison.inputs.is_fixed:
        busy = busy[:_MOST_BUSY]
    most_fitting = tuple(text for text, _ in taken)[:_MOST_FITTING]
    fitting = replace(comparison.inputs, sources=most_fitting)
    return FittingCalls(replace(comparison, inputs=fitting), tuple(busy))


def imported_texts(base: Path, file: Path, source: str) -> Iterator[str]:
    """Texts of the modules of the repository that a module imports names from."""
    for node in parse_module(source).body:
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
                parse_module(text)
                yield text


def _tests_naming(base: Path, name: str, section: GuardSection) -> Iterator[str]:
    """Texts of the tests of a tree that name a callable."""
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
    found = _numbers(parse_module(after)) - _numbers(parse_module(before))
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


_WORDS = ("a", "b", "c", "", "2024-01-02", "x y")
_NUMBERS = (0, 1, 2, 3, -1, 5, 100)
_COUNT = 60
_MOST_STEPS = 5
_DEEPEST = 3


def filled_calls(source: str, qualname: str, seed: int) -> tuple[Call, ...]:
    """Calls of a method of a class of this text; none where its types do not say enough."""
    owner, _, method = qualname.rpartition(".")
    tree = parse_module(source)
    classes = {each.name: each for each in tree.body if isinstance(each, ast.ClassDef)}
    node = classes.get(owner)
    if node is None:
        return ()
    maker = _Maker(classes, random.Random(f"{seed}:{qualname}"))
    methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
    target = methods.get(method)
    fillers = [
        each
        for name, each in methods.items()
        if name != method and not name.startswith("_") and changed_attributes(each)
    ]
    if target is None or not fillers or target.decorator_list:
        return ()
    calls = (_call(owner, target, fillers, maker) for _ in range(_COUNT))
    return tuple(each for each in calls if each is not None)


def _call(
    owner: str, target: ast.FunctionDef, fillers: list[ast.FunctionDef], maker: "_Maker"
) -> Call | None:
    made = maker.instance(owner, 0)
    given = maker.arguments(target)
    if made is None or given is None:
        return None
    steps = []
    for _ in range(maker.chance.randrange(1, _MOST_STEPS + 1)):
        filler = maker.chance.choice(fillers)
        arguments = maker.arguments(filler)
        if arguments is None:
            return None
        steps.append(f"_o.{filler.name}({', '.join(arguments)})")
    receiver = f"(lambda _o: [{', '.join(steps)}, _o][-1])({made})"
    names = frozenset({owner} | maker.used)
    args = tuple(Expression(each, names=names) for each in given)
    return Call(args, receiver=Expression(receiver, names=names))


class _Maker:
    """Literals that fit annotations, from small pools, so that they meet again."""

    def __init__(self, classes: dict[str, ast.ClassDef], chance: random.Random) -> None:
        self.classes = classes
        self.chance = chance
        self.used: set[str] = set()

    def arguments(self, function: ast.FunctionDef) -> list[str] | None:
        """One value for each parameter that needs one."""
        given = function.args.args[1:]
        required = given[: len(given) - len(function.args.defaults)]
        values = [self.value(each.annotation) for each in required]
        known = [value for value in values if value is not None]
        return known if len(known) == len(values) else None

    def value(self, kind: ast.expr | None, depth: int = 0) -> str | None:
        """A literal of an annotated type; None when it is not known."""
        if kind is None or depth > _DEEPEST:
            return None
        name = unparse(kind.value if isinstance(kind, ast.Subscript) else kind)
        plain = {
            "int": repr(self.chance.choice(_NUMBERS)),
            "str": repr(self.chance.choice(_WORDS)),
            "float": repr(self.chance.choice(_NUMBERS) / 2),
            "bool": repr(self.chance.random() < 0.5),
        }
        if name in plain:
            return plain[name]
        if isinstance(kind, ast.Subscript) and name in ("list", "set", "tuple"):
            inner = kind.slice.elts[0] if isinstance(kind.slice, ast.Tuple) else kind.slice
            items = [self.value(inner, depth + 1) for _ in range(self.chance.randrange(4))]
            if None in items:
                return None
            return f"{name}([{', '.join(each for each in items if each)}])"
        return self.instance(name, depth + 1)

    def instance(self, name: str, depth: int) -> str | None:
        """A call of a class of the module, by what it declares."""
        node = self.classes.get(name)
        if node is None or depth > _DEEPEST:
            return None
        self.used.add(name)
        methods = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef)}
        if "__init__" in methods:
            values = self.arguments(methods["__init__"])
            return None if values is None else f"{name}({', '.join(values)})"
        kinds = [
            each.annotation
            for each in node.body
            if isinstance(each, ast.AnnAssign) and node.decorator_list
        ]
        found = [self.value(each, depth + 1) for each in kinds]
        return None if None in found else f"{name}({', '.join(each for each in found if each)})"
