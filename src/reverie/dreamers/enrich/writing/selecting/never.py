"""What no maintainer wants to see in a test, whatever it notices."""

import ast
import linecache
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from reverie.dreamers.enrich.surroundings import (
    CHANCE,
    CLOCK,
    MACHINE,
    asks_version,
    is_unbound_option,
    trace_of,
)
from reverie.dreamers.enrich.writing.selecting.candidates import Check, Relation
from reverie.dreamers.enrich.writing.selecting.manual import Manual
from reverie.dreamers.enrich.writing.selecting.taste import repeats_itself
from reverie.dreamers.enrich.writing.subject import Belonging, SuspectedBug
from reverie.model.call import Scenario, Step, StepForm
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_PRIVATE = re.compile(r"(?:^|\.)_(?!_)\w+")
_OWN = frozenset({"Any", "object", "Self"})
_OWN_MISTAKE = re.compile(
    r"\b(?:missed a spot|unreachable|internal error|impossible|this is a bug|please report"
    r"|(?:should|can|could|must) ?(?:not|n't|never) (?:happen|get here|be reached|occur))\b",
    re.IGNORECASE,
)
"""What a module says of itself where it is wrong: nobody holds it to that."""

_OUTSIDE = re.compile(r"^(?:list|sorted|tuple|set)\(.*\.keys\(\)\)$|^len\(|\.keys\(\)$")
"""Looks at the keys or at the length of something, and not at what is in it."""


class Refusal(StrEnum):
    """Why a scenario becomes no test."""

    WRONG_TYPE = "an argument of a type that the annotation rules out"
    OWN_ARGUMENT = "an object given to its own method"
    OWN_RESULT = "a function given what it returned"
    INHERITED = "a callable that the package only inherits"
    PRIVATE = "a private callable"
    INTERNAL = "a callable that nothing outside of its module names"
    DISPATCHED = "a method that is there for a dispatcher to call"
    ANOTHERS = "a method of another class than the object's"
    ACCIDENT = "an exception that neither the module raises nor its docs name"
    FEW = "a function of several, given one"
    REPEATED = "a line that stands there twice and comes to the same"
    SURROUNDINGS = "a result that the clock, the folder or the machine decides"


class Never:
    """Judges scenarios and checks of one module."""

    def __init__(
        self,
        manual: Manual,
        tree: ast.Module,
        package: str,
        path: str,
        internal: frozenset[str] = frozenset(),
    ) -> None:
        self.manual = manual
        self.internal = internal
        self.tree = tree
        self.path = path
        self.belonging = Belonging(tree, package)
        self.fleeting = _leading_to(tree, CLOCK)
        self.local = _leading_to(tree, MACHINE) | _asking_for_packages(tree)
        self.drawn = _leading_to(tree, CHANCE)
        self._taking_several = {
            name.rpartition(".")[2]
            for name, function in manual.functions.items()
            if function.args.vararg is not None and "." in name
        }

    def refuses(self, scenario: Scenario) -> Refusal | None:
        """Why no test may be made of it; None when one may."""
        if scenario.seen and scenario.seen[-1].is_exception and self._is_accident(scenario):
            return Refusal.ACCIDENT
        if repeats_itself(scenario):
            return Refusal.REPEATED
        if scenario.seen and not scenario.seen[-1].is_exception and self._is_given_few(scenario):
            return Refusal.FEW
        if any(self._is_given_none(step) for step in scenario.steps):
            return Refusal.FEW
        kinds = {
            step.name: seen.type_name.rpartition(".")[2]
            for step, seen in zip(scenario.steps, scenario.seen, strict=False)
            if step.name is not None
        }
        made = {each.name: each.line.source for each in scenario.steps if each.name}
        for step in scenario.steps:
            if _meets_its_like(step, made):
                return Refusal.OWN_ARGUMENT
            found = self._of_step(step, kinds)
            if found is not None:
                return found
        return Refusal.SURROUNDINGS if _shows_machine(scenario) else None

    def is_of_surroundings(self, finding: SuspectedBug) -> bool:
        """Whether a finding is about this machine rather than about the code."""
        name = finding.function.rpartition(".")[2]
        is_fleeting = name in self.fleeting and not finding.kind.endswith("Error")
        is_local = name in self.local or is_fleeting
        is_local = is_local or is_unbound_option(finding.actual, self.tree)
        return is_local or trace_of(finding.actual, finding.input) is not None

    def says_nothing(self, scenario: Scenario, check: Check) -> bool:
        """Whether a check would hold of nearly any code: as the only one it is worth nothing."""
        step = scenario.steps[check.step]
        if self._is_of_chance(scenario, check):
            return True
        if check.relation is Relation.IS and check.expected.source == "None":
            is_printed = step.line.source.startswith("print(")
            return check.reading == "{}" and (is_printed or self._is_procedure(step))
        if step.form is StepForm.CHANGE:
            return False
        made = {each.name: each.line.source for each in scenario.steps if each.name}
        match parse_expression(step.line.source):
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                sides = [made.get(text, text) for text in map(unparse, (left, right))]
                is_same = sides[0] == sides[1]
                is_denied = check.relation is Relation.HOLDS_NOT and isinstance(operator, ast.Eq)
                return is_same or is_denied or isinstance(operator, ast.NotEq)
        return False

    # -- steps --------------------------------------------------------------------------------

    def _of_step(self, step: Step, kinds: dict[str, str]) -> Refusal | None:
        if self._is_private(step):
            return Refusal.PRIVATE
        if (step.callee or "").partition(".")[0] in self.internal:
            return Refusal.INTERNAL
        belonging = self.belonging
        if belonging.is_dispatched(step.callee or ""):
            return Refusal.DISPATCHED
        if belonging.is_inherited(step.callee or "") or belonging.is_membership(step, kinds):
            return Refusal.INHERITED
        if self._depends_on_surroundings(step):
            return Refusal.SURROUNDINGS
        if step.form is StepForm.CHANGE:
            if _is_changed_by_itself(step):
                return Refusal.OWN_ARGUMENT
            return Refusal.INHERITED if self.belonging.sets_a_strange_field(step, kinds) else None
        node = parse_expression(step.line.source)
        if any(
            self.belonging.is_of_a_base(each, kinds)
            for each in ast.walk(node)
            if isinstance(each, ast.expr)
        ):
            return Refusal.INHERITED
        for call in (each for each in ast.walk(node) if isinstance(each, ast.Call)):
            if step.form is StepForm.CALL and _is_given_itself(call):
                return Refusal.OWN_RESULT
            if self.belonging.is_of_another(call, step.callee or "", kinds):
                return Refusal.ANOTHERS
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
        names = names_in(annotation)
        names |= {
            str(each.value) for each in ast.walk(annotation) if isinstance(each, ast.Constant)
        }
        return bool(names & (_OWN | {kind}))

    def _is_private(self, step: Step) -> bool:
        """Whether it names what begins with an underscore."""
        found = {part.lstrip(".") for part in _PRIVATE.findall(step.callee or "")}
        tree = parse_module(step.line.source)
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
        return bool(found)

    def _depends_on_surroundings(self, step: Step) -> bool:
        """Whether it asks the machine, or the clock for what it could have been given."""
        name = (step.callee or "").rpartition(".")[2]
        if name in self.local or asks_version(step.callee or "", step.line.source):
            return True
        if name not in self.fleeting:
            return False
        function = self.manual.functions.get(step.callee or "")
        open_ones = [] if function is None else list(_none_by_default(function))
        given = step.line.source
        calls = [
            each
            for each in ast.walk(parse_module(given))
            if isinstance(each, ast.Call) and unparse(each.func).endswith(name)
        ]
        return not open_ones or not any(
            place < len(call.args) or parameter in {each.arg for each in call.keywords}
            for call in calls
            for place, parameter in open_ones
        )

    # -- what was seen ------------------------------------------------------------------------

    def _is_accident(self, scenario: Scenario) -> bool:
        """Whether nobody has said that it raises this."""
        seen = scenario.seen[-1]
        step = scenario.steps[len(scenario.seen) - 1]
        name = seen.type_name.rpartition(".")[2]
        if _OWN_MISTAKE.search(seen.raised or ""):
            return True
        if name == "NotImplementedError" and not seen.raised:
            return True  # what a subclass has to fill in
        if step.form is StepForm.OPERATE and _compares_calls(step):
            return True  # one of the calls refuses, and the comparison hides which
        if self.manual.mentions(step.callee or "", name):
            return False
        file, _, rest = (seen.raised_in or "").partition(":")
        line = rest.rpartition(":")[2]
        if not line.isdigit():
            return True
        if self.path.endswith(file.lstrip("./")):
            return int(line) not in self.manual.raising
        return not linecache.getline(os.path.abspath(file), int(line)).lstrip().startswith("raise")

    def _is_given_few(self, scenario: Scenario) -> bool:
        """Whether what takes any number of values is given at most one: that shows no more."""
        step = scenario.steps[len(scenario.seen) - 1]
        function = self.manual.functions.get(step.callee or "")
        if function is None or function.args.vararg is None or step.form is not StepForm.CALL:
            return False
        fixed = [each for each in (*function.args.posonlyargs, *function.args.args)
                 if each.arg not in ("self", "cls")]  # fmt: skip
        name = (step.callee or "").rpartition(".")[2]
        calls = [
            each
            for each in ast.walk(parse_expression(step.line.source))
            if isinstance(each, ast.Call) and unparse(each.func).rpartition(".")[2] == name
        ]
        return any(len(each.args) < len(fixed) + 2 and not each.keywords for each in calls)

    def _is_given_none(self, step: Step) -> bool:
        """Whether a method of the module that takes any number of values is given none."""
        if step.form is StepForm.CHANGE:
            return False
        return any(
            not (each.args or each.keywords) and each.func.attr in self._taking_several
            for each in ast.walk(parse_expression(step.line.source))
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
        )

    def _is_of_chance(self, scenario: Scenario, check: Check) -> bool:
        """Whether it looks at the keys or the length alone of what was drawn.

        A length that was asked for is kept.
        """
        lines = [each.line.source for each in scenario.steps[: check.step + 1]]
        looked_at = check.reading.replace("{}", lines[-1])
        if check.relation is not Relation.EQUALS or not _OUTSIDE.search(looked_at):
            return False
        nodes = [each for line in lines for each in ast.walk(parse_module(line))]
        given = {each.value for each in nodes if isinstance(each, ast.Constant)}
        expected = parse_expression(check.expected.source)
        if isinstance(expected, ast.Constant) and expected.value in given:
            return False
        return any(
            unparse(each.func).rpartition(".")[2] in self.drawn
            for each in nodes
            if isinstance(each, ast.Call)
        )

    def _is_procedure(self, step: Step) -> bool:
        function = self.manual.functions.get(step.callee or "")
        return function is None or not _returns_something(function)


def _shows_machine(scenario: Scenario) -> bool:
    """Whether something that was seen tells of the machine, and nothing given does."""
    given = "\n".join(each.line.source for each in scenario.steps)
    for seen in scenario.seen:
        raised = [] if seen.raised is None else [f"{seen.type_name}: {seen.raised}"]
        read = [] if seen.literal is None else [seen.literal.source]
        read += [each.source for each in seen.parts.values()]
        if any(trace_of(text, given) is not None for text in (*raised, *read, seen.printed)):
            return True
    return False


def _compares_calls(step: Step) -> bool:
    node = parse_expression(step.line.source)
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    return bool(sides) and all(isinstance(each, ast.Call) for each in sides)


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
        if pattern.search(unparse(node)):
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


def _asking_for_packages(tree: ast.Module) -> frozenset[str]:
    """Functions that ask whether a package is there which the module can do without."""
    optional = frozenset(
        unparse(target)
        for node in tree.body
        if isinstance(node, ast.Try)
        for handler in node.handlers
        if handler.type is not None and "ImportError" in unparse(handler.type)
        for each in handler.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
    )
    return frozenset(node.name for node in _functions(tree.body) if optional & names_in(node))


def _returns_something(function: Function) -> bool:
    if isinstance(function.returns, ast.Constant) and function.returns.value is None:
        return False
    return any(
        isinstance(each, ast.Return) and each.value is not None
        and not (isinstance(each.value, ast.Constant) and each.value.value is None)
        for each in ast.walk(function)
    )  # fmt: skip


def _is_changed_by_itself(step: Step) -> bool:
    """Whether an object is its own key or item: `del memo[memo]`."""
    names = [
        each.id for each in ast.walk(parse_module(step.line.source)) if isinstance(each, ast.Name)
    ]
    return len(set(names)) < len(names)


def _is_given_itself(call: ast.Call) -> bool:
    """Whether an argument is made by the same function."""
    name = unparse(call.func)
    given = (*call.args, *(each.value for each in call.keywords))
    return any(
        isinstance(inner, ast.Call) and unparse(inner.func) == name and name[:1].islower()
        for each in given
        for inner in ast.walk(each)
    )


def _meets_its_like(step: Step, made: Mapping[str, str]) -> bool:
    """Whether a method is given what it is called on, made anew: `Path("a").has(Path("a"))`."""
    if step.form not in (StepForm.CALL, StepForm.OPERATE):
        return False
    match parse_expression(step.line.source):
        case (
            ast.Call(func=ast.Attribute(value=held), args=[given])
            | ast.BinOp(left=held, right=ast.Name() | ast.Call() as given)
        ):
            sides = [made.get(text, text) for text in map(unparse, (held, given))]
            return sides[0] == sides[1] and not sides[0].endswith("()")
    return False


def _is_receiver(call: ast.Call, name: str) -> bool:
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(held, ast.Name) and held.id == name


def _functions(body: Sequence[ast.stmt]) -> Iterator[Function]:
    for node in body:
        if isinstance(node, Function):
            yield node
        elif isinstance(node, ast.ClassDef | ast.If | ast.Try):
            yield from _functions(node.body)
