"""Other ways to make a call that has worked: again, aliased, late, after a companion, larger.

Several calls may share an object or a module: what a call leaves behind shows in later ones. Floats
that do not add up exactly show the order and the way of summation.
"""

import ast
import copy
import itertools
import keyword
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.errors import UsageError
from reverie.inputs import calls_for
from reverie.instruments.equivalence.contract import literal_value, misfit_arguments
from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.neighbours import ascii_source, kind_of
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.targets import shape_in
from reverie.model.call import Call, Expression, combine
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression, parse_expression
from reverie.syntax.unparsing import unparse

_COMPANION_CALLS = 12
_PER_CALL = 5
_MOST_SHOWN = 6
_TUNED = 0.8
_LONG = 0.15
_LENGTHS = (4, 8, 20)


class Histories:
    """Makes scenarios in which other public functions are called before and after the callable."""

    def __init__(self, facts: Facts, chance: random.Random) -> None:
        self.chance = chance
        self.entry = facts.old.qualname
        self.makes_objects = isinstance(facts.old.node, ast.ClassDef)
        self.companions = {
            name: calls for name in facts.companions if (calls := _calls(facts, name))
        }

    def of(self, call: Call) -> Iterator[Scenario]:
        """A few histories around a call; none when nothing can show what it leaves."""
        if self.companions:
            for _ in range(_PER_CALL):
                yield self.around(call)

    def around(self, call: Call, others: Sequence[Call] = ()) -> Scenario:
        """Companions, the call, perhaps another call, and then whatever can show the outcome."""
        names = list(self.companions)
        steps = [self._companion(name, call) for name in self._some(names, (0, 0, 1, 1, 2, 3))]
        if not self.makes_objects:
            steps += self._repeated(call, others)
            if self.chance.random() < 0.5:
                steps.append(Step(self.chance.choice(others or (call,))))
            steps += [self._companion(name, call) for name in self._some(names, (0, 0, 1))]
            steps += [Step(call)] if self.chance.random() < 0.3 else []
        shown = self.chance.sample(names, min(_MOST_SHOWN, len(names)))
        steps += [self._companion(name, call) for name in shown]
        return Scenario(tuple(self._on_one_object(steps, call)))

    def _repeated(self, call: Call, others: Sequence[Call]) -> list[Step]:
        """The call; now and then many of its kind, until something that is limited is full."""
        if self.chance.random() >= _LONG:
            return [Step(call)]
        often = self.chance.choice(_LENGTHS)
        return [Step(self.chance.choice((call, *others[:often]))) for _ in range(often)]

    def _some(self, names: list[str], counts: tuple[int, ...]) -> list[str]:
        return self.chance.choices(names, k=self.chance.choice(counts))

    def _companion(self, name: str, call: Call) -> Step:
        """A companion, often with an argument of the call where one of its own has that form."""
        made = self.chance.choice(self.companions[name])
        args = list(made.args)
        for place, argument in enumerate(args):
            alike = [each for each in call.args if kind_of(each.source) == kind_of(argument.source)]
            if alike and self.chance.random() < _TUNED:
                args[place] = self.chance.choice(alike)
                break
        return Step(replace(made, args=tuple(args)), callee=name)

    def _on_one_object(self, steps: list[Step], call: Call) -> Iterator[Step]:
        """All methods on the object that the call is about."""
        receiver = call.receiver
        if self.makes_objects:
            receiver = combine(call.render(self.entry), call.expressions())
            receiver = replace(receiver, names=receiver.names | {self.entry})
        is_met = False
        for step in steps:
            if receiver is None or step.call.receiver is None:
                yield step
                continue
            yield replace(step, call=replace(step.call, receiver=receiver), is_shared=is_met)
            is_met = True


def _calls(facts: Facts, name: str) -> tuple[Call, ...]:
    try:
        return calls_for(shape_in(facts.old, name), seed=7, count=_COMPANION_CALLS)
    except UsageError:
        return ()  # it is made in a way that the source does not show


def nan_calls(call: Call) -> Iterator[Call]:
    """One NaN as an argument and in a list of the call: it is itself, and not equal to itself."""
    nan = Expression("math.nan", frozenset({"math"}))
    for place in range(len(call.args)):
        others = [Expression("0") if n == place else each for n, each in enumerate(call.args)]
        args = [_with_nan(each) for each in others]
        receiver = None if call.receiver is None else _with_nan(call.receiver)
        if (*args, receiver) != (*others, call.receiver):
            args[place] = nan
            yield Call(tuple(args), call.kwargs, receiver)


def _with_nan(expression: Expression) -> Expression:
    """An expression with a NaN as the first item of its first list."""
    try:
        tree = fresh_expression(expression.source)
    except NOT_PYTHON:
        return expression
    for node in ast.walk(tree):
        if isinstance(node, ast.List):
            node.elts[:1] = [fresh_expression("math.nan")]
            made = expression.replaced(ascii_source(tree))
            return replace(made, modules=made.modules | {"math"})
    return expression


_SUMS = (
    (0.1, 0.2, 0.3, 0.7, 1.1, 0.6),
    (1e16, 1.0, -1e16, 0.1, 3.3, 1.0),
    (-0.1, 1 / 3, 0.7, 1000.0, 2.675, 1.1),
)
_SUM_LENGTHS = (3, 6, 6)


def rough_calls(call: Call) -> Iterator[Call]:
    """The call with rough floats, its lists of one length of three and more."""
    trees = [_parsed(each) for each in call.args]
    if not any(tree is not None and _has_float(tree) for tree in trees):
        return
    for values, length in zip(_SUMS, _SUM_LENGTHS, strict=True):
        args = tuple(
            given if tree is None else given.replaced(_roughened(given, values, length))
            for given, tree in zip(call.args, trees, strict=True)
        )
        yield Call(args, call.kwargs, call.receiver)


def _roughened(given: Expression, values: tuple[float, ...], length: int) -> str:
    tree = fresh_expression(given.source)
    return ascii_source(_Roughen(values, length).visit(tree))


def _parsed(expression: Expression) -> ast.expr | None:
    """The syntax of a plain literal."""
    try:
        tree = parse_expression(expression.source)
        ast.literal_eval(tree)
    except NOT_PYTHON:
        return None
    return tree


def _has_float(tree: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Constant) and type(each.value) is float for each in ast.walk(tree)
    )


class _Roughen(ast.NodeTransformer):
    """Lists and dicts with floats in them get the length, every float the next rough value."""

    def __init__(self, values: tuple[float, ...], length: int) -> None:
        self.values = itertools.cycle(values)
        self.length = length

    def visit_List(self, node: ast.List) -> ast.AST:
        """As many items, copied in turn."""
        if node.elts and not all(isinstance(each, ast.List) for each in node.elts):
            items = itertools.islice(itertools.cycle(map(unparse, node.elts)), self.length)
            node = ast.List([fresh_expression(each) for each in items], ast.Load())
        return self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """As many entries where the keys are texts, the further ones under new names."""
        missing = range(len(node.keys), self.length)
        if node.keys and all(_is_text(each) for each in node.keys) and _has_float(node.values[0]):
            node.keys += [ast.Constant(f"k{number}") for number in missing]
            node.values += [copy.deepcopy(node.values[0]) for _ in missing]
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """A negative float is one value."""
        return self.visit(node.operand) if _has_float(node) else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """The next value."""
        return ast.Constant(next(self.values)) if type(node.value) is float else node


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


_LARGE = 3000
_AT_DEPTH = 8
"""Calls of recursive code that are made long and deep."""
_NESTED = "functools.reduce(lambda rest, n: {0}, range({1}), {2})"
_DEEP = {
    "List": (_NESTED.format("[rest]", _LARGE, "[]"), _NESTED.format("[n, rest]", _LARGE, "[]")),
    "Tuple": (
        _NESTED.format("(n, rest)", _LARGE, "()"),
        _NESTED.format("(n, rest)", _LARGE, "None"),
    ),
    "Dict": (_NESTED.format("{'a': rest}", _LARGE, "{}"),),
    "NoneType": (_NESTED.format("(n, rest)", _LARGE, "None"),),
}
"""As deep as the form allows; a tuple whose last item is None is a linked list."""

_MIXED = ("[True, 1, 1.0]", "[0, False]", "[None]", "['a', b'a']")
"""What a list may hold besides when nobody says what it holds."""
ASKED = "asked"
_RAISING = "(print({0!r}), (_ for _ in ()).throw({1}()))"
_FLOAT = re.compile(r"(?<![\w.'])\d+\.\d+(?![\w.'])")
_NAMES = ("z", "x", "a")
"""Not in alphabetical order: the order in which options are given may show."""
_PLAIN = 0.7
_HISTORY = 0.4
_ABROAD = "XST+3:30XDT,M3.2.0,M11.1.0"
"""Behind UTC by hours and a half, with daylight saving; no database of zones is needed."""
_OF_MAPPINGS = frozenset({"KeyError", "LookupError", "Exception"})
_LENIENT = """
class Lenient(dict):
    def get(self, key, default=None):
        return dict.get(self, key, next(iter(self.values()), default))

    def copy(self):
        return Lenient(self)
"""
"""A mapping of the caller's own class, with lookups and copies of its own."""
_FACTORIES = frozenset({"list", "dict", "set", "int", "float", "str"})
_FAILING = (
    "lambda *given: [{0}][not all(given)](*given)",
    "lambda *given: [{0}][all(given)](*given)",
    "lambda *given: [{0}][len(str(given)) % 2](*given)",
)
"""Without an answer for a zero or an empty value, for any other one, for some."""


class Variants:
    """Scenarios made from calls that the old version accepted."""

    def __init__(self, facts: Facts, chance: random.Random) -> None:
        self.facts = facts
        self.chance = chance
        self.histories = Histories(facts, chance)
        self._seen = 0

    def of(self, call: Call) -> Iterator[Scenario]:
        """Every variant of one call."""
        yield Scenario.of(call, call)
        yield Scenario((Step(call, is_late=True),))
        yield Scenario((Step(call, is_brief=True),))
        yield from self._aliased(call)
        yield from self._twinned(call)
        yield from self._named(call)
        yield from self.histories.of(call)
        yield from self._failing_questions(call)
        yield from self._raising_questions(call)
        yield from self._defaulting(call)
        if self.facts.asks_members_otherwise:
            fitting = (
                e for e in nan_calls(call) if not misfit_arguments(e, self.facts.annotations)
            )
            yield from map(Scenario.of, fitting)
        if self.facts.uses_clocks:
            yield Scenario((Step(call, zone=_ABROAD),))
        yield from map(Scenario.of, rough_calls(call))
        yield from (Scenario((Step(each, is_retyped=True),)) for each in self._retyped(call))
        self._seen += 1
        if self.facts.is_recursive and self._seen <= _AT_DEPTH:
            yield from (Scenario((Step(each, is_large=True),)) for each in self._enlarged(call))

    def _aliased(self, call: Call) -> Iterator[Scenario]:
        """Two arguments of one changeable form as one object, where that fits both."""
        forms = [kind_of(each.source) for each in call.args]
        for first, second in itertools.combinations(range(len(forms)), 2):
            if forms[first] != forms[second] or forms[first] not in ("List", "Dict", "Set"):
                continue
            as_one = _with(call, second, call.args[first])
            if not misfit_arguments(as_one, self.facts.annotations):
                yield Scenario((Step(call, aliased=(first, second)),))

    def _twinned(self, call: Call) -> Iterator[Scenario]:
        """Two arguments of one form with equal contents; a NaN in both is one object."""
        forms = [kind_of(each.source) for each in call.args]
        for first, second in itertools.combinations(range(len(forms)), 2):
            if forms[first] != forms[second]:
                continue
            twin = call.args[first]
            yield Scenario.of(_with(call, second, twin))
            odd = twin.replaced(_FLOAT.sub("math.nan", twin.source, count=1))
            if odd != twin:
                odd = Expression(odd.source, odd.modules | {"math"}, odd.names, odd.definitions)
                yield Scenario.of(_with(_with(call, first, odd), second, odd))

    def _named(self, call: Call) -> Iterator[Scenario]:
        """Arguments by name, and options beyond those that are declared."""
        names = self.facts.keywords[: len(call.args)]
        taken = {name for name, _ in call.kwargs}
        if names and len(names) == len(call.args) and not taken & set(names):
            by_name = tuple(zip(names, call.args, strict=True))
            yield Scenario.of(Call((), (*by_name, *call.kwargs), call.receiver))
        if self.facts.takes_options:
            words = [each for each in map(ast.literal_eval, self.facts.constants) if _is_name(each)]
            used = {*taken, *self.facts.annotations}
            free = [each for each in (*words, *_NAMES) if each not in used]
            form = "'{}'" if self._takes_texts() else "{}"
            for extra in (free[:1], free[-2:], free[::-1][:4], free[-3:]):
                options = ((name, Expression(form.format(n))) for n, name in enumerate(extra))
                yield Scenario.of(Call(call.args, (*call.kwargs, *options), call.receiver))

    def _takes_texts(self) -> bool:
        """Whether the options beyond the declared ones are texts."""
        extra = getattr(getattr(self.facts.old.node, "args", None), "kwarg", None)
        return extra is not None and getattr(extra.annotation, "id", None) == "str"

    def one_of(self, call: Call, others: Sequence[Call]) -> Scenario:
        """The call as it is, or now and then with a past, abroad, or with a failing question."""
        if self.histories.companions and self.chance.random() < _HISTORY:
            return self.histories.around(call, others)
        failing = list(self._failing_questions(call))
        if self.chance.random() >= _PLAIN:
            if failing:
                return self.chance.choice(failing)
            if self.facts.uses_clocks:
                return Scenario((Step(call, zone=_ABROAD),))
        return Scenario.of(call)

    def _failing_questions(self, call: Call) -> Iterator[Scenario]:
        """Questions that have no answer for some values: who asks less often gets by."""
        for place in self.facts.asked:
            for failing in _FAILING if place < len(call.args) else ():
                asked = call.args[place]
                made = asked.replaced(failing.format(asked.source))
                yield Scenario((Step(_with(call, place, made), is_partial=True),))

    def _raising_questions(self, call: Call) -> Iterator[Scenario]:
        """Questions that raise what the sources catch: their errors are not those of the code."""
        if any("lambda" in each.source for each in call.args):
            for name in self.facts.caught or ("KeyError",):
                args = tuple(_raising(each, name) for each in call.args)
                yield Scenario((Step(replace(call, args=args), is_raising=True),))

    def _defaulting(self, call: Call) -> Iterator[Scenario]:
        """Mappings that never raise `KeyError` and keep what they are asked for instead.

        Only where the new version waits for that error, or makes a plain copy where they copied
        themselves.
        """
        if not (self.facts.newly_caught & _OF_MAPPINGS or self.facts.copies_otherwise):
            return
        for place, argument in enumerate(call.args):
            try:
                value = literal_value(argument)
            except ValueError:
                continue
            if type(value) is dict:
                kind = type(next(iter(value.values()), [])).__name__
                factory = kind if kind in _FACTORIES else "list"
                source = f"collections.defaultdict({factory}, {argument.source})"
                made = Expression(
                    source,
                    argument.modules | {"collections"},
                    argument.names,
                    argument.definitions,
                )
                yield Scenario.of(_with(call, place, made))
                if self.facts.copies_otherwise:
                    needs = (*argument.definitions, _LENIENT)
                    lenient = replace(
                        argument.replaced(f"Lenient({argument.source})"), definitions=needs
                    )
                    yield Scenario.of(_with(call, place, lenient))

    def _retyped(self, call: Call) -> Iterator[Call]:
        """Arguments whose type is open as other containers."""
        for place, name in enumerate(self.facts.parameters[: len(call.args)]):
            if name in self.facts.loose:
                is_free = self.facts.annotations.get(name) is None
                changed = _reshaped(call.args[place], is_free)
                yield from (_with(call, place, each) for each in changed)

    def _enlarged(self, call: Call) -> Iterator[Call]:
        """For recursion, deep and long arguments."""
        for place, name in enumerate(self.facts.parameters[: len(call.args)]):
            changed = _enlarged(call.args[place], name in self.facts.loose)
            yield from (_with(call, place, each) for each in changed)


def _raising(argument: Expression, name: str) -> Expression:
    """The argument with functions that say that they were asked, and raise."""
    try:
        tree = fresh_expression(argument.source)
    except NOT_PYTHON:
        return argument
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            node.body = fresh_expression(_RAISING.format(ASKED, name))
    return argument.replaced(ascii_source(tree))


def _reshaped(argument: Expression, is_free: bool) -> Iterator[Expression]:
    """The same items in other containers, and items that can change."""
    try:
        value = literal_value(argument)
    except ValueError:
        return
    if type(value) is dict:
        yield argument.replaced(ascii({key: [each] for key, each in value.items()}))
    if type(value) is int and is_free:
        yield from map(argument.replaced, ("True", "False", f"{min(abs(value), 1 << 40)}.0"))
    if type(value) is list:
        yield argument.replaced(ascii([[each] for each in value]))
        yield from (argument.replaced(f"{value!a} + {more}") for more in _MIXED)
        if is_free:
            yield argument.replaced(f"iter({argument.source})")
            yield argument.replaced(ascii(tuple(value)))


def _enlarged(argument: Expression, is_loose: bool) -> Iterator[Expression]:
    form = kind_of(argument.source)
    if form in ("List", "str"):
        yield argument.replaced(f"({argument.source}) * {_LARGE}")
    if form == "int":
        yield argument.replaced(str(_LARGE))
    if is_loose:
        for source in _DEEP.get(form, ()):
            yield Expression(source, argument.modules | {"functools"})


def _is_name(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and not keyword.iskeyword(value)


def _with(call: Call, place: int, argument: Expression) -> Call:
    args = (*call.args[:place], argument, *call.args[place + 1 :])
    return Call(args, call.kwargs, call.receiver)
