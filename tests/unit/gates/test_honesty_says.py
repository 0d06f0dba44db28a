"""Tests that reach for the code under test or for the judge: each way, and the honest one beside."""

import pytest

from reverie.gates.suite.honesty import HonestyGate
from reverie.model.ruling import Answer, Ruling

from .matters import edit, matter, new_test

HEAD = "import os, sys, shop, json\nfrom shop import price\n"
FINE = Ruling(
    "honesty", Answer.PASS, "ok", "the tests leave the code under test and the judge alone"
)
REASONS = {
    "replaces_production": "it puts something else in the place of the code under test",
    "mocks_subject": "what it asserts about is its own stand-in, not the code under test",
    "report_hook": "hooks of pytest decide what is reported, and how",
    "plugin_added": "a plugin is loaded into the run that judges",
    "reaches_judge": "it reaches for what runs, watches or ends the tests",
    "detects_judge": "it asks whether it is being judged",
    "dynamic_code": "it runs code that is not there to be read",
    "edits_production": "it looks for the files of the code under test",
    "replaces_fixture": "a fixture takes the name of one that tests rely on",
    "shadows_module": "a file of the tests takes the name of another module",
}


def refused(code: str, line: int, path: str = "tests/test_shop.py") -> Ruling:
    return Ruling("honesty", Answer.FAIL, code, REASONS[code], f"{path}:{line}")


def judged(body: str) -> list[Ruling]:
    return list(HonestyGate().judge(new_test(body, head=HEAD)))


def codes(line: str) -> list[str]:
    """Of a line in a test; every ruling says the reason of its code, and stands at that line."""
    found = judged(f"def test_a():\n    {line}\n")
    for each in found:
        if each != FINE:
            assert each == refused(each.reason_code, 5)
    return [each.reason_code for each in found]


REACHING = """sys.settrace sys.setprofile sys.monitoring sys._getframe sys._current_frames os._exit
    os.kill os.abort os.fork os.exec os.execv sys.exit atexit.register gc.get_objects
    gc.get_referrers inspect.stack inspect.currentframe signal.alarm threading.settrace
    threading.setprofile sys.meta_path sys.path_hooks os.write sys.excepthook sys.unraisablehook
    sys.addaudithook sys.breakpointhook""".split()


@pytest.mark.parametrize("name", REACHING)
def test_reaching_for_the_run_is_known_by_name(name: str) -> None:
    assert codes(f"{name}(1)") == ["reaches_judge"]
    assert codes(f"my.{name}(1)") == ["ok"]


@pytest.mark.parametrize(
    "name", ["_pytest", "reverie", "reverie_pytest", "pluggy", "coverage", "ctypes"]
)
def test_importing_a_judge_is_reaching_for_it(name: str) -> None:
    for line in (f"import {name}", f"import json, {name}.inner as x", f"from {name} import x",
                 f"from {name}.inner import x"):  # fmt: skip
        assert codes(line) == ["reaches_judge"]
    assert codes(f"import {name}_of_ours") == codes(f"from . import {name}") == ["ok"]


TELLTALES = """PYTEST_CURRENT_TEST PYTEST_SEED FREEZE_TIME PYTHONHASHSEED PYTEST_XDIST_WORKER
    GITHUB_ACTIONS ALLOW_NET PYTEST_ADDOPTS COVERAGE_RUN COV_CORE_SOURCE REVERIE REVERIE_RUN
    reverie_x""".split()


@pytest.mark.parametrize("text", TELLTALES)
def test_asking_for_the_judge_is_known_by_the_text(text: str) -> None:
    assert codes(f"x = '{text}'") == ["detects_judge"]
    assert codes(f"x = 'my {text}'") == ["ok"]


@pytest.mark.parametrize("name", ["exec", "eval", "compile", "globals", "__import__"])
def test_code_that_is_made_is_known_by_the_call(name: str) -> None:
    assert codes(f"{name}('1')") == ["dynamic_code"]
    assert codes(f"x.{name}('1')") == codes(f"x = {name}") == ["ok"]


@pytest.mark.parametrize(
    "line",
    [
        "shop.price = 1", "shop.stock.price = 1", "price.cache = 1", "shop.table['a'] = 1", "del shop.price",
        "shop.n += 1", "shop.n: int = 1", "sys.modules['shop'] = 1", "del sys.modules['shop']", "sys.modules = {}",
        "builtins.len = 1", "__builtins__['len'] = 1", "x.__code__ = 1", "x.__defaults__ = ()", "x.__class__ = A",
        "x.__globals__ = {}", "x.__kwdefaults__ = {}", "os.getcwd = f", "sys.x = 1", "json.loads = f",
        "setattr(shop, 'price', 1)", "delattr(shop, 'price')", "setattr(shop.stock, 'a', 1)", "setattr(price(), 'a', 1)",
        "setattr(shop['a'], 'a', 1)", "sys.modules.pop('shop')", "sys.modules.update(a=1)", "vars(shop).update(a=1)", "vars(x).setdefault(a=1)",
        "shop.__dict__.update(a=1)", "shop.__dict__.__setitem__('a', 1)", "shop.update(a=1)", "shop.__setattr__('a', 1)",
        "a = shop.price = 1",
    ],
)  # fmt: skip
def test_replacing_the_code_under_test_is_refused(line: str) -> None:
    assert "replaces_production" in codes(line)


@pytest.mark.parametrize(
    "line",
    [
        "x = 1", "x.y = 1", "x['a'] = 1", "price = 1", "shop = 1", "del x", "x += 1", "x: int = 1", "self.price = 1",
        "setattr(x, 'a', 1)", "setattr()", "getattr(shop, 'a')", "sys.modules.get('a')", "sys.modules.keys()", "sys.modules.copy()",
        "sys.modules.values()", "sys.modules.items()", "x.update(a=1)", "len(shop.__dict__)", "shop.price(1)", "x.__name__ = 1",
        "f(shop).y = 1", "shop.stock.update(a=1)", "dict(x).update(a=1)", "x = shop.__doc__", "numpy.x = 1", "open('a')",
    ],
)  # fmt: skip
def test_what_is_ones_own_may_be_changed(line: str) -> None:
    assert codes(line) == ["ok"]


LIBRARIES = """random time datetime pytest unittest operator math json os sys collections
    functools""".split()


@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries_are_not_for_tests_to_change(name: str) -> None:
    assert judged(f"import {name}\n{name}.x = 1\n") == [refused("replaces_production", 5)]
    assert judged(f"import {name}_more\n{name}_more.x = 1\n") == [FINE]


def test_changing_globals_is_told_once_for_what_it_does() -> None:
    assert codes("globals().update(price=1)") == ["replaces_production", "dynamic_code"]


@pytest.mark.parametrize(
    "line", ["open(shop.__file__)", "f(1, shop.stock.__file__)", "f(x=price.__file__)"]
)
def test_looking_for_the_files_of_the_code_is_refused(line: str) -> None:
    assert codes(line) == ["edits_production"]
    assert codes(line.replace("shop.", "x.").replace("price.", "x.")) == ["ok"]


def test_plugins_and_hooks_are_refused() -> None:
    assert judged("pytest_plugins = ['a']\n") == [refused("plugin_added", 4)]
    assert judged("pytest_plugins: list = ['a']\n") == [refused("plugin_added", 4)]
    assert judged("def pytest_configure(): ...\n") == [refused("report_hook", 4)]
    assert judged("async def pytest_configure(): ...\n") == [refused("report_hook", 4)]
    assert judged("def my_pytest_configure(): ...\n") == [FINE]


CONFTEST = "tests/conftest.py"


def fixture(
    decorator: str, name: str = "cheap", body: str = "return 1", path: str = CONFTEST
) -> list[Ruling]:
    text = f"import pytest, shop\n{decorator}\ndef {name}(monkeypatch):\n    {body}\n"
    return list(HonestyGate().judge(matter(edit(path, None, text))))


def test_a_shared_fixture_takes_nobodys_name() -> None:
    assert fixture("@pytest.fixture", "tmp_path") == [refused("replaces_fixture", 3, CONFTEST)]
    assert fixture("@pytest.fixture(scope='module')", "tmp_path") == [
        refused("replaces_fixture", 3, CONFTEST)
    ]
    assert fixture("@pytest.fixture") == fixture("@other", "tmp_path") == [FINE]
    assert fixture("@pytest.fixture", "tmp_path", path="tests/test_a.py") == [FINE]


def test_a_fixture_that_nobody_asks_for_replaces_nothing() -> None:
    patch = "monkeypatch.setattr(shop, 'rate', 0)"
    both = fixture("@pytest.fixture(autouse=True)", body=patch)
    assert both == [refused("replaces_production", 3, CONFTEST)]
    assert fixture("@pytest.fixture", body=patch) == [FINE]
    assert fixture("@pytest.fixture(autouse=True)") == [FINE]


@pytest.mark.parametrize(
    ("path", "is_taken"),
    [
        ("tests/json.py", True), ("tests/shop.py", True), ("tests/shop/__init__.py", True), ("tests/own.py", False),
        ("tests/__init__.py", False), ("tests/test_json.py", False), ("tests/sub/os.py", True), ("tests/own/__init__.py", False),
    ],
)  # fmt: skip
def test_a_new_file_takes_no_modules_name(path: str, is_taken: bool) -> None:
    expected = [refused("shadows_module", 1, path)] if is_taken else [FINE]
    assert list(HonestyGate().judge(matter(edit(path, None, "a = 1\n")))) == expected
    assert list(HonestyGate().judge(matter(edit(path, "b = 1\n", "a = 1\n")))) == [FINE]


def test_what_was_there_may_stay_and_one_more_is_told() -> None:
    head, line = "import shop\n", "shop.price = 1\n"

    def again(before: str, after: str) -> list[Ruling]:
        return list(HonestyGate().judge(matter(edit("tests/test_shop.py", before, after))))

    assert again(head + line, head + line) == [FINE]
    assert again(head + line, head + line + line) == [refused("replaces_production", 3)]
    assert again(head, head + line) == [refused("replaces_production", 2)]


PATCHES = [
    "patch",
    "mock.patch",
    "patch.object",
    "patch.multiple",
    "monkeypatch.setattr",
    "patch.dict",
    "mocker.spy",
]


@pytest.mark.parametrize("name", PATCHES)
def test_a_stand_in_for_what_is_called_is_refused(name: str) -> None:
    for given in ("'shop.price'", "shop, 'price'", "shop.stock, 'price'", "unknown, 'price'"):
        body = f"def test_a(monkeypatch):\n    {name}({given}, 1)\n    assert price(2) == 4\n"
        assert judged(body) == [refused("mocks_subject", 5)], given
        method = body.replace("price(2)", "shop.price(2)")
        assert judged(method) == [refused("mocks_subject", 5)]


@pytest.mark.parametrize(
    "line",
    [
        "patch('shop.rate')", "patch('json.price')", "patch('shop.price', wraps=price)", "patch()", "patch(x)", "patch(shop, name)",
        "patch(json, 'price')", "other('shop.price')", "patch(1)",
    ],
)  # fmt: skip
def test_a_stand_in_for_a_neighbour_is_honest(line: str) -> None:
    assert judged(f"def test_a():\n    {line}\n    assert price(2) == 4\n") == [FINE]


def test_a_stand_in_made_by_a_helper_counts_for_every_test_that_calls_it() -> None:
    helper = "def cheap():\n    patch('shop.price')\n\n\n"
    used = "def test_a():\n    assert price(2) == 4\n"
    assert judged(helper + used) == [refused("mocks_subject", 8)]
    assert judged(helper + used.replace("price(2)", "shop.total(2)")) == [FINE]
    called = helper + used.replace("price(2)", "shop.price(2)")
    assert judged(called) == [refused("mocks_subject", 8)]
