"""What is tried with objects, and what of a result can be asserted."""

from types import ModuleType
from typing import Any

import pytest

from reverie.dreamers.enrich.search.inside.replaying import Viewer
from reverie.dreamers.enrich.search.inside.surface import Surface

SOURCE = """
import collections


class Base(dict):
    def show(self):
        return sorted(self)

    def __or__(self, other):
        return self


class Shape(Base):
    def area(self):
        return 0


class Point(collections.namedtuple("Point", ("x", "y"))):
    def __new__(cls, x, y, unit):
        return super().__new__(cls, x, y or None)

    @property
    def far(self):
        return self.x > 10


class Stack(list):
    def push(self, item):
        self.append(item)


class Empty:
    pass
"""


@pytest.fixture(scope="module")
def module() -> ModuleType:
    made = ModuleType("shop.shapes")
    exec(SOURCE, vars(made))  # noqa: S102
    return made


def _keys(surface: Surface, name: str) -> list[str]:
    return sorted(each.key for each in surface.methods[name])


def test_only_what_the_package_says_is_tried(module: ModuleType) -> None:
    surface = Surface(module, {"Shape", "Point", "Stack", "Empty"}, set())
    assert _keys(surface, "Shape") == ["Shape.__or__", "Shape.area", "Shape.show"]
    assert _keys(surface, "Stack") == ["Stack.push"]
    assert _keys(surface, "Empty") == []
    assert {"Point.x", "Point.y", "Point.far"} <= set(_keys(surface, "Point"))
    assert not {"Point.count", "Point.__iter__"} & set(_keys(surface, "Point"))


def test_a_class_that_a_result_has_is_treated_alike(module: ModuleType) -> None:
    surface = Surface(module, set(), set())
    assert surface.kind_of(module.Shape()) == "Shape"
    assert _keys(surface, "Shape") == ["Shape.__or__", "Shape.area", "Shape.show"]


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda shop: shop.Shape(kind="disc"), {"dict({})": "{'kind': 'disc'}"}),
        (lambda shop: shop.Point(1, 0, "m"), {"{}.x": "1", "{}.far": "False"}),
        (lambda shop: shop.Stack([3]), {"list({})": "[3]"}),
        (lambda shop: {3: 4}.keys(), {"list({})": "[3]"}),
    ],
)
def test_a_mapping_shows_its_pairs_and_a_named_tuple_its_fields(
    module: ModuleType, make: Any, expected: dict[str, str]
) -> None:
    parts = Viewer({}).look(make(module)).get("parts", {})
    ways = {"list({})", "dict({})", *(each for each in parts if "." in each)}
    assert {each: text for each, text in parts.items() if each in ways} == expected
