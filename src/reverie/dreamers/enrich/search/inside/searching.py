"""A whole search: the module loaded with probes, tries in forks of it, and their results."""

import ast
import builtins
import functools
import importlib
import importlib.abc
import importlib.machinery
import re
import signal
import sys
import time
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any

from .hunting import Hunter
from .kinds import DEFINITIONS
from .kinds import MODULES as VALUE_MODULES
from .memory import Entry, Memory
from .nodes import Evaluator, Reader
from .probes import Recorder, Way, probed
from .profiles import profiles_of
from .shortening import Shortener, chosen_entries, looked_at, written
from .surface import MODULES as PROTOCOL_MODULES
from .surface import Surface
from .trying import Conditions, Runner, Teller, in_child

_IMPORT_SECONDS = 40.0
_MOST_TOLD = 300


class Unimportable(Exception):
    """The module cannot be had, by its own doing."""


def load_plain(name: str, paths: Sequence[str]) -> ModuleType:
    """The module as it is; `Unimportable` when there is none."""
    _prepare(paths)
    return _imported(name)


def load_probed(
    name: str, paths: Sequence[str], recorder: Recorder
) -> "tuple[ModuleType, dict[int, Way]]":
    """The module with probes, and where its ways lie; `Unimportable` when there is none."""
    _prepare(paths)
    for each in [each for each in sys.modules if each == name or each.startswith(f"{name}.")]:
        del sys.modules[each]
    for probe, function in recorder.functions().items():
        setattr(builtins, probe, function)
    finder = _Finder(name)
    sys.meta_path.insert(0, finder)
    try:
        module = _imported(name)
    finally:
        sys.meta_path.remove(finder)
    return module, finder.ways


def _imported(name: str) -> ModuleType:
    """A script may leave instead of being imported, or never end: nothing but its import fails."""
    before = signal.signal(signal.SIGALRM, _out_of_time)
    signal.setitimer(signal.ITIMER_REAL, _IMPORT_SECONDS)
    try:
        return importlib.import_module(name)
    except BaseException as error:  # noqa: BLE001  whatever the module does
        raise Unimportable(_told(error)) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _out_of_time(*_: Any) -> None:
    raise TimeoutError(f"not imported within {_IMPORT_SECONDS:g} seconds")


def _told(error: BaseException) -> str:
    try:
        return f"{type(error).__name__}: {error}"[:_MOST_TOLD]
    except Exception:  # noqa: BLE001  of the code under test
        return type(error).__name__


def _prepare(paths: Sequence[str]) -> None:
    sys.dont_write_bytecode = True
    sys.path[:0] = [each for each in paths if each not in sys.path]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, and has it compiled with probes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ways: dict[int, Way] = {}

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, importlib.machinery.SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self.ways)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    def __init__(self, name: str, path: str, ways: "dict[int, Way]") -> None:
        super().__init__(name, path)
        self.ways = ways

    def get_code(self, fullname: str) -> "CodeType | None":
        path = self.get_filename(fullname)
        tree, ways = probed(ast.parse(self.get_data(path), path))
        self.ways.update(ways)
        return compile(tree, path, "exec", dont_inherit=True)


_CHUNK_TRIES = 1500
_LEAST_TRIES = 60
_CHUNK_SECONDS = 4.0
_SEVERAL, _HARDLY_ANY = 3, 2
_LAST_SHARE = 0.12
"""Of the time, for making short what was found."""


class Search:
    """One search of one module."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.began = time.monotonic()
        self.request = request
        self.recorder = Recorder()
        conditions = Conditions()
        module, ways = load_probed(request["module"], request["paths"], self.recorder)
        self.memory = Memory({way: each.scope for way, each in ways.items()})
        self.hunter = equipped(module, request, self.memory, self.recorder, conditions)
        self.surface = self.hunter.surface
        self.hunter.put_down()
        self.deaths = 0

    def run(self) -> "dict[str, Any]":
        """Everything, within the time or the number of tries given."""
        seconds = self.request["seconds"]
        until = self.began + seconds * (1 - _LAST_SHARE) if seconds is not None else None
        most = self.request["tries"]
        self._in_fork(self._try_examples, _CHUNK_SECONDS * 3)
        chunk = quiet = 0
        size = _CHUNK_TRIES
        while (until is None or time.monotonic() < until) and (
            most is None or self.memory.tries < most
        ):
            chunk += 1
            known = len(self.memory.entries)
            left = size if most is None else min(size, most - self.memory.tries)
            before = self.memory.tries
            hunt = functools.partial(self._hunt, chunk=chunk, tries=left, until=until)
            is_whole = self._in_fork(hunt, _CHUNK_SECONDS * 2)
            size = _CHUNK_TRIES if is_whole else max(_LEAST_TRIES, size // 4)
            if not is_whole:
                self.memory.tries = max(self.memory.tries, before + left)
            is_quiet = not self.memory.open and len(self.memory.entries) - known < _HARDLY_ANY
            quiet = quiet + 1 if is_quiet else 0
            if quiet == _SEVERAL:
                break  # the time is better spent on choosing
        return self._finished()

    def _in_fork(self, work: Any, seconds: float) -> bool:
        told, is_whole = in_child(work, seconds)
        if told and isinstance(told[-1], Memory):
            self.memory = self.hunter.memory = told[-1]
            return True
        self.deaths += 1
        for each in told:
            if isinstance(each, Entry) and self.memory.is_worth_keeping(each):
                self.memory.add(each)
        return is_whole

    def _try_examples(self, teller: Teller) -> None:
        self.hunter.take_up(self.request["seed"])
        for example in self.request["examples"]:
            reader = Reader()
            for line in example["lines"]:
                reader.read(line)
            lines = [self.hunter.describer.describe(line) for line in reader.lines]
            for end in range(1, len(lines) + 1):
                if end == len(lines) or end % 3 == 0:
                    self.hunter.attempt(lines[max(0, end - 12) : end], example["origin"])
        self._tell_all(teller)

    def _hunt(self, teller: Teller, chunk: int, tries: int, until: "float | None") -> None:
        self.hunter.take_up(self.request["seed"] * 1_000_003 + chunk)
        last = time.monotonic() + _CHUNK_SECONDS
        for number in range(tries):
            self.hunter.run_one()
            if number % 16 == 0 and until is not None and time.monotonic() > min(last, until):
                break
            if self.hunter.found:
                for each in self.hunter.found:
                    teller.tell(each)
                self.hunter.found.clear()
        self._tell_all(teller)

    def _tell_all(self, teller: Teller) -> None:
        self.hunter.put_down()
        teller.tell(self.hunter.memory)

    def _finished(self) -> "dict[str, Any]":
        chosen = chosen_entries(self.memory.entries)
        texts: list[Any] = []

        def work(teller: Teller) -> None:
            self.hunter.take_up(0)
            seconds = self.request["seconds"]
            until = float("inf") if seconds is None else self.began + seconds
            shortener = Shortener(self.hunter, until)
            left = set().union(*(each.hits for each in chosen))
            for entry in chosen:
                wanted = frozenset(entry.hits & left) or entry.hits
                left -= entry.hits
                lines = shortener.steadied(entry, shortener.shorten(entry, wanted))
                outcome = self.hunter.runner.run(lines)
                if not outcome.is_late:
                    lines = looked_at(lines, outcome)
                    made = written(lines, outcome.handling, entry.origin)
                    if made is not None:
                        told = {"ways": sorted(entry.hits), "rank": list(entry.rank)}
                        teller.tell({**made, **told, "outcome": entry.outcome})

        texts, _ = in_child(work, 60.0)
        return {
            "scenarios": texts,
            "definitions": {**DEFINITIONS, **self.surface.definitions},
            "absent": [
                name
                for name in (*self.request["own"], *self.request["helpers"])
                if not hasattr(self.surface.module, name)
            ],
            "ways": len(self.memory.scopes),
            "open": [[self.memory.scopes[way], way] for way in sorted(self.memory.open)],
            "tries": self.memory.tries,
            "deaths": self.deaths,
        }


def equipped(
    module: ModuleType,
    request: "dict[str, Any]",
    memory: Memory,
    recorder: Recorder,
    conditions: Conditions,
) -> Hunter:
    """A hunter that knows the module, and what is written in it and about it."""
    surface = Surface(module, set(request["own"]), set(request["helpers"]))
    namespace = namespace_of(module, request)
    for name in surface.definitions:
        namespace[name] = surface.classes[name]
    path = str(module.__file__)
    runner = Runner(Evaluator(namespace), conditions)
    hunter = Hunter(surface, memory, runner, recorder, path)
    for each in (*request["constants"], *request["texts"], *parts_of_names(module)):
        hunter.kinds.learn(each)
    hunter.kinds.identifiers = identifiers_of(surface)
    hunter.maker.profiles = inherited_profiles(path, surface)
    hunter.kinds.separators += [
        each for each in request["constants"]
        if type(each) is str and len(each) == 1 and not each.isalnum()
    ]  # fmt: skip
    for pattern in patterns_in(module):
        hunter.kinds.learn_pattern(pattern)
    return hunter


def inherited_profiles(path: str, surface: Surface) -> "dict[str, Any]":
    """What the source says of parameters; what is inherited is said of the heir as well."""
    with open(path, encoding="utf-8-sig") as stream:
        found = profiles_of(ast.parse(stream.read()))
    known = list(found.items())
    for name, made in surface.classes.items():
        for base in made.__mro__[1:]:
            for key, profile in known:
                if key == base.__name__ or key.startswith(f"{base.__name__}."):
                    found.setdefault(name + key.removeprefix(base.__name__), profile)
    return found


def patterns_in(module: ModuleType) -> "list[str]":
    """Regular expressions that the module and its classes hold."""
    held = [*vars(module).values()]
    for each in vars(module).values():
        if isinstance(each, type) and each.__module__ == module.__name__:
            held += vars(each).values()
    return [each.pattern for each in held
            if isinstance(each, re.Pattern) and isinstance(each.pattern, str)]  # fmt: skip


def parts_of_names(module: ModuleType) -> "list[str]":
    """What methods are told apart by, where several begin alike: `handle_FREQ` is for `FREQ`."""
    found: list[str] = []
    for made in vars(module).values():
        if not isinstance(made, type) or made.__module__ != module.__name__:
            continue
        names = [each.strip("_") for each in vars(made) if not each.startswith("__")]
        heads = [each.partition("_")[0] for each in names if "_" in each]
        found += [
            each.partition("_")[2] for each in names
            if heads.count(each.partition("_")[0]) >= _SEVERAL and "_" in each
        ]  # fmt: skip
    return found


def identifiers_of(surface: Surface) -> "list[str]":
    """Names of parameters and attributes of all that a module offers."""
    found = {each.name for action in surface.targets for each in action.parameters}
    found |= {action.key.rpartition(".")[2] for action in surface.targets if action.owner}
    return sorted(each for each in found if each and not each.startswith("_"))


def namespace_of(module: ModuleType, request: "dict[str, Any]") -> "dict[str, Any]":
    """Names that a line can use: modules, the module's own names, and stand-ins."""
    space: dict[str, Any] = {}
    for name in (*VALUE_MODULES, *PROTOCOL_MODULES, *request["modules"]):
        try:
            importlib.import_module(name)
            top = name.partition(".")[0]
            space[top] = importlib.import_module(top)
        except Exception:  # noqa: BLE001  what cannot be imported cannot be used
            continue
    for name in (*request["own"], *request["helpers"]):
        if hasattr(module, name):
            space[name] = getattr(module, name)
    for text in (*DEFINITIONS.values(), *request["definitions"]):
        try:
            exec(text, space)  # noqa: S102
        except Exception:  # noqa: BLE001  what cannot be defined here cannot be used
            continue
    return space


def search(request: "dict[str, Any]") -> "dict[str, Any]":
    """Search a module; see `Search`."""
    return Search(request).run()
