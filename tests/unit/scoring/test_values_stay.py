"""A score cannot be changed once it is given."""

import importlib
import pkgutil
from dataclasses import is_dataclass
from enum import Enum
from typing import Any

import reverie.scoring

GROWING = {"WorkflowGraph", "Reading"}
"""Are filled edge by edge, statement by statement."""
NO_VALUES = {"_Slots"}


def values_of_the_room() -> dict[str, Any]:
    room = reverie.scoring
    modules = pkgutil.walk_packages(room.__path__, f"{room.__name__}.")
    return {
        name: value
        for module in modules
        for name, value in vars(importlib.import_module(module.name)).items()
        if isinstance(value, type) and value.__module__ == module.name
        if not issubclass(value, Enum) and name not in NO_VALUES
    }


def test_every_value_has_its_fields_and_keeps_them() -> None:
    values = values_of_the_room()
    assert len(values) >= 10
    assert [name for name, value in values.items() if not is_dataclass(value)] == []
    params = {name: value.__dataclass_params__ for name, value in values.items()}
    assert {name for name, each in params.items() if each.frozen is not True} == GROWING


def test_no_value_takes_what_is_not_among_its_fields() -> None:
    values = values_of_the_room()
    assert [name for name, value in values.items() if "__slots__" not in vars(value)] == []
