"""A clock that stands still where tests look, while the monotonic clock goes on.

`time.time` and its like are replaced once, before conftest files and tests are imported, so a
`from time import time` in them is covered; what pytest imported earlier keeps the real clock.
`datetime` is the same class as ever: its `now` and `utcnow` are exchanged inside the class, so
`isinstance`, pickles, and names imported at any time hold.

Where time-machine is installed it does the work: it writes into C functions, and would crash the
interpreter on finding Python ones in their place.
"""

import ctypes
import gc
import importlib.util
import sys
import threading
import time
import warnings
from datetime import datetime, timezone
from time import CLOCK_REALTIME, struct_time
from typing import Any

UTC = timezone.utc  # noqa: UP017  targets may be of Python 3.10

real_time_ns = time.time_ns  # for events: this module is imported before anything is replaced

READS_OF_ONE_TEST = 200_000
_READS_PER_SLEPT_SECOND = 4_000
_NS = 1_000_000_000
_REPLACED = (
    "time",
    "time_ns",
    "localtime",
    "gmtime",
    "ctime",
    "asctime",
    "strftime",
    "clock_gettime",
    "clock_gettime_ns",
    "sleep",
)


class ClockStandsStill(RuntimeError):
    """A test that waits for a frozen clock to move would wait for ever."""


class Clock:
    """What stands in the place of the time functions; bound methods, so they bind to no class."""

    def __init__(self) -> None:
        self._real = {name: getattr(time, name) for name in _REPLACED}
        self._now = datetime.__dict__["now"]
        self._utcnow = datetime.__dict__["utcnow"]
        self._instant: float | None = None
        self._frozen_ns: int | None = None
        self._reads_left = READS_OF_ONE_TEST

    def __reduce__(self) -> str:
        return "clock"  # one per process, also after pickling or a deep copy

    def install(self) -> None:
        """Put the functions in place; without effect until `freeze`."""
        for name in _REPLACED:
            setattr(time, name, getattr(self, name))
        clock = self

        def now(cls: type[datetime], tz: Any = None) -> datetime:
            if clock._frozen_ns is None:
                return clock._now.__get__(None, cls)(tz)  # type: ignore[no-any-return]
            return cls.fromtimestamp(clock.time(), tz)

        def utcnow(cls: type[datetime]) -> datetime:
            if sys.version_info >= (3, 12):
                warnings.warn(
                    "datetime.datetime.utcnow() is deprecated and scheduled for removal in a "
                    "future version. Use timezone-aware objects to represent datetimes in UTC: "
                    "datetime.datetime.now(datetime.UTC).",
                    DeprecationWarning,
                    stacklevel=2,
                )
            return cls.fromtimestamp(clock.time(), UTC).replace(tzinfo=None)

        _exchange({"now": classmethod(now), "utcnow": classmethod(utcnow)})

    def uninstall(self) -> None:
        """Take everything back."""
        for name, function in self._real.items():
            setattr(time, name, function)
        _exchange({"now": self._now, "utcnow": self._utcnow})

    def freeze(self, instant: float | None) -> float | None:
        """Stand still at an instant, or go on (`None`); returns what was in force before."""
        before, self._instant = self._instant, instant
        self._frozen_ns = None if instant is None else int(instant * _NS)
        return before

    def grant_reads(self) -> None:
        """A new test may look at the clock as often as the one before."""
        self._reads_left = READS_OF_ONE_TEST

    def time_ns(self) -> int:
        """The frozen instant, or the real time."""
        if self._frozen_ns is None:
            return self._real["time_ns"]()  # type: ignore[no-any-return]
        self._reads_left -= 1
        if self._reads_left < 0:
            raise ClockStandsStill(
                "the test keeps looking at a clock that stands still; mark it @pytest.mark.clock, "
                "or set FREEZE_TIME=0"
            )
        return self._frozen_ns

    def time(self) -> float:
        """Seconds since the epoch."""
        return self._real["time"]() if self._frozen_ns is None else self.time_ns() / _NS

    def localtime(self, secs: Any = None, /) -> struct_time:
        """Local time, of now if nothing is given."""
        return self._real["localtime"](self.time() if secs is None else secs)  # type: ignore[no-any-return]

    def gmtime(self, secs: Any = None, /) -> struct_time:
        """UTC, of now if nothing is given."""
        return self._real["gmtime"](self.time() if secs is None else secs)  # type: ignore[no-any-return]

    def ctime(self, secs: Any = None, /) -> str:
        """Local time as text, of now if nothing is given."""
        return self._real["ctime"](self.time() if secs is None else secs)  # type: ignore[no-any-return]

    def asctime(self, *given: Any) -> str:
        """A time as text, of now if nothing is given."""
        return self._real["asctime"](*(given or (self.localtime(),)))  # type: ignore[no-any-return]

    def strftime(self, form: Any, *given: Any) -> str:
        """A time in a form, of now if nothing is given."""
        return self._real["strftime"](form, *(given or (self.localtime(),)))  # type: ignore[no-any-return]

    def clock_gettime(self, which: int, /) -> float:
        """A clock of the system; only the wall clock stands still."""
        if which == CLOCK_REALTIME:
            return self.time()
        return self._real["clock_gettime"](which)  # type: ignore[no-any-return]

    def clock_gettime_ns(self, which: int, /) -> int:
        """A clock of the system; only the wall clock stands still."""
        if which == CLOCK_REALTIME:
            return self.time_ns()
        return self._real["clock_gettime_ns"](which)  # type: ignore[no-any-return]

    def sleep(self, seconds: Any, /) -> None:
        """Sleep for real; a test that sleeps between its looks at the clock has fewer of them."""
        self._real["sleep"](seconds)
        if threading.current_thread() is threading.main_thread():
            self._reads_left -= int(float(seconds) * _READS_PER_SLEPT_SECOND)


class TimeMachineClock:
    """The same by time-machine."""

    def __init__(self) -> None:
        self._instant: float | None = None
        self._travel: Any = None

    def install(self) -> None:
        """Nothing to put in place."""

    def uninstall(self) -> None:
        """Go on."""
        self.freeze(None)

    def freeze(self, instant: float | None) -> float | None:
        """Stand still at an instant, or go on (`None`); returns what was in force before."""
        import time_machine  # type: ignore[import-not-found,unused-ignore]

        before = self._instant
        if self._travel is not None:
            self._travel.stop()
            self._travel = None
        self._instant = instant
        if instant is not None:
            self._travel = time_machine.travel(instant, tick=False)
            self._travel.start()
        return before

    def grant_reads(self) -> None:
        """Looks are not counted."""


def _exchange(methods: dict[str, Any]) -> None:
    """Write into the dictionary of a class that does not let itself be written to."""
    (inside,) = gc.get_referents(datetime.__dict__)
    inside.update(methods)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(datetime))


clock: Clock | TimeMachineClock = (
    Clock() if importlib.util.find_spec("_time_machine") is None else TimeMachineClock()
)
