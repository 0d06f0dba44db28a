"""Arguments that grow with n, from the examples of a docstring and from tests: its author's calls.

    >>> G = nx.path_graph(4)            becomes  _given(nx.path_graph(n))
    >>> nx.is_planar(G)

Lists and texts are repeated up to n items, pairs of numbers go on where the last ones end; a maker
of objects gets n for its largest number. Whether the callable takes that, only a run tells.
"""

import ast
import copy
import doctest
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress

from reverie.model.call import Call
from reverie.syntax.nodes import Comprehension, Function, functions
from reverie.syntax.parsing import fresh_expression, fresh_module
from reverie.syntax.unparsing import unparse

_MOST_EXAMPLES = 24
_MOST_CALLS = 4
_MOST_LOOKED_AT = 48
"""Calls of tests: those of which most grows are taken."""
_DEEPEST = 3
_Way = Callable[[list[ast.expr]], list[str | None]]


def shown_growing_calls(source: str, qualname: str) -> tuple[str, ...]:
    """Calls of `_given` for a function, the first example first; none where no example grows."""
    node = dict(functions(fresh_module(source))).get(qualname)
    if node is None:
        return ()
    statements = _statements(ast.get_docstring(node))
    return tuple(_grown_calls(statements, node, qualname, {}, (held, repeated)))[:_MOST_CALLS]


def varied_growing_calls(source: str, qualname: str, tests: Iterable[str]) -> tuple[str, ...]:
    """Those of tests, by the texts of their modules, and of examples, with parts that differ."""
    tree = fresh_module(source)
    node = dict(functions(tree)).get(qualname)
    if node is None:
        return ()
    found: dict[str, None] = {}
    for known, statements in _tests_of(tests, tree, qualname):
        ways = (various, held, repeated)
        found |= dict.fromkeys(_grown_calls(statements, node, qualname, known, ways))
        if len(found) >= _MOST_LOOKED_AT:
            break
    examples = _statements(ast.get_docstring(node))
    found |= dict.fromkeys(_grown_calls(examples, node, qualname, {}, (various,)))
    return tuple(sorted(found, key=growing_parts, reverse=True))[: 2 * _MOST_CALLS]


def large_calls(source: str, qualname: str, tests: Iterable[str]) -> tuple[str, ...]:
    """Calls of tests that walk along many numbers to make an argument: those, with n of them."""
    tree = fresh_module(source)
    node = dict(functions(tree)).get(qualname)
    if node is None:
        return ()
    found: dict[str, None] = {}
    for known, statements in _tests_of(tests, tree, qualname):
        found |= _grown_calls(statements, node, qualname, known, (_walked,))
    return tuple(found)[:_MOST_CALLS]


def _walked(given: list[ast.expr]) -> list[str | None]:
    return [
        _longer(copy.deepcopy(each)) if isinstance(each, Comprehension) else None for each in given
    ]


def growing_parts(call: str) -> int:
    """How many arguments grow: with an empty graph many nodes are no work."""
    (given,) = fresh_module(call).body
    parts = given.value.args if isinstance(given, ast.Expr) else []  # type: ignore[attr-defined]
    return sum(any(isinstance(n, ast.Name) and n.id == "n" for n in ast.walk(e)) for e in parts)


def _grown_calls(
    statements: Iterable[ast.stmt],
    node: Function,
    qualname: str,
    known: dict[str, ast.expr],
    ways: Iterable[_Way],
) -> dict[str, None]:
    owner, _, name = qualname.rpartition(".")
    has_receiver = bool(owner) and not any(_is_unbound(each) for each in node.decorator_list)
    found: dict[str, None] = {}
    for statement in statements:
        for call in _calls_of(statement, name):
            made = _with_receiver(call) if has_receiver else call
            found |= dict.fromkeys(text for way in ways if (text := grown_call(made, known, way)))
        learn(statement, known)
    return found


def _tests_of(
    texts: Iterable[str], subject: ast.Module, qualname: str
) -> Iterator[tuple[dict[str, ast.expr], list[ast.stmt]]]:
    """The simple statements of every test, and what names stand for when it begins."""
    own = {getattr(each, "name", None) for each in subject.body}  # known there by their names
    for text in texts:
        try:
            tree = fresh_module(text if qualname.rpartition(".")[2] in text else "")
        except (SyntaxError, ValueError, RecursionError):
            continue
        module = {name: value for name, value in known_to(tree).items() if name not in own}
        for _, test in functions(tree):
            if test.name.startswith("test"):
                for row in rows_of(test) or [{}]:
                    yield {**module, **row}, list(simple_statements(test.body))


def known_to(tree: ast.Module) -> dict[str, ast.expr]:
    """What the names of a module stand for that its statements bind."""
    known: dict[str, ast.expr] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.Import | ast.ImportFrom):
            learn(statement, known)
    return known


def rows_of(test: Function) -> list[dict[str, ast.expr]]:
    """What the first rows of `parametrize` give to the test's parameters."""
    for mark in test.decorator_list:
        match mark:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows), *_],
            ):
                try:
                    said = ast.literal_eval(names)
                except ValueError:
                    continue
                keys = [each.strip() for each in said.split(",")] if isinstance(said, str) else said
                values = [
                    row.elts if len(keys) > 1 and isinstance(row, ast.Tuple) else [row]
                    for row in rows[:_MOST_CALLS]
                ]
                return [dict(zip(keys, each, strict=False)) for each in values]
    return []


def simple_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a body one after the other, also from inside of loops and conditions."""
    for statement in body:
        if isinstance(statement, ast.With | ast.For | ast.If):
            yield from simple_statements(statement.body)
        else:
            yield statement


def _is_unbound(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Name) and decorator.id in ("classmethod", "staticmethod")


def _with_receiver(call: ast.Call) -> ast.Call:
    """A call of a method as one of a function: what it is called on comes first."""
    if not isinstance(call.func, ast.Attribute):
        return call
    return ast.Call(call.func, [call.func.value, *call.args], call.keywords)


def _statements(docstring: str | None) -> Iterator[ast.stmt]:
    try:
        examples = doctest.DocTestParser().get_examples(docstring or "")
        trees = [fresh_module(each.source) for each in examples[:_MOST_EXAMPLES]]
    except (ValueError, SyntaxError, RecursionError):
        return
    for tree in trees:
        yield from tree.body


def _calls_of(statement: ast.stmt, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and unparse(node.func).rpartition(".")[2] == name:
            yield node


def learn(statement: ast.stmt, known: dict[str, ast.expr]) -> None:
    """What names stand for; one that is changed afterwards is nothing that can be written."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            known[name] = value
        case ast.Import() | ast.ImportFrom():
            known.update(_imported(statement))
        case _:
            for each in ast.walk(statement):
                if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                    made = known.get(each.value.id)
                    if not isinstance(made, ast.Call | ast.Attribute) or _is_module(made):
                        continue
                    if isinstance(statement, ast.Expr) and _is_change(statement.value, each):
                        known.pop(each.value.id, None)


def _is_module(value: ast.expr) -> bool:
    """Whether it is an import: what is called of a module does not change that."""
    return isinstance(value, ast.Call) and unparse(value.func) == "__import__"


def _is_change(value: ast.expr, method: ast.Attribute) -> bool:
    return isinstance(value, ast.Call) and value.func is method


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, ast.expr]]:
    for alias in node.names:
        if alias.name == "*":
            continue  # nobody can tell which names it binds
        if isinstance(node, ast.ImportFrom):
            text = f"__import__({node.module!r}, fromlist=[{alias.name!r}]).{alias.name}"
        else:
            bound = alias.name if alias.asname else alias.name.partition(".")[0]
            text = f"__import__({bound!r}, fromlist=['_'])"
        yield alias.asname or alias.name.partition(".")[0], fresh_expression(text)


def grown_calls_of(call: Call) -> Iterator[str]:
    """Calls of `_given` like one that was recorded, with more of every literal in it."""
    parts = [each.source for each in call.expressions()]
    names = [f"{name}=" for name, _ in call.kwargs]
    words = [""] * (len(parts) - len(names)) + names
    for way in (various, held, repeated):
        # What was pickled is nothing that can be written with more in it.
        given = [fresh_expression("None" if "pickle." in each else each) for each in parts]
        grown = way(given)
        if any(grown):
            texts = [new or old for new, old in zip(grown, parts, strict=True)]
            yield f"_given({', '.join(map(''.join, zip(words, texts, strict=True)))})"


def grown_call(call: ast.Call, known: Mapping[str, ast.expr], way: _Way) -> str | None:
    """The call with what is known put in and what can grow grown; None where nothing can.

    Nor where Python cannot write it: texts put into fields of a text may not have each quote.
    """
    with suppress(ValueError):
        return _written_call(call, known, way)
    return None


def _written_call(call: ast.Call, known: Mapping[str, ast.expr], way: _Way) -> str | None:
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    given = [resolved(each, known) for each in call.args]
    named = [(each.arg, resolved(each.value, known)) for each in call.keywords if each.arg]
    grown = way(given)
    if not any(grown):
        return None
    texts = [new or unparse(old) for new, old in zip(grown, given, strict=True)]
    texts += [f"{name}={unparse(value)}" for name, value in named]
    return f"_given({', '.join(texts)})"


def repeated(given: list[ast.expr]) -> list[str | None]:
    """Everything that can grow, grown."""
    grown = [_grown(each) for each in given]
    return grown if any(grown) else _with_number(given)


def held(given: list[ast.expr]) -> list[str | None]:
    """The same, but for texts: one beside a container may be a key of it."""
    return [None if isinstance(each, ast.Constant) else _grown(each) for each in given]


def various(given: list[ast.expr]) -> list[str | None]:
    """Everything that can grow, by parts that differ."""
    return [_varied(each) for each in given]


def resolved(node: ast.expr, known: Mapping[str, ast.expr], depth: int = 0) -> ast.expr:
    """An expression with the names that examples bound replaced by what they stand for."""
    if depth > _DEEPEST:
        return node
    return _Known(known, depth).visit(copy.deepcopy(node))  # type: ignore[no-any-return]


class _Known(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr], depth: int) -> None:
        self.known, self.depth = known, depth

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.known.get(node.id)
        return node if found is None else resolved(found, self.known, self.depth + 1)


def _grown(node: ast.expr) -> str | None:
    """An expression that grows with n; None for what does not."""
    match node:
        case ast.Constant(value=str(text)) if between := _between(text):
            return _joined(repr(text.removesuffix(between)), text, between)
        case ast.Constant(value=bytes(data)) if (end := _bytes_between(data)) is not None:
            part = data.removesuffix(end)
            return f"{end!r}.join([{part!r}] * (n // {len(data.split(end))} + 1))"
        case ast.Constant(value=str() | bytes() as text) if text:
            return f"({text!r} * n)[:n]"
        case ast.List(elts=[ast.Tuple(), *_] as pairs) if (step := _step(pairs)) is not None:
            moved = f"tuple(x + {step} * k for x in pair)"
            return f"[{moved} for k in range(n) for pair in {unparse(node)}][:n]"
        case ast.Dict(keys=[ast.Constant(value=str() | int()), *_]):
            key = "(f'{key}{k}' if isinstance(key, str) else key + k) if k else key"
            items = f"for k in range(n) for key, value in {unparse(node)}.items()"
            return f"dict([({key}, value) {items}][:n])"
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, _, _, *_]):
            return f"({unparse(node)} * n)[:n]"
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() as walk:
            return _longer(copy.deepcopy(walk))
        case ast.Call(func=func, args=args, keywords=keywords) if args:
            texts = [_grown(each) for each in args]
            texts = texts if any(texts) else _with_number(args)
            if not any(texts):
                return None
            told = [new or unparse(old) for new, old in zip(texts, args, strict=True)]
            told += [unparse(each) for each in keywords]
            return f"{unparse(func)}({', '.join(told)})"
    return None


def _longer(node: Comprehension) -> str | None:
    """A comprehension that walks along more: what it walks along is worked out outside of it."""
    first = node.generators[0]
    match first.iter:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(last))]) if last > 1:
            grown: str | None = "range(n)"
        case other:
            grown = _grown(other)
    if grown is None:
        return None
    first.iter = fresh_expression(grown)
    return unparse(node)


def _varied(node: ast.expr) -> str | None:
    """A container or a text grown by parts that differ: repeated ones hold few values."""
    match node:
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp() as walk:
            return _longer(copy.deepcopy(walk))
        case ast.List(elts=[_, *_] as items):
            told = ", ".join(unparse(_Numbered().visit(copy.deepcopy(each))) for each in items)
            numbers = "(lambda s: range(s, s + n))(random.randrange(9 * n))"
            return f"[each for k in {numbers} for each in [{told}]][:n]"
        case ast.Constant(value=str(text)) if between := _between(text):
            return _joined(_OTHER.format(part=text.removesuffix(between)), text, between)
    return None


_OTHER = (
    "__import__('re').sub('[a-z]+|[0-9]+', lambda m: str(random.randrange(10 ** len(m[0])))"
    " if m[0].isdigit() else m[0] + chr(97 + random.randrange(26)) * random.randrange(9), {part!r})"
)
"""A text with other numbers and longer words."""


class _Numbered(ast.NodeTransformer):
    """Puts the number of the copy into texts and numbers; keys stay as they are."""

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        node.values = [self.visit(each) for each in node.values]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """A text that is put together: its own pieces have to stay texts."""
        return ast.BinOp(node, ast.Add(), fresh_expression("str(k)"))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and node.value:
            return fresh_expression(f"{node.value!r} + str(k)")
        if isinstance(node.value, int | float) and not isinstance(node.value, bool):
            return fresh_expression(f"{node.value!r} + k")
        return node


def _joined(part: str, text: str, between: str) -> str:
    return f"{between!r}.join({part} for _ in range(n // {text.count(between) + 1} + 1))"


def _between(text: str) -> str:
    """What stands between the parts of a text: it is repeated whole then."""
    inner = text.strip()
    return next((each for each in ("\n", ";", ", ", ",") if each in inner), "")


def _bytes_between(text: bytes) -> bytes | None:
    """The end of a line, where there is one."""
    return next((each for each in (b"\r\n", b"\n") if each in text.strip()), None)


def _step(pairs: list[ast.expr]) -> int | None:
    """How far tuples of whole numbers reach; None for others, and for those that do not."""
    parts = [each for pair in pairs for each in getattr(pair, "elts", [None])]
    if not all(isinstance(each, ast.Constant) and type(each.value) is int for each in parts):
        return None
    numbers = [each.value for each in parts]
    return max(numbers) - min(numbers) or None


def _with_number(given: list[ast.expr]) -> list[str | None]:
    """n in the place of the largest whole number, if there is one above one."""
    numbers = [_whole(each) for each in given]
    largest = max(numbers, default=0)
    if largest < 2:
        return [None] * len(given)
    place = numbers.index(largest)
    return ["n" if number == place else None for number in range(len(given))]


def _whole(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            return number
    return 0
