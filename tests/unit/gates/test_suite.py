import pytest

from reverie.gates.gate import Gate, Matter
from reverie.gates.suite.chance import ChanceGate
from reverie.gates.suite.honesty import HonestyGate
from reverie.gates.suite.old_tests import KeptGate
from reverie.gates.suite.oracle import OracleGate
from reverie.model.ruling import Answer

from .matters import edit, matter, new_test


def codes(gate: Gate, asked: Matter) -> set[str]:
    return {each.reason_code for each in gate.judge(asked) if each.verdict is Answer.FAIL}


@pytest.mark.parametrize(
    "body",
    [
        "def test_a():\n    assert price(2) == 4\n",
        "def test_a():\n    result = price(2)\n    assert result == 4\n",
        "def test_a():\n    found = []\n    price(found.append)\n    assert found == [1]\n",
        "def test_a():\n    n = 0\n    for _ in price(2):\n        n += 1\n    assert n == 4\n",
        "def test_a(cart):\n    assert cart.total() == 4\n",
        "import pytest\n\ndef test_a():\n    with pytest.raises(ValueError):\n        price(-1)\n",
        "def check(a, b):\n    assert a == b\n\ndef test_a():\n    check(price(2), 4)\n",
        "def test_a():\n    assert price(2)\n",
        "def test_a():\n    try:\n        price(-1)\n    except ValueError:\n        return\n    raise AssertionError\n",
        "import unittest\n\nclass TestIt(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(price(2), 4)\n",
        "import pytest\n\n@pytest.mark.parametrize('n, out', [(1, 2)])\ndef test_a(n, out):\n    assert price(n) == out\n",
        "def test_a(capsys):\n    price(2)\n    assert capsys.readouterr().out == 'x'\n",
    ],
)
def test_tests_that_look_are_let_through(body: str) -> None:
    assert codes(OracleGate(), new_test(body)) == set()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("def test_a():\n    price(2)\n", "no_assertion"),
        ("def test_a():\n    price(2)\n    assert True\n", "tautology"),
        ("def test_a():\n    assert price(2) == price(2)\n", "tautology"),
        ("def test_a():\n    a = price(2)\n    b = price(2)\n    assert a == b\n", "tautology"),
        ("def test_a():\n    assert price(2) == 4 or True\n", "tautology"),
        ("def test_a():\n    r = price(2)\n    assert r in (r, 1)\n", "tautology"),
        ("def test_a():\n    assert len(price(2)) >= 0\n", "tautology"),
        ("def test_a():\n    assert (price(2), 'message')\n", "tautology"),
        ("def test_a():\n    assert isinstance(price(2), int)\n", "asserts_type_only"),
        ("def test_a():\n    assert price(2) is not None\n", "asserts_type_only"),
        ("def test_a():\n    assert all(isinstance(x, int) for x in price(2))\n", "asserts_type_only"),
        ("def test_a():\n    assert type(price(2)) is int\n", "asserts_type_only"),
        ("def test_a():\n    n = 0\n    for x in [1]:\n        price(x)\n        n += 1\n    assert n == 1\n", "blind_assertion"),
        ("import pytest\n\ndef test_a():\n    with pytest.raises(Exception):\n        price()\n", "accepts_any_error"),
        ("def test_a():\n    try:\n        assert price(2) == 4\n    except Exception:\n        pass\n", "catch_all"),
        ("import contextlib\n\ndef test_a():\n    with contextlib.suppress(AssertionError):\n        assert price(2) == 4\n", "catch_all"),
        ("def test_a():\n    try:\n        assert price(2) == 4\n    finally:\n        return\n", "catch_all"),
    ],
)  # fmt: skip
def test_tests_that_cannot_fail_are_refused(body: str, code: str) -> None:
    assert code in codes(OracleGate(), new_test(body))


OLD = "from shop import price\n\ndef test_a():\n    assert price(1) == 2\n\n\ndef test_b():\n    assert price(3) == 6\n"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("def test_b", "def check_b", "test_deleted"),
        ("assert price(1) == 2", "assert price(1) >= 2", "assertion_weakened"),
        ("assert price(1) == 2", "assert price(1)", "assertion_weakened"),
        ("    assert price(1) == 2", "    return\n    assert price(1) == 2", "test_changed"),
        ("def test_b", "import pytest\n\n@pytest.mark.skip\ndef test_b", "skip_added"),
        ("def test_b", "import pytest\n\n@pytest.mark.xfail\ndef test_b", "skip_added"),
        ("def test_b", "def test_a", "test_hidden"),
        ("from shop import price", "from fake import price", "helper_changed"),
        ("def test_b", "def price(x):\n    return 2 * x\n\n\ndef test_b", "helper_changed"),
        ("def test_b", "__test__ = False\n\n\ndef test_b", "skip_added"),
    ],
)
def test_a_weaker_suite_is_refused(old: str, new: str, code: str) -> None:
    changed = matter(edit("tests/test_shop.py", OLD, OLD.replace(old, new, 1)))
    assert code in codes(KeptGate(), changed)


def test_a_longer_suite_is_let_through() -> None:
    longer = OLD.replace("from shop import price", "from shop import Cart, price")
    longer = longer.replace("== 2\n", "== 2\n    assert price(0) == 0\n", 1)
    longer += "\n\ndef test_c():\n    assert Cart().total == 0\n"
    assert codes(KeptGate(), matter(edit("tests/test_shop.py", OLD, longer))) == set()


def test_more_rows_are_let_through_and_fewer_are_not() -> None:
    head = "import pytest\nfrom shop import price\n\n@pytest.mark.parametrize('a, b', {rows})\n"
    body = "def test_a(a, b):\n    assert price(a) == b\n"
    some, more = (head.format(rows=rows) + body for rows in ("[(1, 2)]", "[(1, 2), (2, 4)]"))
    assert codes(KeptGate(), matter(edit("tests/test_a.py", some, more))) == set()
    assert codes(KeptGate(), matter(edit("tests/test_a.py", more, some))) != set()


def test_a_file_renamed_out_of_sight_is_lost() -> None:
    moved = edit("tests/shop_checks.py", OLD, OLD, renamed_from="tests/test_shop.py")
    assert codes(KeptGate(), matter(moved)) == {"test_deleted"}


def test_a_moved_test_is_not_lost() -> None:
    first, second = OLD.split("\n\n\n")
    whole = edit("tests/test_shop.py", OLD, first + "\n")
    other = edit("tests/test_more.py", None, f"from shop import price\n\n\n{second}")
    assert codes(KeptGate(), matter(whole, other)) == set()


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("import shop.stock\nshop.stock.price = lambda x: 4\n", "replaces_production"),
        ("import sys\nsys.modules['shop'] = None\n", "replaces_production"),
        ("import shop\n\ndef test_a():\n    setattr(shop, 'price', len)\n", "replaces_production"),
        ("import shop\n\ndef test_a():\n    vars(shop).update(price=len)\n", "replaces_production"),
        ("import builtins\nbuiltins.len = lambda x: 4\n", "replaces_production"),
        ("def pytest_runtest_makereport(item, call):\n    pass\n", "report_hook"),
        ("pytest_plugins = ['other']\n", "plugin_added"),
        ("from _pytest.reports import TestReport\n", "reaches_judge"),
        ("import os\n\ndef test_a():\n    os._exit(0)\n", "reaches_judge"),
        ("import os\n\ndef test_a():\n    os.environ.get('REVERIE')\n", "detects_judge"),
        ("def test_a():\n    exec('x = 1')\n", "dynamic_code"),
        ("import shop\n\ndef test_a():\n    open(shop.__file__, 'w')\n", "edits_production"),
        ("import shop\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(shop, 'price', len)\n    assert shop.price([1]) == 1\n", "mocks_subject"),
        ("from unittest.mock import patch\nimport shop\n\ndef test_a():\n    with patch('shop.price', return_value=4):\n        assert shop.price(2) == 4\n", "mocks_subject"),
    ],
)  # fmt: skip
def test_tests_that_are_not_honest_are_refused(body: str, code: str) -> None:
    assert code in codes(HonestyGate(), new_test(body))


def test_a_stand_in_for_a_neighbour_is_honest() -> None:
    body = (
        "import shop\n\ndef test_a(monkeypatch):\n"
        "    monkeypatch.setattr(shop, 'now', lambda: 4)\n    assert shop.price(2) == 4\n"
    )
    assert codes(HonestyGate(), new_test(body)) == set()


def test_a_shared_fixture_does_not_take_anothers_name() -> None:
    text = "import pytest\n\n@pytest.fixture\ndef tmp_path():\n    return 1\n"
    assert codes(HonestyGate(), matter(edit("tests/conftest.py", None, text))) == {
        "replaces_fixture"
    }
    other = text.replace("tmp_path", "basket")
    assert codes(HonestyGate(), matter(edit("tests/conftest.py", None, other))) == set()


def test_what_tests_get_without_asking_replaces_nothing() -> None:
    text = (
        "import pytest\nimport shop\n\n@pytest.fixture(autouse=True)\ndef cheap(monkeypatch):\n"
        "    monkeypatch.setattr(shop, 'rate', 0)\n"
    )
    found = codes(HonestyGate(), matter(edit("tests/conftest.py", None, text)))
    assert found == {"replaces_production"}


def test_a_file_that_takes_a_modules_name_is_refused() -> None:
    shadow = edit("tests/shop/__init__.py", None, "price = 1\n")
    assert codes(HonestyGate(), matter(shadow)) == {"shadows_module"}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("import random\n\ndef test_a():\n    assert price(random.random()) > 0\n", "depends_on_chance"),
        ("from random import choice\n\ndef test_a():\n    assert price(choice([1])) > 0\n", "depends_on_chance"),
        ("import random\n\ndef test_a():\n    r = random.Random()\n    assert price(r.random()) > 0\n", "depends_on_chance"),
        ("import time\n\ndef test_a():\n    t = time.time()\n    price(1)\n    assert time.time() - t < 1\n", "depends_on_time"),
        ("import datetime\n\ndef test_a():\n    if datetime.date.today().year > 2000:\n        assert price(1) == 2\n", "depends_on_time"),
        ("seen = []\n\ndef test_a():\n    seen.append(price(1))\n    assert seen == [2]\n\ndef test_b():\n    assert seen == [2]\n", "depends_on_order"),
    ],
)  # fmt: skip
def test_tests_that_hang_on_luck_are_refused(body: str, code: str) -> None:
    assert code in codes(ChanceGate(), new_test(body))


@pytest.mark.parametrize(
    "body",
    [
        "import random\n\ndef test_a():\n    r = random.Random(4)\n    assert price(r.random()) > 0\n",
        "import random\n\ndef test_a():\n    random.seed(4)\n    assert price(random.random()) > 0\n",
        "import time\n\ndef test_a():\n    t = time.time()\n    assert t <= price(1).made\n",
        "SEEN = (1, 2)\n\ndef test_a():\n    assert price(SEEN) == 3\n",
    ],
)
def test_seeded_chance_and_the_codes_own_clock_are_let_through(body: str) -> None:
    assert codes(ChanceGate(), new_test(body)) == set()


def test_parameters_read_from_files_are_followed() -> None:
    body = (
        "import os\nimport pytest\n\n"
        "@pytest.mark.parametrize('name', os.listdir('data'))\n"
        "def test_a(name):\n    assert price(name) == 4\n"
    )
    assert codes(OracleGate(), new_test(body)) == set()
