import functools
import json
import math
import sys
import types
from pathlib import Path

import pytest

from reverie.errors import PolicyError, UsageError
from reverie.workflows.recipe import (
    Place,
    check_root,
    find_module,
    place_of,
    recipe_for,
    search_roots,
)

LIMIT = 3


def stands_alone(x: int = 1) -> int:
    return x + 1


def uses_a_global() -> int:
    return LIMIT


class Thing:
    @classmethod
    def make(cls) -> str:
        return cls.__name__

    def method(self) -> None: ...


def recipe(target: object):  # type: ignore[no-untyped-def]
    return recipe_for(target, ())  # type: ignore[arg-type]


def test_a_function_that_stands_alone_travels_as_text_and_shows_nothing() -> None:
    found = recipe(stands_alone)
    assert found.roots == ()
    assert "def stands_alone" in found.document()["sources"][0][0]


def test_a_function_that_needs_its_module_is_imported_from_it() -> None:
    found = recipe(uses_a_global)
    assert found.document()["place"]["attribute"] == "uses_a_global"
    (root,) = found.roots
    assert Path(__file__).is_relative_to(root)


def test_a_nested_function_brings_what_it_encloses() -> None:
    factor, table = 2, {"a": (1, 2)}

    def helper(x: int) -> int:
        return json.loads(str(x)) * factor + len(table)

    def nested(x: int) -> int:
        return nested(x - 1) if x else helper(x)

    document = recipe(nested).document()
    assert [source.split("(")[0] for source, _ in document["sources"]] == [
        "def helper",
        "def nested",
    ]
    assert document["values"] == {"factor": "2", "table": "{'a': (1, 2)}"}
    assert document["scope"]["module"].endswith("test_recipe")  # for `json`


def test_an_enclosed_module_is_imported_by_name() -> None:
    module = math

    def nested() -> float:
        return module.pi

    document = recipe(nested).document()
    assert document["imports"]["module"] == {
        "module": "math",
        "root": None,
        "file": None,
        "attribute": "",
    }


def test_what_cannot_travel_is_named() -> None:
    handle = object()

    def nested() -> object:
        return handle

    with pytest.raises(UsageError, match="uses 'handle', a object"):
        recipe(nested)


@pytest.mark.parametrize(
    "target", [len, functools.partial(stands_alone), Thing().method, Thing(), 3]
)
def test_what_has_no_source_is_named(target: object) -> None:
    with pytest.raises(UsageError, match="cannot be taken into the sandbox"):
        recipe(target)


def test_a_lambda_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="<lambda> has no source of its own"):
        recipe(lambda: 1)


def test_a_function_typed_at_a_prompt_is_named() -> None:
    scope: dict = {"__name__": "__main__"}
    exec("def typed(): return 1", scope)  # noqa: S102
    with pytest.raises(UsageError, match="source of typed cannot be had"):
        recipe(scope["typed"])


def test_classes_and_class_methods_go_by_name() -> None:
    assert recipe(Thing).document()["place"]["attribute"] == "Thing"
    assert recipe(Thing.make).document()["place"]["attribute"] == "Thing.make"


def test_a_nested_class_cannot() -> None:
    class Inner: ...

    with pytest.raises(UsageError, match="only functions have a source"):
        recipe(Inner)


def test_a_name_is_looked_up_without_importing(tmp_path: Path) -> None:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('imported on the host')")
    (package / "orders.py").write_text("")
    roots = search_roots(tmp_path)
    assert find_module("shop.orders", roots) == Place("shop.orders", str(tmp_path / "src"))
    assert recipe_for("shop.orders:total", roots).name == "shop.orders:total"
    assert "shop" not in sys.modules


def test_names_that_come_with_the_interpreter_need_no_mount() -> None:
    for name in ("json", "math", "json.decoder", "pytest"):
        assert find_module(name, search_roots(None)).root is None
        assert find_module(name, ()).root is None


@pytest.mark.parametrize("text", ["", "no colon", "a:b:c", "def f(): ...", "shop.nothing:f"])
def test_a_text_that_names_nothing(text: str) -> None:
    with pytest.raises(UsageError):
        recipe_for(text, ())


def test_an_injector_may_be_source() -> None:
    document = recipe_for("def inject(root): ...", (), allow_source=True).document()
    assert document["name"] == "inject"
    with pytest.raises(UsageError, match="source with a function"):
        recipe_for("x = 1", (), allow_source=True)


def test_a_repository_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="not a folder"):
        search_roots("/no/such/repository")


def test_a_root_that_is_too_wide_is_refused_and_says_whose() -> None:
    with pytest.raises(PolicyError, match=r"^shop:f: refusing to show all of '/tmp' .* folder of"):
        check_root("/tmp", "shop:f")


def test_a_module_whose_name_does_not_lead_to_its_file_is_loaded_by_path(tmp_path: Path) -> None:
    module = types.ModuleType("__main__")
    module.__file__ = str(tmp_path / "script.py")
    assert place_of(module) == Place("script", str(tmp_path), str(tmp_path / "script.py"))
    module.__file__ = None  # type: ignore[assignment]
    assert place_of(module) is None
