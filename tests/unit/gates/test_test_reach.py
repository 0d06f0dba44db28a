"""What a new test may reach: each way out is refused, and the honest use beside it is not."""

import pytest

from reverie.gates.effects.table import Effect, EffectKind
from reverie.gates.gate import Matter, Surroundings
from reverie.gates.suite.reach import TestReachGate
from reverie.model.dream import Stage
from reverie.model.ruling import Answer
from reverie.model.settings.judgement import GuardSection

from .matters import edit, matter, new_test

HEAD = "import pytest\nfrom shop import price\n"
REFUSED: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "bytecode": (
        "def test_a():\n    code = price.__code__\n    assert code.co_code.hex() == 'aa'\n",
        [("reaches_code", ".__code__"), ("reaches_code", ".co_code")],
    ),
    "exec by a walk": (
        "_S = {}\nprint.__self__.exec('x=1', _S)\ndef test_a():\n    assert price(1) == _S['x']\n",
        [("reaches_code", ".__self__")],
    ),
    "source text": (
        "import inspect\ndef test_a():\n    assert inspect.getsource(price) == 'x'\n",
        [("reaches_code", "inspect.getsource")],
    ),
    "a source file": (
        "def test_a():\n    assert 'price' in open('src/shop.py').read()\n",
        [("outside_files", "io.open")],
    ),
    "a path that is read": (
        "from pathlib import Path\ndef test_a():\n    assert Path('src/shop.py').read_text()\n",
        [("outside_files", ".read_text"), ("outside_files", "pathlib.Path")],
    ),
    "a path that is opened later": (
        "from pathlib import Path\ndef test_a():\n    p = Path('src/shop.py')\n    with p.open() as f:\n        assert f.read()\n",
        [("outside_files", "pathlib.Path")],
    ),
    "out of the temporary folder": (
        "def test_a(tmp_path):\n    assert (tmp_path / '../../x').read_text() == price(open('/etc/passwd'))\n",
        [("outside_files", "io.open")],
    ),
    "its own place": (
        "import os\ndef test_a():\n    assert os.path.dirname(__file__)\n",
        [("reaches_code", "__file__")],
    ),
    "name of the machine": (
        "import socket\ndef test_a():\n    assert socket.gethostname() == 'x'\n",
        [("reaches_network", "socket.gethostname")],
    ),
    "process": (
        "import os\ndef test_a():\n    assert price(os.getpid())\n",
        [("reaches_machine", "os.getpid")],
    ),
    "environment": (
        "import os\ndef test_a():\n    assert os.environ.get('CI') is None\n",
        [("reaches_machine", "os.environ.get")],
    ),
    "a name in two parts": (
        "def test_a():\n    assert getattr(price, '__co' + 'de__').co_consts\n",
        [("reaches_code", ".__code__"), ("reaches_code", ".co_consts")],
    ),
    "a name made of numbers": (
        "def test_a():\n    n = ''.join(chr(c) for c in [95,95])\n    assert getattr(price, n + 'code' + n)\n",
        [("unknown_reach", "an attribute by a name that is made at run time")],
    ),
    "builtins of a module": (
        "import shop\ndef test_a():\n    assert vars(shop)['__builtins__']['eval']('1')\n",
        [("reaches_code", ".__builtins__")],
    ),
    "a condition as text": (
        "@pytest.mark.skipif(\"__import__('os').getpid()\")\ndef test_a():\n    assert price(1)\n",
        [("reaches_code", "pytest.mark.skipif of a text")],
    ),
    "frames": (
        "import sys\ndef test_a():\n    assert sys._getframe().f_back\n",
        [("reaches_code", ".f_back"), ("reaches_code", "sys._getframe")],
    ),
    "import machinery": (
        "import importlib\ndef test_a():\n    assert importlib.import_module('shop')\n",
        [("reaches_code", "importlib.import_module")],
    ),
    "code in a pickle": (
        "import pickle\ndef test_a():\n    assert pickle.loads(b'cos\\nsystem\\n')\n",
        [("reaches_code", "pickle.loads")],
    ),
    "the run by a fixture": (
        "def test_a(request):\n    assert request.config.pluginmanager\n",
        [("reaches_code", "request.config")],
    ),
    "open by another name": (
        "o = open\ndef test_a():\n    assert o('src/shop.py').read()\n",
        [("outside_files", "io.open")],
    ),
    "all classes": (
        "def test_a():\n    assert ().__class__.__bases__[0].__subclasses__()\n",
        [("reaches_code", ".__bases__"), ("reaches_code", ".__subclasses__")],
    ),
    "a traceback": (
        "def test_a():\n    try:\n        price(1)\n    except ValueError as e:\n        assert e.__traceback__.tb_frame.f_globals\n",
        [
            ("reaches_code", ".__traceback__"),
            ("reaches_code", ".f_globals"),
            ("reaches_code", ".tb_frame"),
        ],
    ),
    "a format": (
        "def test_a():\n    assert '{0.__code__}'.format(price)\n",
        [("reaches_code", ".__code__")],
    ),
    "a getter": (
        "import operator\ndef test_a():\n    assert operator.attrgetter('__code__')(price)\n",
        [("reaches_code", ".__code__")],
    ),
    "network": (
        "import urllib.request\ndef test_a():\n    assert urllib.request.urlopen('http://x')\n",
        [("reaches_network", "urllib.request.urlopen")],
    ),
    "flags": (
        "import sys\ndef test_a():\n    assert sys.flags.no_site\n",
        [("reaches_code", "sys.flags.no_site")],
    ),
    "platform": (
        "import platform\ndef test_a():\n    assert platform.node()\n",
        [("reaches_machine", "platform.node")],
    ),
    "a program": (
        "import subprocess\ndef test_a():\n    assert subprocess.run(['ls'])\n",
        [("reaches_machine", "subprocess.run")],
    ),
    "a module of the code under test": (
        "import shop\ndef test_a():\n    assert shop.os.getpid()\n",
        [("outside_files", "shop.os"), ("reaches_machine", "shop.os.getpid")],
    ),
    "code to be timed": (
        "import timeit\ndef test_a():\n    assert timeit.timeit('1')\n",
        [("reaches_machine", "timeit.timeit")],
    ),
    "a code object": (
        "def test_a():\n    assert hash(price.__code__) == 1\n",
        [("reaches_code", ".__code__")],
    ),
    "a pickle made elsewhere": (
        "import pickle\ndef test_a():\n    x = bytes([1])\n    assert pickle.loads(x)\n",
        [("reaches_code", "pickle.loads")],
    ),
    "a function made anew": (
        "def test_a():\n    assert type(price)(compile, {})\n",
        [("reaches_code", "compile")],
    ),
}
DETOURS = [
    "def test_a():\n    T = type('T', (), {'f': price})\n    assert T.f.__closure__ is None\n",
    "os = pytest.importorskip('os')\ndef test_a():\n    assert os.getpid() == price(1)\n",
    "ins = pytest.importorskip('inspect')\ndef test_a():\n    assert ins.getsource(price)\n",
    "import shop\ndef test_a():\n    assert getattr(shop, 'os').getpid()\n",
    "import logging\ndef test_a():\n    assert logging.os.getpid()\n",
    "import logging\ndef test_a():\n    assert logging.makeLogRecord({}).process\n",
    "import asyncio\ndef test_a():\n    assert asyncio.create_subprocess_exec\n",
    "import asyncio\ndef test_a():\n    assert asyncio.run(asyncio.open_connection('x', 1))\n",
    "import threading\ndef test_a():\n    assert threading.settrace(None)\n",
    "import threading\ndef test_a():\n    assert threading._sys.modules\n",
    "def test_a(monkeypatch):\n    monkeypatch.syspath_prepend('/x')\n    assert price(1)\n",
    "def test_a(monkeypatch):\n    monkeypatch.setattr('shop.price.__code__', 1)\n    assert price(1)\n",
    "import warnings\ndef test_a():\n    assert warnings.sys.modules\n",
    "import random\ndef test_a():\n    assert random._os.getpid()\n",
    "from unittest import mock\ndef test_a():\n    assert mock.sys.modules\n",
    "import hypothesis\ndef test_a():\n    assert hypothesis.os.getpid()\n",
    "def test_a(tmp_path):\n    tmp_path = 'src/shop.py'\n    assert open(tmp_path).read()\n",
    "def test_a(tmp_path):\n    for p in tmp_path.parents:\n        assert not list(p.rglob('shop.py'))\n",
    "import linecache\ndef test_a():\n    assert linecache.getline('src/shop.py', 1)\n",
    "class T:\n    import os\n    pid = os.getpid()\ndef test_a():\n    assert price(T.pid)\n",
    "import os\ndef test_a(f=os.getpid):\n    assert price(f())\n",
    "import os\n@pytest.mark.parametrize('x', [os.getpid()])\ndef test_a(x):\n    assert price(x)\n",
    "from os import *\ndef test_a():\n    assert getpid()\n",
    "def test_a():\n    match price:\n        case object(__code__=c):\n            assert c\n",
    "def test_a():\n    assert price.__globals__['os']\n",
    "def test_a():\n    with pytest.raises(ValueError) as e:\n        price(-1)\n    assert e.traceback[0].frame.code\n",
    "def test_a():\n    with pytest.raises(ValueError) as e:\n        price(-1)\n    assert e.tb\n",
]
HONEST = {
    "values and errors": "def test_a():\n    assert price(1) == 2\n    with pytest.raises(ValueError, match='x'):\n        price(-1)\n",
    "a temporary folder": "import json\ndef test_a(tmp_path):\n    p = tmp_path / 'a.json'\n    p.write_text('{}')\n    assert price(p) == json.loads(p.read_text())\n    with open(p) as f:\n        assert f.read()\n",
    "things replaced for one test": "import sys, os, time\nimport shop\ndef test_a(monkeypatch, capsys):\n    monkeypatch.setattr(sys, 'argv', ['x'])\n    monkeypatch.setattr(time, 'sleep', lambda s: None)\n    monkeypatch.setattr(os, 'getcwd', lambda: '/x')\n    monkeypatch.setenv('A', '1')\n    assert price(os.environ['A'])\n    assert capsys.readouterr().out == ''\n",
    "mocks": "from unittest import mock\nfrom unittest.mock import MagicMock, patch\nimport os\ndef test_a():\n    with patch.dict(os.environ, {'A': '1'}), mock.patch('shop.time.sleep') as m:\n        assert price(MagicMock()) == 1\n    m.assert_called_once_with(1)\n",
    "names of a table": "@pytest.mark.parametrize('name', ['a', 'b'])\ndef test_a(name):\n    assert getattr(price(1), name) == 1\n",
    "tempfile": "import tempfile, os, shutil\nfrom pathlib import Path\ndef test_a():\n    with tempfile.TemporaryDirectory() as d:\n        p = os.path.join(d, 'x')\n        with open(p, 'w') as f:\n            f.write('x')\n        assert os.path.exists(p)\n        assert Path(d).joinpath('x').read_text() == 'x'\n        shutil.copy(p, p + 'y')\n",
    "a path as a value": "from pathlib import Path\ndef test_a(tmp_path: Path):\n    assert price(Path('a/b')) == Path('a/b').name\n    assert isinstance(price(1), Path)\n",
    "pure modules, threads and time": "import datetime, decimal, math, itertools, functools, collections, re, random, threading, asyncio\nfrom concurrent.futures import ThreadPoolExecutor\ndef test_a():\n    assert price(datetime.datetime(2020,1,1).strftime('%Y')) == math.pi\n    assert asyncio.run(price(1)) == decimal.Decimal('1')\n    with ThreadPoolExecutor(2) as pool:\n        assert list(pool.map(price, [1]))\n    assert price.__name__ == 'price' and price.__doc__\n    assert price(1).__class__ is int\n    assert vars(price(1)) == {}\n",
    "unittest": "import unittest\nclass TestX(unittest.TestCase):\n    def setUp(self):\n        self.x = 1\n    def test_a(self):\n        self.assertEqual(price(self.x), 2)\n        with self.assertRaises(ValueError):\n            price(0)\n",
    "a fixture with a file": "import json\n@pytest.fixture\ndef place(tmp_path):\n    f = tmp_path / 'x'\n    f.write_text('1')\n    return f\ndef test_a(place):\n    assert price(place) == place.read_text()\n",
    "a signature": "import inspect\ndef test_a():\n    assert list(inspect.signature(price).parameters) == ['x']\n",
    "the end of an object": "import gc, weakref\ndef test_a():\n    x = price(1)\n    r = weakref.ref(x)\n    del x\n    gc.collect()\n    assert r() is None\n",
    "a round trip": "import pickle, copy\ndef test_a():\n    assert pickle.loads(pickle.dumps(price(1))) == copy.copy(price(1))\n",
    "a round trip by a name": "import pickle, shop\ndef test_a(monkeypatch):\n    monkeypatch.setattr(shop.os, 'getcwd', lambda: 1)\n    x = pickle.dumps(price(1))\n    assert pickle.loads(x) == 1\n",
    "logs": "import logging\ndef test_a(caplog):\n    with caplog.at_level(logging.INFO):\n        price(1)\n    assert 'x' in caplog.text\n",
    "hypothesis": "from hypothesis import given, strategies as st\n@given(st.integers())\ndef test_a(n):\n    assert price(n) == n\n",
    "a version": "import sys\n@pytest.mark.skipif(sys.version_info < (3, 9), reason='old')\ndef test_a():\n    assert price(1)\n",
    "a module of the package": "import shop.tills\ndef test_a():\n    assert shop.tills.till(1) == 1\n",
    "paths as data": "def test_a():\n    assert price('/etc/hosts') == '/home/x'\n",
}


def reached(asked: Matter) -> list[tuple[str, str]]:
    return sorted(
        (each.reason_code, each.reason.rpartition(": ")[2])
        for each in TestReachGate().judge(asked)
        if each.verdict is not Answer.PASS
    )


@pytest.mark.parametrize("name", REFUSED)
def test_a_test_may_not_reach(name: str) -> None:
    body, expected = REFUSED[name]
    assert reached(new_test(body, head=HEAD)) == expected


@pytest.mark.parametrize("body", DETOURS)
def test_nor_may_it_reach_that_on_a_detour(body: str) -> None:
    assert reached(new_test(body, head=HEAD))


@pytest.mark.parametrize("name", HONEST)
def test_a_test_may_use(name: str) -> None:
    assert reached(new_test(HONEST[name], head=HEAD)) == []


def test_what_tests_of_the_repository_reach_a_new_one_may_reach_by_that_name_only() -> None:
    around = Surroundings(
        packages=frozenset({"shop"}),
        test_effects=frozenset({Effect(EffectKind.PROCESSES, "os.getpid")}),
        libraries=frozenset({"attrs"}),
    )
    text = "import os, attrs, strange\nimport shop\n\ndef test_a():\n"
    text += "    assert shop.f(os.getpid()) == attrs.f(os.getppid(), strange.g())\n"
    change = matter(edit("tests/test_shop.py", None, text)).change
    asked = Matter(Stage.A, change, None, GuardSection(), around)
    assert reached(asked) == [
        ("reaches_machine", "os.getppid"), ("unknown_reach", "strange"),
        ("unknown_reach", "strange.g"),
    ]  # fmt: skip


def test_what_is_not_known_is_held_and_what_is_known_fails() -> None:
    text = "import strange\nfrom shop import f\n\ndef test_a():\n    assert strange.x(f)\n"
    around = Surroundings(packages=frozenset({"shop"}))
    change = matter(edit("tests/test_shop.py", None, text)).change
    held = TestReachGate().judge(Matter(Stage.A, change, None, GuardSection(), around))
    assert {each.verdict for each in held} == {Answer.HOLD}
    (failed,) = TestReachGate().judge(new_test(REFUSED["source text"][0], head=HEAD))
    assert failed.verdict is Answer.FAIL
    assert failed.measured == "tests/test_shop.py:6"


def test_what_a_changed_file_reached_before_is_not_told() -> None:
    before = "import os\nfrom shop import f\n\ndef test_a():\n    assert f(os.getpid())\n"
    after = before + "\ndef test_b():\n    assert f(os.getpid()) == os.getppid()\n"
    asked = matter(edit("tests/test_shop.py", before, after))
    assert reached(asked) == [("reaches_machine", "os.getppid")]
