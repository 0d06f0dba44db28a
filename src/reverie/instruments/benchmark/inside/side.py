"""One side of the comparison: loads its callable and does what the watch tells it to.

Whether two processes hold the same values is asked cheaply at first, and thoroughly where that
says no.
"""

import asyncio
import functools
import gc
import hashlib
import importlib
import importlib.util
import inspect
import marshal
import math
import os
import random
import resource
import signal
import sys
import time
import tracemalloc
import types
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

_ITEMS = 10_000
_TEXT_CHARACTERS = 400
_TEXT_TYPES = (bool, int, str, bytes, complex, type(None), type(Ellipsis), range, slice)


class _Raised:
    """What a call raised, in the place of what it returned."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f"raised {type(self.error).__name__}: {self.error}"


def _quick_digest(values: Any) -> "str | None":
    """Equal digests are equal values; unequal ones may only be ordered differently inside."""
    try:
        # Version 0 neither shares references nor marks interned strings: the value alone counts.
        return hashlib.sha256(marshal.dumps(values, 0)).hexdigest()
    except (ValueError, RecursionError):
        return None


def _thorough_digest(value: Any) -> str:
    """The same for values that `==` would call equal, of classes with the same name."""
    try:
        text = _structure(value, ())
    except RecursionError:
        text = f"too deep: {type(value).__qualname__}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _structure(value: Any, outer: "tuple[int, ...]") -> str:
    kind, name = type(value), type(value).__qualname__
    if kind in _TEXT_TYPES:
        return f"{name}:{value!r}"
    if kind is float:
        return "float:nan" if math.isnan(value) else f"float:{value + 0.0!r}"
    if id(value) in outer:
        return f"cycle:{outer.index(id(value))}"
    outer = (*outer, id(value))
    if kind in (list, tuple, deque):
        return f"{name}[{_joined(value, outer)}]"
    if kind in (set, frozenset):
        return f"{name}[{','.join(sorted(_structure(item, outer) for item in value))}]"
    if kind is dict:
        return f"dict[{_sorted_pairs(value.items(), outer)}]"
    if kind is _Raised:
        # Where the stack came to its end is told in its words, and is nobody's promise.
        args = () if type(value.error) is RecursionError else value.error.args
        return f"raised:{type(value.error).__qualname__}[{_joined(args, outer)}]"
    if isinstance(value, type) or (callable(value) and hasattr(value, "__qualname__")):
        return f"{name}:{value.__qualname__}"
    if hasattr(value, "__next__"):
        return f"iterator[{_joined(islice(value, _ITEMS), outer)}]"
    return _reduced(value, name, outer)


def _reduced(value: Any, name: str, outer: "tuple[int, ...]") -> str:
    """Any other object: by what its copy would be made from."""
    try:
        parts = value.__reduce_ex__(4)
    except Exception:  # noqa: BLE001  whatever it raises, the type alone is compared then
        return f"opaque:{name}"
    if isinstance(parts, str):
        return f"{name}:{parts}"
    made, arguments, state, items, pairs = (*parts, None, None, None)[:5]
    if type(state) is dict:
        state = {key: each for key, each in state.items() if not _is_kept_answer(type(value), key)}
    text = f"{name}:{_structure(made, outer)}[{_joined(arguments, outer)}]"
    text += f"{_structure(state, outer)}[{_joined(items or (), outer)}]"
    return f"{text}[{_sorted_pairs(pairs or (), outer)}]"


def _is_kept_answer(kind: type, name: object) -> bool:
    """Whether an attribute is only kept there: whoever asks gets it from the rest as well."""
    found = inspect.getattr_static(kind, name, None) if isinstance(name, str) else None
    return isinstance(found, functools.cached_property)


def _joined(items: "Iterable[Any]", outer: "tuple[int, ...]") -> str:
    return ",".join(_structure(item, outer) for item in items)


def _sorted_pairs(pairs: "Iterable[tuple[Any, Any]]", outer: "tuple[int, ...]") -> str:
    return ",".join(
        sorted(f"{_structure(key, outer)}={_structure(item, outer)}" for key, item in pairs)
    )


def _short_text(value: Any) -> str:
    try:
        text = repr(value)
    except Exception as error:  # noqa: BLE001  a `repr` of the code under test
        text = f"<{type(value).__qualname__}: {type(error).__name__}>"
    cut = text if len(text) <= _TEXT_CHARACTERS else f"{text[:_TEXT_CHARACTERS]}…"
    return cut.encode("utf-8", "replace").decode()


_usage, _SELF = resource.getrusage, resource.RUSAGE_SELF
_MOST_FIT_SECONDS = 0.5
_WHOLE = 1_000_000
_SEEDS = 1 << 32
"""How many of them numpy knows."""


class _GivenUp(BaseException):
    """A call takes too long for arguments of a few items."""


def _give_up(*_: Any) -> None:
    raise _GivenUp


class _Side:
    """A callable with a batch of calls that are made ready, made, and looked at."""

    def __init__(self, target: "dict[str, Any]", inputs: "dict[str, Any]") -> None:
        self.target = target
        self.inputs = inputs
        self.call: Callable[..., Any] = _nothing
        self.make: Callable[[int, int], Any] = _nothing
        self.batch: list[Any] = []
        self.results: list[Any] = []
        self.waits = 0
        """How often the last batch waited of its own accord; being pushed aside is not that."""
        self.clock = _Clock(target.get("watched", []))
        self.is_lazy = False
        """Whether calls give iterators: exhausted within the call, and never equal to a list."""

    def load(self) -> "dict[str, Any]":
        """Import the module and find the callable."""
        module, found = _reach(self.target)
        if not callable(found):
            raise TypeError(f"{self.target['attribute']!r} is not callable")
        self.is_lazy = inspect.isgeneratorfunction(found)
        self.call = _finishing(found)
        self.make = _maker(self.inputs, module)
        return {}

    def fit(self, seed: int, calls: int, size: int) -> "dict[str, Any]":
        """What each way to make arguments costs in nanoseconds; -1 where most calls raise.

        Where something is watched, it is the share of that, in millionths, and -1 where calls
        never come there.
        """
        of = len(self.inputs["sources"])
        seed -= seed % of  # the seed says which way is taken
        signal.signal(signal.SIGVTALRM, _give_up)
        found = [self._cost([seed + way + of * each for each in range(calls)], size)
                 for way in range(of)]  # fmt: skip
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        return {"costs": found}

    def _cost(self, seeds: "list[int]", size: int) -> int:
        spent, raised = 0, 0
        for seed in seeds:
            signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_FIT_SECONDS)
            try:
                args, kwargs = self._made(size, seed)
                began = time.thread_time_ns()
                with self.clock:
                    result = self.call(*args, **kwargs)
                    if _is_unfinished(result):
                        list(result)
                spent += time.thread_time_ns() - began
            except (Exception, _GivenUp):  # noqa: BLE001  whatever it raises
                raised += 1
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        inside = self.clock.take()
        if 2 * raised >= len(seeds):
            return -1
        return max(-1, inside * _WHOLE // max(spent, 1)) if self.clock.watched else spent

    def settle(self) -> "dict[str, Any]":
        """What was loaded is out of the collector's way from here on."""
        gc.collect()
        gc.freeze()
        gc.disable()
        return {}

    def prepare(self, seed: int, calls: int, size: int) -> "dict[str, Any]":
        """Arguments for the next batch, made afresh: no call sees what another one changed."""
        self.results = []
        self.batch = [self._made(size, seed + each) for each in range(calls)]
        gc.collect()
        return {}

    def _made(self, size: int, seed: int) -> Any:
        """Arguments that both sides make alike, even where their maker asks chance itself."""
        random.seed(seed)
        if (numpy := sys.modules.get("numpy")) is not None:
            numpy.random.seed(seed % _SEEDS)
        return _checked(self.make(size, seed))

    def run(self) -> "dict[str, Any]":
        """Make the calls. Between two looks at the clock there is nothing but this."""
        results: list[Any] = []
        call, keep = self.call, results.append
        waits = _usage(_SELF).ru_nvcsw
        for args, kwargs in self.batch:
            try:
                keep(call(*args, **kwargs))
            except Exception as error:  # noqa: BLE001  what it raises is its result
                keep(_Raised(error))
        self.waits = _usage(_SELF).ru_nvcsw - waits
        self.results = results
        return {}

    def collect(self) -> "dict[str, Any]":
        """The digest of all results together, and whether calls raised or left work undone."""
        if any(_is_unfinished(result) for result in self.results):
            self.results = [
                list(result) if _is_unfinished(result) else result for result in self.results
            ]
            self.call, self.is_lazy = _consuming(self.call), True
        raised = sum(type(result) is _Raised for result in self.results)
        digest = _quick_digest([self.is_lazy, self.results])
        return {"digest": digest, "raised": raised, "waits": self.waits}

    def inspect_inputs(self) -> "dict[str, Any]":
        """How many of the inputs that lie ready are different."""
        found = {_thorough_digest(each) for each in self.batch}
        return {"distinct": len(found), "of": len(self.batch)}

    def compare(self) -> "dict[str, Any]":
        """A thorough digest of each result."""
        return {"digests": [_thorough_digest((self.is_lazy, each)) for each in self.results]}

    def compare_arguments(self) -> "dict[str, Any]":
        """A thorough digest of what the calls left of their arguments."""
        return {"digests": [_thorough_digest(arguments) for arguments in self.batch]}

    def show(self, place: int) -> "dict[str, Any]":
        """One call in words: what it was given (as it is now), and what it gave."""
        result = _short_text(self.results[place])
        if self.is_lazy:
            result = f"an iterator over {result}"
        return {"arguments": _short_text(self.batch[place]), "result": result}

    def trace(self) -> "dict[str, Any]":
        """The most memory that the batch held at once, beyond what there was before."""
        tracemalloc.start(1)
        before = tracemalloc.get_traced_memory()[0]
        self.run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return {"peak": max(0, peak - before)}


class _Clock:
    """Counts the time inside of some functions, by file and qualified name."""

    def __init__(self, watched: "list[list[str]]") -> None:
        self.watched = {(file, name) for file, name in watched}
        self.frame: Any = None
        self.began = self.spent = self.entered = 0

    def __enter__(self) -> None:
        if self.watched:
            sys.setprofile(self.look)

    def __exit__(self, *_: object) -> None:
        if self.watched:
            sys.setprofile(None)
        self.frame = None

    def look(self, frame: Any, event: str, given: Any) -> None:
        """A profiler: the outermost of these functions runs from its call to its return."""
        if event == "call" and self.frame is None:
            code = frame.f_code
            if (code.co_filename, getattr(code, "co_qualname", code.co_name)) in self.watched:
                self.frame, self.began = frame, time.thread_time_ns()
                self.entered += 1
        elif event == "return" and frame is self.frame:
            self.spent += time.thread_time_ns() - self.began
            self.frame = None

    def take(self) -> int:
        """What was counted since the last time; -1 where none of them was entered."""
        found = self.spent if self.entered else -1
        self.spent = self.entered = 0
        return found


def _nothing(*_: Any) -> Any:
    raise RuntimeError("nothing is loaded yet")


def _reach(target: "dict[str, Any]") -> "tuple[types.ModuleType, Any]":
    module = _import(target)
    found: Any = module
    for part in target["attribute"].split("."):
        found = getattr(found, part)
    return module, found


def _import(target: "dict[str, Any]") -> types.ModuleType:
    """The module of a file, under its own name; one of the same name elsewhere makes way."""
    name, root = target["module"], target["root"]
    top = name.partition(".")[0]
    for other in [each for each in sys.modules if each == top or each.startswith(f"{top}.")]:
        file = getattr(sys.modules[other], "__file__", None) or ""
        if not file.startswith(f"{root}{os.sep}"):
            del sys.modules[other]
    sys.path[:] = [root, *(path for path in sys.path if path != root)]
    if "." in name or name in sys.modules:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(name, target["file"])
    if spec is None or spec.loader is None:
        raise ImportError(f"not a Python file: {target['file']}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _maker(inputs: "dict[str, Any]", module: types.ModuleType) -> "Callable[[int, int], Any]":
    """What makes `(args, kwargs)` for a size and a seed."""
    if inputs["kind"] == "function":
        return _reach(inputs["target"])[1]  # type: ignore[no-any-return]
    codes = [compile(source, "<inputs>", "eval") for source in inputs["sources"]]
    scope = dict(vars(module))
    exec(inputs["preamble"], scope)  # noqa: S102  inside the sandbox

    def make(size: int, seed: int) -> Any:
        names = {"n": size, "seed": seed, "random": random.Random(seed), "_given": _given}
        return eval(codes[seed % len(codes)], {**scope, **names})

    return make


def _given(*args: Any, **kwargs: Any) -> "tuple[tuple[Any, ...], dict[str, Any]]":
    return args, kwargs


def _checked(made: Any) -> Any:
    args, kwargs = made
    return tuple(args), dict(kwargs)


def _finishing(function: "Callable[..., Any]") -> "Callable[..., Any]":
    """A callable whose call is over when it returns: coroutines awaited, generators exhausted."""
    if inspect.iscoroutinefunction(function):
        loop = asyncio.new_event_loop()
        return lambda *args, **kwargs: loop.run_until_complete(function(*args, **kwargs))
    if inspect.isgeneratorfunction(function):
        return _consuming(function)
    return function


def _consuming(function: "Callable[..., Any]") -> "Callable[..., Any]":
    def consume(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return list(result) if _is_unfinished(result) else result

    return consume


def _is_unfinished(result: Any) -> bool:
    return hasattr(result, "__next__")
