"""Annotations as types, also those whose names only a type checker would import."""

import ast
import collections.abc
import importlib
import inspect
import typing
from collections.abc import Mapping
from types import ModuleType
from typing import Any


def names_for_checkers(module: ModuleType) -> "dict[str, Any]":
    """What a module imports under `if TYPE_CHECKING`, with the names that annotations often use."""
    found: dict[str, Any] = {**vars(typing)}
    found.update({name: getattr(collections.abc, name) for name in collections.abc.__all__})
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return found
    for node in tree.body:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for each in node.body:
                found.update(_imported(each, module))
    return found


def _imported(node: ast.stmt, module: ModuleType) -> "dict[str, Any]":
    found: dict[str, Any] = {}
    for alias in getattr(node, "names", ()):
        try:
            if isinstance(node, ast.Import):
                whole = importlib.import_module(alias.name)
                top = importlib.import_module(alias.name.partition(".")[0])
                found[alias.asname or top.__name__] = whole if alias.asname else top
            elif isinstance(node, ast.ImportFrom):
                name = "." * node.level + (node.module or "")
                home = importlib.import_module(name, module.__package__)
                found[alias.asname or alias.name] = getattr(home, alias.name)
        except Exception:  # noqa: BLE001  what cannot be imported is not known
            continue
    return found


def hints_of(target: Any, known: "Mapping[str, Any]") -> "dict[str, Any]":
    """The types of parameters by name, as far as they can be made out one by one."""
    told = vars(target).get("__init__", target) if isinstance(target, type) else target
    try:
        return typing.get_type_hints(told)
    except Exception:  # noqa: BLE001  an annotation may run anything
        return _one_by_one(told, known)


def _one_by_one(told: Any, known: "Mapping[str, Any]") -> "dict[str, Any]":
    found = {}
    spaces = getattr(inspect.unwrap(told), "__globals__", {}) if callable(told) else {}
    for name, text in getattr(told, "__annotations__", {}).items():
        try:
            found[name] = eval(text, dict(spaces), dict(known)) if isinstance(text, str) else text
        except Exception:  # noqa: BLE001  of the code under test
            continue
    return found
