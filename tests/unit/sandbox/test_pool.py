"""The pool with slots that only remember what was done to them."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from reverie.errors import IsolationUnavailable, MachineryError, PolicyError, SandboxLost
from reverie.model.execution import Limits, Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox import pool as module
from reverie.sandbox.backends.cgroups import CgroupSite, SlotCgroup
from reverie.sandbox.backends.slot import Slot
from reverie.sandbox.pool import SlotPool
from reverie.sandbox.profile import Profile

PATIENCE = 20.0


def profile(name: str = "a") -> Profile:
    return Profile(IsolationTier.NAMESPACES, Policy(preload=(name,)), 1)


class FakeSlot:
    made: list["FakeSlot"] = []
    boot: Callable[["FakeSlot"], None] = staticmethod(lambda slot: None)

    def __init__(self, profile: Profile, site: object, limits: Limits) -> None:
        self.profile = profile
        self.executions = 0
        self.kept_waiting = self.has_spare = False
        self.armed = 0
        self.is_closed = self.is_cut = self.was_waited_for = False
        self.arming_fails = False
        FakeSlot.made.append(self)

    def await_boot(self) -> None:
        FakeSlot.boot(self)

    def arm(self, output_bytes: int, hurry: bool = False) -> None:
        if self.arming_fails:
            raise SandboxLost("namespaces", "gone")
        self.armed += 1

    def is_ready(self) -> bool:
        return self.has_spare

    def cut_lifeline(self) -> None:
        self.is_cut = True

    def close(self) -> None:
        assert not self.is_closed, "closed twice"
        self.is_closed = True

    def is_gone(self) -> bool:
        return self.is_closed

    def wait_gone(self, seconds: float) -> None:
        assert self.is_closed or self.is_cut
        self.was_waited_for = True


@pytest.fixture(autouse=True)
def _fakes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(module, "Slot", FakeSlot)
    monkeypatch.setattr(FakeSlot, "made", [])
    monkeypatch.setattr(FakeSlot, "boot", staticmethod(lambda slot: None))
    return


def new_pool(capacity: int = 2, recycle_after: int = 1000) -> SlotPool:
    return SlotPool(capacity, recycle_after, Limits())


def test_a_slot_is_made_when_it_is_needed_and_used_again() -> None:
    pool = new_pool()
    first = pool.take(profile())
    pool.give_back(first)
    assert pool.take(profile()) is first
    assert len(FakeSlot.made) == 1
    assert first.armed == 2  # type: ignore[attr-defined]


def test_never_more_slots_are_busy_than_the_capacity() -> None:
    pool = new_pool(2)
    assert pool.take_now(profile()) is not None
    assert pool.take_now(profile()) is not None
    assert pool.take_now(profile()) is None
    assert pool.take_now(profile("b")) is None


def test_who_goes_to_and_fro_between_profiles_finds_each_slot_again() -> None:
    pool = new_pool(1)
    for _ in range(3):
        for name in ("old", "new", "tool"):
            pool.give_back(pool.take(profile(name)))
    assert len(FakeSlot.made) == 3


def test_the_profile_used_longest_ago_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MORE_WAITING", 0)
    pool = new_pool(2)
    old, young = pool.take(profile("old")), pool.take(profile("young"))
    pool.give_back(old)
    pool.give_back(young)
    pool.give_back(pool.take(profile("old")))
    pool.take(profile("new"))
    assert [slot.is_closed for slot in FakeSlot.made] == [False, True, False]


def test_a_busy_slot_is_never_evicted() -> None:
    pool = new_pool(1)
    pool.take(profile("a"))
    assert pool.take_now(profile("b")) is None
    assert not FakeSlot.made[0].is_closed


def test_an_old_slot_is_replaced() -> None:
    pool = new_pool(recycle_after=2)
    slot = pool.take(profile())
    pool.give_back(slot)
    assert pool.take(profile()) is slot
    pool.give_back(slot)
    assert slot.is_closed  # type: ignore[attr-defined]
    assert pool.take(profile()) is not slot


def test_a_slot_that_cannot_be_armed_is_thrown_away() -> None:
    pool = new_pool(1)
    slot = pool.take(profile())
    slot.arming_fails = True  # type: ignore[attr-defined]
    pool.give_back(slot)
    assert slot.is_closed  # type: ignore[attr-defined]
    assert pool.take(profile()) is not slot


def test_a_discarded_slot_makes_room() -> None:
    pool = new_pool(1)
    pool.discard(pool.take(profile()))
    assert pool.take_now(profile()) is not None


@pytest.mark.parametrize(
    "error", [SandboxLost("namespaces", "x"), IsolationUnavailable("x"), PolicyError("x")]
)
def test_a_slot_that_does_not_boot_takes_no_room(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(slot: FakeSlot) -> None:
        raise error

    pool = new_pool(1)
    monkeypatch.setattr(FakeSlot, "boot", staticmethod(fail))
    for _ in range(3):
        with pytest.raises(type(error)):
            pool.take(profile())
    monkeypatch.setattr(FakeSlot, "boot", staticmethod(lambda slot: None))
    assert pool.take_now(profile()) is not None
    assert [slot.is_closed for slot in FakeSlot.made] == [True, True, True, False]


def test_a_slot_that_cannot_be_started_is_isolation_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*arguments: object) -> FakeSlot:
        raise OSError("no more processes")

    monkeypatch.setattr(module, "Slot", fail)
    with pytest.raises(IsolationUnavailable, match="no more processes"):
        new_pool().take(profile())


def test_taking_waits_for_a_slot_that_is_given_back() -> None:
    pool = new_pool(1)
    slot = pool.take(profile())
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(pool.take, profile())
        pool.give_back(slot)
        assert waiting.result(PATIENCE) is slot


def test_taking_waits_for_a_slot_that_is_thrown_away() -> None:
    pool = new_pool(1)
    slot = pool.take(profile())
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(pool.take, profile("b"))
        pool.discard(slot)
        assert waiting.result(PATIENCE) is not slot


def test_closing_wakes_and_refuses_those_who_wait() -> None:
    pool = new_pool(1)
    pool.take(profile())
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(pool.take, profile())
        pool.close()
        with pytest.raises(MachineryError, match="closed"):
            waiting.result(PATIENCE)


def test_closing_ends_idle_and_busy_slots() -> None:
    pool = new_pool(2)
    idle, busy = pool.take(profile()), pool.take(profile())
    pool.give_back(idle)
    pool.close()
    assert idle.is_closed  # type: ignore[attr-defined]
    assert (busy.is_cut, busy.is_closed) == (True, False)  # type: ignore[attr-defined]
    assert all(slot.was_waited_for for slot in FakeSlot.made)
    pool.discard(busy)
    assert busy.is_closed  # type: ignore[attr-defined]


@pytest.mark.parametrize("give", ["give_back", "put_idle"])
def test_a_slot_given_back_to_a_closed_pool_goes(give: str) -> None:
    pool = new_pool(1)
    slot = pool.take(profile())
    pool.close()
    getattr(pool, give)(slot)
    assert slot.is_closed  # type: ignore[attr-defined]
    with pytest.raises(MachineryError, match="closed"):
        pool.take(profile())


def test_closing_waits_for_a_slot_in_the_making(monkeypatch: pytest.MonkeyPatch) -> None:
    booting, go_on = threading.Event(), threading.Event()

    def boot(slot: FakeSlot) -> None:
        booting.set()
        assert go_on.wait(PATIENCE)
        raise SandboxLost("namespaces", "the lifeline was cut")

    monkeypatch.setattr(FakeSlot, "boot", staticmethod(boot))
    pool = new_pool(1)
    with ThreadPoolExecutor(2) as threads:
        taking = threads.submit(pool.take, profile())
        assert booting.wait(PATIENCE)
        closing = threads.submit(pool.close)
        while not FakeSlot.made[0].is_cut:
            pass
        assert not closing.done()
        go_on.set()
        closing.result(PATIENCE)
        assert isinstance(taking.exception(PATIENCE), SandboxLost)
    assert FakeSlot.made[0].is_closed
    assert FakeSlot.made[0].was_waited_for


def test_warming_fills_the_pool() -> None:
    pool = new_pool(3)
    pool.warm(profile())
    assert len(FakeSlot.made) == 3
    assert {pool.take_now(profile()) for _ in range(3)} == set(FakeSlot.made)


def test_many_threads_share_few_slots() -> None:
    pool = new_pool(3)
    at_once, most = [0], [0]
    lock = threading.Lock()

    def work(number: int) -> None:
        slot = pool.take(profile("ab"[number % 2]))
        with lock:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
        with lock:
            at_once[0] -= 1
        if number % 5:
            pool.give_back(slot)
        else:
            pool.discard(slot)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(200)))
    assert most[0] <= 3
    pool.close()
    assert all(slot.is_closed for slot in FakeSlot.made)


def test_a_slot_whose_limits_cannot_be_set_is_lost() -> None:
    slot = object.__new__(Slot)
    slot.profile, slot.cgroup = profile(), SlotCgroup(1, "/nowhere", "/nowhere")
    slot._limits_in_force = (0, 0)
    with pytest.raises(SandboxLost, match="limits could not be set"):
        slot.prepare(Limits())


def wait_often(pool: SlotPool, times: int = 32) -> None:
    """What a caller does that never pauses: its requests are there before their spares."""
    for _ in range(times):
        slot = pool.take(profile())
        slot.kept_waiting = True
        pool.give_back(slot)


def until_made(pool: SlotPool) -> None:
    with pool._changed:
        while pool._in_the_making:
            assert pool._changed.wait(PATIENCE)


def test_who_waits_often_gets_one_slot_more_to_take_turns_with() -> None:
    pool = new_pool(capacity=1)
    wait_often(pool, 31)
    until_made(pool)
    assert len(FakeSlot.made) == 1
    wait_often(pool, 100)
    until_made(pool)
    assert len(FakeSlot.made) == 2
    first = pool.take(profile())
    pool.give_back(first)
    second = pool.take(profile())
    assert second is not first
    assert pool.take_now(profile()) is None, "one at once, however many there are"
    pool.give_back(second)
    assert pool.take(profile()) is first


def test_who_pauses_gets_no_slot_more() -> None:
    pool = new_pool(capacity=1)
    for _ in range(100):
        pool.give_back(pool.take(profile()))
    until_made(pool)
    assert len(FakeSlot.made) == 1


def test_a_slot_more_that_does_not_boot_is_done_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(slot: FakeSlot) -> None:
        if len(FakeSlot.made) > 1:
            raise SandboxLost("namespaces", "no")

    monkeypatch.setattr(FakeSlot, "boot", staticmethod(fail))
    pool = new_pool(capacity=1)
    wait_often(pool, 60)
    until_made(pool)
    assert [slot.is_closed for slot in FakeSlot.made] == [False, True]
    assert pool.take(profile()) is FakeSlot.made[0]


def test_closing_waits_for_the_slot_more() -> None:
    pool = new_pool(capacity=1)
    wait_often(pool)
    pool.close()
    assert [slot.is_closed and slot.was_waited_for for slot in FakeSlot.made] == [True, True]


def test_who_comes_back_at_once_is_served_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    hurries = []
    monkeypatch.setattr(FakeSlot, "arm", lambda _, size, hurry=False: hurries.append(hurry))
    clock = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
    pool = new_pool(capacity=1)
    for pause in (1.0, 0.001, 0.001, 1.0):
        clock[0] += pause
        pool.give_back(pool.take(profile()))
    assert hurries[1:] == [False, True, True, False]


def test_the_slot_used_last_is_taken_if_it_is_ready_and_else_one_that_is() -> None:
    pool = new_pool(capacity=3)
    pool.warm(profile())
    first, second, third = FakeSlot.made
    taken = pool.take(profile())
    assert id(taken) == id(first), "nobody is ready: the one that had the most time"
    pool.give_back(taken)
    second.has_spare = third.has_spare = True
    assert id(pool.take(profile())) == id(third)
    first.has_spare = True
    assert id(pool.take(profile())) == id(first)


def test_a_new_pool_removes_what_killed_processes_left(monkeypatch: pytest.MonkeyPatch) -> None:
    site = CgroupSite(2, "/groups", "/groups")
    swept: list[CgroupSite] = []
    monkeypatch.setattr(module.cgroups, "find_site", lambda: site)
    monkeypatch.setattr(module, "sweep_groups", swept.append)
    SlotPool(1, 10, Limits()).close()
    assert swept == [site]
