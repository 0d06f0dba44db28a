"""Warm slots, by profile: taken for one execution, given back armed, replaced on doubt.

A caller that never pauses would wait for every spare: its slot is still being cleaned when the
next request is there. Once that has happened often enough to be worth the boot, there is one
slot more than can be busy, so that one is got ready while the others work.

Who goes to and fro between profiles, say two versions of a repository, would boot one each time:
some slots more may wait than can be busy. One that waits costs memory and nothing else.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Mapping

from reverie.errors import IsolationUnavailable, MachineryError, ReverieError
from reverie.model.execution import Limits
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends import cgroups
from reverie.sandbox.backends.group_owners import sweep_groups
from reverie.sandbox.backends.slot import Slot
from reverie.sandbox.profile import Profile

_LOOK_AGAIN_SECONDS = 1.0
_CLOSING_SECONDS = 5.0
_DISK_CLOSING_SECONDS = 60.0
"""Without namespaces scratch space is on a disk, and thousands of folders take a while."""
_HURRY_SECONDS = 0.004
"""Who comes back so soon will do so again: a spare that warms up would only be late."""
_WAITS_WORTH_A_SLOT = 32
_MORE_WAITING = 10
"""Slots that may wait besides as many as can be busy, where all of them look alike from inside."""


class SlotPool:
    """At most `capacity` slots busy at once, over all profiles; thread-safe."""

    def __init__(self, capacity: int, recycle_after: int, limits: Limits) -> None:
        self.capacity = capacity
        self.recycle_after = recycle_after
        self.limits = limits
        self.site = cgroups.find_site()
        if self.site is not None:
            sweep_groups(self.site)
        self._idle: OrderedDict[Profile, deque[Slot]] = OrderedDict()
        self._count = 0
        self._in_the_making = 0
        self._busy: set[Slot] = set()
        self._booting: set[Slot] = set()
        self._promised = 0
        self._most = capacity
        self._waits = 0
        self._given_back_at = 0.0
        self._is_hurried = False
        self._dying: list[Slot] = []
        self._changed = threading.Condition()
        self._closed = False

    def take(self, profile: Profile) -> Slot:
        """A slot for one execution, armed; waits while all are busy."""
        while True:
            slot = self.take_now(profile)
            if slot is not None:
                return slot
            with self._changed:
                if self._is_lent_out or self._is_full:
                    self._changed.wait(_LOOK_AGAIN_SECONDS)

    def take_now(self, profile: Profile) -> Slot | None:
        """A slot for one execution, armed; None while all are busy."""
        with self._changed:
            if self._closed:
                raise MachineryError("the sandbox is closed")
            if self._is_lent_out:
                return None
            self._is_hurried = time.monotonic() - self._given_back_at < _HURRY_SECONDS
            self._collect_dead()
            idle = self._idle.get(profile)
            if idle:
                self._idle.move_to_end(profile)
                slot = _best(idle)
                idle.remove(slot)
                self._busy.add(slot)
                return slot
            if self._count >= self._most + _waiting_of(profile) and not self._evict():
                return None
            self._begin_making()
            self._promised += 1
        try:
            slot = self._make(profile)
            with self._changed:
                self._busy.add(slot)
            return slot
        finally:
            with self._changed:
                self._promised -= 1
                self._end_making()

    def give_back(self, slot: Slot, hurry: bool | None = None) -> None:
        """After an execution that went as it should: arm it again, or replace an old one.

        Whether the next request will come in a hurry is guessed when nobody knows.
        """
        slot.executions += 1
        self._given_back_at = time.monotonic()
        if slot.kept_waiting:
            self._count_wait(slot.profile)
        if slot.executions >= self.recycle_after:
            self.discard(slot)
            return
        try:
            slot.arm(self.limits.output_bytes, self._is_hurried if hurry is None else hurry)
        except MachineryError:
            self.discard(slot)
            return
        self.put_idle(slot)

    def put_idle(self, slot: Slot) -> None:
        """Give back a slot that is armed, used or not."""
        with self._changed:
            if self._closed:
                self._bury(slot)
                return
            self._busy.discard(slot)
            self._idle.setdefault(slot.profile, deque()).append(slot)
            self._changed.notify()

    def discard(self, slot: Slot) -> None:
        """After any doubt: the slot goes, with everything in it."""
        with self._changed:
            self._bury(slot)
            self._changed.notify()

    @property
    def _is_lent_out(self) -> bool:
        return len(self._busy) + self._promised >= self.capacity

    @property
    def _is_full(self) -> bool:
        return not any(self._idle.values()) and self._count >= self._most

    def state(self) -> Mapping[str, int]:
        """How many slots there may be, and how many wait, work and are being made."""
        with self._changed:
            return {
                "capacity": self.capacity,
                "idle": sum(map(len, self._idle.values())),
                "busy": len(self._busy),
                "starting": self._in_the_making,
            }

    def warm(self, profile: Profile) -> None:
        """Have every slot of a profile booted before the first request."""
        for slot in [self.take(profile) for _ in range(self.capacity)]:
            self.put_idle(slot)

    def close(self) -> None:
        """End all slots and wait until nothing of them is left; who is using one loses it."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            for slot in (*self._busy, *self._booting):
                slot.cut_lifeline()
            while self._in_the_making:
                self._changed.wait()
            busy = list(self._busy)
            for slots in self._idle.values():
                while slots:
                    self._bury(slots.popleft())
            dying, self._dying = self._dying, []
        for slot in (*dying, *busy):
            has_namespaces = slot.profile.tier is IsolationTier.NAMESPACES
            slot.wait_gone(_CLOSING_SECONDS if has_namespaces else _DISK_CLOSING_SECONDS)

    def _count_wait(self, profile: Profile) -> None:
        """A request was there before its spare; when that has cost enough, get one slot more."""
        with self._changed:
            self._waits += 1
            if self._closed or self._waits != _WAITS_WORTH_A_SLOT:
                return
            self._most = self.capacity + 1
            self._begin_making()
        threading.Thread(target=self._make_reserve, args=(profile,), daemon=True).start()

    def _make_reserve(self, profile: Profile) -> None:
        try:
            self.put_idle(self._make(profile))
        except ReverieError:
            return  # it is for speed only; who needs a slot will hear why there is none
        finally:
            with self._changed:
                self._end_making()

    def _begin_making(self) -> None:
        self._count += 1
        self._in_the_making += 1

    def _end_making(self) -> None:
        self._in_the_making -= 1
        self._changed.notify_all()

    def _make(self, profile: Profile) -> Slot:
        slot = None
        try:
            slot = Slot(profile, self.site, self.limits)
            with self._changed:
                self._booting.add(slot)
                if self._closed:
                    raise MachineryError("the sandbox is closed")
            slot.await_boot()
            slot.arm(self.limits.output_bytes)
            with self._changed:
                self._booting.discard(slot)
        except BaseException as error:
            with self._changed:  # whatever it was, a slot that is counted has to be usable
                if slot is None:
                    self._count -= 1
                else:
                    self._bury(slot)
            if isinstance(error, OSError):
                raise IsolationUnavailable(f"cannot start a slot: {error}") from error
            raise
        return slot

    def _evict(self) -> bool:
        """Make room by ending the idle slot of the profile used longest ago."""
        for slots in self._idle.values():
            if slots:
                self._bury(slots.popleft())
                return True
        return False

    def _bury(self, slot: Slot) -> None:
        self._busy.discard(slot)
        self._booting.discard(slot)
        slot.close()
        self._dying.append(slot)
        self._count -= 1

    def _collect_dead(self) -> None:
        self._dying = [slot for slot in self._dying if not slot.is_gone()]


def _best(idle: deque[Slot]) -> Slot:
    """Of those that are ready the one used last, which is still in the caches of the machine;
    of those that are not the one that had the most time to get ready."""
    if len(idle) == 1:
        return idle[0]
    return next((slot for slot in reversed(idle) if slot.is_ready()), idle[0])


def _waiting_of(profile: Profile) -> int:
    """Without namespaces a slot shows its own folder: the same request should meet the same one."""
    return _MORE_WAITING if profile.tier is IsolationTier.NAMESPACES else 0
