"""Which parts of a file have to do with what it imports dynamically.

A file may load plug-ins in one function and compare words in another: only the words that can
come to the import count. Functions are tied by the names that one defines and another speaks of;
what stands outside of functions can come anywhere.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class _Part:
    """A statement at the top of a module or of a class."""

    lines: range
    defines: frozenset[str]
    speaks_of: frozenset[str]
    is_called: bool
    """Whether it defines something that others may hand names to."""


def concerned_lines(tree: ast.Module, imports_at: Iterable[int]) -> frozenset[int]:
    """The lines of what imports dynamically, calls what does, serves it, or is in no function."""
    lines = set(imports_at)
    if not lines:
        return frozenset()
    parts = list(_parts(tree.body, ""))
    found = [part for part in parts if not lines.isdisjoint(part.lines)]
    concerned = _closed(_closed(found, parts, _calls), parts, _serves)
    concerned += [part for part in parts if not part.is_called]
    return frozenset(line for part in concerned for line in part.lines)


def _closed(
    start: list[_Part], parts: list[_Part], tie: Callable[[_Part, _Part], bool]
) -> list[_Part]:
    found, rest = list(start), [part for part in parts if part not in start]
    at = 0
    while at < len(found):
        joined = [part for part in rest if tie(part, found[at])]
        rest = [part for part in rest if part not in joined]
        found += joined
        at += 1
    return found


def _calls(part: _Part, other: _Part) -> bool:
    return other.is_called and not part.speaks_of.isdisjoint(other.defines)


def _serves(part: _Part, other: _Part) -> bool:
    return not part.defines.isdisjoint(other.speaks_of)


def _parts(statements: Iterable[ast.stmt], owner: str) -> Iterator[_Part]:
    for statement in statements:
        match statement:
            case ast.ClassDef(name=name, body=body):
                yield from _parts(body, name)
            case ast.If(body=body, orelse=other):
                yield from _parts([*body, *other], owner)
            case ast.Try(body=body, handlers=handlers, orelse=other, finalbody=last):
                handled = [each for handler in handlers for each in handler.body]
                yield from _parts([*body, *handled, *other, *last], owner)
            case _:
                yield _part(statement, owner)


def _part(statement: ast.stmt, owner: str) -> _Part:
    defines, speaks_of = {owner} - {""}, set()
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                speaks_of.add(name)
            case ast.Name(id=name):
                defines.add(name)
            case ast.Attribute(attr=name, ctx=ast.Load()):
                speaks_of.add(name)
            case ast.Attribute(attr=name):
                defines.add(name)
    is_called = isinstance(statement, _FUNCTIONS)
    if isinstance(statement, _FUNCTIONS):
        defines = {statement.name} | ({owner} - {""})
    last = statement.end_lineno or statement.lineno
    return _Part(
        range(statement.lineno, last + 1), frozenset(defines), frozenset(speaks_of), is_called
    )
