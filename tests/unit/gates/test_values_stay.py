"""What the gates are handed and hand on cannot be changed on its way."""

import importlib
import pkgutil
from dataclasses import is_dataclass
from enum import Enum
from typing import Any, Protocol

import reverie.gates

NO_VALUES = {
    "_Inline", "Flow", "Modules", "Comparison", "Texts", "Values", "_Reader", "Walk", "Names",
    "Places", "Spelling", "_Plain",
}  # fmt: skip
"""A transformer of trees, walks through functions and files, and what remembers what was read."""
WITH_CACHES = {"ReadFile"}
"""Remembers what it has read, so it has room for more than its fields."""


def values_of_the_room() -> dict[str, Any]:
    room = reverie.gates
    modules = pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    return {
        f"{module.name}.{name}": value
        for module in modules
        for name, value in vars(importlib.import_module(module.name)).items()
        if isinstance(value, type) and value.__module__ == module.name
        if not issubclass(value, Enum | Exception) and Protocol not in value.__bases__
        if name not in NO_VALUES
    }


def test_every_value_has_its_fields_and_keeps_them() -> None:
    values = values_of_the_room()
    assert len(values) >= 35
    assert [name for name, value in values.items() if not is_dataclass(value)] == []
    params = {name: value.__dataclass_params__ for name, value in values.items()}
    assert [name for name, each in params.items() if each.frozen is not True] == []


def test_no_value_takes_what_is_not_among_its_fields() -> None:
    open_ones = {
        value.__name__ for value in values_of_the_room().values() if "__slots__" not in vars(value)
    }
    assert open_ones == WITH_CACHES
