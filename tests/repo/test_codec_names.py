"""Names that `pick` and `KEYS` give as text are attributes that are there."""

import ast
import importlib
import inspect
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reverie.model.codec import _parts

Scope = Mapping[str, Any]
_UNKNOWN = object()
_IMPORTED = ("reverie", "collections", "typing", "pathlib", "datetime")


def sources(root: Path) -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((root / "src" / "reverie").rglob("*.py")):
        text = path.read_text("utf-8")
        if "reverie.model.codec import" in text or "    KEYS = " in text:
            name = ".".join(path.relative_to(root / "src").with_suffix("").parts)
            yield name.removesuffix(".__init__"), ast.parse(text)


def names_of(module: str, tree: ast.Module) -> dict[str, Any]:
    """What the names of a module stand for, those that only a type checker imports included."""
    found = dict(vars(importlib.import_module(module)))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_IMPORTED):
            there = importlib.import_module(node.module or "")
            found |= {
                each.asname or each.name: getattr(there, each.name)
                for each in node.names
                if hasattr(there, each.name)
            }
    return found


def without_none(kind: Any) -> Any:
    if typing.get_origin(kind) is typing.Annotated:
        return without_none(typing.get_args(kind)[0])
    parts = [each for each in typing.get_args(kind) if each is not type(None)]
    is_union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    return without_none(parts[0]) if is_union and len(parts) == 1 else kind


@cache
def hints_of(owner: Any) -> Mapping[str, Any]:
    """Annotations of a class, those that only a type checker can read included."""
    hints: dict[str, Any] = {}
    for base in reversed(getattr(owner, "__mro__", ())):
        if base.__module__.startswith("reverie"):
            for key, hint in inspect.get_annotations(base).items():
                text = isinstance(hint, str)
                hints[key] = eval(hint, space_of(base.__module__)) if text else hint
    return hints


@cache
def space_of(module: str) -> dict[str, Any]:
    return names_of(module, ast.parse(inspect.getsource(importlib.import_module(module))))


def kind_of_attribute(owner: Any, name: str) -> Any:
    """The annotation of an attribute; `AttributeError` when there is none."""
    owner = without_none(owner)
    if name in hints_of(owner):
        return hints_of(owner)[name]
    found = inspect.getattr_static(owner, name, _UNKNOWN)
    if found is _UNKNOWN and is_dataclass(owner):
        raise AttributeError(f"{owner.__name__} has no {name}")
    if isinstance(found, property) and found.fget is not None:
        module = found.fget.__module__
        space = space_of(module) if module.startswith("reverie") else {}
        return typing.get_type_hints(found.fget, space).get("return", _UNKNOWN)
    return _UNKNOWN


def element(kind: Any) -> Any:
    parts = typing.get_args(without_none(kind))
    return parts[-1] if parts and parts[-1] is not ... else parts[0] if parts else _UNKNOWN


def kind_of(node: ast.expr, local: Scope) -> Any:
    match node:
        case ast.Name(id=name):
            return local.get(name, _UNKNOWN)
        case ast.Attribute(value=owner, attr=name):
            kind = kind_of(owner, local)
            return kind if kind is _UNKNOWN else kind_of_attribute(kind, name)
    return _UNKNOWN


def texts_of(node: ast.expr, texts: Mapping[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return texts[name]
        case ast.JoinedStr(values=values):
            return "".join(texts_of(each, texts) for each in values)
        case ast.FormattedValue(value=value):
            return texts_of(value, texts)
    raise AssertionError(f"line {node.lineno}: names that nobody can check: {ast.unparse(node)}")


def texts_in(nodes: Iterable[ast.AST]) -> dict[str, str]:
    return {
        node.targets[0].id: node.value.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def locals_of(function: ast.FunctionDef, space: dict[str, Any], owner: Any) -> dict[str, Any]:
    local = {"self": owner}
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    for each in arguments:
        if each.annotation is not None:
            text = ast.unparse(each.annotation)
            told = text[1:-1] if text[:1] in "'\"" else text
            local[each.arg] = eval(told, space)
    return local


def calls_in(node: ast.AST, local: dict[str, Any]) -> Iterator[tuple[ast.Call, Scope]]:
    """Every call of `pick` with the kinds of the names that it may use, in order."""
    inner = local
    for each in getattr(node, "generators", ()):
        match each.target, each.iter:
            case ast.Name(id=name), value:
                inner = {**inner, name: element(kind_of(value, inner))}
            case (
                ast.Tuple(elts=[_, ast.Name(id=name)]),
                ast.Call(func=ast.Attribute(value=value, attr="items")),
            ):
                inner = {**inner, name: element(kind_of(value, inner))}
    match node:
        case ast.Call(func=ast.Name(id="pick"), args=[_, _]):
            yield node, inner
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            local.setdefault(name, kind_of(value, inner))
    for child in ast.iter_child_nodes(node):
        yield from calls_in(child, inner)


def check(kind: Any, names: str, made: set[str], where: str) -> None:
    for key, path, _ in _parts(names):
        at = kind
        for step in () if key in made else path:
            assert at is not _UNKNOWN, f"{where}: of what kind is {'.'.join(path)}?"
            try:
                at = kind_of_attribute(at, step)
            except AttributeError as error:
                raise AssertionError(f"{where}: {'.'.join(path)}: {error}") from error


def picks(root: Path) -> Iterator[tuple[str, Any, str, set[str]]]:
    for module, tree in sources(root):
        space = names_of(module, tree)
        owners = {
            id(each): space[node.name]
            for node in tree.body
            if isinstance(node, ast.ClassDef)
            for each in node.body
        }
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef) or "pick(" not in ast.unparse(function):
                continue
            known_texts = {name: each for name, each in space.items() if isinstance(each, str)}
            texts = known_texts | texts_in(ast.walk(function))
            local = locals_of(function, space, owners.get(id(function), _UNKNOWN))
            for call, known in calls_in(function, local):
                made = {str(each.arg) for each in call.keywords}
                kind, names = kind_of(call.args[0], known), texts_of(call.args[1], texts)
                yield f"{module}:{call.lineno}", kind, names, made


def test_what_is_picked_by_name_is_there(root: Path) -> None:
    unchecked = []
    for where, kind, names, made in picks(root):
        if kind is _UNKNOWN:
            unchecked.append(where)
        else:
            check(kind, names, made, where)
    assert not unchecked, f"nobody can tell what these pick from: {unchecked}"


def test_the_keys_of_a_class_are_its_attributes(root: Path) -> None:
    found = [
        (module, kind)
        for module, _ in sources(root)
        for kind in vars(importlib.import_module(module)).values()
        if isinstance(kind, type)
        and is_dataclass(kind)
        and isinstance(getattr(kind, "KEYS", 0), str)
    ]
    assert len(found) >= 8
    for module, kind in found:
        check(kind, kind.KEYS, set(), f"{module}.{kind.__name__}")


def test_a_name_that_is_not_there_is_found() -> None:
    from reverie.model.execution import Execution

    check(Execution, "outcome error=error.message usage.cpu_seconds", set(), "here")
    with pytest.raises(AssertionError, match=r"here: error\.mesage"):
        check(Execution, "outcome error=error.mesage", set(), "here")
