"""Entry of the program: load one version, call it, and tell what it reached for.

Origins are told as they are: what they mean is for the table outside to say.
"""

import collections
import itertools
import signal
import sys
from typing import Any

from reverie.instruments.equivalence.inside.versions import Version

_MOST = 2000
_MOST_FRAMES = 60
_ITEMS = 50
_WAITING = 5.0
"""How many times its CPU time a call may take on the wall."""
_DEEP = (
    "open", "socket.", "subprocess.", "os.", "ctypes.", "urllib.", "http.", "shutil.", "sqlite3.",
    "tempfile.", "pty.", "ftplib.", "smtplib.", "fcntl.", "mmap.", "signal.", "resource.",
)  # fmt: skip
"""Events that count from however far below the code under test they come."""
_QUIET = (
    "import", "compile", "exec", "marshal.", "sys.setprofile", "sys.addaudithook", "sys._getframe",
)  # fmt: skip
"""Events of every import, and of the recorder itself; calls of these functions are seen as such."""
_FRAME = sys._getframe
_PROFILE = sys.setprofile
_PLANT = "import os\nos.getpid()\n"
"""What the recorder has to see after everything else: then nobody has stopped it."""


class _OutOfTime(BaseException):
    """A call that took too long."""


class Recorder:
    """Notes which names the code of some folders calls, and what is asked of the system below."""

    def __init__(self, path: str, roots: "list[str]", plant: str) -> None:
        self._paths = (path, plant)
        self._roots = tuple(f"{root}/" for root in roots)
        self.found: dict[tuple[str, str, str], int] = {}
        self.is_on = False

    def start(self) -> None:
        """From now on; an audit hook cannot be taken away again."""
        sys.addaudithook(self._audit)
        self.resume()

    def resume(self) -> None:
        """Again: a call that runs out of time or stack may end while something is being noted."""
        self.is_on = True
        _PROFILE(self._profile)

    def stop(self) -> None:
        """No more, and nothing of what follows."""
        _PROFILE(None)
        self.is_on = False

    def _is_own(self, frame: Any) -> bool:
        name = frame.f_code.co_filename
        return name in self._paths or name.startswith(self._roots)

    def _note(self, origin: str, frame: Any) -> None:
        when = "import" if self._is_importing(frame) else "call"
        key = (when, origin, frame.f_code.co_filename)
        if len(self.found) < _MOST:
            self.found.setdefault(key, frame.f_lineno or 0)

    def _profile(self, frame: Any, event: str, given: Any) -> None:
        if not self.is_on:
            return
        self.is_on = False  # looking at frames is an event as well
        if event == "c_call" and self._is_own(frame):
            self._note(_name_of(given), frame)
        elif event == "call" and frame.f_back is not None and self._is_own(frame.f_back):
            module = str(frame.f_globals.get("__name__", ""))
            if not self._is_own(frame) and not module.startswith("importlib._bootstrap"):
                self._note(_python_name(frame, module), frame.f_back)
        self.is_on = True

    def _is_importing(self, frame: Any) -> bool:
        while frame is not None:
            if frame.f_code.co_name == "<module>" and self._is_own(frame):
                return True
            frame = frame.f_back
        return False

    def _audit(self, event: str, given: "tuple[Any, ...]") -> None:
        if not self.is_on or event.startswith(_QUIET):
            return
        self.is_on = False
        try:
            owner = self._owner(_FRAME(1), event.startswith(_DEEP))
            if owner is not None:
                self._note(f"event {event}", owner)
        finally:
            self.is_on = True

    def _owner(self, frame: Any, is_deep: bool) -> Any:
        """The nearest frame of the code under test; None below an import, which is no look."""
        for _ in range(_MOST_FRAMES if is_deep else 1):
            if frame is None or frame.f_code.co_filename.startswith("<frozen importlib"):
                return None
            if self._is_own(frame):
                return frame
            frame = frame.f_back
        return None


def _python_name(frame: Any, module: str) -> str:
    """The name of a function of Python; of a method, with the class of its object."""
    code = frame.f_code
    if code.co_argcount and code.co_varnames[0] == "self":
        kind = type(frame.f_locals.get("self"))
        return f"{kind.__module__}.{kind.__qualname__}.{code.co_name}"
    return f"{module}.{getattr(code, 'co_qualname', code.co_name)}"


def _name_of(called: Any) -> str:
    """The name of a function of C, with its module or its class."""
    name = str(getattr(called, "__qualname__", ""))
    owner = getattr(called, "__self__", None)
    module = getattr(called, "__module__", None)
    if not module and owner is not None:
        kind = owner if isinstance(owner, type) else type(owner)
        module = getattr(kind, "__module__", "")
    return f"{module}.{name}"


def record(**order: Any) -> "list[list[Any]]":
    """Every name that was reached, with when, where, and the line."""
    signal.signal(signal.SIGPROF, _ring)
    signal.signal(signal.SIGALRM, _ring)
    (document,) = order["versions"]
    recorder = Recorder(document["path"], document["roots"], order["plant"])
    recorder.start()
    try:
        version = Version(document, False)
        version.enter()
        for steps in order["scenarios"]:
            for step in steps:
                _perform(version, step, order["step_seconds"])
                recorder.resume()
        plant = compile(_PLANT, order["plant"], "exec")
        exec(plant, {"__name__": "plant"})  # noqa: S102  inside the sandbox, this is the job
    finally:
        recorder.stop()
    return [[*key, line] for key, line in recorder.found.items()]


def _ring(number: int, frame: Any) -> None:
    raise _OutOfTime


def _perform(version: "Version", step: "dict[str, Any]", seconds: float) -> None:
    """One call; what comes of it is another instrument's business.

    CPU time counts, so that a busy machine cuts no call short on one side only; one that waits
    is ended as well, much later.
    """
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, _WAITING * seconds)
    try:
        _drain(_call(version, step))
    except (Exception, _OutOfTime):  # noqa: BLE001  what it reached is noted all the same
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)


def _call(version: "Version", step: "dict[str, Any]") -> Any:
    names = dict(version.module.__dict__)
    exec(compile(step["preamble"], "<arguments>", "exec"), names)  # noqa: S102
    args = [eval(each, names) for each in step["args"]]
    kwargs = {name: eval(each, names) for name, each in step["kwargs"]}
    entry = step["callee"] or version.entry
    if step["receiver"] is None:
        return version.find(entry)(*args, **kwargs)
    receiver = eval(step["receiver"], names)
    found = getattr(receiver, entry.rpartition(".")[2])
    return found if step["is_property"] else found(*args, **kwargs)


def _drain(result: Any) -> None:
    """What is lazy does its work when it is asked for it."""
    if hasattr(result, "send") and hasattr(result, "close") and not hasattr(result, "__next__"):
        result.send(None)
    elif hasattr(result, "__next__"):
        collections.deque(itertools.islice(result, _ITEMS), maxlen=0)
