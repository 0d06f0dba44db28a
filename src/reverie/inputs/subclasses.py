"""Classes that are meant to be derived from, and the classes that do."""

import ast
from collections.abc import Iterator
from functools import lru_cache

from reverie.inputs.classes import ClassKind, abstract_methods, ancestors, kind_of
from reverie.inputs.scope import ClassRef, definitions


@lru_cache(maxsize=1024)
def is_unfinished(found: ClassRef) -> bool:
    """Whether a class reads an attribute that it only declares: `config: dict` and no value."""
    if kind_of(found) is not ClassKind.PLAIN:
        return False
    line = [each.node for each in ancestors(found) if isinstance(each, ClassRef)]
    declared = {
        each.target.id
        for node in line
        for each in node.body
        if isinstance(each, ast.AnnAssign) and each.value is None
        if isinstance(each.target, ast.Name)
    }
    inside = [each for node in line for each in ast.walk(node)] if declared else []
    attributes = [each for each in inside if isinstance(each, ast.Attribute)]
    read = {each.attr for each in attributes if _is_own(each) and isinstance(each.ctx, ast.Load)}
    given = {each.attr for each in attributes if isinstance(each.ctx, ast.Store)}
    given |= {name for node in line for name in _assigned(node)}
    return bool((declared & read) - given)


def _is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def _assigned(node: ast.ClassDef) -> Iterator[str]:
    """Names that the body of a class gives a value, or defines."""
    for each in node.body:
        match each:
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name


@lru_cache(maxsize=1024)
def concrete_subclass(found: ClassRef) -> ClassRef | None:
    """A public class that fills in what is missing: of the same module, or of the package's own."""
    return next(filter(_is_concrete, _derived(found)), None)


def _is_concrete(option: ClassRef) -> bool:
    return not abstract_methods(option) and not is_unfinished(option)


def _derived(found: ClassRef) -> Iterator[ClassRef]:
    for node in definitions(found.scope.tree.body):
        if isinstance(node, ast.ClassDef):
            yield from _if_derived(ClassRef(node, found.scope, node.name), found)
    package = found.scope.other(found.scope.module.partition(".")[0])
    for name in package.names if package is not None else ():
        meaning = package.find_name(name) if package is not None else None
        if isinstance(meaning, ClassRef):
            yield from _if_derived(meaning, found)


def _if_derived(option: ClassRef, found: ClassRef) -> Iterator[ClassRef]:
    line = [_identity(each) for each in ancestors(option)[1:] if isinstance(each, ClassRef)]
    if _identity(found) in line and not option.qualname.startswith("_"):
        yield option


def _identity(found: ClassRef) -> tuple[str, str]:
    return found.scope.module, found.qualname
