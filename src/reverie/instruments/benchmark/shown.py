"""Arguments that grow with n, from the examples of a docstring: what an author calls it with.

    >>> G = nx.path_graph(4)            becomes  _given(nx.path_graph(n))
    >>> nx.is_planar(G)

Lists and texts are repeated up to n items, pairs of numbers go on where the last ones end; a maker
of objects gets n for its largest number. Whether the callable takes that, only a run tells.
"""

import ast
import copy
import doctest
from collections.abc import Iterator, Mapping

from reverie.gates.python import functions

_MOST_EXAMPLES = 24
_MOST_CALLS = 4
_DEEPEST = 3


def shown_growing_calls(source: str, qualname: str) -> tuple[str, ...]:
    """Calls of `_given` for a function, the first example first; none where no example grows."""
    node = dict(functions(ast.parse(source))).get(qualname)
    if node is None:
        return ()
    owner, _, name = qualname.rpartition(".")
    has_receiver = bool(owner) and not any(_is_unbound(each) for each in node.decorator_list)
    known: dict[str, ast.expr] = {}
    found: dict[str, None] = {}
    for statement in _statements(ast.get_docstring(node)):
        for call in _calls_of(statement, name):
            text = _grown_call(_with_receiver(call) if has_receiver else call, known)
            if text is not None:
                found[text] = None
        _learn(statement, known)
    return tuple(found)[:_MOST_CALLS]


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
        trees = [ast.parse(each.source) for each in examples[:_MOST_EXAMPLES]]
    except (ValueError, SyntaxError, RecursionError):
        return
    for tree in trees:
        yield from tree.body


def _calls_of(statement: ast.stmt, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == name:
            yield node


def _learn(statement: ast.stmt, known: dict[str, ast.expr]) -> None:
    """What names stand for; one that is changed afterwards is nothing that can be written."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            known[name] = value
        case ast.Import() | ast.ImportFrom():
            known.update(_imported(statement))
        case _:
            for each in ast.walk(statement):
                if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                    if not isinstance(known.get(each.value.id), ast.Call | ast.Attribute):
                        continue
                    if isinstance(statement, ast.Expr) and _is_change(statement.value, each):
                        known.pop(each.value.id, None)


def _is_change(value: ast.expr, method: ast.Attribute) -> bool:
    return isinstance(value, ast.Call) and value.func is method


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, ast.expr]]:
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            text = f"__import__({node.module!r}, fromlist=[{alias.name!r}]).{alias.name}"
        else:
            bound = alias.name if alias.asname else alias.name.partition(".")[0]
            text = f"__import__({bound!r}, fromlist=['_'])"
        yield alias.asname or alias.name.partition(".")[0], ast.parse(text, mode="eval").body


def _grown_call(call: ast.Call, known: Mapping[str, ast.expr]) -> str | None:
    """The call with what is known put in and what can grow grown; None where nothing can."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return None
    given = [_resolved(each, known) for each in call.args]
    named = [(each.arg, _resolved(each.value, known)) for each in call.keywords if each.arg]
    grown = [_grown(each) for each in given]
    if not any(grown):
        grown = _with_number(given)
    if not any(grown):
        return None
    texts = [new or ast.unparse(old) for new, old in zip(grown, given, strict=True)]
    texts += [f"{name}={ast.unparse(value)}" for name, value in named]
    return f"_given({', '.join(texts)})"


def _resolved(node: ast.expr, known: Mapping[str, ast.expr], depth: int = 0) -> ast.expr:
    """An expression with the names that examples bound replaced by what they stand for."""
    if depth > _DEEPEST:
        return node
    return _Known(known, depth).visit(copy.deepcopy(node))  # type: ignore[no-any-return]


class _Known(ast.NodeTransformer):
    def __init__(self, known: Mapping[str, ast.expr], depth: int) -> None:
        self.known, self.depth = known, depth

    def visit_Name(self, node: ast.Name) -> ast.AST:
        found = self.known.get(node.id)
        return node if found is None else _resolved(found, self.known, self.depth + 1)


def _grown(node: ast.expr) -> str | None:
    """An expression that grows with n; None for what does not."""
    match node:
        case ast.Constant(value=str(text)) if text:
            return f"({text!r} * n)[:n]"
        case ast.List(elts=[ast.Tuple(), *_] as pairs) if (step := _step(pairs)) is not None:
            moved = f"tuple(x + {step} * k for x in pair)"
            return f"[{moved} for k in range(n) for pair in {ast.unparse(node)}][:n]"
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, _, _, *_]):
            return f"({ast.unparse(node)} * n)[:n]"
        case ast.Call(func=func, args=args, keywords=keywords) if args:
            texts = [_grown(each) for each in args]
            texts = texts if any(texts) else _with_number(args)
            if not any(texts):
                return None
            told = [new or ast.unparse(old) for new, old in zip(texts, args, strict=True)]
            told += [ast.unparse(each) for each in keywords]
            return f"{ast.unparse(func)}({', '.join(told)})"
    return None


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
