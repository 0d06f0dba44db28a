"""Other ways to make a call that has worked: again, aliased, late, after a companion, larger."""

import ast
import itertools
import keyword
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.instruments.equivalence.changes import ascii_source
from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.fits import literal_value, misfit_arguments
from reverie.instruments.equivalence.histories import Histories
from reverie.instruments.equivalence.neighbours import kind_of
from reverie.instruments.equivalence.rough import rough_calls
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.model.call import Call, Expression

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
        tree = ast.parse(argument.source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return argument
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda):
            node.body = ast.parse(_RAISING.format(ASKED, name), mode="eval").body
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
