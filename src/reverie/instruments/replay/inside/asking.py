"""One call on one version, in a fork that tells what came of it and ends."""

import contextlib
import gc
import hashlib
import inspect
import io
import json
import os
import random
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from types import CellType, FunctionType
from typing import Any

from reverie.instruments.equivalence.inside.canon import Canon

from .given import Given

_SHOWN = 240
_WALL_TIMES = 12.0
_MOST_ITEMS = 2000
_DEEPEST = 6
"""Of what a call is given: far from it little can be the call's doing, and much may lie there."""
_MISFITS = (TypeError, AttributeError)
Answer = dict[str, Any]


def ask_each(
    act: "Callable[[Any], Answer]", tasks: "Sequence[Any]", seconds: float
) -> "Iterator[Answer | None]":
    """What `act` says of each task in forks; None of one that ended its fork or took too long.

    A fork does one task after the other as long as an answer says that all is as it was before.
    """
    left = list(tasks)
    while left:
        answers = ask(act, left, seconds)
        yield from answers
        left = left[len(answers) :]


def ask(
    act: "Callable[[Any], Answer]", tasks: "list[Any]", seconds: float
) -> "list[Answer | None]":
    """Answers of one fork: to some of the tasks, at least to one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            gc.disable()  # it would go through pages that are shared as long as nobody does
            os.close(reading)
            _work(act, tasks, writing, seconds)
        finally:
            os._exit(0)
    os.close(writing)
    try:
        data = _read(reading, _WALL_TIMES * seconds)
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    answers = [_answer(line) for line in data.split(b"\n")[:-1]][: len(tasks)]
    is_told = bool(answers) and answers[-1] is not None and not answers[-1].get("goes_on")
    return answers if is_told or len(answers) == len(tasks) else [*answers, None]


def _work(act: "Callable[[Any], Answer]", tasks: "list[Any]", pipe: int, seconds: float) -> None:
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0)
    sys.settrace(None)
    sys.setprofile(None)
    for task in tasks:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            answer = act(task)
        except Exception as error:  # noqa: BLE001  ours: what the code raises is an answer
            answer = {"unfit": f"{type(error).__name__}: {error}"[:_SHOWN]}
        data = json.dumps(answer).encode() + b"\n"
        while data:
            data = data[os.write(pipe, data) :]
        if not answer.get("goes_on"):
            return


def _answer(line: bytes) -> "Answer | None":
    try:
        found: Answer = json.loads(line)
    except ValueError:
        return None
    return found


def _read(pipe: int, seconds: float) -> bytes:
    """Everything, to the end or until nothing has come for so long."""
    parts: list[bytes] = []
    while True:
        ready, _, _ = select.select([pipe], [], [], seconds)
        part = os.read(pipe, 1 << 16) if ready else b""
        if not part:
            return b"".join(parts)
        parts.append(part)


class Observer:
    """Calls a function and tells what can be seen of it."""

    def __init__(self, own: "tuple[str, ...]", forgotten: "frozenset[str]", path: str) -> None:
        self.own = own
        self.forgotten = forgotten
        self.path = path
        self.raising: set[int] = set()
        """Lines of the version on which a `raise` or `assert` stands."""

    def observe(
        self,
        code: Any,
        space: "dict[str, Any]",
        given: Given,
        watched: "list[str]",
        tracer: Any = None,
    ) -> Answer:
        """The result or the error, what is left in the arguments and around, and what was said."""
        cells = {name: CellType(value) for name, value in given.around.items()}
        try:
            closure = tuple(cells[name] for name in code.co_freevars)
        except KeyError as error:
            return {"unfit": f"{error} is not around it"}
        function = FunctionType(code, space, code.co_name, None, closure)
        args, kwargs = given.args, given.kwargs
        said = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = out, err = io.StringIO(), io.StringIO()
        random.seed(1)
        is_misfit = False
        try:
            sys.settrace(tracer)
            value = function(*args, **kwargs)
            if inspect.iscoroutine(value):
                value = _driven(value)
            outcome, text = "returned", self._text(value)
        except BaseException as error:  # noqa: BLE001  it is the code under test that raises
            outcome, text = "raised", f"{type(error).__module__}.{type(error).__qualname__}"
            is_misfit = self._is_misfit(error)
        finally:
            sys.settrace(None)
            sys.stdout, sys.stderr = said
        parts = [f"{outcome} {text}"]
        parts += [f"{place}: {self._text(each)}" for place, each in enumerate(args)]
        parts += [f"{name}: {self._text(each)}" for name, each in kwargs.items()]
        parts += [f"{name}: {self._held(cell)}" for name, cell in sorted(cells.items())]
        parts += [f"{name}: {self._text(space.get(name))}" for name in watched]
        parts += [out.getvalue(), err.getvalue()]
        whole = "\n".join(parts)
        return {
            "outcome": outcome if outcome == "returned" else f"{outcome} {text}",
            "digest": hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest(),
            "parts": [each[:_SHOWN] for each in parts],
            "marks": [hash(each) for each in parts],
            "misfit": is_misfit,
        }

    def state(self, given: Given, space: "dict[str, Any]", watched: "list[str]") -> "str | None":
        """What a call finds, in a few characters; None with an iterator, which shows no state."""
        values = [*given.args, *given.kwargs.values(), *given.around.values()]
        values += [space.get(name) for name in watched]
        text = "\n".join(self._text(each, draws=False) for each in values)
        if "<iterator " in text:
            return None
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    def _text(self, value: Any, draws: bool = True) -> str:
        canon = Canon(
            self.own,
            draws=draws,
            most_items=_MOST_ITEMS,
            deepest=_DEEPEST,
            private=self._is_seen,
        )
        try:
            return canon.text(value)
        except Exception as error:  # noqa: BLE001  a `repr` of the code under test
            return f"unreadable: {type(error).__name__}"

    def _held(self, cell: CellType) -> str:
        try:
            return self._text(cell.cell_contents)
        except ValueError:
            return "nothing"

    def _is_seen(self, name: str) -> bool:
        return not name.startswith("__") and name not in self.forgotten

    def _is_misfit(self, error: BaseException) -> bool:
        """Whether an operation met a value that it does not know, and nobody raised it."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        is_own = trace is not None and trace.tb_frame.f_code.co_filename == self.path
        if is_own and trace is not None and trace.tb_lineno in self.raising:
            return False
        is_unpacking = isinstance(error, ValueError) and "values to unpack" in str(error)
        return isinstance(error, _MISFITS) or is_unpacking


def _driven(coroutine: Any) -> Any:
    """What a coroutine returns that waits for nothing."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise RuntimeError("it waits for something")
