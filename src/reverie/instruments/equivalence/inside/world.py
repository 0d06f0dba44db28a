"""The world that both versions meet alike: clock, chance, output, files, and what they did.

The clock stands still during a call and moves on between calls, so that a cache over it shows
and the number of looks at it does not. `sleep` moves it. The monotonic clocks are real.
"""

import datetime
import hashlib
import io
import os
import random
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

_BETWEEN_CALLS = 100_003.5
_MOST_EFFECTS = 400
_WATCHED = {
    "os.remove": 1,
    "os.rename": 2,
    "os.mkdir": 1,
    "os.rmdir": 1,
    "os.truncate": 1,
    "os.chmod": 1,
    "os.symlink": 2,
    "os.putenv": 2,
    "os.system": 1,
    "subprocess.Popen": 2,
    "socket.connect": 2,
}


class World:
    """Set before every call, read after it."""

    def __init__(self, uses_files: bool, files: "dict[str, str]", epoch: float) -> None:
        self.now = self._epoch = epoch
        self.effects: list[tuple[str, str]] = []
        self.uses_files = uses_files
        self.files = files
        self.is_watching = False
        self.home = os.path.join(os.environ["TMPDIR"], "work")
        self._first = dict(os.environ)
        self.environment = self._first
        self._random = random.Random(0)
        self._install()

    def _install(self) -> None:
        time.sleep = self._sleep  # type: ignore[assignment]
        time.time = lambda: self.now
        time.time_ns = lambda: int(self.now * 1_000_000_000)
        for name in ("gmtime", "localtime"):
            setattr(time, name, self._told_now(getattr(time, name)))
        formatted = time.strftime
        time.strftime = lambda form, *given: formatted(form, *(given or (time.localtime(),)))
        warnings.formatwarning = _said  # type: ignore[assignment]
        os.urandom = self._bytes
        random._urandom = self._bytes  # type: ignore[attr-defined]
        _install_dates(self)
        if self.uses_files:
            sys.addaudithook(self._audit)

    def _told_now(self, original: "Callable[..., Any]") -> "Callable[..., Any]":
        return lambda seconds=None: original(self.now if seconds is None else seconds)

    def _sleep(self, seconds: float) -> None:
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self.now += seconds

    def _bytes(self, count: int) -> bytes:
        return self._random.randbytes(count)

    def begin(self, turn: int) -> None:
        """Before a call: the turn decides the time and all chance."""
        self.now = self._epoch + turn * _BETWEEN_CALLS
        self.effects = []
        self._random.seed(turn)
        random.seed(turn)
        numpy = sys.modules.get("numpy")
        if numpy is not None:
            numpy.random.seed(turn)
        tempfile._name_sequence = iter(_temporary_names())  # type: ignore[attr-defined]
        self.output = sys.stdout = _tap(self, "stdout")
        self.errors = sys.stderr = _tap(self, "stderr")
        self.is_watching = True

    def end(self) -> None:
        """After a call: nothing is recorded any more."""
        self.is_watching = False
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__

    def clean(self, zone: str = "") -> None:
        """A fresh folder to work in and the environment as it was, perhaps in another zone."""
        self.environment = self._first | ({"TZ": zone} if zone else {})
        if dict(os.environ) != self.environment:
            os.environ.clear()
            os.environ.update(self.environment)
            time.tzset()
        if not self.uses_files:
            return
        os.chdir("/")
        shutil.rmtree(self.home, ignore_errors=True)
        for name, text in self.files.items():
            path = os.path.join(self.home, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        os.makedirs(self.home, exist_ok=True)
        os.chdir(self.home)

    def note(self, kind: str, text: str) -> None:
        """Remember something that was done; text to one stream flows together."""
        if not self.is_watching or len(self.effects) >= _MOST_EFFECTS:
            return
        if kind in ("stdout", "stderr") and self.effects and self.effects[-1][0] == kind:
            self.effects[-1] = (kind, self.effects[-1][1] + text)
        else:
            self.effects.append((kind, text))

    def ordered_effects(self) -> "list[list[str]]":
        """What was done, in order, where an order can show: items that came alone are no effect."""
        kinds = {kind for kind, _ in self.effects}
        is_worth_telling = len(kinds) > 1 or kinds & {"call", "file"}
        return (
            [list(each) for each in self.effects] if is_worth_telling and kinds != {"item"} else []
        )

    def stream(self, kind: str) -> str:
        """Everything written to one stream."""
        return "".join(text for each, text in self.effects if each == kind)

    def state(self) -> str:
        """Files and environment as they are now, where they differ from the start."""
        changed = sorted(set(os.environ.items()) ^ set(self.environment.items()))
        return "".join(f"{name}={value!r} " for name, value in changed) + self._tree()

    def _tree(self) -> str:
        if not self.uses_files:
            return ""
        found = []
        for folder, folders, names in os.walk(self.home):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                relative = os.path.relpath(path, self.home)
                found.append(f"{relative}:{_digest(path)}")
            found += [
                f"{os.path.relpath(os.path.join(folder, each), self.home)}/" for each in folders
            ]
        here = os.path.relpath(os.getcwd(), self.home)
        return " ".join(found) + (f" in {here}" if here != "." else "")

    def _audit(self, event: str, given: "tuple[Any, ...]") -> None:
        if not self.is_watching:
            return
        if event == "open":
            path, mode, flags = given
            is_written = (
                any(each in mode for each in "wax+")
                if isinstance(mode, str)
                else bool(flags & (os.O_WRONLY | os.O_RDWR))
            )
            if is_written and not isinstance(path, int):
                self.note("file", f"write {os.fspath(path)!r}")
        elif event in _WATCHED:
            self.note("file", f"{event} {given[: _WATCHED[event]]!r}")


class _Tap(io.RawIOBase):
    def __init__(self, write: "Callable[[str], None]") -> None:
        self._note = write

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._note(bytes(data).decode("utf-8", "surrogatepass"))
        return len(data)


def _said(message: object, category: type, *_: object) -> str:
    """A warning without the line that it was given in: that is another one in another text."""
    return f"{category.__name__}: {message}\n"


def _tap(world: World, kind: str) -> io.TextIOWrapper:
    raw = _Tap(lambda text: world.note(kind, text))
    return io.TextIOWrapper(
        raw,  # type: ignore[arg-type]
        encoding="utf-8",
        errors="surrogatepass",
        newline="\n",
        write_through=True,
    )


def _temporary_names() -> "Iterator[str]":
    return (f"t{number}" for number in range(1_000_000))


def _digest(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read(1 << 22)).hexdigest()[:16]
    except OSError as error:
        return type(error).__name__


def _install_dates(world: World) -> None:
    """`now` and `today` of the datetime classes follow the world's clock."""

    class _Told(type):
        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, cls.__mro__[1])

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, cls.__mro__[1])

    class Date(datetime.date, metaclass=_Told):
        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(world.now)

    class DateTime(datetime.datetime, metaclass=_Told):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return cls.fromtimestamp(world.now, tz)

        @classmethod
        def utcnow(cls) -> Any:
            utc = datetime.timezone.utc  # noqa: UP017  targets may be of Python 3.10
            return cls.fromtimestamp(world.now, utc).replace(tzinfo=None)

        @classmethod
        def today(cls) -> Any:
            return cls.fromtimestamp(world.now)

    for name, kind in (("date", Date), ("datetime", DateTime)):
        kind.__name__ = kind.__qualname__ = name
        kind.__module__ = "datetime"
        setattr(datetime, name, kind)
