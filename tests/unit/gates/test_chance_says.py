"""Tests that hang on chance, clock or order: each source by name, and the sure way beside it."""

import pytest

from reverie.gates.suite.chance import ChanceGate
from reverie.model.ruling import Answer, Ruling

from .matters import edit, matter, new_test

HEAD = "import random, time, datetime, os, secrets, numpy\nfrom shop import price\n"
FINE = Ruling(
    "chance",
    Answer.PASS,
    "ok",
    "no new test depends on chance, clock or order, as far as its text shows",
)


def judged(body: str, head: str = HEAD) -> list[Ruling]:
    return list(ChanceGate().judge(new_test(body, head=head)))


def refused(code: str, said: str, line: int) -> Ruling:
    return Ruling("chance", Answer.FAIL, code, said, f"tests/test_shop.py:{line}")


def lines(*body: str) -> list[Ruling]:
    return judged("def test_a():\n" + "".join(f"    {line}\n" for line in body))


def drawn(origin: str, line: int = 5, name: str = "test_a") -> list[Ruling]:
    return [refused("depends_on_chance", f"{name} draws from {origin} without a seed", line)]


DRAWS = ["random.random", "random.choice", "numpy.random.rand", "random.SystemRandom", "secrets.token_hex",
         "os.urandom", "random.Random", "numpy.random.default_rng", "numpy.random.RandomState"]  # fmt: skip


@pytest.mark.parametrize("name", DRAWS)
def test_drawing_without_a_seed_is_told(name: str) -> None:
    assert lines(f"x = {name}()", f"y = {name}()") == drawn(name)
    assert lines("pass", f"x = {name}()") == drawn(name, 6)
    assert lines(f"x = my.{name}()") == [FINE]


def test_numpy_may_be_called_np() -> None:
    assert lines("x = np.random.rand()") == drawn("np.random.rand")
    assert lines("x = np.random.default_rng()") == drawn("np.random.default_rng")
    assert lines("x = np.sum(1)") == [FINE]
    imported = "import numpy as np\nfrom shop import price\n"
    assert judged("def test_a():\n    np.random.rand()\n", imported) == drawn("numpy.random.rand")


@pytest.mark.parametrize(
    "name", ["random.Random", "numpy.random.default_rng", "numpy.random.RandomState"]
)
def test_a_generator_with_a_seed_is_sure(name: str) -> None:
    assert lines(f"x = {name}(4)") == lines(f"x = {name}(seed=4)") == [FINE]


@pytest.mark.parametrize(
    "name", ["seed", "getstate", "setstate", "Generator", "PCG64", "SeedSequence"]
)
def test_what_does_not_draw_is_sure(name: str) -> None:
    assert lines(f"x = random.{name}()") == lines(f"x = numpy.random.{name}()") == [FINE]


@pytest.mark.parametrize("name", ["random.seed", "numpy.random.seed", "np.random.seed"])
def test_a_seed_before_makes_sure(name: str) -> None:
    assert lines(f"{name}(4)", "x = random.random()") == [FINE]
    assert lines(f"{name}()", "x = random.random()") == drawn("random.random", 6)
    assert lines(f"{name}(time.time())", "x = random.random()") == drawn("random.random", 6)
    assert lines(f"my.{name}(4)", "x = random.random()") == drawn("random.random", 6)


def test_a_helper_seeds_for_all_and_draws_for_itself() -> None:
    drawing = "def help():\n    return random.random()\n\n\n"
    assert judged(drawing + "def test_a():\n    assert help()\n") == drawn(
        "random.random", 5, "help"
    )
    seeding = "def help():\n    random.seed(4)\n\n\n"
    assert judged(seeding + "def test_a():\n    assert random.random()\n") == [FINE]


CLOCKS = ["time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.perf_counter",
          "time.perf_counter_ns", "time.process_time", "time.localtime", "time.gmtime", "time.strftime", "time.ctime",
          "datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today",
          "datetime.now", "datetime.utcnow", "date.today", "os.times"]  # fmt: skip
TIMED = "test_a hangs on what time it is, or on how long something takes"


@pytest.mark.parametrize("name", CLOCKS)
def test_comparing_with_the_clock_is_told(name: str) -> None:
    told = [refused("depends_on_time", TIMED, 5)]
    for line in (f"assert {name}() > 1", f"assert 1 < {name}()", f"x = 1 if {name}() > 1 else 2",
                 f"if {name}() > 1: pass", f"while {name}() > 1: pass", f"assert not (1 < 2 < {name}())"):  # fmt: skip
        assert lines(line) == told, line
    assert lines(f"x = {name}()") == lines(f"assert my.{name}() > 1") == [FINE]
    assert lines(f"assert {name}()") == [FINE]


@pytest.mark.parametrize(
    ("call", "is_of_now"),
    [
        ("time.gmtime(0)", False), ("time.ctime(0)", False), ("datetime.datetime.now(tz)", True), ("time.strftime('%Y')", True),
        ("time.strftime('%Y', t)", False), ("datetime.datetime.now(tz, 1)", False), ("time.localtime(0)", False),
    ],
)  # fmt: skip
def test_a_clock_that_is_told_the_time_is_none(call: str, is_of_now: bool) -> None:
    expected = [refused("depends_on_time", TIMED, 5)] if is_of_now else [FINE]
    assert lines(f"assert {call} > x") == expected


def test_names_carry_the_time_on() -> None:
    told = [refused("depends_on_time", TIMED, 8)]
    assert lines("a = time.time()", "b = a", "c = b - 1", "assert c > 4") == told
    assert lines("c = b", "b = a", "a = time.time()", "assert c > 4") == told
    (found,) = lines("a, b = time.time(), 1", "assert b > 4")
    assert found.reason_code == "depends_on_time"
    assert lines("a = 1", "assert a > 4") == [FINE]


def test_the_codes_own_time_may_be_compared_with_the_clock() -> None:
    assert lines("t = time.time()", "assert t <= price(1).made") == [FINE]
    assert lines("t = time.time()", "assert price(t) <= 4")[0].reason_code == "depends_on_time"
    assert lines("if time.time() <= price(1): pass")[0].reason_code == "depends_on_time"
    twice = lines("assert time.time() > 1", "assert time.time() > 2")
    assert [each.measured for each in twice] == ["tests/test_shop.py:5"]


CHANGES = ["append", "add", "update", "extend", "insert", "setdefault", "pop", "clear", "remove", "discard",
           "appendleft", "popitem", "__setitem__"]  # fmt: skip
OTHER = "\n\ndef test_b():\n    assert price(SEEN) == 4\n"


def ordered(line: str, other: str = OTHER, top: str = "SEEN = []") -> list[Ruling]:
    return judged(f"{top}\n\n\ndef test_a(x):\n    {line}\n{other}")


def shared(name: str = "SEEN") -> list[Ruling]:
    return [refused("depends_on_order", f"test_a changes {name!r}, which other tests see", 7)]


@pytest.mark.parametrize("method", CHANGES)
def test_changing_what_other_tests_see_is_told(method: str) -> None:
    assert ordered(f"SEEN.{method}(1)") == shared()
    assert ordered(f"x.{method}(1)") == ordered(f"SEEN.a.{method}(1)") == [FINE]
    assert ordered(f"SEEN.{method}(1)", "") == [FINE]


@pytest.mark.parametrize(
    "line", ["SEEN[0] = 1", "SEEN.a = 1", "del SEEN[0]", "SEEN.a[0].b = 1", "global SEEN; SEEN = 1"]
)
def test_writing_into_what_other_tests_see_is_told(line: str) -> None:
    assert ordered(line) == shared()
    assert ordered(line, top="SEEN: list = []") == shared()


@pytest.mark.parametrize(
    "line", ["SEEN.index(1)", "y = SEEN[0]", "x[0] = 1", "x.a = 1", "f(SEEN)", "SEEN = 1"]
)
def test_reading_what_others_see_is_fine(line: str) -> None:
    assert ordered(line) == [FINE]


def test_an_argument_of_the_same_name_is_another() -> None:
    body = "SEEN = []\n\n\ndef test_a(SEEN):\n    SEEN.append(1)\n    SEEN[0] = 1\n"
    assert judged(body + OTHER) == [FINE]


def test_a_class_of_the_file_is_seen_by_all() -> None:
    assert ordered("Box.n = 1", "", "class Box:\n    n = 0")[0].reason.startswith(
        "test_a changes 'Box'"
    )
    assert ordered("Box.seen.append(1)", "", "class Box:\n    seen = []") == [FINE]


def test_a_name_that_a_test_makes_global_is_seen_by_others() -> None:
    assert ordered("global MADE; MADE = 1", "") == shared("MADE")


def test_only_new_tests_are_looked_at() -> None:
    old = f"{HEAD}SEEN = []\n\n\ndef test_a():\n    SEEN.append(random.random())\n    assert time.time() > 1\n"
    more = f"{old}\n\ndef test_b():\n    assert price(SEEN) == 4\n"
    assert list(ChanceGate().judge(matter(edit("tests/test_shop.py", old, more)))) == [FINE]


_FIXTURE = "@pytest.fixture\ndef expected(tmp_path):\n    {}\n\n\n"
_STAMPED = "datetime.datetime.fromtimestamp(tmp_path.stat().st_mtime, datetime.UTC).month"


@pytest.mark.parametrize("month", ["datetime.datetime.now().month", _STAMPED])
@pytest.mark.parametrize(
    "body",
    [
        "return TABLE[{0}]",
        "m = {0}\n    yield TABLE[m - 1]",
        "x = 1 if {0} < 6 else 2\n    return x",
    ],
)
def test_what_is_expected_is_not_picked_by_the_time(month: str, body: str) -> None:
    """Not in the test either, even where the result has nothing of the time."""
    helper = _FIXTURE.format(body.format(month))
    asked = "def test_a(expected):\n    assert price(5) == expected\n"
    (found,) = judged(helper + asked)
    assert (found.reason_code, found.verdict) == ("depends_on_time", Answer.FAIL)
    (found,) = lines(f"wanted = TABLE[{month}]", "assert price(5) == wanted")
    assert found.reason_code == "depends_on_time"


def test_files_keep_their_times_and_fixtures_know_the_date() -> None:
    assert lines(
        "before = p.stat().st_mtime", "price(p)", "assert p.stat().st_mtime == before"
    ) == [FINE]
    assert lines("made = price(5)", "assert made.at >= datetime.datetime.now()") == [FINE]
    record = _FIXTURE.format("return Cart(at=datetime.datetime.now(), rows=[1])")
    assert judged(record + "def test_a(expected):\n    assert price(expected) == 1\n") == [FINE]
