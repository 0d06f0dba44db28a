"""What the classes and constants of a module hold, as far as their text tells."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.kinds import Kind, from_annotation, kind_of, parameter_kinds


def owner_of(tree: ast.Module, function: ast.AST) -> ast.ClassDef | None:
    """The class of the module that a method belongs to."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and function in node.body:
            return node
    return None


def field_kinds(tree: ast.Module) -> dict[str, Kind | None]:
    """By `Class.field`: declared fields, and what `__init__` binds to annotated parameters.

    By `Class.method()`: what methods say they return.
    """
    found: dict[str, Kind | None] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = Kind(node.name)  # what calling it gives
            for name, kind in _fields(node):
                key = f"{node.name}.{name}"
                found[key] = kind if key not in found or found[key] == kind else None
            found |= {f"{node.name}.{name}()": kind for name, kind in _answers(node)}
    return found


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, Kind | None]]:
    for each in node.body:
        match each:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                yield name, from_annotation(annotation)
            case ast.FunctionDef():
                known = parameter_kinds(each)
                for part in ast.walk(each):
                    yield from _bound_to_self(part, known)


def _answers(node: ast.ClassDef) -> Iterator[tuple[str, Kind | None]]:
    """What methods say they return."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and not each.decorator_list:
            yield each.name, from_annotation(each.returns)


def _bound_to_self(
    node: ast.AST, known: dict[str, Kind | None]
) -> Iterator[tuple[str, Kind | None]]:
    match node:
        case ast.AnnAssign(
            target=ast.Attribute(value=ast.Name(id="self"), attr=name), annotation=annotation
        ):
            yield name, from_annotation(annotation)
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
            yield name, kind_of(value, known, {})


def constant_kinds(tree: ast.Module) -> dict[str, Kind | None]:
    """Names that the module binds once, to something whose kind is plain to see."""
    found: dict[str, Kind | None] = {}
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = None if name in found else kind_of(value, {}, {})
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                found[name] = None if name in found else from_annotation(annotation)
    return found
