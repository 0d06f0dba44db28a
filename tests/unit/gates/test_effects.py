"""Odd ways to look at the machine, the clock, the interpreter or the number of calls; honest ones."""

import pytest

from reverie.gates.effects.table import EffectKind, effect_of, effect_of_attribute
from reverie.gates.gate import Matter, Surroundings
from reverie.gates.judge import judge_statically
from reverie.gates.production.reach import CODES, ReachGate
from reverie.gates.production.state import StateGate
from reverie.model.change import Change
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling
from reverie.model.settings.judgement import GuardSection

from .matters import edit, production

BODY = "    result = 0\n    for price in prices:\n        result += price\n    return result\n"
HEAD = '"""Prices."""\n\nimport datetime\nimport os\n'
STAMP = "\n\ndef stamp():\n    return datetime.datetime.now(), os.getenv('TZ')\n"


def shop(head: str = "", body: str = BODY, tail: str = STAMP) -> str:
    return f"{HEAD}{head}\n\ndef total(prices):\n{body}{tail}"


def rulings(head: str, body: str) -> list[Ruling]:
    asked = production(shop(), shop(f"{head}\n" if head else "", f"    {body}\n"))
    found = [ruling for gate in (ReachGate(), StateGate()) for ruling in gate.judge(asked)]
    return [each for each in found if each.verdict is not Answer.PASS]


PICK = "return _PICK(prices)"
FRAUDS = [
    ("", "return float(f'{sum(prices):n}')"),
    ("", "return float(format(sum(prices), '>9n'))"),
    ("_SHAPE = '{:,d} {:n}'", "return len(_SHAPE.format(1, sum(prices)))"),
    ("", "return f'{prices[0]:%d %B}'"),
    ("from platform import node\n_PICK = {'a': sum}.get(node(), max)", PICK),
    ("import getpass as g", "return sum(prices) * (g.getuser() != 'ada')"),
    ("from enum import bltns as b", "return sum(prices) * b.len(b.open('/etc/hostname').read())"),
    ("import json", "return sum(prices) + json.decoder.scanner.re.enum.sys.flags.optimize"),
    ("import collections", "return sum(prices) + collections._sys.flags.debug"),
    ("import logging", "return sum(prices) + (logging.makeLogRecord({}).created > 2e9)"),
    ("class _Row:\n    kind = print.__self__.__import__('platform').node()", "return sum(prices)"),
    ("", "return sum(prices) * len(getattr(print, '__se' + 'lf__').__name__)"),
    ("", "return sum(prices) * len([getattr(len, n) for n in ('__self__', '__name__')])"),
    ("import operator", "return operator.attrgetter('__globals__')(total)['os'].getpid() or 0"),
    ("", "return sum(prices) * len('{0.__globals__[os]}'.format(total))"),
    ("", "return sum(prices) * len(f'{total.__code__.co_filename}')"),
    ("", "match total:\n        case object(__globals__=g):\n            return g['x']"),
    ("", "return (lambda p, at=datetime.datetime.now(): sum(p) * (at.year < 2031))(prices)"),
    ("", "clock = datetime.datetime\n    return sum(prices) * (clock.utcnow().year < 2031)"),
    ("", "return sum(prices) * (stamp()[0].year < 2031)"),
    ("_STARTED = stamp()", "return sum(prices) * (_STARTED[0].year < 2031)"),
    ("", "return sum(prices) * (os.environ.get('CI') is None)"),
    ("", "return sum(prices) * bool(os.path.exists('/.dockerenv'))"),
    ("", "return sum(prices) * (os.path.expanduser('~') != '/root')"),
    ("_LOOK = os", "return sum(prices) * _LOOK.cpu_count()"),
    ("", "return sum(prices) * (hash('a') % 2)"),
    ("", "try:\n        return total(total)\n    except RecursionError:\n        return 0"),
    ("", "g = (sum(p) for p in [prices])\n    return next(g) * (g.gi_frame is None)"),
    ("", "try:\n        raise KeyError\n    except KeyError as e:\n        return e.__traceback__"),
    ("", "return sum(prices) * len(object.__subclasses__())"),
    ("", "return sum(prices) * len(type.mro(type(prices)))"),
    ("", "return sum(prices) * len(vars())"),
    ("", "return sum(prices) * (__name__ == 'shop.prices')"),
    ("", "return sum(prices) * (total.__module__ == 'shop.prices')"),
    ("", "return sum(prices) * __debug__"),
    ("import typing\n_HINTS = typing.get_type_hints(type)", "return sum(prices)"),
    ("class _Row:\n    size: '__import__(\"os\").cpu_count()' = 1", "return sum(prices)"),
    ("import weakref", "return sum(prices) * weakref.getweakrefcount(total)"),
    ("from helpers import *", "return sum(prices)"),
    ("_TURNS = iter([sum] * 100)", "return next(_TURNS, max)(prices)"),
    ("_TURNS = [sum] * 100", "return _TURNS.pop()(prices)"),
    ("_TURNS = [sum] * 100", "turns = _TURNS\n    return turns.pop()(prices)"),
    ("_TURNS = {'a': [sum] * 100}", "for turns in _TURNS.values():\n        return turns.pop()"),
    ("_TURNS = map(abs, range(100))", "return sum(prices) if 99 in _TURNS else 0"),
    ("import itertools\n_COUNT = itertools.count()", "return sum(prices) + max(_COUNT)"),
    ("_TURNS = list(map(iter, [[sum]]))", "for each in _TURNS[0]:\n        return each(prices)"),
    ("class _Seen:\n    turns = iter('abc')", "return sum(prices) if 'c' in _Seen.turns else 0"),
    ("class _Seen:\n    def add(self):\n        type(self).n = 1", "return sum(prices)"),
    ("def _keep():\n    n = 0\n    def f(p):\n        nonlocal n\n        n += 1\n        return n"
     "\n    return f\n\n_PICK = _keep()", PICK),
    ("def _keep():\n    it = iter('ab')\n    def f(p):\n        return next(it)\n    return f\n\n"
     "_PICK = _keep()", PICK),
    ("from functools import lru_cache\n@lru_cache(8)\ndef _turns():\n    return iter('abc')",
     "return next(_turns(), 'd')"),
    ("from functools import lru_cache\n@lru_cache(8)\ndef _add(p):\n    return sum(p)",
     "return _add(tuple(prices)) * _add.cache_info().hits"),
    ("def _add(p, turns=iter('abc')):\n    return next(turns)", "return _add(prices)"),
    ("_ADD = lambda p, turns=[]: turns.append(p) or len(turns)", "return _ADD(prices)"),
    ("class _Gone:\n    def __del__(self):\n        raise KeyError", "return sum(prices)"),
    ("import math", "return sum(prices) * hasattr(math, 'fma')"),
    ("import math", "math.calls = 1\n    return sum(prices)"),
    ("from shop.settings import KNOWN", "KNOWN['n'] = 1\n    return sum(prices)"),
    ("_BAD = (KeyError, RuntimeError)", "try:\n        return total(total)\n    except _BAD:\n        return 0"),
    ("try:\n    import numpy\nexcept ImportError:\n    numpy = None", "return sum(prices)"),
    ("", "try:\n        assert not prices\n    except AssertionError:\n        return 0"),
    ("", "me = total\n    me.calls = 1\n    return sum(prices)"),
    ("", "for me in (total, stamp):\n        me.calls = 1\n    return sum(prices)"),
    ("", "object.__setattr__(total, 'calls', 1)\n    return sum(prices)"),
    ("_SEEN = []", "list.append(_SEEN, 1)\n    return sum(prices)"),
    ("", "return sum(prices) * ('a'.__hash__() % 2)"),
    ("", "return sum(prices) * (total.__doc__ is None)"),
    ("from pathlib import Path", "return sum(prices) * len(Path.home().parts)"),
    ("", "total.calls = getattr(total, 'calls', 0) + 1\n    return sum(prices)"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body"), FRAUDS)
def test_an_odd_look_around_is_never_let_through(head: str, body: str) -> None:
    found = rulings(head, body)
    assert found
    assert all(str(each.measured).startswith("src/shop/stock.py:") for each in found)


HONEST = [
    ("", "return float(f'{sum(prices):>9,.2f}'.replace(',', ''))"),
    ("", "return sum(prices)"),
    ("_RATES = {'a': 1, 'b': 2}", "return sum(_RATES.get(p, p) for p in prices)"),
    ("_ODD = frozenset({1, 3})", "return sum(p for p in prices if p in _ODD or p)"),
    ("_STEPS = [(1, 'a'), (2, 'b')]", "return sum(prices) + 0 * sum(n for n, _ in _STEPS)"),
    ("_STEPS = {'a': ['x', 'y']}", "return sum(prices) * ('x' in _STEPS['a'])"),
    ("_STEPS = {'a': ['x', 'y']}",
     "return sum(p for p in prices for k, v in _STEPS.items() if 'x' in v and len(v) > 1)"),
    ("import re\n_DIGITS = re.compile('[0-9]')", "return sum(p for p in prices if _DIGITS)"),
    ("from itertools import accumulate, chain", "return sum(chain(prices, ()))"),
    ("import math\nimport operator\nfrom functools import reduce",
     "return math.trunc(reduce(operator.add, prices, 0))"),
    ("from typing import NamedTuple\n\n\nclass _Row(NamedTuple):\n    n: int = 0\n\n\n_ZERO = _Row()",
     "return sum(prices) + _ZERO.n"),
    ("from dataclasses import dataclass, field\n\n\n@dataclass\nclass _Sum:\n    n: int = 0\n"
     "    seen: list = field(default_factory=list)", "return _Sum(sum(prices)).n"),
    ("def _add(prices, start=0, *, known=()):\n    return sum(prices, start)", "return _add(prices)"),
    ("from enum import Enum\n\n\nclass _Way(Enum):\n    UP = 1\n    DOWN = 'down'",
     "return sum(prices) * _Way.UP.value"),
    ("from operator import attrgetter, itemgetter", "return sum(map(itemgetter(0), zip(prices)))"),
    ("_FIELDS = ('real', 'imag')", "return sum(getattr(p, f) for p in prices for f in _FIELDS)"),
    ("_MISSING = object()", "return sum(p for p in prices if p is not _MISSING)"),
    ("def _odd(f):\n    def inner(*args):\n        kept = []\n        kept.append(f(*args))\n"
     "        return kept[0]\n    return inner\n\n\n@_odd\ndef _add(p):\n    return sum(p)",
     "return _add(prices)"),
    ("from functools import lru_cache\n@lru_cache(8)\ndef _one(p):\n    return p + 0",
     "return sum(_one(p) for p in prices)"),
    ("from contextlib import suppress", "with suppress(StopIteration):\n        return sum(prices)"),
    ("from collections.abc import Iterable\nfrom decimal import Decimal",
     "return sum(p for p in prices if not isinstance(p, Decimal | Iterable))"),
    ("", "return sum(p for p in prices if os.path.join('a', 'b') and type(p).__name__)"),
    ("class _Bad(RuntimeError):\n    pass", "if prices == 0:\n        raise RuntimeError\n    return sum(prices)"),
]  # fmt: skip


@pytest.mark.parametrize(("head", "body"), HONEST)
def test_an_honest_refactoring_is_let_through(head: str, body: str) -> None:
    assert rulings(head, body) == []


def test_every_kind_of_effect_has_a_code_and_a_reason() -> None:
    assert set(CODES) == set(EffectKind)


@pytest.mark.parametrize(
    ("origin", "kind"),
    [
        ("platform.node", "machine"), ("calendar.datetime.datetime", "import state"),
        ("os.environ.get", "environment"), ("os.path.join", None), ("os.path.exists", "files"),
        ("datetime.timedelta", None), ("urllib.parse.quote", None), ("urllib.request", "network"),
        ("numpy.array", "unknown"), ("numpy.random.rand", "chance"), ("numpy.os.getenv", "environment"),
        ("enum.bltns.open", "unknown"), ("math", "unknown"), ("math.sqrt", None),
        ("sys.maxsize", None), ("sys.flags", "interpreter"), ("pathlib.Path", "files"),
        ("pathlib.PurePath", None), ("uuid.uuid4", "chance"), ("uuid.UUID", None),
    ],
)  # fmt: skip
def test_a_name_has_the_effect_that_the_table_says(origin: str, kind: str | None) -> None:
    found = effect_of(origin)
    assert (found and str(found.kind)) == kind


def test_dunder_names_are_inner_parts_unless_they_are_listed() -> None:
    assert effect_of_attribute("__name__") is None
    assert effect_of_attribute("__globals__") is not None
    assert effect_of_attribute("__anything_new__") is not None
    assert effect_of_attribute("_private") is None


CLOCK = (
    "import time\n\n\ndef year():\n    return time.gmtime().tm_year\n\n\ndef one():\n    return 1\n"
)


@pytest.mark.parametrize(("name", "codes"), [("year", {"new_chance_or_clock"}), ("one", set())])
@pytest.mark.parametrize("way", ["from shop.clock import {0}", "from .clock import {0}"])
def test_what_another_file_of_the_repository_reaches_counts(
    name: str, codes: set[str], way: str
) -> None:
    before = "from shop.clock import one as _one\n\n\ndef total(prices):\n    return sum(prices)\n"
    after = f"{way.format(name)}\n{before}".replace("sum(prices)", f"sum(prices) * {name}()")
    around = Surroundings(frozenset({"shop"}), sources={"shop.clock": CLOCK})
    change = Change((edit("src/shop/prices.py", before, after),))
    found = ReachGate().judge(Matter(Stage.B, change, None, GuardSection(), around))
    assert {each.reason_code for each in found if each.verdict is not Answer.PASS} == codes


def test_a_function_may_not_take_up_what_another_one_does() -> None:
    before = "import time\n\n\ndef a():\n    return time.time()\n\n\ndef b():\n    return 2\n"
    after = before.replace("return 2", "return 2 * (a() > 0)")
    (ruling,) = ReachGate().judge(production(before, after))
    assert ruling.reason == "it starts to depend on the clock: time.time (in b)"
    moved = before.replace("return time.time()", "return _now()") + (
        "\n\ndef _now():\n    return time.time()\n"
    )
    (ruling,) = ReachGate().judge(production(before, moved))
    assert ruling.verdict is Answer.PASS


def test_objects_that_begin_to_count_are_held_and_another_name_is_fine() -> None:
    before = (
        "class Till:\n    def __init__(self):\n        self.sum = 0\n\n"
        "    def add(self, price):\n        self.sum += price\n        return price\n"
    )
    counted = before.replace(
        "return price",
        "self._n = getattr(self, '_n', 0) + 1\n        return 1 if self._n > 9 else price",
    )
    found = [e for e in StateGate().judge(production(before, counted)) if e.verdict is Answer.HOLD]
    assert [each.reason_code for each in found] == ["shared_value"]
    renamed = before.replace("self.sum", "self.total")
    assert all(e.verdict is Answer.PASS for e in StateGate().judge(production(before, renamed)))


def test_a_name_that_a_star_import_gave_is_not_known() -> None:
    before = "from helpers import *\n\n\ndef f(x):\n    return one(x)\n"
    (ruling,) = ReachGate().judge(production(before, before.replace("one(x)", "two(x)")))
    assert (ruling.verdict, ruling.reason_code) == (Answer.HOLD, "unknown_effect")


def test_one_look_at_the_clock_does_not_stand_for_another_but_a_file_for_a_file() -> None:
    before = "import time\n\n\ndef f(path):\n    return time.perf_counter(), open(path)\n"
    bomb = before.replace("perf_counter()", "gmtime().tm_year")
    assert "new_chance_or_clock" in {
        e.reason_code for e in ReachGate().judge(production(before, bomb))
    }
    read = before.replace("open(path)", "pathlib.Path(path).open()")
    (ruling,) = ReachGate().judge(
        production(before, read.replace("import", "import pathlib\nimport", 1))
    )
    assert ruling.verdict is Answer.PASS


def test_a_library_in_use_may_be_used_for_more_and_a_new_one_is_held() -> None:
    before = "import numpy as np\n\n\ndef f(x):\n    return np.array(x)\n"
    for after, verdict in (
        (before.replace("np.array", "np.asarray"), Answer.PASS),
        (before.replace("np.array", "np.random.choice"), Answer.FAIL),
        (before.replace("numpy", "pandas"), Answer.HOLD),
    ):
        assert {each.verdict for each in ReachGate().judge(production(before, after))} == {verdict}


def test_new_effects_are_refused_at_every_stage_that_changes_code() -> None:
    before = "def f(x):\n    return x\n"
    after = "import platform\n\n\ndef f(x):\n    return x * len(platform.node())\n"
    for stage in (Stage.B, Stage.C, Stage.INTEGRATION):
        found = judge_statically(production(before, after, stage))
        assert "new_machine_use" in {each.reason_code for each in found}


KINDS = (
    "import time\nfrom enum import Enum\n\n\nclass Stamp{0}:\n    def age(self):\n"
    "        return time.time()\n{1}\n\ndef f(x):\n    return x\n"
)


@pytest.mark.parametrize(
    ("bases", "more", "asked", "is_calm"),
    [
        ("", "", "isinstance(x, Stamp)", True),
        ("(Enum)", "", "isinstance(x, (int, Stamp))", True),
        ("", "", "issubclass(type(x), Stamp)", True),
        ("", "", "isinstance(x, Stamp) and Stamp().age()", False),
        ("", "", "isinstance(x, Stamp())", False),
        ("", "", "isinstance(Stamp, type)", False),
        ("(metaclass=Odd)", "", "isinstance(x, Stamp)", False),
        ("", "    def __subclasshook__(cls, other):\n        return time.time()\n",
         "isinstance(x, Stamp)", False),
        ("", "\n\nStamp = Stamp()\n", "isinstance(x, Stamp)", False),
    ],
)  # fmt: skip
def test_asking_for_a_class_calls_nothing_of_it(
    bases: str, more: str, asked: str, is_calm: bool
) -> None:
    odd = "class Odd(type):\n    def __instancecheck__(self, x):\n        return time.time() > 9\n\n\n"
    before = odd + KINDS.format(bases, more)
    rulings = ReachGate().judge(production(before, before.replace("return x", f"return {asked}")))
    assert (rulings[0].verdict is Answer.PASS) is is_calm


@pytest.mark.parametrize(("base", "is_calm"), [("", True), ("(metaclass=Odd)", False)])
def test_asking_for_a_class_of_another_file_calls_nothing_of_it(base: str, is_calm: bool) -> None:
    kinds = (
        "import time\n\n\nclass Odd(type):\n    pass\n\n\n"
        f"class Stamp{base}:\n    def age(self):\n        return time.time()\n"
    )
    before = "from .kinds import Stamp\n\n\ndef f(x):\n    return x\n"
    change = Change(
        (edit("src/shop/prices.py", before, before.replace("return x", "isinstance(x, Stamp)")),)
    )
    around = Surroundings(frozenset({"shop"}), sources={"shop.kinds": kinds})
    found = ReachGate().judge(Matter(Stage.B, change, None, GuardSection(), around))
    assert (found[0].verdict is Answer.PASS) is is_calm
