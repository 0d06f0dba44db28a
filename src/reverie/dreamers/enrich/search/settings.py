"""What a test of people stands on: fixtures, `setUp`, constants of its file, as plain lines.

    @pytest.fixture
    def cache(timer):                     ->    cache = Cache(maxsize=2)
        return Cache(maxsize=2, timer=timer)

What only the file of tests defines, a clock of its own, is left out where it is given by name.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

_DEEPEST = 3
_SETTING_UP = frozenset({"setUp", "setup_method", "setUpClass", "setup_class", "setup"})


@dataclass(slots=True)
class Setting:
    """What the tests of one file share."""

    fixtures: dict[str, Function] = field(default_factory=dict)
    constants: dict[str, ast.expr] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    """Functions and classes that the file itself defines."""

    @classmethod
    def of(cls, tree: ast.Module) -> "Setting":
        """The setting of a file of tests."""
        found = cls(own=frozenset(_defined(tree)))
        for node in ast.walk(tree):
            if isinstance(node, Function) and is_fixture(node):
                found.fixtures.setdefault(node.name, node)
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found.constants.setdefault(name, value)
        return found

    def before(self, test: Function) -> list[str]:
        """The lines that have to stand before a test's own."""
        made = dict(self._made(test, 0))
        return [f"{name} = {unparse(value)}" for name, value in made.items()]

    @property
    def given(self) -> Mapping[str, ast.expr]:
        """What fixtures stand for."""
        made = {name: _given_by(each) for name, each in self.fixtures.items()}
        return {name: each for name, each in made.items() if each is not None}

    def _made(self, test: Function, depth: int) -> Iterator[tuple[str, ast.expr]]:
        if depth > _DEEPEST:
            return
        used = names_in(test)
        given = {each.arg for each in (*test.args.args, *test.args.kwonlyargs)}
        for name in sorted(used & self.constants.keys() - given):
            if not self._is_own(self.constants[name]):
                yield name, self.constants[name]
        for name in sorted(given & self.fixtures.keys()):
            fixture = self.fixtures[name]
            value = _given_by(fixture)
            if value is not None:
                plain = self._plain(value)
                if not self._is_own(plain):
                    yield from self._made(fixture, depth + 1)
                    yield name, plain

    def _plain(self, value: ast.expr) -> ast.expr:
        """Without what is given by name and only the file has."""
        if not isinstance(value, ast.Call):
            return value
        kept = [each for each in value.keywords if not self._is_own(each.value)]
        return ast.Call(value.func, value.args, kept)

    def _is_own(self, value: ast.expr) -> bool:
        """Whether only the file of tests can make it."""
        for name in names_in(value):
            fixture = self.fixtures.get(name)
            if name in self.own and fixture is None:
                return True
            inner = None if fixture is None else _given_by(fixture)
            if fixture is not None and (inner is None or self._is_own(self._plain(inner))):
                return True
        return False


def plainly(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A test's lines with the fields of its class as names: `self.cache` is `cache`."""
    made = _Unowned()
    return [made.visit(each) for each in fresh_module(unparse(ast.Module([*body], []))).body]


def inlined(lines: Sequence[str]) -> list[str]:
    """Lines with the plain values in the place of names that only stand for one."""
    found: dict[str, ast.expr] = {}
    names: list[str] = []
    trees = [fresh_module(each) for each in lines]
    for tree in trees:
        names += [each.id for each in ast.walk(tree) if _is_stored(each)]
        match tree.body:
            case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value)]:
                found[name] = value
    plain = _Inlined({name: value for name, value in found.items() if names.count(name) == 1})
    return [unparse(plain.visit(tree)) for tree in trees if not plain.is_idle(tree)]


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)


class _Inlined(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def is_idle(self, tree: ast.Module) -> bool:
        """Whether a line only gives one of these values its name."""
        match tree.body:
            case [ast.Assign(targets=[ast.Name(id=name)])]:
                return name in self.values
        return False

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """The value that a name stands for."""
        return self.values.get(node.id, node)


def set_up(tree: ast.Module, test: Function) -> list[ast.stmt]:
    """The lines that set up the tests of a class, for one of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and test in node.body:
            return [
                line
                for each in node.body
                if isinstance(each, Function) and each.name in _SETTING_UP
                for line in each.body
            ]
    return []


class _Unowned(ast.NodeTransformer):
    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`self.cache`; what `unittest` has stays."""
        self.generic_visit(node)
        is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        if is_own and not node.attr.startswith(("assert", "fail", "skip", "sub", "add")):
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        return node


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef):
            yield node.name


def is_fixture(node: Function) -> bool:
    """Whether a function says what pytest gives to tests by its name."""
    made = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    return any(unparse(each).rpartition(".")[2] == "fixture" for each in made)


def _given_by(fixture: Function) -> ast.expr | None:
    """What a fixture of one line gives."""
    match [each for each in fixture.body if not _is_words(each)]:
        case [ast.Return(value=ast.expr() as value)] | [
            ast.Expr(value=ast.Yield(value=ast.expr() as value))
        ]:
            return value
    return None


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
