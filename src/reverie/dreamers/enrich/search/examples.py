"""Lines that show how a module is used: doctests, read-me, tests, call sites."""

import ast
import doctest
import importlib.util
import os
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reverie.dreamers.enrich.search.answers import imported_names, own_names
from reverie.dreamers.enrich.search.settings import Setting, inlined, is_fixture, plainly, set_up
from reverie.dreamers.enrich.target import Target
from reverie.syntax.nodes import Function, stored_names
from reverie.syntax.parsing import NOT_PYTHON, fresh_expression, fresh_module
from reverie.syntax.unparsing import unparse

_MOST_EXAMPLES = 400
_MOST_FILES = 60
_LARGEST_BYTES = 400_000
_LONGEST_LINES = 8
_FENCE = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_BLOCK = re.compile(
    r"(?:^\.\. code(?:-block)?::[^\n]*|::)\n\s*\n((?:[ \t]+[^\n]*\n|[ \t]*\n)+)", re.MULTILINE
)
_DOCS = ("README.md", "README.rst", "README.txt", "README")


@dataclass(frozen=True, slots=True)
class Example:
    """Lines one after the other, in terms of the module under test."""

    lines: tuple[str, ...]
    origin: str


def examples_for(target: Target) -> tuple[tuple[Example, ...], tuple[str, ...]]:
    """Examples, and texts worth trying, from all that is written about the module."""
    tree = fresh_module(target.source)
    found: dict[tuple[str, ...], Example] = {}
    texts: dict[str, None] = {}
    for origin, source in sources_about(target):
        script = parsed(source)
        if script is None:
            continue
        for text in _texts(script):
            texts.setdefault(text)
        rename = Renaming.of(script, target, tree)
        for lines in _sequences(script):
            renamed = tuple(filter(None, (rename.line(each) for each in lines)))
            if renamed and len(found) < _MOST_EXAMPLES:
                found.setdefault(renamed, Example(renamed, origin))
    return tuple(found.values()), tuple(texts)


def sources_about(target: Target) -> Iterator[tuple[str, str]]:
    """Python that shows the module: of its own docstrings first."""
    yield from (("doctest", each) for each in _doctests(target.source))
    for text in _documents(target):
        yield from (("doctest", each) for each in _doctests_of(text))
        yield from (("doctest", each) for each in _FENCE.findall(text))
        yield from (("doctest", textwrap.dedent(each)) for each in _BLOCK.findall(text))
    for path in _neighbours(target):
        text = _read(path)
        is_test = "test" in path.name
        if not text or (target.package not in text and not is_test):
            continue
        yield from (("doctest", each) for each in _doctests(text))
        if is_test:
            yield "test", text


def _neighbours(target: Target) -> Iterator[Path]:
    """Other files of the package and of the repository's tests."""
    base = Path(target.import_root, target.package)
    found = sorted(base.rglob("*.py"))[:_MOST_FILES] if base.is_dir() else []
    if target.repository is not None:
        last = target.module.rpartition(".")[2].strip("_")
        tests = [each for name in ("tests", "test") for each in
                 sorted(Path(target.repository, name).rglob("*.py"))]  # fmt: skip
        found += sorted(tests, key=lambda each: last not in each.name)[:_MOST_FILES]
    yield from (each for each in found if str(each) != target.path)


def _documents(target: Target) -> Iterator[str]:
    """The read-me: of the repository, or what an installed package carries of it."""
    if target.repository is not None:
        yield from filter(None, (_read(Path(target.repository, name)) for name in _DOCS))
    for folder in Path(target.import_root).glob("*.dist-info"):
        top = _read(folder / "top_level.txt").split() or [folder.name.partition("-")[0].lower()]
        if target.package in top or target.package.lower() == top[0].replace("-", "_"):
            yield _read(folder / "METADATA")


def _read(path: Path) -> str:
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_BYTES:
            return ""
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def _doctests(source: str) -> Iterator[str]:
    tree = parsed(source) if ">>>" in source else None
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text and ">>>" in text:
                yield from _doctests_of(text)


def _doctests_of(text: str) -> Iterator[str]:
    try:
        examples = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return
    if examples:
        yield "".join(each.source for each in examples)


def parsed(source: str) -> ast.Module | None:
    """The tree of a script; None for what is none."""
    try:
        return fresh_module(source)
    except NOT_PYTHON:
        return None


def _texts(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and 0 < len(node.value) <= 400
        ):
            yield node.value


def _sequences(tree: ast.Module) -> Iterator[list[str]]:
    """Straight lines of a script, and of every function in it that looks like a test."""
    yield from _pieces(_straight(tree.body))
    setting = Setting.of(tree)
    for node in ast.walk(tree):
        if isinstance(node, Function) and node.name.startswith("test"):
            before = [*setting.before(node), *_straight(plainly(set_up(tree, node)))]
            lines = list(_straight(plainly(node.body)))
            for values in list(_tables(node)) or [[]]:
                own = inlined([*values, *lines])
                yield from ([*before, *each] for each in _pieces(own))


def _pieces(lines: Iterable[str]) -> Iterator[list[str]]:
    several = list(lines)
    for end in range(0, len(several), _LONGEST_LINES // 2):
        yield several[end : end + _LONGEST_LINES]


def _straight(body: Iterable[ast.stmt]) -> Iterator[str]:
    for node in body:
        match node:
            case ast.Expr(ast.Constant()):
                continue
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)) if len(
                names
            ) == len(values):
                for name, value in zip(names, values, strict=True):
                    yield f"{unparse(name)} = {unparse(value)}"
            case ast.Expr(ast.Call(func=func, args=[looked_at, *_])) if _is_asserting(func):
                yield from _asserted(looked_at)
            case ast.Expr() | ast.Assign() | ast.Delete() | ast.AugAssign():
                yield unparse(node)
            case ast.Assert(test=test):
                yield from _asserted(test)
            case ast.With(items=items, body=inner):
                if "raises" not in unparse(items[0]):
                    bound = items[0].optional_vars
                    if isinstance(bound, ast.Name):
                        yield f"{bound.id} = {unparse(items[0].context_expr)}"
                yield from _straight(inner)
            case ast.For(target=ast.Name(name), iter=ast.List() | ast.Tuple() as items, body=inner):
                if items.elts:
                    yield f"{name} = {unparse(items.elts[0])}"
                yield from _straight(inner)
            case ast.If(body=inner) | ast.Try(body=inner):
                yield from _straight(inner)
            case ast.FunctionDef(name=name, decorator_list=[_, *_]) if not (
                name.startswith("test") or is_fixture(node)
            ):
                yield f"{name} = {_decorated(node)}"


def _is_asserting(func: ast.expr) -> bool:
    return unparse(func).rpartition(".")[2].startswith("assert")


def _decorated(node: ast.FunctionDef) -> str:
    """A decorated function as one expression, its body put simply."""
    taken = [each.arg for each in node.args.args]
    made = f"lambda {', '.join(taken)}: {taken[0] if taken else None}"
    for decorator in reversed(node.decorator_list):
        made = f"{unparse(decorator)}({made})"
    return made


def _asserted(test: ast.expr) -> Iterator[str]:
    match test:
        case ast.Compare(left=left, comparators=[right]):
            yield unparse(test) if isinstance(left, ast.Name) else unparse(left)
            if isinstance(right, ast.Call):
                yield unparse(right)
        case ast.UnaryOp(operand=operand):
            yield unparse(operand)
        case _:
            yield unparse(test)


def _tables(node: Function) -> Iterator[list[str]]:
    """Assignments of the rows that `pytest.mark.parametrize` gives a test."""
    for decorator in node.decorator_list:
        match decorator:
            case ast.Call(
                func=ast.Attribute(attr="parametrize"),
                args=[names, ast.List(elts=rows) | ast.Tuple(elts=rows)],
            ):
                wanted = _parameter_names(names)
                for row in rows[:40]:
                    values = (
                        row.elts
                        if isinstance(row, ast.Tuple | ast.List) and len(wanted) > 1
                        else [row]
                    )
                    if len(values) == len(wanted):
                        yield [
                            f"{name} = {unparse(value)}"
                            for name, value in zip(wanted, values, strict=True)
                        ]


def _parameter_names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [each.strip() for each in str(node.value).split(",")]
    return [str(each.value) for each in getattr(node, "elts", ()) if isinstance(each, ast.Constant)]


class Renaming(ast.NodeTransformer):
    """Puts names as the test of one module has them: its own bare, all others dotted."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names
        """What a name stands for: `dt` for `datetime`, `humanize` for the module itself, ``""``."""

    @classmethod
    def of(cls, tree: ast.Module, target: Target, module: ast.Module) -> "Renaming":
        """By the imports of a script."""
        own = own_names(module) | imported_names(module, target.package)
        held = stored_names(tree) | {
            each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)
        }
        parts = (target.package, *target.module.split("."))
        # `cache = Cache()` in a test of `cacheout.cache` is no module
        names: dict[str, str] = dict.fromkeys((each for each in parts if each not in held), "")
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    is_own = alias.name.partition(".")[0] == target.package
                    meaning = "" if is_own else alias.name
                    names[alias.asname or alias.name.partition(".")[0]] = meaning
            elif isinstance(node, ast.ImportFrom):
                home = node.module or ""
                is_own = node.level > 0 or home.partition(".")[0] == target.package
                for alias in node.names:
                    if not is_own:
                        names[alias.asname or alias.name] = f"{home}.{alias.name}"
                    elif alias.name not in own:
                        names[alias.asname or alias.name] = ""
                    elif alias.asname:
                        names[alias.asname] = alias.name
        return cls(names)

    def line(self, source: str) -> str | None:
        """A line with its names put so; None for one of no use."""
        try:
            tree = fresh_module(source)
        except (SyntaxError, ValueError, RecursionError):
            return None
        return unparse(self.visit(tree))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`semver.Version` is `Version` of the module under test."""
        held = node.value
        if isinstance(held, ast.Name) and self.names.get(held.id) == "":
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        inner = self.visit(held)
        if isinstance(inner, ast.Name) and self.names.get(inner.id) == "" and inner is not held:
            return ast.copy_location(ast.Name(node.attr, node.ctx), node)
        node.value = inner
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name imported from elsewhere is dotted."""
        meaning = self.names.get(node.id)
        if not meaning or not isinstance(node.ctx, ast.Load):
            return node
        return fresh_expression(meaning)


def importable_modules(examples: Iterable[Example]) -> frozenset[str]:
    """Modules of the standard library that examples name."""
    found: set[str] = set()
    for example in examples:
        for line in example.lines:
            for word in re.findall(r"[A-Za-z_][\w.]*", line):
                if "." in word and word.partition(".")[0] in sys.stdlib_module_names:
                    found.update(_library_modules(word))
    return frozenset(each for each in found if _is_harmless(each))


@cache
def _library_modules(dotted: str) -> tuple[str, ...]:
    """The modules that a dotted name leads through: of `os.path.join` the first two."""
    top, *parts = dotted.split(".")
    found = [top]
    for part in parts if _is_harmless(top) else ():
        name = f"{found[-1]}.{part}"
        try:
            if importlib.util.find_spec(name) is None:
                break
        except (ImportError, ValueError):
            break  # what it would be in is no package
        found.append(name)
    return tuple(found)


def _is_harmless(module: str) -> bool:
    return module not in (
        "antigravity",
        "this",
        "idlelib",
        "turtledemo",
        "tkinter",
        "test",
        os.curdir,
    )
