"""Uses of a package that its tests and documentation show, as statements that stand alone.

    import humanize
    test_args = [300]
    humanize.naturalsize(300)          # what is asked, with the row of a table put in

Each keeps the imports and helpers of the file that it is from: objects are built as its author
builds them, and private code is come to through the package's own entry points.
"""

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from reverie.dreamers.enrich.search.examples import parsed, sources_about
from reverie.dreamers.enrich.target import Target
from reverie.syntax.nodes import Function, names_in, stored_names
from reverie.syntax.parsing import fresh_expression, parse_module
from reverie.syntax.unparsing import unparse

_MOST = 600
_ENOUGH = 4000
_MOST_OF_ONE = 200
_LONGEST = 6
_ROWS = 60
_LARGEST_TEXT = 1500
_IGNORED = frozenset({"pytest", "unittest", "self", "cls"})


@dataclass(frozen=True, slots=True)
class Use:
    """What is done before, and an expression."""

    before: tuple[str, ...]
    """Imports and helpers of the file."""
    lines: tuple[str, ...]
    asked: str

    def document(self) -> dict[str, Any]:
        """As `inside` reads it."""
        return {"before": list(self.before), "lines": list(self.lines), "asked": self.asked}


def shown_uses(target: Target, names: Collection[str]) -> tuple[Use, ...]:
    """Uses from all that is written about a module, each once; those that say a name first."""
    found: dict[Use, None] = {}
    for origin, source in sources_about(target):
        script = parsed(source)
        if script is None:
            continue
        file = _File.of(script, target, origin)
        for number, use in enumerate(file.uses()):
            if number == _MOST_OF_ONE:
                break
            found.setdefault(use)
        if len(found) > _ENOUGH:
            break
    wanted = set(names) or _own(target)
    ranked = sorted(found, key=lambda each: not wanted & _words(each))
    return tuple(ranked[:_MOST])


def _words(use: Use) -> set[str]:
    return set(re.findall(r"\w+", "\n".join((*use.lines, use.asked))))


@dataclass
class _File:
    """One script: what it binds at its top level, and its tests."""

    tree: ast.Module
    target: Target
    origin: str
    tops: dict[str, ast.stmt] = field(default_factory=dict)

    @classmethod
    def of(cls, tree: ast.Module, target: Target, origin: str) -> "_File":
        """A file, read."""
        made = cls(tree, target, origin)
        for node in tree.body:
            if (origin == "doctest" and isinstance(node, ast.Assign)) or not _is_written(node):
                continue  # a line of the example itself, or nothing that can be shown
            for name in _bound(node):
                made.tops[name] = node
        return made

    def uses(self) -> Iterator[Use]:
        """Each expression that a test or an example comes to."""
        if self.origin == "doctest":
            yield from self._of_lines(self.tree.body, {})
            return
        for node in ast.walk(self.tree):
            if isinstance(node, Function) and node.name.startswith("test"):
                for row in [*_rows(node)] or [{}]:
                    yield from self._of_lines(node.body, row)

    def _of_lines(self, body: list[ast.stmt], row: dict[str, ast.expr]) -> Iterator[Use]:
        known = dict(row)
        lines: list[str] = []
        for node in _flat(body):
            match node:
                case ast.Assign(targets=[ast.Name(name)], value=value) if _is_literal(value):
                    known[name] = value
                    lines.append(f"{name} = {unparse(value)}")
                    continue
                case ast.Assign(targets=[ast.Name(name)], value=value):
                    known.pop(name, None)
                    asked = _filled(value, known)
                    yield from self._use(lines, asked)
                    lines.append(f"{name} = {unparse(asked)}")
                case ast.Expr(ast.Call(func=ast.Name(name)) as call) if (
                    name not in self.tops and name not in vars(builtins) and self.origin == "test"
                ):
                    for each in call.args:  # a test's own way to compare
                        for part in _sides(each):
                            yield from self._use(lines, _filled(part, known))
                case ast.Expr(ast.Call() as call) if not _is_assertion(call):
                    if isinstance(call.func, ast.Name) and call.func.id == "print":
                        continue
                    asked = _filled(call, known)
                    yield from self._use(lines, asked)
                    lines.append(unparse(asked))
                case ast.AugAssign() | ast.Delete() | ast.Import() | ast.ImportFrom():
                    lines.append(unparse(node))
                case _:
                    for each in _asked(node):
                        yield from self._use(lines, _filled(each, known))

    def _use(self, lines: list[str], asked: ast.expr) -> Iterator[Use]:
        text = unparse(asked)
        if isinstance(asked, ast.Compare) and any(
            map(_is_literal, (asked.left, *asked.comparators))
        ):
            return
        if not any(
            isinstance(each, ast.Call | ast.Subscript | ast.Compare) for each in ast.walk(asked)
        ):
            return
        kept = _needed(lines, asked)
        used = set().union(names_in(asked), *(names_in(parse_module(each)) for each in kept))
        imports = [each for each in kept if each.startswith(("import ", "from "))]
        before = tuple(dict.fromkeys((*imports, *self._before(used))))
        kept = [each for each in kept if each not in imports]
        whole = "\n".join((*before, *kept, text))
        if len(kept) <= _LONGEST and len(whole) <= _LARGEST_TEXT and not used & _IGNORED:
            yield Use(before, tuple(kept), text)

    def _before(self, used: set[str]) -> tuple[str, ...]:
        """Imports and helpers for names, in the order of the file."""
        wanted: list[ast.stmt] = []
        waiting, seen = list(used), set(used)
        while waiting:
            node = self.tops.get(waiting.pop())
            if node is None or any(node is each for each in wanted):
                continue
            wanted.append(node)
            more = set() if isinstance(node, ast.Import | ast.ImportFrom) else names_in(node)
            waiting += sorted(more - seen)
            seen |= more
        found = [_only(each, seen) for each in self.tree.body if any(each is one for one in wanted)]
        if self.origin == "doctest":
            open_names = used - set(self.tops)
            own = sorted(open_names & _own(self.target))
            found += [f"from {self.target.module} import {', '.join(own)}"] if own else []
            found += [f"import {self.target.package}"] if self.target.package in open_names else []
        return tuple(dict.fromkeys(found))


@lru_cache(maxsize=4)
def _own(target: Target) -> frozenset[str]:
    """What a module binds; asked for each example of its documents."""
    tree = parsed(target.source)
    return frozenset(name for node in (tree.body if tree else ()) for name in _bound(node))


def _only(node: ast.stmt, names: set[str]) -> str:
    """An import of only what is used."""
    if isinstance(node, ast.ImportFrom) and not any(each.name == "*" for each in node.names):
        kept = [each for each in node.names if (each.asname or each.name) in names]
        return unparse(ast.ImportFrom(node.module, kept or node.names, node.level))
    return unparse(node)


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, Function | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from ((each.asname or each.name).partition(".")[0] for each in node.names)
    elif isinstance(node, ast.Assign):
        yield from stored_names(node)


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements in the order in which they run, loops by their first item."""
    for node in filter(_is_written, body):
        match node:
            case ast.With(items=items, body=inner):
                if not any(
                    word in unparse(items[0]) for word in ("raises", "warns", "assertRaises")
                ):
                    yield from _flat(inner)
            case ast.For(target=ast.Name(name), iter=ast.List() | ast.Tuple() as items, body=inner):
                if items.elts:
                    yield ast.Assign([ast.Name(name, ast.Store())], items.elts[0], lineno=0)
                    yield from _flat(inner)
            case ast.If() | ast.Try() | ast.While() | ast.For() | ast.Return() | ast.Raise():
                return
            case _:
                yield node


def _is_written(node: ast.AST) -> bool:
    """Whether its source can be made again: some Pythons cannot write every f-string."""
    try:
        unparse(node)
    except ValueError:
        return False
    return True


def _is_assertion(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name.lower().startswith(("assert", "fail", "skip", "raises", "eq_", "ok_"))


def _asked(node: ast.stmt) -> Iterator[ast.expr]:
    """What a test compares, without what it expects where that is written down."""
    match node:
        case ast.Assert(test=test):
            yield from _sides(test)
        case ast.Expr(ast.Call(args=args) as call) if _is_assertion(call):
            name = unparse(call.func).rpartition(".")[2]
            if "aise" not in name and "arn" not in name:
                yield from (part for each in args[:2] for part in _sides(each))
        case ast.Expr(value=value) if not isinstance(value, ast.Constant):
            yield from _sides(value)


def _sides(test: ast.expr) -> Iterator[ast.expr]:
    match test:
        case ast.Compare(left=left, comparators=[right]):
            plain = [
                each
                for each in (left, right)
                if not _is_literal(each) and not isinstance(each, ast.Name)
            ]
            yield from plain
            if not any(_is_literal(each) for each in (left, right)):
                yield test
        case ast.UnaryOp(ast.Not(), operand):
            yield from _sides(operand)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _sides(each)
        case _ if not _is_literal(test) and not isinstance(test, ast.Name):
            yield test


def _is_literal(node: ast.expr) -> bool:
    return all(
        isinstance(each, ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Set | ast.UnaryOp
                   | ast.USub | ast.UAdd | ast.Load)
        for each in ast.walk(node)
    )  # fmt: skip


def _filled(node: ast.expr, known: dict[str, ast.expr]) -> ast.expr:
    """An expression with the literals that names stand for."""
    made: ast.expr = _Filling(known).visit(fresh_expression(unparse(node)))
    return ast.fix_missing_locations(made)


class _Filling(ast.NodeTransformer):
    def __init__(self, known: dict[str, ast.expr]) -> None:
        self._known = known

    def visit_Name(self, node: ast.Name) -> ast.expr:
        made = self._known.get(node.id) if isinstance(node.ctx, ast.Load) else None
        is_plain = isinstance(made, ast.Constant | ast.UnaryOp | ast.Tuple)
        return node if made is None or not is_plain else made

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`f(*[1, 2])` is `f(1, 2)`."""
        args: list[ast.expr] = []
        for each in node.args:
            inner = each.value if isinstance(each, ast.Starred) else None
            named = self._known.get(inner.id) if isinstance(inner, ast.Name) else inner
            if inner is not None and isinstance(named, ast.List | ast.Tuple):
                args += named.elts
            else:
                args.append(self.visit(each))
        node.args = args
        node.func = self.visit(node.func)
        node.keywords = [ast.keyword(each.arg, self.visit(each.value)) for each in node.keywords]
        return node


def _needed(lines: list[str], asked: ast.expr) -> list[str]:
    """The lines that an expression rests on: those about its names, and names of those."""
    wanted = set(names_in(asked))
    kept: list[str] = []
    for line in reversed(lines):
        tree = parse_module(line)
        bound, used = stored_names(tree), names_in(tree)
        is_bound = any(isinstance(each, ast.Import | ast.ImportFrom) for each in tree.body)
        roots = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        is_change = not bound and bool(roots & wanted)
        if bound & wanted or is_change or is_bound:
            kept.append(line)
            wanted |= used
    return kept[::-1]


def _rows(node: Function) -> Iterator[dict[str, ast.expr]]:
    """What a table of `pytest.mark.parametrize` gives a test."""
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows), *_],
            ):
                wanted = _parameter_names(names)
                for row in rows[:_ROWS]:
                    values = (
                        row.elts
                        if isinstance(row, ast.Tuple | ast.List) and len(wanted) > 1
                        else [row]
                    )
                    if len(values) == len(wanted):
                        yield dict(zip(wanted, values, strict=True))


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [each.strip() for each in str(node.value).split(",")]
    return [str(each.value) for each in getattr(node, "elts", ()) if isinstance(each, ast.Constant)]
