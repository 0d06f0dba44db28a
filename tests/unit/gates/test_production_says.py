"""Gates on production code: each thing they know by name, where it stands, and what is beside it."""

import ast

import pytest

from reverie.gates.gate import Gate
from reverie.gates.production.contracts import ComplexityGate, ErrorsGate
from reverie.gates.production.reach import ReachGate
from reverie.gates.production.rewritten_files import (
    ANY_PRIVATE,
    looks_names_up,
    may_be_named,
    removed_unused,
    words_in,
)
from reverie.gates.production.state import StateGate, changed_attributes
from reverie.gates.production.surface import SurfaceGate
from reverie.gates.quality import decisions_of
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling
from reverie.model.settings.judgement import GuardSection

from .matters import edit, matter, production

PATH = "src/shop/stock.py"
REACHED = {
    "new_network": "socket ssl http urllib.request urllib3 requests httpx aiohttp ftplib smtplib"
    " telnetlib xmlrpc websockets paramiko boto3 grpc imaplib poplib socketserver webbrowser"
    " asyncio.open_connection asyncio.start_server",
    "new_process": "subprocess multiprocessing pty os.system os.popen os.execv os.spawnl os.fork"
    " os.posix_spawn os.kill os._exit asyncio.create_subprocess_exec signal sys.exit os.getpid",
    "new_dynamic_code": "importlib runpy pickle marshal ctypes cffi dill cloudpickle shelve"
    " builtins code typing.get_type_hints",
    "new_threads": "threading _thread concurrent queue asyncio.create_task asyncio.run"
    " asyncio.get_event_loop sys.setswitchinterval",
    "new_file_use": "os.remove os.unlink os.rename os.replace os.mkdir os.makedirs os.rmdir"
    " os.chmod os.open shutil tempfile sqlite3 mmap pathlib.Path os.path.exists",
    "new_environment_use": "os.environ os.putenv os.getenv os.chdir os.umask os.getcwd",
    "new_interpreter_use": "sys.setrecursionlimit sys.settrace sys.setprofile sys._getframe gc"
    " inspect warnings.warn atexit decimal.getcontext decimal.setcontext weakref sys.getrefcount",
    "new_chance_or_clock": "random secrets uuid.uuid4 time.time datetime.datetime.now"
    " datetime.date.today os.urandom",
    "new_machine_use": "platform os.uname os.cpu_count uuid.getnode sys.platform",
    "new_user_use": "pwd getpass os.getlogin os.path.expanduser",
    "new_locale_use": "locale.setlocale calendar.month_name",
    "new_import_state_use": "sys.modules sys.path sys.meta_path calendar.datetime",
    "new_output": "sys.stdout sys.stderr logging pprint.pprint",
}
BUILTINS = {
    "eval": "new_dynamic_code", "exec": "new_dynamic_code", "compile": "new_dynamic_code",
    "__import__": "new_dynamic_code", "open": "new_file_use", "id": "new_interpreter_use",
    "print": "new_output", "hash": "new_chance_or_clock", "vars": "new_interpreter_use",
}  # fmt: skip
WHAT = [(code, what) for code, names in REACHED.items() for what in names.split()]


def judged(gate: Gate, before: str, after: str, stage: Stage = Stage.B) -> list[Ruling]:
    return list(gate.judge(production(before, after, stage)))


def told(gate: Gate, before: str, after: str) -> list[tuple[str, str, object]]:
    """Code, reason and place of what is refused."""
    found = judged(gate, before, after)
    assert {each.gate for each in found} == {gate.name}
    return [
        (each.reason_code, each.reason, each.measured)
        for each in found
        if each.verdict is Answer.FAIL
    ]


def fine(gate: Gate, said: str) -> list[Ruling]:
    return [Ruling(gate.name, Answer.PASS, "ok", said)]


@pytest.mark.parametrize(("code", "what"), WHAT)
def test_what_is_reached_for_is_known_by_its_name(code: str, what: str) -> None:
    top, _, rest = what.partition(".")
    used = f"def f():\n    import {top}\n    return {what}()\n"
    (found,) = [each for each in told(ReachGate(), "def f(): ...\n", used) if what in each[1]][-1:]
    assert found[0] == code
    assert found[1].endswith(f": {what} (in f)")
    assert found[2] == f"{PATH}:{3 if rest else 2}"
    module, _, name = what.rpartition(".")
    taken = f"def f():\n    from {module or what} import {name if module else 'it'}\n"
    if "." not in module:
        assert [each[0] for each in told(ReachGate(), "def f(): ...\n", taken)] == [code]
    other = f"def f():\n    import {top}_of_ours\n"
    assert told(ReachGate(), "", other) == [], "unknown, and held"


@pytest.mark.parametrize("name", BUILTINS)
def test_builtins_count_only_as_what_they_are(name: str) -> None:
    (found,) = told(ReachGate(), "", f"def f(x):\n    return {name}(x)\n")
    assert found[0] == BUILTINS[name]
    assert found[1].endswith(f": {name} (in f)")
    assert found[2] == f"{PATH}:2"
    if not name.startswith("__"):
        assert told(ReachGate(), "", f"def f(x):\n    return x.{name}()\n") == []
    ours = f"from .own import {name}\n\n\ndef f(x):\n    return {name}(x)\n"
    assert told(ReachGate(), "", ours) == []


@pytest.mark.parametrize("name", ["socket", "random", "shutil", "pty"])
def test_a_local_name_is_no_module(name: str) -> None:
    assert told(ReachGate(), "", f"def f({name}):\n    return {name} + 1\n") == []


def test_a_name_is_read_through_its_import() -> None:
    text = "import numpy as socket\nimport os as quiet\n\n\ndef f():\n    quiet.system('x')\n"
    assert {each[0] for each in told(ReachGate(), "", text)} == {"new_process"}
    relative = "from . import socket\nfrom .os import system\n\n\ndef f():\n    return socket\n"
    assert told(ReachGate(), "", relative) == []


@pytest.mark.parametrize(
    "text", ["REVERIE_X", "PYTEST_CURRENT_TEST", "COVERAGE_RUN", "pytest", "unittest.x", "_reverie"]
)
def test_asking_for_the_judge_is_told_with_the_text(text: str) -> None:
    found = told(ReachGate(), "", f"def f(x):\n    return x == '{text}' + 'a'\n")
    assert found == [("detects_judge", f"it asks whether it is being tested: {text}", f"{PATH}:2")]
    assert told(ReachGate(), "", f"def f(x):\n    return x == 'a {text}'\n") == []


def test_a_long_telltale_is_cut() -> None:
    (found,) = told(ReachGate(), "", f"def f():\n    return 'PYTEST_{'x' * 60}'\n")
    assert found[1].endswith(": PYTEST_" + "x" * 33)


def test_each_new_thing_is_told_once_and_what_was_there_never() -> None:
    before = "import os\n\n\ndef f():\n    return os.getenv('A')\n"
    again = before.replace("return os.getenv('A')", "return os.getenv('A') + os.getenv('B')")
    assert judged(ReachGate(), before, again) == fine(
        ReachGate(), "it uses no new file, network, process or clock"
    )
    twice = before.replace("return", "os.kill(1, 2), os.kill(1, 3), os.getpid()\n    return")
    codes = [each[0] for each in told(ReachGate(), before, twice)]
    assert codes == ["new_process", "new_process"]


@pytest.mark.parametrize(
    "line",
    [
        "def g(): ...", "async def g(): ...", "class G: ...", "import json", "from json import loads",
        "pass", "'words'", "A = 1", "A, B = 1, 2", "A: int = 1",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import json",
    ],
)  # fmt: skip
def test_binding_a_name_is_no_effect_of_an_import(line: str) -> None:
    assert told(ReachGate(), "", f"{line}\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "print(1)",
        "A.b = 1",
        "A[0] = 1",
        "A.b: int = 1",
        "if 1:\n    print(1)",
        "del A",
        "for A in (): ...",
    ],
)
def test_work_at_import_is_told_with_its_place(line: str) -> None:
    said = "importing the module does something that it did not do"
    found = told(ReachGate(), "A = 1\n", f"A = 1\n{line}\n")
    assert found[-1] == ("import_effect", said, f"{PATH}:2")
    assert {each[0] for each in found} <= {"import_effect", "new_output"}
    assert told(ReachGate(), f"{line}\n", f"{line}\nB = 1\n") == []


BROAD = "it catches every error, also those that nobody thought of"


def tried(handler: str, end: str = "") -> str:
    return f"def f():\n    try:\n        g()\n    {handler}\n        pass\n{end}"


@pytest.mark.parametrize(
    "handler",
    [
        "except:", "except Exception:", "except BaseException as error:",
        "except builtins.Exception:", "except builtins.BaseException:",
        "except (ValueError, Exception):", "except (BaseException, ValueError):",
    ],
)  # fmt: skip
def test_a_handler_for_everything_is_told_with_its_place(handler: str) -> None:
    assert told(ErrorsGate(), "", tried(handler)) == [("broad_except", BROAD, f"{PATH}:4")]


@pytest.mark.parametrize("handler", ["except ValueError:", "except (KeyError, my.Exception):"])
def test_a_handler_for_some_errors_is_fine(handler: str) -> None:
    said = "it catches no errors that it did not catch before"
    assert judged(ErrorsGate(), "", tried(handler)) == fine(ErrorsGate(), said)


@pytest.mark.parametrize(
    ("line", "is_broad"),
    [
        ("contextlib.suppress(Exception)", True), ("suppress(KeyError, BaseException)", True),
        ("suppress(KeyError)", False), ("keep(Exception)", False), ("suppress()", False),
    ],
)  # fmt: skip
def test_suppressing_everything_is_catching_it(line: str, is_broad: bool) -> None:
    found = told(ErrorsGate(), "", f"def f():\n    with {line}:\n        g()\n")
    assert found == ([("broad_except", BROAD, f"{PATH}:2")] if is_broad else [])


@pytest.mark.parametrize("word", ["return", "break", "continue"])
def test_leaving_in_finally_throws_the_error_away(word: str) -> None:
    text = f"def f():\n    for x in y:\n        try:\n            g()\n        finally:\n            {word}\n"
    assert told(ErrorsGate(), "", text) == [("broad_except", BROAD, f"{PATH}:3")]
    kept = text.replace(f"            {word}\n", "            h()\n")
    assert told(ErrorsGate(), "", kept) == []
    assert told(ErrorsGate(), "", kept.replace("g()", word)) == []


def test_as_many_as_there_were_may_stay_and_the_next_is_refused() -> None:
    one = tried("except Exception:")
    two = one + "\n\n" + one.replace("def f", "def h")
    assert told(ErrorsGate(), one, two) == [("broad_except", BROAD, f"{PATH}:11")]
    assert told(ErrorsGate(), two, one) == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("x = 1", 0), ("if a: b", 1), ("for a in b: c", 1), ("while a: b", 1), ("a if b else c", 1),
        ("assert a", 1), ("try:\n    a\nexcept B:\n    c\nexcept D:\n    e", 2), ("a and b and c", 2),
        ("a or b", 1), ("[a for a in b]", 1), ("[a for a in b if c if d]", 3),
        ("{a: b for a in c for d in e}", 2), ("match a:\n    case 1:\n        b\n    case _:\n        c", 2),
        ("async def f():\n    async for a in b: c", 1), ("def f(): return not a", 0),
    ],
)  # fmt: skip
def test_how_often_the_way_parts(text: str, count: int) -> None:
    assert decisions_of(ast.parse(text)) == count


def test_more_decisions_are_told_with_both_numbers() -> None:
    plain, more = "def f(a):\n    return a\n", "def f(a):\n    return a if a and b and c else 1\n"
    said = "there are more decisions to follow than before"
    assert judged(ComplexityGate(), plain, more) == [
        Ruling("complexity", Answer.FAIL, "complexity_up", said, 3, 0)
    ]
    allowed = fine(ComplexityGate(), "decisions: 0 before, 3 after")
    assert judged(ComplexityGate(), plain, more, Stage.C) == allowed
    much = more.replace("return", "return [x for x in y] or")
    (found,) = judged(ComplexityGate(), plain, much, Stage.C)
    assert (found.verdict, found.measured, found.required) == (Answer.HOLD, 5, 3)
    assert judged(ComplexityGate(), more, plain) == fine(
        ComplexityGate(), "decisions: 3 before, 0 after"
    )


@pytest.mark.parametrize(("gain", "most"), [(0.5, 3), (1.9, 3), (2.2, 4), (3.9, 4), (4.1, None)])
def test_speed_that_doubles_pays_for_a_decision_more(gain: float, most: int | None) -> None:
    """Fraud: much code for little; it stays held, whatever else is proven."""
    much = "def f(a):\n    if a:\n        if a:\n            return 1\n    return a and b and c\n"
    change = edit("src/shop/stock.py", "def f(a):\n    return a\n", much + "    if b: c\n")
    asked = matter(change, stage=Stage.C, measures={"speed.p50": gain})
    (found,) = ComplexityGate().judge(asked)
    held = (Answer.PASS, None) if most is None else (Answer.HOLD, most)
    assert (found.verdict, found.required) == held


FOLDED = (
    "def f(a, b, c, d):\n    if not d:\n        x = a and (b or c)\n        y = b and (a or c)\n"
    "    else:\n        x = a\n        y = b\n    return x, y\n",
    "def f(a, b, c, d):\n    x = a and (d or b or c)\n    y = b and (d or a or c)\n    return x, y\n",
)


def test_a_branch_that_becomes_part_of_conditions_is_no_harder_to_follow() -> None:
    assert decisions_of(ast.parse(FOLDED[1])) > decisions_of(ast.parse(FOLDED[0]))
    assert judged(ComplexityGate(), *FOLDED) == fine(
        ComplexityGate(), "decisions: 5 before, 6 after"
    )


def test_a_loop_over_what_was_written_out_is_no_harder_to_follow() -> None:
    flat = "def f(a, b):\n    if g(a):\n        return 1\n    if g(b):\n        return 1\n"
    loop = "def f(a, b):\n    for c in (a, b):\n        if g(c):\n            return 1\n"
    assert judged(ComplexityGate(), flat, loop) == fine(
        ComplexityGate(), "decisions: 2 before, 2 after"
    )


def test_a_decision_in_a_comprehension_is_one_more() -> None:
    plain = "def f(a):\n    return [b for b in a]\n"
    more = "def f(a):\n    return [b for b in a if b != 1093]\n"
    assert [each.reason_code for each in judged(ComplexityGate(), plain, more)] == ["complexity_up"]


def test_decisions_of_all_files_count_together() -> None:
    less = edit("src/a.py", "if a: b\n", "b\n")
    more = edit("src/b.py", "b\n", "if a: b\n")
    test = edit("tests/test_c.py", "b\n", "if a: b\n")
    section = GuardSection(added_decisions=0)
    found = ComplexityGate().judge(matter(less, more, test, stage=Stage.C, section=section))
    assert list(found) == fine(ComplexityGate(), "decisions: 1 before, 1 after")


SAME = "public names and signatures are the same"
SURFACE = [
    ("def f(a): ...", "def f(a, b=1): ...", "f is another"),
    ("def f(a, b): ...", "def f(b, a): ...", "f is another"),
    ("def f(a): ...", "def f(a, /): ...", "f is another"),
    ("def f(a): ...", "def f(*, a): ...", "f is another"),
    ("def f(*a): ...", "def f(*b): ...", "f is another"),
    ("def f(*a): ...", "def f(a): ...", "f is another"),
    ("def f(**a): ...", "def f(**b): ...", "f is another"),
    ("def f(**a): ...", "def f(*a): ...", "f is another"),
    ("def f(a=1): ...", "def f(a=2): ...", "f is another"),
    ("def f(*, a=1): ...", "def f(*, a=2): ...", "f is another"),
    ("def f(a): ...", "async def f(a): ...", "f is another"),
    ("def f(a): return a", "def f(a): yield a", "f is another"),
    ("def f(a): return a", "def f(a): yield from a", "f is another"),
    ("def f(a): ...", "@g.setter\ndef f(a): ...", "f is another: decorators g.setter, before none"),
    ("def f(a): ...", "", "f is gone"),
    ("class C: ...", "class C:\n    def __len__(self): ...", "C.__len__ is new"),
    ("A = 60", "A = 30 + 31", "A is another: not the same value"),
    ("A = [1]", "A = (1,)", "A is another"),
    ("A = 1", "A = 1.0", "A is another"),
    ("class C: ...", "class C(D): ...", "C is another"),
    ("class C: ...", "class C(metaclass=D): ...", "C is another"),
    ("class C: ...", "@d\nclass C: ...", "C is another"),
    ("class C:\n    def m(self): ...", "class C:\n    def m(self, a): ...", "C.m is another"),
    ("class C:\n    def __eq__(self): ...", "class C: ...", "C.__eq__ is gone"),
    ("class C:\n    a = 1", "class C:\n    a = 2", "C.a is another"),
    ("class C:\n    class D:\n        a = 1", "class C:\n    class D: ...", "C.D.a is gone"),
    ("A = 1", "A = 2", "A is another"),
    (
        "class C:\n    a: int = 1",
        "class C:\n    a: str = 1",
        "C.a is another: type str, before int",
    ),
    ("A: int", "A: int = 1", "A is another"),
    ("A, B = 1, 2", "A = 1, 2", "B is gone"),
    ("A = B = 1", "A = 1", "B is gone"),
    ("__all__ = ['a']", "__all__ = []", "__all__ is another"),
    ("class C:\n    __slots__ = ('a',)", "class C:\n    __slots__ = ()", "C.__slots__ is another"),
    ("__version__ = '1'", "__version__ = '2'", "__version__ is another"),
    ("if a:\n    A = 1", "if a:\n    A = 2", "A is another"),
    ("try:\n    A = 1\nfinally:\n    ...", "try:\n    A = 2\nfinally:\n    ...", "A is another"),
    ("with a:\n    def f(): ...", "with a:\n    ...", "f is gone"),
]


@pytest.mark.parametrize(("before", "after", "said"), SURFACE)
def test_what_others_rely_on_is_told_by_name(before: str, after: str, said: str) -> None:
    found = told(SurfaceGate(), f"{before}\n", f"{after}\n")
    assert any(
        (code, place) == ("api_changed", f"{PATH}:1") and reason.startswith(said)
        for code, reason, place in found
    ), found


HELD = [
    ("", "def f(a): ...", "f is new: a refactoring adds nothing public; name it _f"),
    (
        "class C: ...",
        "class C:\n    a = 1",
        "C.a is new: a refactoring adds nothing public; name it _a",
    ),
    ("def f(a): ...", "@g\ndef f(a): ...", "f is another: wrappers g, before none"),
    ("@g(1)\ndef f(a): ...", "@g(2)\ndef f(a): ...", "f is another: wrappers g(2), before g(1)"),
    (
        "A = ['[0-9_a]']",
        "A = ['[_a0-9]']",
        "A holds other texts, the same only where they are read as",
    ),
    ("import re\nA = re.compile('a')", "A = 'a'", "A may be another value"),
    ("A = g(1)", "A = g(2)", "A may be another value: how it is made is another"),
    ("import re\nA = re.compile('a|bc')", "import re\nA = re.compile('bc|a')", "A may be another"),
    ("import re\nA = re.compile('a')", "import re\nA = re.compile('(a)')", "A may be another"),
    ("import re\nA = re.compile('a')", "import re\nA = re.compile('a', re.I)", "A may be another"),
    (
        "import re\nA = re.compile('[a-z]')",
        "import re\nA = re.compile('[a-y]')",
        "A may be another",
    ),
    ("def sorted(a): ...\nA = list(sorted(B))", "def sorted(a): ...\nA = sorted(B)", "A may be"),
    ("A = tuple([f(x) for x in B])", "A = list(f(x) for x in B)", "A may be another"),
    ("__all__ = ['a']", "__all__ = ['a', 'b']", "__all__ is another: with b"),
]


@pytest.mark.parametrize(("before", "after", "said"), HELD)
def test_what_is_added_or_cannot_be_told_is_held(before: str, after: str, said: str) -> None:
    (found,) = judged(SurfaceGate(), f"{before}\n", f"{after}\n")
    assert (found.verdict, found.reason_code) == (Answer.HOLD, "api_changed")
    assert found.reason.startswith(said)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A = list(sorted(B))", "A = sorted(B)"),
        ("A = sorted(list(B))", "A = sorted(B)"),
        ("A = tuple([f(x) for x in B])", "A = tuple(f(x) for x in B)"),
        ("A = list(f(x) for x in B)", "A = [f(x) for x in B]"),
        ("A = set([1, 2])", "A = {1, 2}"),
        ("A = dict(a=1)", "A = {'a': 1}"),
        ("A = tuple()", "A = ()"),
        ("A = float(3600)", "A = float(60 * 60)"),
        ("A = 'a' + 'b'", "A = ''.join(['a', 'b'])"),
        ("A = u'a'", "A = 'a'"),
        ("A = 1", "A: int = 1"),
        ("__all__ = ['a', 'b']", "__all__ = ('b', 'a')"),
        ("class C:\n    __slots__ = ('_a',)", "class C:\n    __slots__ = ('_b',)"),
        ("__all__ = ['a']", "__all__ = ['a']\ndef helper(): ..."),
        ("import re\nA = re.compile('[\\\\w_\\\\d]')", "import re\nA = re.compile('[\\\\w]')"),
        ("import re\nA = re.compile('(?:(?:a)b)')", "import re\nA = re.compile('ab')"),
        ("import re\nA = re.compile('(?i)a')", "import re\nA = re.compile('a', re.IGNORECASE)"),
        (
            "import re\nA = re.compile('a', flags=re.I)",
            "from re import compile\nA = compile('a', 2)",
        ),
        (
            "class _B(D):\n    def m(self): ...\n\nclass C(_B): ...",
            "class C(D):\n    def m(self): ...",
        ),
        ("class C(object): ...", "class C: ..."),
    ],
)
def test_other_words_for_the_same_are_the_same_surface(before: str, after: str) -> None:
    assert judged(SurfaceGate(), f"{before}\n", f"{after}\n") == fine(SurfaceGate(), SAME)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a): return a", "def f(a: int) -> int: return 1 * a"),
        ("def _f(a): ...", "def _f(b): ..."),
        ("def __f__(a): ...", "def __f__(b): ..."),
        ("class _C: ...", "class _C(D): ..."),
        ("class _C:\n    a = 1", "class _C:\n    a = 2"),
        ("class C:\n    _a = 1", "class C:\n    _a = 2"),
        ("class C:\n    def _m(self): ...", "class C:\n    def _m(self, a): ..."),
        ("class C:\n    def __m(self): ...", "class C:\n    def __m(self, a): ..."),
        ("class C:\n    def m__(self): ...", "class C:\n    def m__(self): return 1"),
        ("_A = 1", "_A = 2"),
        ("__A__ = 1", "__A__ = 2"),
        ("import a", "import b"),
        (
            "def f():\n    def g(): return 1\n    return g",
            "def f():\n    def g(): yield 1\n    return g",
        ),
        ("def f(): return lambda: 1", "def f(): return lambda: (yield)"),
        ("A.b = 1", "A.b = 2"),
        ("A = 1", "A = 1  # one"),
        ("print(1)", "print(2)"),
    ],
)
def test_what_is_private_is_nobodys_business(before: str, after: str) -> None:
    assert judged(SurfaceGate(), before, after) == fine(SurfaceGate(), SAME)


def test_what_the_front_of_a_package_imports_is_surface() -> None:
    def front(before: str, after: str) -> list[str]:
        asked = matter(edit("src/shop/__init__.py", before, after), stage=Stage.B)
        return [each.reason for each in SurfaceGate().judge(asked)]

    assert front("import a\n", "import b as a\n") == ["import a is another: names b, before a"]
    assert front("from .a import b\n", "\n") == ["import b is gone"]
    assert front("\n", "from .a import b\n") == ["import b is new"]
    assert front("from .a import _b\n", "\n") == [SAME]
    assert front("from .a import c, b\n", "\n") == ["import b is gone", "import c is gone"]


BEFORE = "SEEN = []\nLOG = {}\n\n\nclass Box:\n    n = 1\n\n\ndef f(x):\n    return x\n"
CHANGING = """append appendleft add update clear pop popleft popitem setdefault extend insert remove
    discard sort reverse __setitem__ subtract""".split()
SHARES = "f changes SEEN, which all calls share"


def kept(body: str) -> list[tuple[str, str, object]]:
    return told(
        StateGate(), BEFORE, BEFORE.replace("    return x\n", f"    {body}\n    return x\n")
    )


@pytest.mark.parametrize("method", CHANGING)
def test_changing_what_calls_share_is_known_by_the_method(method: str) -> None:
    assert kept(f"SEEN.{method}(x)") == [("shared_state", SHARES, f"{PATH}:10")]
    assert kept(f"x.{method}(x)") == []
    assert kept(f"SEEN = [x]; SEEN.{method}(x)") == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("SEEN[0] = x", "f writes into SEEN, which all calls share"),
        ("SEEN.a.b = x", "f writes into SEEN, which all calls share"),
        ("del LOG[x]", "f writes into LOG, which all calls share"),
        ("f.last = x", "f writes into f, which all calls share"),
        ("Box.n = x", "f writes into Box, which all calls share"),
        ("LOG['a'].append(x)", "f changes LOG, which all calls share"),
        ("cls.seen.append(x)", "f changes cls, which all calls share"),
        ("cls.seen = x", "f writes into cls, which all calls share"),
    ],
)
def test_writing_into_what_calls_share_is_told(body: str, said: str) -> None:
    assert kept(body) == [("shared_state", said, f"{PATH}:10")]


FUNCTIONS = """setattr delattr heapq.heappush heappush heapq.heappop heappop heapq.heapify heapify
    heapq.heapreplace heapreplace heapq.heappushpop heappushpop bisect.insort insort
    bisect.insort_left insort_left bisect.insort_right insort_right random.shuffle shuffle""".split()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_changes_what_it_is_given_is_known_by_name(name: str) -> None:
    said = ("shared_state", "f changes what all calls share", f"{PATH}:10")
    assert kept(f"{name}(SEEN, x)") == kept(f"{name}(SEEN.a[0], x)") == [said]
    assert kept(f"{name}(x, SEEN)") == kept(f"{name}()") == []


@pytest.mark.parametrize(
    "body",
    [
        "SEEN.index(x)", "len(SEEN)", "insort(x, SEEN)", "y = []; y.append(x)", "print(SEEN)",
        "x.append(SEEN)", "y = {}; y[0] = x", "x.a = 1", "(x or y).append(1)", "other(SEEN, x)",
    ],
)  # fmt: skip
def test_reading_and_what_is_ones_own_is_fine(body: str) -> None:
    assert kept(body) == []


def test_rebinding_a_name_of_the_module_is_told_for_each() -> None:
    found = kept("global SEEN, LOG; SEEN = LOG = x")
    assert [each[1] for each in found] == [
        "f rebinds SEEN of the module", "f rebinds LOG of the module",
    ]  # fmt: skip
    assert [each[1] for each in kept("global SEEN; SEEN = []; SEEN.append(x)")] == [
        "f rebinds SEEN of the module", SHARES,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("default", "is_shared"),
    [("[]", True), ("{}", True), ("{1}", True), ("list()", True), ("()", False), ("None", False)],
)
@pytest.mark.parametrize("form", ["x, y={}", "x, *, y={}"])
def test_a_default_that_calls_share_is_told(default: str, is_shared: bool, form: str) -> None:
    after = BEFORE.replace("def f(x)", f"def f({form.replace('{}', default)})")
    said = ("shared_state", "a default of f is shared by all calls", f"{PATH}:9")
    assert told(StateGate(), BEFORE, after) == ([said] if is_shared else [])


@pytest.mark.parametrize(
    ("line", "is_kept"),
    [
        ("@functools.cache", True), ("@functools.lru_cache(maxsize=None)", True),
        ("@functools.lru_cache(None)", True), ("@functools.cached_property", True),
        ("@cache", True), ("@lru_cache(None)", True), ("@cached_property", True),
        ("@cachetools.cached({})", True), ("@functools.lru_cache(maxsize=N)", True),
        ("@functools.lru_cache(maxsize=True)", True), ("@functools.lru_cache", False),
        ("@functools.lru_cache()", False), ("@functools.lru_cache(maxsize=10)", False),
        ("@functools.lru_cache(10)", False), ("@lru_cache(10, typed=True)", False),
        ("@functools.wraps(g)", False), ("@property", False),
    ],
)  # fmt: skip
def test_a_cache_without_bound_is_told(line: str, is_kept: bool) -> None:
    after = BEFORE.replace("def f(x)", f"{line}\ndef f(x)")
    said = ("unbounded_cache", "f keeps every result for ever", f"{PATH}:9")
    assert told(StateGate(), BEFORE, after) == ([said] if is_kept else [])


def test_a_cache_under_a_name_is_told_unless_it_goes_with_the_call() -> None:
    made = "fast = functools.cache(f)\n"
    said = ("unbounded_cache", "fast keeps results", f"{PATH}:11")
    assert told(StateGate(), BEFORE, BEFORE + made) == [said]
    assert told(StateGate(), BEFORE, BEFORE + "fast = functools.partial(f)\n") == []
    assert kept("once = functools.cache(g); x = once(x)") == []
    told_of = ("unbounded_cache", "once keeps results", f"{PATH}:10")
    assert kept("once = functools.cache(g); x = h(once)") == [told_of]
    assert told_of in kept("global once; once = functools.cache(g); x = once(x)")


CLASS = "class Box:\n    {}\n\n    def put(self, x):\n        self.seen.append(x)\n"


@pytest.mark.parametrize(
    ("line", "is_shared"),
    [
        ("seen = []", True), ("seen: list = []", True), ("seen = {}", True), ("seen = set()", True),
        ("seen = [x for x in ()]", True), ("seen = {1}", True), ("seen = {x: 1 for x in ()}", True),
        ("seen = {x for x in ()}", True), ("seen = ()", False), ("other = []", False),
        ("seen = None", False), ("seen: list", False),
    ],
)  # fmt: skip
def test_a_value_of_a_class_that_objects_change_is_told(line: str, is_shared: bool) -> None:
    found = told(StateGate(), CLASS.format("..."), CLASS.format(line))
    said = ("shared_state", "all objects of Box share seen", f"{PATH}:2")
    assert found == ([said] if is_shared else [])


OLD = (
    "class Box:\n    def __init__(self):\n        self.items = []\n\n"
    "    def put(self, x):\n        self.items.append(x)\n\n"
    "    def take(self):\n        return self.items.pop()\n\n    def look(self):\n"
    "        return self.items\n"
)


def test_a_new_attribute_that_old_methods_do_not_keep_is_stale() -> None:
    new = OLD.replace("self.items = []", "self.items = []\n        self.n = 0")
    new = new.replace("append(x)", "append(x)\n        self.n += 1")
    said = ("stale_state", "Box.take does not keep n up to date", f"{PATH}:10")
    assert told(StateGate(), OLD, new) == [said]
    full = new.replace("return self.items.pop()", "self.n -= 1\n        return self.items.pop()")
    assert judged(StateGate(), OLD, full) == fine(StateGate(), "it keeps nothing new between calls")
    assert told(StateGate(), "", new) == []
    assert told(StateGate(), OLD.replace("Box", "Bin"), new) == []


LINES = (
    "class Page:\n    def __init__(self):\n        self.text = ''\n        self.deep = 0\n\n"
    "    def clear(self):\n        self.text, self.deep = '', 0\n\n"
    "    def enter(self):\n        self.deep += 1\n\n"
    "    def ends(self):\n        return self._found()\n\n"
    "    def _found(self):\n        return [n for n, c in enumerate(self.text) if c == 'x']\n"
)


def test_methods_that_change_nothing_which_a_new_attribute_rests_on_need_not_keep_it() -> None:
    new = LINES.replace("self.deep = 0\n\n", "self.deep = 0\n        self._ends = None\n\n", 1)
    new = new.replace("'', 0\n\n", "'', 0\n        self._ends = None\n\n")
    cached = (
        "if self._ends is None:\n            self._ends = self._found()\n        return self._ends"
    )
    new = new.replace("return self._found()", cached)
    assert told(StateGate(), LINES, new) == []
    other = "    def put(self, text):\n        self.text += text\n"
    said = ("stale_state", "Page.put does not keep _ends up to date", f"{PATH}:22")
    assert told(StateGate(), f"{LINES}\n{other}", f"{new}\n{other}") == [said]
    lent = new.replace("self._ends = self._found()", "self._ends = found(self)")
    assert ("stale_state", "Page.enter does not keep _ends up to date", f"{PATH}:11") in told(
        StateGate(), LINES, lent
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("self.a = 1", {"a"}), ("self.a.b = 1", {"b"}), ("self.a[0] = 1", {"a"}), ("del self.a[0]", {"a"}),
        ("self.a.append(1)", {"a"}), ("self.a[0].append(1)", {"a"}), ("self.a.index(1)", set()),
        ("other.a = 1", set()), ("x = self.a", set()), ("self[0] = 1", set()), ("self.a += 1", {"a"}),
        ("append(self.a)", set()), ("del self.a", {"a"}),
    ],
)  # fmt: skip
def test_which_attributes_are_changed(text: str, names: set[str]) -> None:
    assert changed_attributes(ast.parse(text)) == names


LOOKUPS = """globals locals vars eval exec getattr dir __dict__ __getattr__ attrgetter methodcaller
    getmembers import_module""".split()


@pytest.mark.parametrize("name", LOOKUPS)
def test_names_may_be_looked_up_by_text(name: str) -> None:
    for text in (f"x = {name}", f"x.{name}", f"def {name}(): ..."):
        assert looks_names_up(ast.parse(text))
    assert not looks_names_up(ast.parse(f"x = '{name}'; y_{name} = 1"))


@pytest.mark.parametrize(
    ("name", "words", "answer"),
    [
        ("_f", ["_f"], True), ("_f", ["f"], False), ("_f_x", ["_f_"], True), ("_f_x", ["_x"], True),
        ("_f", [ANY_PRIVATE], True), ("_f", [], False), ("_f", ["_"], False), ("_f", ["__"], False),
        ("_f_x", ["f_"], False), ("_f_x", ["x_"], False), ("_f_x", ["_y"], False),
    ],
)  # fmt: skip
def test_what_may_be_named(name: str, words: list[str], answer: bool) -> None:
    assert may_be_named(name, words) is answer


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a b_c.d", ["a", "b_c", "d"]), ("a a", ["a", "a"]),
        ("'_' + name", ["_", "name", ANY_PRIVATE]), ('f"_{name}"', ["f", "_", "name", ANY_PRIVATE]),
        ("'_%s'", ["_", "s", ANY_PRIVATE]), ("'_a'", ["_a"]), ('"__"', ["__", ANY_PRIVATE]),
    ],
)  # fmt: skip
def test_words_of_a_text(text: str, words: list[str]) -> None:
    assert list(words_in(text)) == words


MODULE = "A = 1\n\n\ndef f():\n    return 1\n"
GONE = "\n\ndef _g():\n    return 2\n"


def removed(before: str, after: str) -> tuple[str, ...]:
    return removed_unused(ast.parse(before), ast.parse(after))


def test_a_private_function_that_nothing_names_may_go() -> None:
    assert removed(MODULE + GONE, MODULE) == ("_g",)
    both = GONE + GONE.replace("_g", "_h")
    assert removed(MODULE + both, MODULE) == ("_g", "_h")
    method = "\n\nclass C:\n    a = 1\n\n    def _m(self): ...\n"
    left = method.replace("\n    def _m(self): ...\n", "")
    assert removed(MODULE + method, MODULE + left) == ("_m",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MODULE, MODULE),
        (MODULE + GONE, MODULE.replace("A = 1", "A = 2")),
        (MODULE + GONE.replace("_g", "g"), MODULE),
        (MODULE + GONE.replace("_g", "__g"), MODULE),
        (MODULE + GONE.replace("def", "@d\ndef"), MODULE),
        (MODULE.replace("return 1", "return _g") + GONE, MODULE.replace("return 1", "return _g")),
        (MODULE.replace("1\n", "getattr\n", 1) + GONE, MODULE.replace("1\n", "getattr\n", 1)),
        (MODULE + "\nclass C(D):\n    a = 1\n    def _m(self): ...\n", MODULE + "\nclass C(D):\n    a = 1\n"),
        (MODULE + "\n@d\nclass C:\n    a = 1\n    def _m(self): ...\n", MODULE + "\n@d\nclass C:\n    a = 1\n"),
        (MODULE + "\nclass C(m=D):\n    a = 1\n    def _m(self): ...\n", MODULE + "\nclass C(m=D):\n    a = 1\n"),
        (MODULE + "\nclass C:\n    a = 1\n    def _m(self): ...\n", MODULE + "\nclass C:\n    a = 2\n"),
        (MODULE + "\nclass C:\n    a = 1\n    def _m(self): ...\n", MODULE + "\nclass D:\n    a = 1\n"),
        (MODULE + GONE + "\nx = '_g'\n", MODULE + "\nx = '_g'\n"),
    ],
)  # fmt: skip
def test_anything_else_may_not_go(before: str, after: str) -> None:
    assert removed(before, after) == ()


def test_every_file_of_a_change_is_read_and_the_others_are_passed_over() -> None:
    broken = edit("src/a.py", "x = 1\n", "def f(:\n")
    was_broken = edit("src/b.py", "def f(:\n", "import socket\n")
    test = edit("tests/test_a.py", "", "import socket\n")
    words = edit("README.md", "", "import socket\n")
    new = edit("src/shop/new.py", None, "import socket\n")
    found = ReachGate().judge(matter(test, words, broken, was_broken, new, stage=Stage.B))
    assert [each.measured for each in found] == ["src/shop/new.py:1"]
    gone = edit("src/shop/old.py", "import socket\n", None)
    assert [each.reason_code for each in ReachGate().judge(matter(gone, stage=Stage.B))] == ["ok"]


def test_decisions_of_several_files_are_added_up() -> None:
    files = [edit(f"src/{n}.py", "if a: b\n", "if a: b\nif c: d\n") for n in range(3)]
    (found,) = ComplexityGate().judge(matter(*files, stage=Stage.B))
    assert (found.measured, found.required) == (6, 3)


TABLES = "A = {'a': 1}\nB = {'b': 2}\nSEEN = []\n\n\ndef f(x):\n    return x\n"


@pytest.mark.parametrize(
    ("line", "is_held"),
    [
        ("for d in (A, B): x = d.copy()", False),
        ("x = [d['a'] for d in [A, B]]", False),
        ("for d in (A, B): x = d", True),
        ("for d in (A, B): g(d)", True),
        ("x = (A, B)", True),
        ("x = [d for d in (A, B)]", True),
    ],
)
def test_a_loop_over_a_few_shared_values_may_read_them(line: str, is_held: bool) -> None:
    found = judged(StateGate(), TABLES, TABLES.replace("    return x", f"    {line}\n    return x"))
    assert any(each.reason_code == "shared_value" for each in found) == is_held


@pytest.mark.parametrize(
    ("text", "is_quiet"),
    [
        ("try:\n    import json\nexcept ImportError:\n    json = None", True),
        ("if A > 1:\n    B = 1\nelse:\n    B = 2", True),
        ("try:\n    SEEN.append(1)\nexcept ImportError:\n    pass", False),
        ("if SEEN.append(1):\n    B = 1", False),
        ("if (B := SEEN):\n    C = 1", False),
        ("try:\n    pass\nfinally:\n    SEEN.append(1)", False),
    ],
)
def test_a_choice_of_what_is_bound_does_nothing_at_import(text: str, is_quiet: bool) -> None:
    start = "A = 2\nSEEN = []\n"
    found = judged(ReachGate(), start, f"{start}{text}\n")
    assert (not any(each.reason_code == "import_effect" for each in found)) == is_quiet
