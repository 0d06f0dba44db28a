"""Scenarios around a call that brought news: no luck is needed for these.

Every place of it at every edge of its type, one at a time; values of derived classes, where a
version asks for the very type of something; tables that hold what is looked up in them, and empty
ones; lists, texts and dicts as long as a number in the sources, or nearly.
"""

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.neighbours import ascii_source, in_indices
from reverie.instruments.equivalence.pools import (
    asks_for_characters,
    asks_for_forms,
    character_calls,
    look_alike_calls,
)
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.tables import bounds_near, numbers_in_tables
from reverie.model.call import Call, Expression
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression, parse_expression
from reverie.syntax.unparsing import unparse

_SHARP_S = "\u00df"
_MOST_PLACES = 14
_HUGE = 10**10
"""Nothing with so many parts fits into memory."""
_BEYOND_FLOATS = "10 ** 400"
_EQUAL_PAIRS: dict[type, tuple[tuple[str, str], ...]] = {
    float: (("math.nan", "math.nan"), ("0.0", "-0.0"), ("-0.0", "0.0")),
    str: (("'a'", "'A'"), ("'b'", "'a'")),
    int: (("2", "1"), ("1", "1")),
}


def edge_calls(call: Call, constants: Sequence[object]) -> Iterator[Call]:
    """Neighbours with one place at an edge, or at one of the constants."""
    for place, argument in enumerate(call.args):
        for changed in _edge_expressions(argument, constants):
            args = (*call.args[:place], changed, *call.args[place + 1 :])
            yield replace(call, args=args)
    for place, (name, argument) in enumerate(call.kwargs):
        for changed in _edge_expressions(argument, constants):
            kwargs = (*call.kwargs[:place], (name, changed), *call.kwargs[place + 1 :])
            yield replace(call, kwargs=kwargs)


def _edge_expressions(expression: Expression, constants: Sequence[object]) -> Iterator[Expression]:
    try:
        tree = parse_expression(expression.source)
    except NOT_PYTHON:
        return
    for node in _places(tree)[:_MOST_PLACES]:
        for replacement in _edges(node, constants):
            source = ascii_source(Swap(node, replacement).visit(copy.deepcopy(tree)))
            modules = expression.modules | ({"math"} if "math." in source else set())
            yield Expression(source, modules, expression.names, expression.definitions)


def _places(node: ast.expr) -> list[ast.expr]:
    """The node and the displays and literals in it, numbered in their order."""
    found = [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Constant | ast.List | ast.Dict | ast.UnaryOp)
    ]
    negated = {id(each.operand) for each in found if isinstance(each, ast.UnaryOp)}
    left_out = negated | in_indices(node)
    return [each for each in found if id(each) not in left_out]


class Swap(ast.NodeTransformer):
    """Replaces what stands at a node's position."""

    def __init__(self, place: ast.expr, replacement: ast.expr) -> None:
        self.position = (type(place), place.col_offset, place.end_col_offset)
        self.replacement = replacement

    def visit(self, node: ast.AST) -> ast.AST:
        """The replacement at the position, and all else as it is."""
        position = (
            type(node),
            getattr(node, "col_offset", -1),
            getattr(node, "end_col_offset", -1),
        )
        return self.replacement if position == self.position else self.generic_visit(node)


def _edges(node: ast.expr, constants: Sequence[object]) -> Iterator[ast.expr]:
    match node:
        case ast.Constant(value=bool() as flag):
            yield ast.Constant(not flag)
        case ast.Constant(value=int() as whole):
            yield from _numbers(whole, constants)
        case ast.UnaryOp(operand=ast.Constant(value=int() as whole)):
            yield from _numbers(-whole, constants)
        case ast.Constant(value=float() as real):
            yield from (ast.Constant(each) for each in (-real, 0.0, -0.0, 1e16, 0.1, 2.5))
            yield from (fresh_expression(each) for each in ("math.nan", "math.inf"))
        case ast.Constant(value=str() as text):
            edges = ["", text + "\n", f" {text}", text.upper(), text + _SHARP_S, text[:1], text * 2]
            edges += [each for each in constants if type(each) is str]
            yield from (ast.Constant(each) for each in edges)
        case ast.Constant(value=bytes() as data):
            yield from (ast.Constant(each) for each in (b"", data + b"\n", data * 2, data[:1]))
        case ast.List(elts=items):
            yield from (ast.List(each, ast.Load()) for each in _arrangements(items))
        case ast.Dict(keys=keys, values=values):
            yield ast.Dict([], [])
            yield ast.Dict(keys[::-1], values[::-1])
            yield ast.Dict(keys[1:], values[1:])


def _numbers(value: int, constants: Sequence[object]) -> Iterator[ast.expr]:
    edges = [0, 1, -1, value + 1, value - 1, -value, value * 10, _HUGE]
    edges += [each for each in constants if type(each) is int]
    yield from (ast.Constant(each) for each in dict.fromkeys(edges) if each != value)
    yield fresh_expression(_BEYOND_FLOATS)


def _arrangements(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Fewer, more, in another order; with near copies, for ties and for keys that nearly match."""
    yield []
    if not items:
        return
    yield items[:1]
    yield items[::-1]
    yield [*items, items[0]]
    yield [items[0], items[0]]
    yield [*items[1:], items[0]]
    for pair in _EQUAL_PAIRS.get(type(getattr(items[0], "value", None)), ()):
        yield [fresh_expression(each) for each in pair]
    for copied in _near_copies(items[0]):
        yield [*items, copied]
        yield [copied, items[0]]


def _near_copies(item: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(item, ast.Tuple | ast.Dict | ast.List):
        return
    for leaf in _places(item)[:6]:
        if isinstance(leaf, ast.Constant):
            changed = next(_edges(leaf, ()), None)
            if changed is not None:
                yield Swap(leaf, changed).visit(copy.deepcopy(item))  # type: ignore[misc]
    if isinstance(item, ast.Tuple) and item.elts:
        yield ast.Tuple(item.elts[:-1], ast.Load())


_MOST_TYPED_PLACES = 8
_FORMS: dict[type[ast.expr], str] = {
    ast.List: "type('Items', (list,), {{}})({0})",
    ast.Tuple: "type('Pair', (tuple,), {{}})({0})",
    ast.Dict: "type('Table', (dict,), {{}})({0})",
    ast.Set: "type('Group', (set,), {{}})({0})",
}
_TEXT = "type('Text', (str,), {{}})({0})"
_NUMBER = "type('Number', (int,), {{}})({0})"


def asks_for_types(old: ast.AST, new: ast.AST) -> bool:
    """Whether one version asks for the exact type of something, and the other does not."""
    return set(_type_questions(old)) != set(_type_questions(new))


def derived_calls(call: Call) -> Iterator[Call]:
    """The call with one value, wherever it stands, of a class that is derived from its own."""
    for place, argument in enumerate(call.args):
        for changed in _derived(argument):
            yield replace(call, args=(*call.args[:place], changed, *call.args[place + 1 :]))


def _type_questions(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[_], keywords=[]):
                yield ast.dump(node)
            case ast.Attribute(attr="__class__"):
                yield ast.dump(node)


def _derived(argument: Expression) -> Iterator[Expression]:
    try:
        tree = parse_expression(argument.source)
    except NOT_PYTHON:
        return
    places = [(each, form) for each in ast.walk(tree) if (form := _form(each)) is not None]
    for node, form in places[:_MOST_TYPED_PLACES]:
        if isinstance(node, ast.expr):
            made = fresh_expression(form.format(ascii_source(node)))
            yield argument.replaced(ascii_source(Swap(node, made).visit(copy.deepcopy(tree))))


def _form(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str()):
            return _TEXT
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return _NUMBER
        case ast.expr():
            return _FORMS.get(type(node))
    return None


_MOST_WORDS = 10
Word = str | int | float | bytes
_EMPTY: dict[type, Word] = {str: "", int: 0, float: 0.0, bytes: b"", bool: False}


def matched_calls(call: Call, constants: Sequence[Word]) -> Iterator[Call]:
    """The call with a key in a table and the same as another argument, its value empty or not."""
    trees = [_parsed(each) for each in call.args]
    for place, tree in enumerate(trees):
        key = _first_key(tree)
        if tree is None or key is None:
            continue
        askers = [other for other, each in enumerate(trees) if _kind(each) is type(key.value)]
        words = [each for each in constants if type(each) is type(key.value)]
        words = [*(ast.literal_eval(call.args[other].source) for other in askers), *words]
        for word in dict.fromkeys(words[:_MOST_WORDS]):
            for table in _tables(tree, word):
                args = list(call.args)
                args[place] = args[place].replaced(ascii_source(table))
                for other in askers:
                    args[other] = args[other].replaced(ascii(word))
                yield replace(call, args=tuple(args))


def _tables(tree: ast.expr, word: Word) -> Iterator[ast.expr]:
    """The table with the word as its first key or item; its value as it is, and empty."""
    made = copy.deepcopy(tree)
    match made:
        case ast.Dict(keys=keys, values=[value, *_] as values):
            keys[0] = ast.Constant(word)
            yield copy.deepcopy(made)
            empty = _emptied(value)
            if empty is not None:
                values[0] = empty
                yield made
        case ast.List(elts=items) | ast.Set(elts=items) | ast.Tuple(elts=items):
            items[0] = ast.Constant(word)
            yield made


def _emptied(value: ast.expr) -> ast.expr | None:
    match value:
        case ast.Constant(value=known) if type(known) in _EMPTY:
            return ast.Constant(_EMPTY[type(known)])
        case ast.UnaryOp(operand=ast.Constant(value=known)) if type(known) in _EMPTY:
            return ast.Constant(_EMPTY[type(known)])
        case ast.List():
            return ast.List([], ast.Load())
        case ast.Dict():
            return ast.Dict([], [])
    return None


def _first_key(tree: ast.expr | None) -> ast.Constant | None:
    match tree:
        case ast.Dict(keys=[ast.Constant(value=str() | int()) as key, *_]):
            return key
        case ast.List(elts=[first, *_]) | ast.Set(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
            is_word = isinstance(first, ast.Constant) and type(first.value) in (str, int)
            return first if is_word and isinstance(first, ast.Constant) else None
    return None


def _kind(tree: ast.expr | None) -> type | None:
    return type(tree.value) if isinstance(tree, ast.Constant) else None


def _parsed(argument: Expression) -> ast.expr | None:
    try:
        return fresh_expression(argument.source)
    except NOT_PYTHON:
        return None


_LEAST = 8
_LARGEST = 20_000
_MOST_NUMBERS = 5
_MANY = 1100
"""Powers of two that no float can hold, and calls deeper than Python goes, begin before it."""


def sizes_near(constants: Sequence[str]) -> list[int]:
    """Lengths at which something may change: around the first numbers of the sources."""
    numbers = [value for each in constants if type(value := ast.literal_eval(each)) is int]
    chosen = [each for each in numbers if _LEAST <= each <= _LARGEST][:_MOST_NUMBERS]
    return sorted({each + step for each in chosen for step in (-1, 0, 1)})


def sized_calls(call: Call, sizes: Sequence[int]) -> Iterator[Call]:
    """The call with each of its containers at each of the lengths, one at a time."""
    for place, argument in enumerate(call.args):
        for size in sizes:
            source = _sized(argument, size)
            if source is not None:
                args = (*call.args[:place], argument.replaced(source), *call.args[place + 1 :])
                yield replace(call, args=args)


def counting_calls(call: Call) -> Iterator[Call]:
    """The call with each of its whole numbers as a count that is large, but can be waited for."""
    for place, argument in enumerate(call.args):
        match _parsed(argument):
            case ast.Constant(value=int(known)) if not isinstance(known, bool):
                many = argument.replaced(str(_MANY))
                yield replace(call, args=(*call.args[:place], many, *call.args[place + 1 :]))


def inner_sized_calls(call: Call, sizes: Sequence[int]) -> Iterator[Call]:
    """The call with the first list inside one of its arguments at each of the lengths."""
    for place, argument in enumerate(call.args):
        found = _inner_list(_parsed(argument)) if argument.source.isascii() else None
        if found is None:
            continue
        start, end = found.col_offset, found.end_col_offset
        inner = argument.source[start:end]
        for size in sizes:
            longer = f"({inner} * {size // len(found.elts) + 1})[:{size}]"
            source = f"{argument.source[:start]}{longer}{argument.source[end:]}"
            yield replace(
                call, args=(*call.args[:place], argument.replaced(source), *call.args[place + 1 :])
            )


def _inner_list(tree: ast.expr | None) -> ast.List | None:
    inside = () if tree is None else itertools.islice(ast.walk(tree), 1, None)
    return next((each for each in inside if isinstance(each, ast.List) and each.elts), None)


def _sized(argument: Expression, size: int) -> str | None:
    match _parsed(argument):
        case ast.List(elts=items) if items:
            return f"({argument.source} * {size // len(items) + 1})[:{size}]"
        case ast.Constant(value=str() | bytes() as text) if text:
            return f"({argument.source} * {size // len(text) + 1})[:{size}]"
        case ast.Dict(keys=[ast.Constant(value=str()), *_], values=[value, *_]):
            return f"{{f'k{{n}}': {unparse(value)} for n in range({size})}}"
        case ast.Dict(keys=[ast.Constant(value=int()), *_], values=[value, *_]):
            return f"{{n: {unparse(value)} for n in range({size})}}"
        case ast.Set(elts=[ast.Constant(value=int()), *_]):
            return f"set(range({size}))"
    return None


def bounded_calls(call: Call, bounds: Sequence[int]) -> Iterator[Call]:
    """The call with a whole number of its own, or a text that is one, at each of the bounds."""
    for place, argument in enumerate(call.args):
        match _parsed(argument):
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                texts = [str(each) for each in bounds]
            case ast.Constant(value=str() as text) if text.isdecimal() and text.isascii():
                texts = [repr(str(each)) for each in bounds]
            case _:
                continue
        for each in texts:
            args = (*call.args[:place], argument.replaced(each), *call.args[place + 1 :])
            yield replace(call, args=args)


_AT_EDGES = 6
"""Calls whose every place is put at every edge."""
_MOST_EDGES = 90
_AT_SIZES = 3
"""Calls whose lists and texts get the lengths that the sources name."""
_AT_INNER_SIZES = 10
"""The same for the lists inside: which of them matters is not known."""
_AT_MATCHES = 6
"""Calls whose tables get the words of the sources, and are asked for them."""
_AT_TYPES = 12
"""Calls whose values are given as those of derived classes, if a version asks for types."""
_AT_TABLES = 3
"""Calls whose numbers are put at the entries of the tables that a version works out."""
_AT_CHARACTERS = 2
"""Calls whose texts get one character of every kind, if a version asks for kinds."""
_AT_LOOK_ALIKES = 12
"""Calls whose texts get what may be taken for a part of them, if a version asks for kinds."""
_MOST_DIRECTED = 8


class Around:
    """Makes the scenarios of one call after another; of the first ones the most."""

    def __init__(self, facts: Facts) -> None:
        self._words = [ast.literal_eval(each) for each in facts.constants]
        self._changed = self._words[: min(facts.changed_constants, _MOST_DIRECTED)]
        self._sizes = sizes_near(facts.constants)
        self._types = _AT_TYPES if asks_for_types(facts.old.tree, facts.new.tree) else 0
        is_asking = asks_for_characters(facts.old.tree, facts.new.tree)
        self._characters = _AT_CHARACTERS if is_asking else 0
        self._has_forms = asks_for_forms(facts.old.tree, facts.new.tree)
        self._look_alikes = _AT_LOOK_ALIKES if is_asking else 0
        trees = (facts.old.tree, facts.new.tree)
        self._bounds = bounds_near(each for tree in trees for each in numbers_in_tables(tree))
        self._made: Counter[str] = Counter()

    def of(self, call: Call, contract: Contract) -> Iterator[Scenario]:
        """Every scenario around a call."""
        edges = itertools.islice(edge_calls(call, self._changed), _MOST_EDGES)
        for each in self._first("edges", _AT_EDGES, edges):
            yield Scenario.of(contract.fit(each))
        for each in self._first("tables", _AT_TABLES, bounded_calls(call, self._bounds)):
            yield Scenario.of(contract.fit(each))
        for each in self._first("sizes", _AT_SIZES, sized_calls(call, self._sizes)):
            yield Scenario((Step(each, is_large=True),))
        for each in self._first("counts", _AT_SIZES, counting_calls(call)):
            yield Scenario((Step(each, is_large=True),))
        for each in self._first("inside", _AT_INNER_SIZES, inner_sized_calls(call, self._sizes)):
            yield Scenario((Step(each, is_large=True),))
        for each in self._first("matches", _AT_MATCHES, matched_calls(call, self._words)):
            yield Scenario.of(contract.fit(each))
        characters = character_calls(call, self._has_forms)
        for each in self._first("characters", self._characters, characters):
            yield Scenario.of(each)
        for each in self._first("look-alikes", self._look_alikes, look_alike_calls(call)):
            yield Scenario.of(each)
        for each in self._first("types", self._types, derived_calls(call)):
            yield Scenario.of(each)

    def _first(self, name: str, most: int, made: Iterable[Call]) -> list[Call]:
        """What is made, for so many calls of which anything is."""
        found = list(made) if self._made[name] < most else []
        self._made[name] += bool(found)
        return found
