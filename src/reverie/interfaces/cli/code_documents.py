"""Values of the index as JSON prints them."""

from collections.abc import Iterable
from typing import Any

from reverie.model.code import Class, Function, Import, ImportKind, Module


def module_document(module: Module) -> dict[str, Any]:
    """One module."""
    checked_only, running = _internal(module.imports)
    return {
        "name": module.name,
        "path": module.path,
        "loc": module.loc,
        "functions": [function_document(each) for each in module.functions],
        "classes": [class_document(each) for each in module.classes],
        "imports": running,
        "type_checking_imports": checked_only,
        "import_sites": [_import_document(each) for each in module.imports],
        "calls": [
            {
                "callee": each.callee,
                "caller": each.caller,
                "line": each.line,
                "literals": list(each.literals),
                "in_doctest": each.in_doctest,
            }
            for each in module.calls
        ],
        "literals": list(module.literals),
        "exports": list(module.exports),
        "mentions": list(module.mentions),
        "docstring": module.docstring,
        "is_package": module.is_package,
        "is_test": module.is_test,
        "has_main_block": module.has_main_block,
        "tier": module.tier.value,
        "distribution": module.distribution,
        "root": module.root,
        "content_hash": module.content_hash,
        "error": module.error,
    }


def function_document(function: Function) -> dict[str, Any]:
    """A function or a method."""
    return {
        "name": function.name,
        "qualname": function.qualname,
        "signature": function.signature,
        "line": function.line,
        "end_line": function.end_line,
        "complexity": function.complexity,
        "cognitive": function.cognitive,
        "loc": function.loc,
        "parameters": [
            {
                "name": each.name,
                "kind": each.kind.value,
                "annotation": each.annotation,
                "default": each.default,
            }
            for each in function.parameters
        ],
        "returns": function.returns,
        "decorators": list(function.decorators),
        "is_async": function.is_async,
        "is_generator": function.is_generator,
        "docstring": function.docstring,
    }


def class_document(each: Class) -> dict[str, Any]:
    """A class with its methods."""
    return {
        "name": each.name,
        "qualname": each.qualname,
        "line": each.line,
        "end_line": each.end_line,
        "bases": list(each.bases),
        "decorators": list(each.decorators),
        "docstring": each.docstring,
        "methods": [function_document(method) for method in each.methods],
    }


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


def _import_document(each: Import) -> dict[str, Any]:
    return {
        "module": each.module,
        "name": each.name,
        "line": each.line,
        "kind": each.kind.value,
        "is_internal": each.is_internal,
    }
