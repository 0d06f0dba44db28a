"""Which files of tests are about a module, and in which order they are asked."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reverie.environment import preflight
from reverie.environment.part import collected_files, files_about, in_order
from reverie.environment.preflight import Fit, look_at_suite
from reverie.instruments.mutation.project import find_project
from reverie.instruments.suite.plain import PlainRun
from reverie.model.measurements.suite import TestEnd

Lay = Callable[[dict[str, str]], Path]

SHOP = {
    "shop/__init__.py": "from shop.cart import Cart\nfrom .prices import total as sum_up\n",
    "shop/cart.py": "class Cart: ...\n",
    "shop/prices.py": "def total(): ...\n",
    "shop/_words.py": "def plural(): ...\n",
    "shop/unused.py": "def nobody(): ...\n",
}

IN_PACKAGE = "from .. import cart\n\ndef test_it(): ...\n"


def about(lay: Lay, tests: dict[str, str]) -> dict[str, set[str]]:
    project = find_project(lay({**SHOP, **tests}))
    return {path: set(files) for path, files in files_about(project).items()}


def test_a_test_is_about_what_it_imports_also_through_the_front_of_the_package(lay: Lay) -> None:
    found = about(
        lay,
        {
            "tests/test_direct.py": "import shop.cart\n",
            "tests/test_from.py": "from shop import prices\n",
            "tests/test_front.py": "from shop import sum_up\n",
            "tests/test_asked.py": "import shop as s\n\ndef test(): s.Cart()\n",
            "tests/test_long.py": "import shop\n\ndef test(): shop.prices.total()\n",
        },
    )
    assert found["shop/cart.py"] == {"tests/test_direct.py", "tests/test_asked.py"}
    assert found["shop/prices.py"] == {
        "tests/test_from.py",
        "tests/test_front.py",
        "tests/test_long.py",
    }
    assert "shop/unused.py" not in found


def test_a_star_is_about_everything_that_the_front_hands_on(lay: Lay) -> None:
    found = about(lay, {"tests/test_all.py": "from shop import *\n"})
    assert found["shop/cart.py"] == found["shop/prices.py"] == {"tests/test_all.py"}


def test_a_test_is_about_the_module_that_it_is_named_after(lay: Lay) -> None:
    found = about(lay, {"tests/test_words.py": "import subprocess\n"})
    assert found["shop/_words.py"] == {"tests/test_words.py"}


def test_imports_in_a_package_count_from_their_folder(lay: Lay) -> None:
    found = about(lay, {"shop/tests/__init__.py": "", "shop/tests/test_it.py": IN_PACKAGE,
                        "tests/test_other.py": "def test_other(): ...\n"})  # fmt: skip
    assert found["shop/cart.py"] == {"shop/tests/test_it.py"}


def test_what_cannot_be_parsed_is_about_nothing(lay: Lay) -> None:
    assert about(lay, {"tests/test_broken.py": "from shop import cart\n(\n"}) == {}


def test_all_tests_of_a_module_with_few_come_first_and_those_of_none_last(lay: Lay) -> None:
    many = "from shop import Cart\n" + "def test(): ...\n" * 5
    project = find_project(
        lay(
            {
                **SHOP,
                "tests/conftest.py": "",
                "tests/test_command.py": "def test(): ...\n",
                "tests/test_a_cart.py": many,
                "tests/test_sums.py": "from shop import sum_up\ndef test(): ...\n",
                "tests/test_more_sums.py": "from shop import sum_up\ndef test(): ...\n",
            }
        )
    )
    assert in_order(project, files_about(project)) == (
        "tests/test_more_sums.py",
        "tests/test_sums.py",
        "tests/test_a_cart.py",
        "tests/test_command.py",
    )


def test_files_have_the_names_that_pytest_is_told(lay: Lay) -> None:
    told = '[tool.pytest.ini_options]\ntestpaths = ["checks"]\npython_files = ["check_*.py"]\n'
    tests = {"checks/check_cart.py": "def test(): ...\n", "tests/test_old.py": "def test(): ...\n"}
    project = find_project(lay({**SHOP, "pyproject.toml": told, **tests}))
    assert collected_files(project) == ("checks/check_cart.py",)


STARTING, TEST_SECONDS = 6.0, {"a": 1.0, "b": 1.0, "c": 900.0, "d": 1.0}


@pytest.mark.parametrize(
    ("seconds", "asked"),
    [(60.0, "abd"), (30.0, "ab"), (10.0, "a"), (7.0, "a"), (5.0, "")],
)
def test_as_long_as_no_file_has_ended_there_is_twice_the_time(
    lay: Lay, monkeypatch: pytest.MonkeyPatch, seconds: float, asked: str
) -> None:
    """Each run takes six seconds to begin, and one file never ends."""
    now = [0.0]

    def run(
        sandbox: Any, project: Any, tests: Sequence[str], files: Any, most: float, *_: Any
    ) -> PlainRun:
        names = [Path(each).stem.removeprefix("test_") for each in tests if each != "tests"]
        needed = STARTING + sum(TEST_SECONDS[name] for name in names or TEST_SECONDS)
        now[0] += min(needed, most)
        if needed > most:
            return PlainRun({}, "no answer in time", is_late=True)
        return PlainRun({(f"tests.test_{name}", "test_it"): TestEnd.PASSED for name in names})

    monkeypatch.setattr(preflight, "run_plainly", run)
    monkeypatch.setattr(preflight.time, "monotonic", lambda: now[0])
    fake: Any = None
    files = {f"tests/test_{name}.py": f"import shop.{name}\n" for name in TEST_SECONDS}
    modules = {f"shop/{name}.py": "" for name in TEST_SECONDS}
    project = find_project(lay({"shop/__init__.py": "", **modules, **files}))
    look, part = look_at_suite(fake, project, 300.0, Fit(seconds, seconds / 2))
    assert "".join(name[-10] for name in look.ends) == asked
    assert now[0] <= 2.5 * seconds
    if asked:
        assert part is not None
        assert set(part.partly_asked) == {f"shop/{name}.py" for name in {*"abcd"} - {*asked}}
    else:
        assert (look.is_late, part) == (True, None)
