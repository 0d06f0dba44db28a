"""The clock stands still in tests, the monotonic clock does not."""

import asyncio
import copy
import datetime
import pickle
import time
from datetime import date
from datetime import datetime as moment
from time import time as now

import pytest

INSTANT = 1736942400.0


class Stamped:
    timer = time.time


class Later(moment):
    pass


def test_every_way_to_ask_gives_the_frozen_instant() -> None:
    utc = datetime.UTC
    assert time.time() == now() == Stamped().timer() == INSTANT
    assert time.time_ns() == INSTANT * 1_000_000_000
    assert time.clock_gettime(time.CLOCK_REALTIME) == INSTANT
    assert moment.now(utc).timestamp() == datetime.datetime.now().timestamp() == INSTANT
    assert moment.today().timestamp() == Later.now(utc).timestamp() == INSTANT
    assert type(Later.now()) is Later
    assert type(moment.now()) is datetime.datetime
    assert date.today() == datetime.date(2025, 1, 15)
    assert time.gmtime()[:4] == (2025, 1, 15, 12)
    assert time.mktime(time.localtime()) == INSTANT
    assert time.strftime("%Y") == "2025"
    assert "2025" in time.ctime()
    assert "2025" in time.asctime()


def test_it_stands_still_over_a_sleep_and_monotonic_goes_on() -> None:
    before, ticks, counter = time.time(), time.monotonic(), time.perf_counter()
    time.sleep(0.002)
    assert time.time() == before
    assert time.monotonic() > ticks
    assert time.perf_counter() > counter


def test_an_event_loop_goes_on() -> None:
    async def wait() -> float:
        start = asyncio.get_running_loop().time()
        await asyncio.sleep(0.002)
        return asyncio.get_running_loop().time() - start

    assert asyncio.run(wait()) > 0


def test_the_functions_are_copied_and_pickled_by_name() -> None:
    assert copy.deepcopy(time.time)() == INSTANT
    assert pickle.loads(pickle.dumps(time.time))() == INSTANT


@pytest.mark.filterwarnings("ignore:datetime.datetime.utcnow")
def test_utcnow() -> None:
    assert moment.utcnow() == moment(2025, 1, 15, 12)


def test_wrong_arguments_are_still_errors() -> None:
    with pytest.raises(TypeError):
        moment.now("tomorrow")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        time.localtime("tomorrow")  # type: ignore[arg-type]


@pytest.mark.clock
def test_a_marked_test_sees_the_real_clock() -> None:
    assert time.time() > INSTANT + 1e6
    assert moment.now().timestamp() > INSTANT + 1e6
    assert moment.utcnow().year > 2025 or moment.utcnow().month > 1


@pytest.fixture
def stamp() -> float:
    return time.time()


def test_fixtures_see_it_too(stamp: float) -> None:
    assert stamp == INSTANT


def test_waiting_for_it_is_an_error_not_a_hang() -> None:
    start = time.time()
    while time.time() < start + 1:
        pass


def test_a_failure_shows_the_time() -> None:
    pytest.fail(f"seen at {time.time()} {moment.now(datetime.UTC):%d %H %M %S %f}")
