"""Which files of tests can reach a change, by names alone."""

import pytest

from reverie.model.change import Change, FileEdit
from reverie.trials import reaching
from reverie.trials.reaching import Reaching, find_reaching

CORE = "def total(xs):\n    return sum(xs)\n\n\ndef other(x):\n    return x\n"
FILES = {
    "shop/core.py": CORE,
    "shop/till.py": "from shop.core import total\n\n\ndef bill(xs):\n    return total(xs) + 1\n",
    "shop/table.py": "KINDS = {'sum': 'total'}\n\n\ndef kind(name):\n    return KINDS[name]\n",
    "shop/local.py": "def mean(xs):\n    total = len(xs)\n    return total\n",
    "tests/test_core.py": "from shop import core\n\n\ndef test_a():\n    core.total([])\n",
    "tests/test_till.py": "from shop import till\n\n\ndef test_b():\n    till.bill([])\n",
    "tests/test_table.py": "from shop.table import kind\n\n\ndef test_c():\n    kind('sum')\n",
    "tests/test_mean.py": "from shop.local import mean\n\n\ndef test_d():\n    mean([])\n",
    "tests/test_bag.py": "from shop.bag import Bag\n\n\ndef test_e():\n    Bag()\n",
    "shop/bag.py": "class Bag:\n    def __len__(self):\n        return 0\n",
}


@pytest.fixture(autouse=True)
def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "_MANY_TESTS", 1)
    monkeypatch.setattr(reaching, "_MOST_SHARE", 0.9)


def reach(path: str, after: str, files: dict[str, str] = FILES) -> Reaching | None:
    edit = FileEdit(path, files[path], after, None, "100644", "100644")
    return find_reaching({name: text.encode() for name, text in files.items()}, Change((edit,)))


def test_tests_that_name_a_function_or_what_uses_it_reach_it() -> None:
    found = reach("shop/core.py", CORE.replace("sum(xs)", "sum([*xs])"))
    assert found is not None
    names = ["tests/test_core.py", "tests/test_table.py", "tests/test_till.py"]
    assert list(found.files) == names  # a name of a value of its own is no use of it
    assert found.left_out == 2
    assert found.code == ("shop/core.py",)


def test_what_python_calls_by_itself_is_reached_through_its_class() -> None:
    found = reach("shop/bag.py", FILES["shop/bag.py"].replace("0", "1 - 1"))
    assert found is not None
    assert found.files == ("tests/test_bag.py",)


def test_an_import_is_reached_through_what_uses_it() -> None:
    before = FILES["shop/till.py"]
    found = reach("shop/till.py", before.replace("shop.core import", "shop.other import"))
    assert found is not None
    assert found.files == ("tests/test_till.py",)


def test_a_fixture_reaches_for_the_tests_that_ask_for_it() -> None:
    files = {
        **FILES,
        "tests/conftest.py": "import pytest\nfrom shop import core\n\n\n"
        "@pytest.fixture\ndef sums():\n    return core.total([1])\n",
        "tests/test_fixed.py": "def test_f(sums):\n    assert sums == 1\n",
    }
    found = reach("shop/core.py", CORE.replace("sum(xs)", "sum([*xs])"), files)
    assert found is not None
    assert "tests/test_fixed.py" in found.files


def test_a_base_class_of_tests_in_another_file_is_followed() -> None:
    """Fraud: the tests that notice stand in a class that another file only inherits."""
    files = {
        **FILES,
        "tests/test_base.py": "from shop.core import total\n\n\nclass Base:\n"
        "    def test_g(self):\n        assert total(self.xs) == 1\n",
        "tests/test_more.py": "from test_base import Base\n\n\nclass TestMore(Base):\n    xs = 1\n",
    }
    found = reach("shop/core.py", CORE.replace("sum(xs)", "sum([*xs])"), files)
    assert found is not None
    assert {"tests/test_base.py", "tests/test_more.py"} <= {*found.files}


def test_the_nearest_come_first_as_long_as_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "_MOST_TESTS", 1)
    found = reach("shop/core.py", CORE.replace("sum(xs)", "sum([*xs])"))
    assert found is not None
    assert found.files == ("tests/test_core.py",)


@pytest.mark.parametrize(
    "after",
    [
        CORE + "print(other)\n",  # names nothing that others could come by
        CORE,
    ],
)
def test_where_names_do_not_tell_the_whole_suite_is_asked(after: str) -> None:
    assert reach("shop/core.py", after) is None


def test_what_leads_nearly_everywhere_asks_the_whole_suite(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reaching, "_MOST_SHARE", 0.1)
    assert reach("shop/core.py", CORE.replace("sum(xs)", "sum([*xs])")) is None


def test_a_small_suite_is_asked_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "_MANY_TESTS", 2000)
    assert reach("shop/core.py", CORE.replace("sum(xs)", "sum([*xs])")) is None
