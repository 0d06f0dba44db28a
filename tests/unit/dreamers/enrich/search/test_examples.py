from pathlib import Path

from reverie.dreamers.enrich.search.examples import examples_for, importable_modules
from reverie.dreamers.enrich.target import find_target


def lines_of(folder: Path, module: str) -> set[tuple[str, ...]]:
    found, _ = examples_for(find_target(module, folder, None))
    return {each.lines for each in found}


def test_doctests_read_mes_and_tests_become_lines(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(
        'def price(n):\n    """Text.\n\n    >>> from shop import price\n'
        '    >>> price(3)\n    3\n    """\n    return n\n'
    )
    (tmp_path / "README.md").write_text("```python\nimport shop\nx = shop.price(4)\n```\n")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_shop.py").write_text(
        "import datetime as dt\nimport pytest\nimport shop\n"
        "@pytest.mark.parametrize('n, m', [(5, 6)])\n"
        "def test_price(n, m):\n    assert shop.price(n) == m\n"
        "def test_date():\n    with pytest.raises(ValueError):\n"
        "        shop.price(dt.date(2020, 1, 1))\n"
    )
    assert lines_of(tmp_path, "shop") == {
        ("price(3)",),
        ("x = price(4)",),
        ("price(5)",),
        ("price(datetime.date(2020, 1, 1))",),
    }


def test_what_a_test_stands_on_goes_before_its_lines(tmp_path: Path) -> None:
    (tmp_path / "cache.py").write_text("class Cache:\n    ...\n")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_cache.py").write_text(
        "import pytest\nimport unittest\nfrom cache import Cache\n"
        "class Timer: ...\n"
        "@pytest.fixture\ndef timer():\n    return Timer()\n"
        "@pytest.fixture\ndef cache(timer):\n    return Cache(2, timer=timer)\n"
        "def test_get(cache):\n    key, value = 'k', 'v'\n    cache.put(key, value)\n"
        "    assert cache.get(key) == value\n"
        "class Old(unittest.TestCase):\n"
        "    def setUp(self):\n        self.cache = Cache(3)\n"
        "    def test_size(self):\n        self.assertEqual(self.cache.size(), 3)\n"
    )
    assert lines_of(tmp_path, "cache") == {
        ("cache = Cache(2)", "cache.put('k', 'v')", "cache.get('k')"),
        ("cache = Cache(3)", "cache.size()"),
    }


def test_a_decorated_function_of_an_example_is_put_simply(tmp_path: Path) -> None:
    (tmp_path / "memo.py").write_text("def memo(size):\n    return lambda f: f\n")
    (tmp_path / "README.md").write_text(
        "```python\nfrom memo import memo\n@memo(size=3)\ndef fib(n):\n    return n\nfib(4)\n```\n"
    )
    assert lines_of(tmp_path, "memo") == {("fib = memo(size=3)(lambda n: n)", "fib(4)")}


def test_only_modules_of_the_standard_library_are_importable(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        'def f(x):\n    """\n    >>> f(decimal.Decimal(1), numpy.array([1]))\n    """\n'
    )
    found, _ = examples_for(find_target("a", tmp_path, None))
    assert importable_modules(found) == {"decimal"}


def test_what_a_module_holds_is_no_module(tmp_path: Path) -> None:
    line = "f(os.listdir(), os.path.join('a'), xml.dom.minidom.parseString('<a/>'), json.dumps)"
    (tmp_path / "a.py").write_text(f'def f(*x):\n    """\n    >>> {line}\n    """\n')
    found, _ = examples_for(find_target("a", tmp_path, None))
    assert importable_modules(found) == {
        "os", "os.path", "xml", "xml.dom", "xml.dom.minidom", "json"
    }  # fmt: skip
