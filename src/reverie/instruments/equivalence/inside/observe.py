"""Entry of the program: run every scenario on both versions and tell what was seen.

What a call is given and gives back is kept alive, driven to its end, disturbed and listened to.
How much a version holds on to between calls is counted by the parts that its module can reach.
"""

import asyncio
import functools
import inspect
import itertools
import signal
import time
import types
from collections.abc import Callable
from typing import Any

from reverie.instruments.equivalence.inside.canon import Canon
from reverie.instruments.equivalence.inside.interleave import interleavings
from reverie.instruments.equivalence.inside.versions import Version, is_misfit
from reverie.instruments.equivalence.inside.world import World


class Held:
    """Arguments and result of one step, kept alive so that identities stay true."""

    def __init__(self, canon: "Canon", given: "dict[str, Any]") -> None:
        self.canon = canon
        self.given = given
        self.result: Any = None

    def aliases(self, kept: "list[Canon]") -> "list[str]":
        """Which changeable parts of the result are parts of arguments or of earlier results."""
        result = self.result or Canon()
        places = dict(zip(map(id, self.canon.marked), self.canon.paths, strict=True))
        for turn, earlier in enumerate(kept):
            for value, path in zip(earlier.marked, earlier.paths, strict=True):
                places.setdefault(id(value), f"r{turn}{path[1:]}")
        kept.append(result)
        turn = len(kept) - 1
        name = f"r{turn}" if turn else "r"
        found = [f"{name}{path[1:]} is {name}{first[1:]}" for path, first in result.repeats]
        return found + [
            f"{name}{path[1:]} is {places[id(value)]}"
            for value, path in zip(result.marked, result.paths, strict=True)
            if id(value) in places
        ]


def driven(value: Any) -> Any:
    """A coroutine is awaited, an asynchronous generator exhausted."""
    if isinstance(value, types.CoroutineType):
        return asyncio.run(value)
    if inspect.isasyncgen(value):

        async def collect() -> "list[Any]":
            return [each async for each in value]

        return iter(asyncio.run(collect()))
    return value


def first_item(iterator: Any) -> "list[Any]":
    """One item, if there is one; the rest is declined, and a generator may clean up."""
    drawn = list(itertools.islice(iterator, 1))
    if isinstance(iterator, types.GeneratorType):
        iterator.close()
    return drawn


def disturb(args: "list[Any]") -> None:
    """Change the arguments before the result is looked at: a lazy result will show it."""
    for each in args:
        if type(each) is list and each:
            each.append(each[0])
        elif type(each) is dict and each:
            each.pop(next(iter(each)))


def recording(
    function: "Callable[..., Any]", label: str, world: "World", own: "tuple[str, ...]"
) -> "Callable[..., Any]":
    """A callback that leaves a note of each of its calls."""

    def recorded(*args: Any, **kwargs: Any) -> Any:
        told = ", ".join(Canon(own).text(each) for each in (*args, *kwargs.values()))
        world.note("call", f"{label}({told})")
        return function(*args, **kwargs)

    return recorded


_MOST_PARTS = 500_000
_CONTAINERS = (list, tuple, set, frozenset, dict)


def parts_kept(module: types.ModuleType) -> int:
    """Items of containers, of caches without bound, and attributes, below the module's names."""
    waiting: list[Any] = [
        value for name, value in vars(module).items() if not name.startswith(("__", "_rv_"))
    ]
    met: set[int] = set()
    parts = 0
    while waiting and parts < _MOST_PARTS:
        value = waiting.pop()
        if id(value) in met:
            continue
        met.add(id(value))
        inner = _inner(value, module.__name__)
        parts += len(inner) + _cached(value)
        waiting += inner
    return parts


def _inner(value: Any, own: str) -> "list[Any]":
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, _CONTAINERS) or type(value).__name__ == "deque":
        return list(value)
    if isinstance(value, types.FunctionType):
        held = [each.cell_contents for each in value.__closure__ or () if _is_filled(each)]
        return [*(value.__defaults__ or ()), *vars(value).values(), *held]
    if isinstance(value, staticmethod | classmethod):
        return [value.__func__]
    is_own = getattr(value, "__module__", None) == own
    return list(getattr(value, "__dict__", {}).values()) if is_own else []


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _cached(value: Any) -> int:
    """Entries of a cache of `functools`; one with a bound does not grow for ever.

    Objects that have every attribute that they are asked for are not asked.
    """
    has_cache = callable(value) and "cache_parameters" in getattr(value, "__dict__", ())
    if not has_cache or value.cache_parameters()["maxsize"] is not None:
        return 0
    return int(value.cache_info().currsize)


_MOST_TIMEOUTS = 2
_SHOWN = 400
_CLOCK = time.monotonic
_PROBE_ARGUMENTS: "tuple[tuple[Any, ...], ...]" = (
    (), (0,), (3,), (-2,), (1.5,), (None,), ("ab",), ([2, 1],), (2, 3),
)  # fmt: skip


_ballast: "list[_Weight]" = []


class _Weight:
    """An ordinary object, in the way of others."""


class _OutOfTime(BaseException):
    """A step that took too long."""


def observe(**order: Any) -> "dict[str, Any]":
    """What each scenario looks like on each version asked for, in order."""
    world = _world(order)
    signal.signal(signal.SIGALRM, _ring)
    _ballast.extend(_Weight() for _ in range(order["ballast"]))
    versions = [Version(each, order["is_probed"]) for each in order["versions"]]
    runs = [_Run(version, world, order) for version in versions]
    seen: list[Any] = []
    kept = [[parts_kept(version.module) for version in versions]]
    timeouts = 0
    for number, scenario in enumerate(order["scenarios"]):
        both = [run.perform(scenario, number) for run in runs]
        seen.append(both)
        timeouts += any(step["outcome"] == "timeout" for steps in both for step in steps["steps"])
        if timeouts > _MOST_TIMEOUTS:
            break
        if number == len(order["scenarios"]) // 2:
            kept.append([parts_kept(version.module) for version in versions])
    kept.append([parts_kept(version.module) for version in versions])
    branches = [
        [[way, condition, version.probes.branches[way // 2]] for way, condition in counted.items()]
        for version in versions
        for counted in (version.counted,)
    ]
    return {"seen": seen, "branches": branches, "kept": [kept[0], kept[-2], kept[-1]]}


def race(**order: Any) -> "list[list[list[str]]]":
    """For each pair of steps, every answer that the two give when their calls overlap."""
    world = _world(order)
    signal.signal(signal.SIGALRM, _ring)
    run = _Run(Version(order["versions"][0], False), world, order)
    return [run.overlap(*pair) for pair in order["scenarios"]]


def _world(order: "dict[str, Any]") -> "World":
    return World(order["uses_files"], order["files"], order["epoch"])


def _ring(number: int, frame: Any) -> None:
    raise _OutOfTime


class _Run:
    """One version through all scenarios, in one process: what it keeps between calls shows."""

    def __init__(self, version: "Version", world: "World", order: "dict[str, Any]") -> None:
        self.version = version
        self.world = world
        self.seconds: float = order["step_seconds"]
        self.timer = signal.ITIMER_PROF if order.get("counts_cpu") else signal.ITIMER_REAL
        self.watched: list[str] = order["watched"]
        self.own_modules = (version.name, "dream", *version.relatives)
        self.namespace: dict[str, Any] = dict(version.module.__dict__)
        self.prepared: set[str] = set()
        self.receiver: Any = None
        """What the scenario's first method was called on."""

    def perform(self, scenario: "list[dict[str, Any]]", number: int) -> "dict[str, Any]":
        """All steps of a scenario; later steps see what earlier ones left."""
        self.world.clean(scenario[0]["zone"] if scenario else "")
        self.receiver = None
        self.version.enter()
        self.version.probes.start()
        kept: list[Canon] = []
        steps = []
        try:
            for place, step in enumerate(scenario):
                steps.append(self._step(step, 100 * number + place, kept))
                if steps[-1]["outcome"] == "timeout":
                    break
        finally:
            self.version.leave()
        probes = self.version.probes
        return {"steps": steps, "taken": sorted(probes.taken), "operands": probes.operands}

    def overlap(self, first: "dict[str, Any]", second: "dict[str, Any]") -> "list[list[str]]":
        """What two steps answer, in each of the ways in which their calls can overlap."""
        self.world.clean()
        self.world.begin(0)
        signal.setitimer(self.timer, self.seconds)
        try:
            found = interleavings(self._asked(first), self._asked(second), self._told)
        except _OutOfTime:
            found = []
        finally:
            signal.setitimer(self.timer, 0)
            self.world.end()
        return [list(each) for each in found]

    def _asked(self, step: "dict[str, Any]") -> "Callable[[], Any]":
        def ask() -> Any:
            function, args, kwargs, _ = self._arguments(step)
            return driven(function(*args, **kwargs))

        return ask

    def _told(self, value: Any) -> str:
        return Canon(self.own_modules).text(value)

    def _step(self, step: "dict[str, Any]", turn: int, kept: "list[Canon]") -> "dict[str, Any]":
        signal.setitimer(self.timer, self.seconds)
        try:
            function, args, kwargs, receiver = self._arguments(step)
        except _OutOfTime:
            return {"outcome": "unmade", "error": "it takes too long"}
        except Exception as error:  # noqa: BLE001  an argument that cannot be made
            signal.setitimer(self.timer, 0)
            return {"outcome": "unmade", "error": f"{type(error).__name__}: {error}"[:_SHOWN]}
        given = {"self": receiver} if receiver is not None else {}
        given |= {f"a{place}": each for place, each in enumerate(args)} | kwargs
        held = Held(Canon(self.own_modules, draws=not step["is_retyped"]), given)
        self.world.begin(turn)
        started = _CLOCK()
        signal.setitimer(self.timer, self.seconds)
        try:
            found = self._call(function, args, kwargs, step, held)
        except _OutOfTime:
            found = {"outcome": "timeout"}
        except BaseException as error:  # noqa: BLE001  it is the code under test that raises
            found = self._raised(error)
        finally:
            signal.setitimer(self.timer, 0)
            self.world.end()
        found["seconds"] = round(_CLOCK() - started, 4)
        return found if found["outcome"] == "timeout" else self._afterwards(found, held, kept)

    def _arguments(self, step: "dict[str, Any]") -> "tuple[Any, list[Any], dict[str, Any], Any]":
        self._prepare(step["preamble"])
        make = self._make
        receiver = self._receiver(step)
        args = [make(each) for each in step["args"]]
        kwargs = {name: make(each) for name, each in step["kwargs"]}
        if step["aliased"] is not None:
            first, second = step["aliased"]
            args[second] = args[first]
        name = step["callee"] or self.version.entry
        if receiver is None:
            function = self.version.find(name)
        elif step["is_property"]:
            access = setattr if args or kwargs else getattr
            function = functools.partial(access, receiver, name.rpartition(".")[2])
        else:
            function = getattr(receiver, name.rpartition(".")[2])
        for place, label in step["recorded"]:
            if place < len(args) and callable(args[place]):
                args[place] = recording(args[place], label, self.world, self.own_modules)
        return function, args, kwargs, receiver

    def _receiver(self, step: "dict[str, Any]") -> Any:
        if step["receiver"] is None:
            return None
        if not step["is_shared"] or self.receiver is None:
            self.receiver = self._make(step["receiver"])
        return self.receiver

    def _prepare(self, preamble: str) -> None:
        if preamble and preamble not in self.prepared:
            exec(compile(preamble, "<arguments>", "exec"), self.namespace)  # noqa: S102
            self.prepared.add(preamble)

    def _make(self, source: str) -> Any:
        return eval(source, self.namespace)

    def _call(
        self,
        function: "Callable[..., Any]",
        args: "list[Any]",
        kwargs: "dict[str, Any]",
        step: "dict[str, Any]",
        held: "Held",
    ) -> "dict[str, Any]":
        value = driven(function(*args, **kwargs))
        if step["is_late"] and hasattr(type(value), "__next__"):
            disturb(args)
        if step["is_brief"] and hasattr(type(value), "__next__"):
            value = first_item(value)
        held.result = Canon(self.own_modules, on_item=lambda: self.world.note("item", ""))
        text = held.result.text(value, "r")
        if isinstance(value, types.FunctionType):
            text += self._probed(value)
        return {"outcome": "returned", "value": text}

    def _probed(self, function: "Callable[..., Any]") -> str:
        """A function that was returned is what it does."""
        told = []
        for given in _PROBE_ARGUMENTS:
            try:
                told.append(Canon(self.own_modules).text(driven(function(*given))))
            except Exception as error:  # noqa: BLE001  what it raises is what it does
                told.append(type(error).__name__)
        return " called: " + "; ".join(told)

    def _raised(self, error: BaseException) -> "dict[str, Any]":
        kind = type(error)
        is_deliberate = self.version.is_deliberate(error)
        own = kind.__module__ in self.own_modules or kind.__module__ == "builtins"
        return {
            "outcome": "raised",
            "value": kind.__qualname__ if own else f"{kind.__module__}.{kind.__qualname__}",
            "message": str(error)[:_SHOWN],
            "is_misfit": is_misfit(error, is_deliberate),
            "is_deliberate": is_deliberate,
        }

    def _afterwards(
        self, found: "dict[str, Any]", held: "Held", kept: "list[Canon]"
    ) -> "dict[str, Any]":
        """What is left in arguments, streams, files and public globals."""
        signal.setitimer(self.timer, self.seconds)
        try:
            texts = [held.canon.text(each, name) for name, each in held.given.items()]
            found["arguments"] = texts
            found["aliases"] = held.aliases(kept)
            found["globals"] = self._globals()
        except _OutOfTime:
            return {"outcome": "timeout"}
        except Exception as error:  # noqa: BLE001  a `repr` of the code under test
            found["arguments"] = [f"unreadable: {type(error).__name__}"]
        finally:
            signal.setitimer(self.timer, 0)
        found["stdout"] = self.world.stream("stdout")[: _SHOWN * 10]
        found["stderr"] = self.world.stream("stderr")[: _SHOWN * 10]
        found["effects"] = self.world.ordered_effects()
        found["files"] = self.world.state()
        return found

    def _globals(self) -> str:
        told = []
        for name in self.watched:
            value = self.version.module.__dict__.get(name)
            told.append(f"{name}={Canon(self.own_modules).text(value)}")
        return " ".join(told)
