"""What no maintainer wants to see in a test, whatever it notices."""

import ast
import builtins
import linecache
import os
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from reverie.dreamers.enrich.writing.checks import Check, Relation
from reverie.dreamers.enrich.writing.manual import Function, Manual
from reverie.model.scenario import Scenario, Step, StepForm

_PRIVATE = re.compile(r"(?:^|\.)_(?!_)\w+")
_CLOCK = re.compile(r"\b(?:now|utcnow|today|time\.time|time_ns|monotonic|localtime|gmtime)\(")
_MACHINE = re.compile(
    r"\b(?:getcwd|cwd|expanduser|listdir|scandir|gethostname|getlocale|find_spec|getuser)\("
    r"|\bos\.environ\b|\bos\.getenv\b|\bsys\.(?:platform|version_info|argv)\b|importlib\.metadata"
)
_OWN = frozenset({"Any", "object", "Self"})


class Refusal(StrEnum):
    """Why a scenario becomes no test."""

    WRONG_TYPE = "an argument of a type that the annotation rules out"
    OWN_ARGUMENT = "an object given to its own method"
    INHERITED = "a callable that the package only inherits"
    PRIVATE = "a private callable that a public one reaches"
    ACCIDENT = "an exception that neither the module raises nor its docs name"
    SURROUNDINGS = "a result that the clock, the folder or the machine decides"


class Never:
    """Judges scenarios and checks of one module."""

    def __init__(self, manual: Manual, tree: ast.Module, package: str, path: str) -> None:
        self.manual = manual
        self.path = path
        self.classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
        self.foreign = frozenset(_foreign_names(tree, package))
        self.reached = _reached_by_public(tree)
        self.fleeting = _leading_to(tree, _CLOCK)
        self.local = _leading_to(tree, _MACHINE)

    def refuses(self, scenario: Scenario) -> Refusal | None:
        """Why no test may be made of it; None when one may."""
        if scenario.seen and scenario.seen[-1].is_exception and self._is_accident(scenario):
            return Refusal.ACCIDENT
        kinds = {
            step.name: seen.type_name.rpartition(".")[2]
            for step, seen in zip(scenario.steps, scenario.seen, strict=False)
            if step.name is not None
        }
        for step in scenario.steps:
            found = self._of_step(step, kinds)
            if found is not None:
                return found
        return None

    def says_nothing(self, scenario: Scenario, check: Check) -> bool:
        """Whether a check would hold of nearly any code: as the only one it is worth nothing."""
        step = scenario.steps[check.step]
        if check.relation is Relation.IS and check.expected.source == "None":
            return check.reading == "{}" and self._is_procedure(step)
        if step.form is StepForm.CHANGE:
            return False
        match ast.parse(step.line.source, mode="eval").body:
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                is_same = ast.unparse(left) == ast.unparse(right)
                is_denied = check.relation is Relation.HOLDS_NOT and isinstance(operator, ast.Eq)
                return is_same or is_denied or isinstance(operator, ast.NotEq)
        return False

    # -- steps --------------------------------------------------------------------------------

    def _of_step(self, step: Step, kinds: dict[str, str]) -> Refusal | None:
        if self._is_private(step):
            return Refusal.PRIVATE
        if self._is_inherited(step.callee or ""):
            return Refusal.INHERITED
        if self._depends_on_surroundings(step):
            return Refusal.SURROUNDINGS
        if step.form is StepForm.CHANGE:
            return None
        node = ast.parse(step.line.source, mode="eval").body
        for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
            callee = self._callee(call, step)
            if self.manual.fits(callee, call) is False:
                return Refusal.WRONG_TYPE
            for argument, annotation in self._arguments(call, callee):
                allowed = self.manual.fitting.names(annotation)
                kind = kinds.get(argument.id) if isinstance(argument, ast.Name) else None
                if kind is None or not isinstance(argument, ast.Name):
                    continue
                if _is_receiver(call, argument.id) and not self._takes_own(annotation, kind):
                    return Refusal.OWN_ARGUMENT
                if allowed is not None and self.manual.fitting.excludes(allowed, kind):
                    return Refusal.WRONG_TYPE
        return None

    def _callee(self, call: ast.Call, step: Step) -> str:
        """What a call calls, qualified as the manual has it."""
        if isinstance(call.func, ast.Name):
            return call.func.id
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        own = (step.callee or "").rpartition(".")
        return step.callee or "" if own[2] == name else name

    def _arguments(self, call: ast.Call, callee: str) -> Iterator[tuple[ast.expr, ast.expr | None]]:
        annotations = self.manual.annotations(callee)
        for place, value in enumerate(call.args):
            yield value, annotations.get(place)
        for keyword in call.keywords:
            yield keyword.value, annotations.get(keyword.arg or "")

    def _takes_own(self, annotation: ast.expr | None, kind: str) -> bool:
        if annotation is None:
            return False
        names = {each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)}
        names |= {
            str(each.value) for each in ast.walk(annotation) if isinstance(each, ast.Constant)
        }
        return bool(names & (_OWN | {kind}))

    def _is_private(self, step: Step) -> bool:
        """Whether it names what begins with an underscore, and the public side leads there."""
        found = {part.lstrip(".") for part in _PRIVATE.findall(step.callee or "")}
        tree = ast.parse(step.line.source)
        found |= {
            each.attr
            for each in ast.walk(tree)
            if isinstance(each, ast.Attribute) and _PRIVATE.fullmatch(each.attr)
        }
        found |= {
            each.id
            for each in ast.walk(tree)
            if isinstance(each, ast.Name) and _PRIVATE.fullmatch(each.id)
        }
        return bool(found & self.reached)

    def _depends_on_surroundings(self, step: Step) -> bool:
        """Whether it asks the machine, or the clock for what it could have been given."""
        name = (step.callee or "").rpartition(".")[2]
        if name in self.local:
            return True
        if name not in self.fleeting:
            return False
        function = self.manual.functions.get(step.callee or "")
        open_ones = [] if function is None else list(_none_by_default(function))
        given = step.line.source
        calls = [
            each
            for each in ast.walk(ast.parse(given))
            if isinstance(each, ast.Call) and ast.unparse(each.func).endswith(name)
        ]
        return not open_ones or not any(
            place < len(call.args) or parameter in {each.arg for each in call.keywords}
            for call in calls
            for place, parameter in open_ones
        )

    def _is_inherited(self, callee: str) -> bool:
        owner, _, name = callee.rpartition(".")
        node = self.classes.get(owner)
        if node is None:
            return False
        is_generated = name.startswith("__") and not node.bases and not _has(node, name)
        return is_generated or self._comes_from_outside(node, name, 0)

    def _comes_from_outside(self, node: ast.ClassDef, name: str, depth: int) -> bool:
        if depth > 8 or _has(node, name):
            return False
        for base in node.bases:
            root = base.value if isinstance(base, ast.Subscript) else base
            top = ast.unparse(root).partition(".")[0]
            own = self.classes.get(top)
            if own is not None and own is not node:
                if _has(own, name):
                    return False
                if self._comes_from_outside(own, name, depth + 1):
                    return True
            elif top in self.foreign and name not in ("__init__", "__new__"):
                return True
        return False

    # -- what was seen ------------------------------------------------------------------------

    def _is_accident(self, scenario: Scenario) -> bool:
        """Whether nobody has said that it raises this."""
        seen = scenario.seen[-1]
        step = scenario.steps[len(scenario.seen) - 1]
        name = seen.type_name.rpartition(".")[2]
        if self.manual.mentions(step.callee or "", name):
            return False
        file, _, rest = (seen.raised_in or "").partition(":")
        line = rest.rpartition(":")[2]
        if not line.isdigit():
            return True
        if self.path.endswith(file.lstrip("./")):
            return int(line) not in self.manual.raising
        return not linecache.getline(os.path.abspath(file), int(line)).lstrip().startswith("raise")

    def _is_procedure(self, step: Step) -> bool:
        function = self.manual.functions.get(step.callee or "")
        return function is None or not _returns_something(function)


def _none_by_default(function: Function) -> Iterator[tuple[int, str]]:
    """Parameters that may be left out, and then are None: by place and name."""
    given = [*function.args.posonlyargs, *function.args.args]
    if given and given[0].arg in ("self", "cls"):
        given = given[1:]
    first = len(given) - len(function.args.defaults)
    for place, default in enumerate(function.args.defaults, first):
        if isinstance(default, ast.Constant) and default.value is None and place >= 0:
            yield place, given[place].arg
    for each, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True):
        if isinstance(value, ast.Constant) and value.value is None:
            yield len(given) + 100, each.arg


def _leading_to(tree: ast.Module, pattern: re.Pattern[str]) -> frozenset[str]:
    """Functions whose body matches, and those that use them."""
    uses: dict[str, set[str]] = {}
    found: set[str] = set()
    for node in _functions(tree.body):
        if pattern.search(ast.unparse(node)):
            found.add(node.name)
        names = {each.func for each in ast.walk(node) if isinstance(each, ast.Call)}
        uses.setdefault(node.name, set()).update(
            each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in names
        )
    is_growing = True
    while is_growing:
        more = {name for name, called in uses.items() if called & found} - found
        found |= more
        is_growing = bool(more)
    return frozenset(found - {"__init__"})


def _returns_something(function: Function) -> bool:
    if isinstance(function.returns, ast.Constant) and function.returns.value is None:
        return False
    return any(
        isinstance(each, ast.Return) and each.value is not None
        and not (isinstance(each.value, ast.Constant) and each.value.value is None)
        for each in ast.walk(function)
    )  # fmt: skip


def _is_receiver(call: ast.Call, name: str) -> bool:
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(held, ast.Name) and held.id == name


def _has(node: ast.ClassDef, name: str) -> bool:
    for each in ast.walk(node):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == name:
            return True
        if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store):
            return True
    return False


def _foreign_names(tree: ast.Module, package: str) -> Iterator[str]:
    """Names that come from outside of the package, built-in ones among them."""
    yield from dir(builtins)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] != package:
                    yield alias.asname or alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            is_own = str(node.module).partition(".")[0] == package
            yield from (alias.asname or alias.name for alias in node.names if not is_own)


def _reached_by_public(tree: ast.Module) -> frozenset[str]:
    """Private names that public functions and classes lead to, directly or through others."""
    uses: dict[str, set[str]] = {}
    for node in _functions(tree.body):
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        names |= {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
        uses.setdefault(node.name, set()).update(names)
    waiting = [name for name in uses if not _PRIVATE.fullmatch(name)]
    found: set[str] = set(waiting)
    while waiting:
        for name in uses.get(waiting.pop(), ()):
            if name not in found:
                found.add(name)
                waiting.append(name)
    return frozenset(name for name in found if _PRIVATE.fullmatch(name))


def _functions(body: Sequence[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef | ast.If | ast.Try):
            yield from _functions(node.body)
