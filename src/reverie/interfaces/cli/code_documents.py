"""Values of the index as JSON prints them."""

from collections.abc import Iterable
from typing import Any

from reverie.model.code import Class, Function, Import, ImportKind, Module
from reverie.model.codec import pick


def module_document(module: Module) -> dict[str, Any]:
    """One module."""
    checked_only, running = _internal(module.imports)
    return pick(
        module,
        "name path loc functions classes imports type_checking_imports import_sites calls literals "
        "exports mentions docstring is_package is_test has_main_block tier distribution root "
        "content_hash error",
        functions=[function_document(each) for each in module.functions],
        classes=[class_document(each) for each in module.classes],
        imports=running,
        type_checking_imports=checked_only,
        import_sites=[pick(each, "module name line kind is_internal") for each in module.imports],
        calls=[pick(each, "callee caller line literals in_doctest") for each in module.calls],
    )


def function_document(function: Function) -> dict[str, Any]:
    """A function or a method."""
    return pick(
        function,
        "name qualname signature line end_line complexity cognitive loc parameters returns "
        "decorators is_async is_generator docstring",
        parameters=[pick(each, "name kind annotation default") for each in function.parameters],
    )


def class_document(each: Class) -> dict[str, Any]:
    """A class with its methods."""
    return pick(
        each,
        "name qualname line end_line bases decorators docstring",
        methods=[function_document(method) for method in each.methods],
    )


def sorted_edges(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Edges in an order that is the same every time."""
    return [list(edge) for edge in sorted(edges)]


def _internal(imports: Iterable[Import]) -> tuple[list[str], list[str]]:
    """Internal modules that only a type checker imports, and those that running code does."""
    running: set[str] = set()
    checking: set[str] = set()
    for each in imports:
        if each.is_internal:
            is_checking = each.kind is ImportKind.TYPE_CHECKING
            (checking if is_checking else running).add(each.module)
    return sorted(checking - running), sorted(running)
