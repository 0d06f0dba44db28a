"""Names that code puts together, and which of its words can come to an import."""

from collections.abc import Callable

import pytest

LONE = "def work(x):\n    return [x, x]\n"
BASE = {
    "pyproject.toml": '[project]\nname = "app"\n',
    "app/__init__.py": "from app import core\n",
    "app/parts/__init__.py": "",
    "app/parts/one.py": LONE,
    "app/parts/two.py": LONE,
}
ONLY_ONE = {
    "loop over a list": "for n in ['one']:\n    __import__(f'app.parts.{n}')\n",
    "loop over a constant": "P = ('one',)\nfor n in sorted(P):\n    __import__('app.parts.' + n)\n",
    "comprehension": "P = ['one']\nQ = [__import__(f'app.parts.{n}') for n in P]\n",
    "values of a mapping": (
        "P = {'a': 'one'}\ndef f(k):\n    return __import__('app.parts.%s' % P[k])\n"
    ),
    "items of a mapping": (
        "P = {'a': 'one'}\nfor k, n in P.items():\n    __import__('app.parts.{}'.format(n))\n"
    ),
    "a form with two fields": (
        "A = 'app'\n__import__('%s.parts.%s' % (A, 'one'))\n"
    ),
    "a form with names": "__import__('{a}.parts.{b}'.format(a='app', b='one'))\n",
    "a path": (
        "from pathlib import Path\nP = Path(__file__).parent / 'parts' / 'one.py'\n"
    ),
    "a name inside a comparison": (
        "from importlib.util import find_spec\nH = find_spec('app.parts.one') is not None\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("code", ONLY_ONE.values(), ids=ONLY_ONE)
def test_what_a_name_can_be_is_used_and_nothing_else(code: str, standings: Callable) -> None:
    found = standings({**BASE, "app/core.py": code})
    assert "app/parts/one.py" not in found
    assert found["app/parts/two.py"].orphan


def test_an_unknown_part_can_be_every_module_there(standings: Callable) -> None:
    code = "def f(n):\n    return __import__(f'app.parts.{n}')\n"
    assert not {"app/parts/one.py", "app/parts/two.py"} & set(
        standings({**BASE, "app/core.py": code})
    )


def test_a_parameter_hides_a_constant_of_its_name(standings: Callable) -> None:
    code = "n = 'one'\ndef f(n):\n    return __import__(f'app.parts.{n}')\n"
    assert "app/parts/two.py" not in standings({**BASE, "app/core.py": code})


def test_a_word_counts_only_where_it_can_come_to_the_import(standings: Callable) -> None:
    files = {
        **BASE,
        "app/core.py": (
            "def load(n):\n    return __import__(n)\n\n"
            "def start():\n    return load('near')\n\n"
            "def colour():\n    return {'far': 1}\n"
        ),
        "app/near.py": LONE,
        "app/far.py": LONE,
    }
    found = standings(files)
    assert "app/near.py" not in found
    assert found["app/far.py"].orphan


def test_a_module_that_walks_what_it_is_given_uses_no_neighbour(standings: Callable) -> None:
    code = "import pkgutil\ndef f(p):\n    return list(pkgutil.iter_modules(p))\n"
    assert standings({**BASE, "app/core.py": code})["app/parts/one.py"].orphan


def test_entry_points_with_fields_are_read(standings: Callable) -> None:
    setup = "N = 'app'\nsetup(entry_points={'x': ['%s-a = %s.parts.one:f' % (N, N)]})\n"
    found = standings({**BASE, "app/core.py": "", "setup.py": setup})
    assert "app/parts/one.py" not in found
    assert found["app/parts/two.py"].orphan


def test_a_program_in_a_string_uses_what_it_imports(standings: Callable) -> None:
    code = "P = f'import sys; sys.path.insert(0, {__file__!r}); from parts.%s import f; f()'\n"
    assert not {"app/parts/one.py", "app/parts/two.py"} & set(
        standings({**BASE, "app/core.py": code})
    )


def test_what_modules_of_a_library_share_is_alive_without_them(standings: Callable) -> None:
    files = {
        **BASE,
        "app/core.py": "",
        "app/shared.py": "from app import below\n",
        "app/below.py": LONE,
        **{f"app/face{n}.py": "from app import shared\n" for n in range(3)},
    }
    found = standings(files)
    assert not {"app/shared.py", "app/below.py"} & set(found)
    assert found["app/face0.py"].orphan


def test_an_unused_copy_is_the_one_whose_name_does_not_fit(standings: Callable) -> None:
    body = "".join(
        f"def invoice_{n}(rows):\n    s = {n}\n    for row in rows:\n        s += row * {n}\n"
        f"    return round(s / {n + 3}, 2)\n\n\n"
        for n in range(8)
    )
    found = standings({**BASE, "app/core.py": "", "app/invoices.py": body, "app/b.py": body})
    assert found["app/b.py"].duplicate_of == "app/invoices.py"
    assert not found["app/invoices.py"].redundant
