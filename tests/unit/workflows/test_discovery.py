"""Workflows found in source, and nothing run for it."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from reverie.index import ProcessMemory, RememberedIndex
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection
from reverie.model.workflow import Workflow, WorkflowOrigin
from reverie.workflows.discovery.catalogue import generate_workflows_for_modules
from reverie.workflows.discovery.finding import (
    Surroundings,
    find_dynamic_workflows,
    find_workflows,
    with_own_names,
)

MODULE = """
    class Order: ...

    class Cart:
        def __init__(self, names: list[str]) -> None: ...
        def total(self, rate: int = 1) -> int: ...

    def load(path: str, limit: int = 0) -> list[Order]: ...
    def keep(orders: list[Order]) -> list[Order]: ...
    def total(orders: list[Order], rate: int = 1) -> int: ...
    def show(value: int) -> str: ...
"""
HEAD = """from shop import orders
from shop.orders import Cart, keep, load, total
def test_it(tmp_path):"""
Read = Callable[[dict[str, str]], Surroundings]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def write(files: dict[str, str]) -> Surroundings:
        for name, text in {"shop/__init__.py": "", "shop/orders.py": MODULE, **files}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))
        index = RememberedIndex(
            tmp_path, IndexSection(), lambda path: TrustTier.SANDBOX, ProcessMemory()
        )
        index.refresh()
        return Surroundings(tmp_path, index.load())

    return write


def found_in_tests(around: Surroundings) -> list[Workflow]:
    return [e for e in find_workflows(around) if e.origin is WorkflowOrigin.TEST_CHAIN]


@pytest.mark.parametrize(
    ("body", "targets", "params"),
    [
        ("total(load('a.csv', 3))", ["load", "total"], {"path": "a.csv", "limit": 3}),
        ("rows = load(path='a')\n    total(rows)", ["load", "total"], {"path": "a"}),
        ("rows = orders.load('a')\n    kept = keep(rows)\n    assert total(kept)",
         ["load", "keep", "total"], {"path": "a"}),
        ("PATH = 'b'\n    total(load(PATH))", ["load", "total"], {"path": "b"}),
        ("with open('x'):\n        total(load('a'))", ["load", "total"], {"path": "a"}),
        ("cart = Cart(['a'])\n    assert cart.total(rate=2) == 2", ["Cart", "Cart.total"],
         {"names": ["a"]}),
        ("total(load(tmp_path))", ["load", "total"], {}),
    ],
)  # fmt: skip
def test_a_chain_is_read_from_a_test(
    read: Read, body: str, targets: list[str], params: dict[str, object]
) -> None:
    (found,) = found_in_tests(read({"tests/test_it.py": f"{HEAD}\n    {body}\n"}))
    assert list(found.targets) == [f"shop.orders:{each}" for each in targets]
    assert found.params == params


@pytest.mark.parametrize(
    "body",
    [
        "load('a')",
        "rows = load('a')\n    rows = [1]\n    total(rows)",
        "for path in 'ab':\n        rows = load(path)\n    total(rows)",
        "total(load('a'), rate=now())",
        "total(sorted(load('a')))",
        "other(load('a'))",
    ],
)
def test_what_is_no_chain_is_none(read: Read, body: str) -> None:
    test = f"from shop.orders import load, total\ndef test_it():\n    {body}\n"
    assert found_in_tests(read({"tests/test_it.py": test})) == []


def test_what_a_test_is_parametrized_with_and_asserts_comes_along(read: Read) -> None:
    test = """
        import pytest
        from shop.orders import load, total

        @pytest.mark.parametrize(("path", "rate"), [("a", 1), ("b", 2)])
        def test_many(path, rate):
            assert total(load(path))

        def test_one():
            assert total(load("c")) == 3
    """
    (found,) = found_in_tests(read({"tests/test_it.py": test}))
    assert found.params == {"path": "a"}
    assert found.inputs == ({"path": "b"}, {"path": "c"})


def test_scripts_and_main_blocks_are_entries(read: Read) -> None:
    around = read(
        {
            "pyproject.toml": "[project.scripts]\nshop = 'shop.cli:main'\ngone = 'x:y'",
            "setup.cfg": "[options.entry_points]\nconsole_scripts =\n  old = shop.cli:main\n",
            "shop/cli.py": """
                import sys
                from .orders import load, total
                def main(): ...
                if __name__ == "__main__":
                    sys.exit(total(load("a")))
            """,
        }
    )
    found = {e.name: (e.origin.value, e.targets) for e in find_workflows(around)}
    assert found == {
        "shop": ("console_script", ("shop.cli:main",)),
        "old": ("console_script", ("shop.cli:main",)),
        "shop.cli": ("main_block", ("shop.orders:load", "shop.orders:total")),
    }


def test_signatures_that_fit_make_chains_and_plain_types_do_not(read: Read) -> None:
    (found,) = find_dynamic_workflows(read({}))
    assert found.targets == ("shop.orders:load", "shop.orders:keep", "shop.orders:total")


def test_a_reexport_leads_to_the_function(read: Read) -> None:
    test = "from shop import load, total as t\ndef test_it():\n    t(load('a'))\n"
    files = {"shop/__init__.py": "from .orders import load, total", "tests/test_it.py": test}
    (found,) = found_in_tests(read(files))
    assert found.targets == ("shop.orders:load", "shop.orders:total")


def test_a_module_gets_a_workflow_of_one_step(read: Read) -> None:
    around = read({"shop/job.py": "def helper(x): ...\ndef run(): ...\n"})
    found = list(generate_workflows_for_modules(["shop.job", "shop"], around.catalogue))
    assert [(e.name, e.targets) for e in found] == [("shop.job", ("shop.job:run",))]


def test_two_of_a_name_get_names_of_their_own(read: Read) -> None:
    one = Workflow("a", ())
    assert [e.name for e in with_own_names([one, one], taken=["a"])] == ["a-2", "a-3"]
