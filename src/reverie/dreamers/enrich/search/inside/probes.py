"""The module under test with probes in it, and the record of what one try did there.

Only the bodies of functions are probed, so that importing costs nothing. A way is a number; the
two ways of a condition are an even number (it holds) and the odd one after it (it does not). The
edge of a comparison, where both sides are equal, is the negative number of its way.
"""

import ast
import operator
import re
import zlib
from typing import Any

_MATCHING = frozenset({"match", "fullmatch", "search", "findall", "finditer", "sub", "split"})
ASKING = frozenset({"startswith", "endswith"}) | _MATCHING
"""Methods whose answer depends on a text that can be made to fit."""
_COMPARE: "dict[str, Any]" = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda left, right: left in right, "not in": lambda left, right: left not in right,
}  # fmt: skip
ORDERED = frozenset({"<", "<=", ">", ">="})
"""Comparisons with an edge: both sides equal is a way of its own, by the negative number."""
_ORDERLY = frozenset({int, float, str})
_PLAIN = frozenset({str, bytes, int, float, bool, type(None)})
_HOLDERS = frozenset({tuple, list, set, frozenset, dict, type({}.keys())})
_MOST_MEMBERS = 24
_LONGEST = 300
_VARIANTS, _FIRST_VARIANT = 64, 1 << 40
_MOST_PATTERNS = 200
FOUND, ASKED, LOOKED_UP, IS_OF, HAS = "_rv_mark", "_rv_ask", "_rv_item", "_rv_isa", "_rv_has"
TRUTH, COMPARED = "_rv_truth", "_rv_compare"


class Recorder:
    """What one try did."""

    def __init__(self) -> None:
        self.hits: set[int] = set()
        self.open: set[int] = set()
        """Ways that no try has taken yet: only for these it is worth knowing what was compared."""
        self.pairs: dict[int, tuple[str, Any, Any]] = {}
        self.patterns: set[str] = set()
        """Those that a text was held against, and did not match."""

    def clear(self) -> None:
        """Before the next try."""
        self.hits.clear()
        self.pairs.clear()

    def functions(self) -> "dict[str, Any]":
        """What the probes call, by name."""
        return {
            FOUND: self.hits.add, TRUTH: self.truth, COMPARED: self.compare, ASKED: self.ask,
            IS_OF: self.isa, HAS: self.has, LOOKED_UP: self.item,
        }  # fmt: skip

    def truth(self, way: int, value: Any) -> Any:
        """A condition without more to it."""
        self.hits.add(way if value else way + 1)
        return value

    def compare(self, way: int, how: str, left: Any, right: Any) -> Any:
        """A comparison, done as the code would."""
        result = _COMPARE[how](left, right)
        if result is True or result is False:
            self.hits.add(way if result else way + 1)
            if how in ORDERED and type(left) in _ORDERLY and type(right) in _ORDERLY:
                if left == right:
                    self.hits.add(-way)
                elif -way in self.open:
                    self._remember(way, how, left, right)
            if (way + 1 if result else way) in self.open:
                self._remember(way, how, left, right)
        return result

    def ask(self, way: int, held: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """A method that says how a text begins, ends, or whether a pattern is in it."""
        result = getattr(held, name)(*args, **kwargs)
        self.hits.add(way if result else way + 1)
        if name in _MATCHING and args:
            self._note_pattern(way, _pattern_of(held, args), is_found=bool(result))
        if (way + 1 if result else way) in self.open and args:
            if name in _MATCHING:
                self._remember_pattern(way, held, args)
            else:
                self._remember(way, name, held, args[0])
        return result

    def isa(self, way: int, value: Any, kinds: Any) -> Any:
        """`isinstance`."""
        result = isinstance(value, kinds)
        self.hits.add(way if result else way + 1)
        if not result and way in self.open:
            self.pairs[way] = ("isinstance", value if type(value) in _PLAIN else None, kinds)
        return result

    def has(self, way: int, value: Any, name: str, *default: Any) -> Any:
        """`hasattr`."""
        result = hasattr(value, name)
        self.hits.add(way if result else way + 1)
        if not result and way in self.open:
            self.pairs[way] = ("hasattr", None, name)
        return result

    def item(self, way: int, held: Any, key: Any) -> Any:
        """A subscript; a key that is not there has others beside it."""
        if type(held) is dict and way in self.open and type(key) in _PLAIN and key not in held:
            self._remember(way, "in", key, held)
        result = held[key]
        self.hits.add(way)
        return result

    def _remember(self, way: int, how: str, left: Any, right: Any) -> None:
        if type(left) in _PLAIN and type(right) in _HOLDERS:
            members = [each for each in list(right)[:_MOST_MEMBERS] if type(each) in _PLAIN]
            self.pairs[way] = (how, left, tuple(members))
        elif _is_telling(left) and _is_telling(right):
            self.pairs[way] = (how, left, right)

    def _remember_pattern(self, way: int, held: Any, args: "tuple[Any, ...]") -> None:
        pattern = _pattern_of(held, args)
        subject = args[0] if isinstance(held, re.Pattern) else args[-1 if len(args) < 2 else 1]
        if pattern is not None and type(subject) is str and _is_short(subject):
            self.pairs[way] = ("matches", subject, pattern)

    def _note_pattern(self, way: int, pattern: "str | None", *, is_found: bool) -> None:
        """Of a table of patterns, each that matches is a way of its own."""
        if pattern is None:
            return
        if is_found:
            number = zlib.crc32(pattern.encode("utf-8", "surrogatepass")) % _VARIANTS
            self.hits.add(_FIRST_VARIANT + abs(way) * _VARIANTS + number)
        elif len(self.patterns) < _MOST_PATTERNS:
            self.patterns.add(pattern)


def _pattern_of(held: Any, args: "tuple[Any, ...]") -> "str | None":
    """The pattern of a search; None for `text.split(",")`, a method of a text."""
    if not isinstance(held, re.Pattern) and len(args) < 2:
        return None
    pattern = held if isinstance(held, re.Pattern) else args[0]
    pattern = pattern.pattern if isinstance(pattern, re.Pattern) else pattern
    return pattern if type(pattern) is str else None


def _is_telling(value: Any) -> bool:
    return type(value) in _PLAIN and _is_short(value)


def _is_short(value: Any) -> bool:
    return not isinstance(value, (str, bytes)) or len(value) <= _LONGEST


_OPERATORS: "dict[type[ast.cmpop], str]" = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


class Way:
    """Where a way lies: the function, the line, and whether it is half of a condition."""

    __slots__ = ("is_condition", "line", "scope")

    def __init__(self, scope: str, line: int, is_condition: bool) -> None:
        self.scope = scope
        self.line = line
        self.is_condition = is_condition


def probed(tree: ast.Module) -> "tuple[ast.Module, dict[int, Way]]":
    """A module's tree with probes, and where each way lies."""
    probing = _Probing()
    changed = ast.fix_missing_locations(probing.visit(tree))
    return changed, probing.ways


class _Probing(ast.NodeTransformer):
    """Puts probes into a module's tree and knows where each way lies."""

    def __init__(self) -> None:
        self.ways: dict[int, Way] = {}
        self._scope: list[str] = []
        self._functions = 0
        self._next = 2

    def _new(self, node: ast.AST, *, is_condition: bool) -> int:
        way = self._next
        self._next += 2
        scope = ".".join(self._scope)
        line = getattr(node, "lineno", 0)
        self.ways[way] = Way(scope, line, is_condition)
        if is_condition:
            self.ways[way + 1] = Way(scope, line, True)
        return way

    def _call(self, node: ast.AST, name: str, *args: ast.expr) -> ast.Call:
        made = ast.Call(ast.Name(name, ast.Load()), list(args), [])
        return ast.copy_location(made, node)

    def _mark(self, node: ast.AST) -> ast.stmt:
        way = self._new(node, is_condition=False)
        return ast.copy_location(ast.Expr(self._call(node, FOUND, ast.Constant(way))), node)

    def _condition(self, test: ast.expr) -> Any:
        """A test, probed; where the probe of its own says the same already, as it is."""
        visited = self.visit(test)
        if self._functions == 0 or _is_probe(visited) or isinstance(test, ast.Constant):
            return visited
        way = self._new(test, is_condition=True)
        return self._call(test, TRUTH, ast.Constant(way), visited)

    # Definitions

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._scope.append(node.name)
        functions, self._functions = self._functions, 0
        node.body = [self.visit(each) for each in node.body]
        self._functions = functions
        self._scope.pop()
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        self._scope.append(node.name)
        self._functions += 1
        start = 1 if _is_docstring(node.body[0]) else 0
        node.body = [self.visit(each) for each in node.body]
        node.body.insert(start, self._mark(node))
        self._functions -= 1
        self._scope.pop()
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._functions += 1
        node.body = self.visit(node.body)
        self._functions -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    # Statements

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._condition(node.test)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._condition(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._condition(node.test)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_For(self, node: Any) -> Any:
        node.iter = self.visit(node.iter)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        if self._functions:
            node.body.insert(0, self._mark(node))
            node.orelse.insert(0, self._mark(node))
        return node

    def visit_AsyncFor(self, node: ast.AsyncFor) -> Any:
        return self.visit_For(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.body = [self.visit(each) for each in node.body]
        if self._functions:
            node.body.insert(0, self._mark(node))
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.guard is not None:
            node.guard = self._condition(node.guard)
        node.body = [self.visit(each) for each in node.body]
        if self._functions:
            node.body.insert(0, self._mark(node.body[0]))
        return node

    # Expressions

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._condition(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        node.ifs = [self._condition(each) for each in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        *first, last = node.values
        node.values = [*(self._condition(each) for each in first), self.visit(last)]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self._functions == 0:
            return node
        sides = [node.left, *node.comparators]
        if len(node.ops) > 1 and not all(map(_is_steady, sides[1:-1])):
            return node
        probed = [
            self._compared(node, how, left, right)
            for how, left, right in zip(node.ops, sides, sides[1:])  # noqa: B905  pairs
        ]
        if len(probed) == 1:
            return probed[0]
        return ast.copy_location(ast.BoolOp(ast.And(), probed), node)

    def _compared(
        self, node: ast.Compare, how: ast.cmpop, left: ast.expr, right: ast.expr
    ) -> ast.expr:
        way = self._new(node, is_condition=True)
        name = _OPERATORS[type(how)]
        if name in ORDERED:
            self.ways[-way] = Way(".".join(self._scope), node.lineno, False)
        return self._call(node, COMPARED, ast.Constant(way), ast.Constant(name), left, right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if self._functions == 0 or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        if isinstance(node.func, ast.Name) and len(node.args) == 2 and not node.keywords:
            probe = {"isinstance": IS_OF, "hasattr": HAS}.get(node.func.id)
            if probe is not None:
                way = self._new(node, is_condition=True)
                return self._call(node, probe, ast.Constant(way), *node.args)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ASKING and node.args:
            way = self._new(node, is_condition=True)
            name = ast.Constant(node.func.attr)
            made = self._call(node, ASKED, ast.Constant(way), node.func.value, name, *node.args)
            made.keywords = node.keywords
            return made
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        is_lookup = isinstance(node.ctx, ast.Load) and not isinstance(
            node.slice, (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp)
        )
        if self._functions == 0 or not is_lookup:
            return node
        way = self._new(node, is_condition=False)
        return self._call(node, LOOKED_UP, ast.Constant(way), node.value, node.slice)


def _is_probe(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in (COMPARED, ASKED, IS_OF, HAS)
    )


def _is_steady(node: ast.expr) -> bool:
    """Whether it may be evaluated twice."""
    return isinstance(node, (ast.Name, ast.Constant)) or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
