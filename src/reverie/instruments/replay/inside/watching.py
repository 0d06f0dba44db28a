"""At each call of a changed function: both versions and mutants of both, each in a fork."""

import ast
import os
import random
import resource
import sys
import time
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from reverie.instruments.equivalence.inside.probes import Instrument, Probes
from reverie.instruments.mutation.inside.children import LargePages

from .asking import Answer, Observer, ask, ask_each
from .given import Disturbance, Given, Place
from .patching import Live, Unfit, Version, codes_of

ENTER = "_rv_enter"
MARK = "_rv_mark"
_PATIENT = 40
"""Inputs that a mutant survives before it is asked whether it makes any difference of its own."""
_IDLE = 5
_ALIKE = 2
"""Inputs of one way that all mutants meet, however many they have met."""
_MOST_REPORTED = 6
_TOGETHER = 16
"""Inputs that mutants meet in one fork, as long as they do what is expected of them."""


class Side:
    """One version: its codes as they are and with probes, and the mutants that are left."""

    def __init__(self, order: "Mapping[str, Any]", path: str, prefix: str) -> None:
        tree = ast.parse(order["source"])
        plain = compile(order["source"], path, "exec", dont_inherit=True)
        self.version = Version(order, path, codes_of(plain))
        self.raising = {
            line
            for node in ast.walk(tree)
            if isinstance(node, (ast.Raise, ast.Assert))
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        self.probes = Probes()
        probed = ast.fix_missing_locations(Instrument(self.probes).visit(tree))
        self.probed = codes_of(compile(probed, path, "exec", dont_inherit=True))
        self.prefix = prefix
        self.alive: dict[int, Mutant] = {
            number: Mutant(each) for number, each in enumerate(order["mutants"])
        }
        self.killed: list[int] = []

    def branches(self) -> "list[list[Any]]":
        """Ways of the branches of the swapped functions, each with its condition and function."""
        probes = self.probes
        names = {each.replace(".<locals>", "") for each in self.version.order["counted"]}
        return [
            [2 * number + way, probes.conditions[number], probes.branches[number]]
            for number, ways in probes.outcomes.items()
            for way in ((0, 1) if ways == 2 else (1,) if ways == 1 else ())
            if probes.branches[number] in names
        ]


class Mutant:
    """One change of one function of a version."""

    def __init__(self, order: "list[Any]") -> None:
        self.unit: str = order[0]
        self.edit = (order[1], order[2], order[3])
        self.mark = None if order[4] is None else (order[4], order[5], order[6])
        self.lines = frozenset(range(order[7], order[8] + 1))
        """On which its statement stands."""
        self.met = 0
        self.reached = 0


def first_apart(old: Answer, new: Answer) -> "tuple[str, str]":
    """What came of a call, as far as it is not the same; by name where the beginning still is."""
    places = zip(old["parts"], new["parts"], old["marks"], new["marks"])  # noqa: B905
    pairs = [(before, after) for before, after, mark, other in places if mark != other]
    before, after = pairs[0] if pairs else (old["parts"][0], new["parts"][0])
    if before == after:
        name = before.partition(": ")[0]
        return f"the former {name}", f"another {name}"
    return before, after


class Watcher:
    """Takes calls of the watched functions of one module, as long as there is time."""

    def __init__(self, order: "Mapping[str, Any]", path: str, root: str) -> None:
        self.path = path
        self.root = root
        self.seconds: float = order["seconds"]
        self.step_seconds: float = order["step_seconds"]
        self.variants: int = order["variants"]
        self.most: int = order["most"]
        self.alike: int = order["alike"]
        """Calls of one function that are taken of one test: its first ones are often all alike."""
        self.watched: list[str] = order["watched"]
        self.globals: list[str] = order["globals"]
        self.seed: str = order["seed"]
        self.sides = [Side(order[name], path, name) for name in ("old", "new")]
        self.forgotten = frozenset(order["forgotten"])
        self.disturbances = [
            Disturbance(order["attributes"], order["constants"]) for _ in self.watched
        ]
        self.inputs: list[list[Any]] = []
        self.differences: list[dict[str, Any]] = []
        self.trouble: str | None = None
        self.noisy = 0
        self.skipped = 0
        self.turn = 0
        self._pages = LargePages()
        self._paths: dict[tuple[Any, ...], int] = {}
        self._kept: dict[tuple[int, str], int] = {}
        self._met = [0] * len(self.watched)
        self._lives: dict[int, Live] = {}
        self._own: tuple[int, tuple[str, ...]] = (0, ())
        self._is_busy = False
        self._spent = self._began = 0.0

    def hooked(self) -> CodeType:
        """The old version with a call of ours at the beginning of each watched function."""
        tree = ast.parse(self.sides[0].version.text)
        _Hooks(self.watched).visit(tree)
        return compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True)

    def is_late(self) -> bool:
        """Whether the time is used up."""
        return self.spent > self.seconds or self.trouble is not None

    @property
    def spent(self) -> float:
        """CPU seconds that looking at calls has cost so far."""
        return self._spent + (_cpu_seconds() - self._began if self._is_busy else 0.0)

    def enter(self, number: int) -> None:
        """A watched function begins."""
        if self._is_busy:
            return
        test = number, os.environ.get("PYTEST_CURRENT_TEST", "")
        if self._kept.get(test, 0) >= self.alike or self._met[number] >= self.most:
            return
        if self.is_late() or self.differences:
            return
        self._is_busy, self._began = True, _cpu_seconds()
        try:
            self._kept[test] = self._kept.get(test, 0) + 1
            self._met[number] += 1
            self._meet(number, sys._getframe(1))
        except Unfit as error:
            self.trouble = str(error)
        finally:
            self._spent, self._is_busy = self.spent, False

    def _meet(self, number: int, frame: Any) -> None:
        self._pages.before_fork()
        self.own_modules()
        given = Given(frame)
        disturbance = self.disturbances[number]
        places = disturbance.places(given)
        disturbance.learn(given, places)
        call = _Call(self, number, given, self._live(frame.f_globals), places)
        variants: list[int | None] = [None, *(range(self.variants) if places else ())]
        olds = call.of(self.sides[0], [Task(each, probed=True) for each in variants])
        call.is_still = all(each is not None and each["goes_on"] for each in olds)
        agains = call.of(self.sides[0], [Task(each, traced=True) for each in variants])
        fitting = [
            (variant, old, again)
            for variant, old, again in zip(variants, olds, agains)  # noqa: B905  equally long
            if self._is_fit(variant, old, again)
        ]
        chosen = [each for each, _, _ in fitting]
        news = call.of(self.sides[1], [Task(each, probed=True) for each in chosen])
        lines = call.of(self.sides[1], [Task(each, traced=True) for each in chosen])
        met: list[_Met] = []
        for (variant, old, again), new, ran in zip(fitting, news, lines):  # noqa: B905
            if old is None or again is None:
                continue
            if new is None or ran is None or new["digest"] != old["digest"]:
                self._doubt(call, variant, old)
                if self.differences:
                    return
                continue
            path = (number, *old["taken"], "/", *new["taken"], old["outcome"])
            self._paths[path] = self._paths.get(path, 0) + 1
            self.inputs.append(
                [number, variant is None, old["taken"], new["taken"], old["outcome"]]
            )
            reached = frozenset(again["lines"]), frozenset(ran["lines"])
            met.append(_Met(variant, old["digest"], reached, self._paths[path]))
        self._hold_mutants_against(call, met)

    def _is_fit(self, variant: "int | None", old: "Answer | None", again: "Answer | None") -> bool:
        """Whether the old version did the same twice, and was not asked for nonsense."""
        if old is None or again is None or old["digest"] != again["digest"]:
            self.noisy += 1
            return False
        if variant is not None and (old["misfit"] or not old["places"]):
            self.skipped += 1
            return False
        return True

    def _live(self, space: "dict[str, Any]") -> Live:
        if id(space) not in self._lives:
            self._lives[id(space)] = Live(space, self.path)
        return self._lives[id(space)]

    def _doubt(self, call: "_Call", variant: "int | None", old: Answer) -> None:
        """A difference counts that shows again."""
        (again,) = call.of(self.sides[1], [Task(variant)])
        (once_more,) = call.of(self.sides[0], [Task(variant)])
        is_steady = once_more is not None and once_more["digest"] == old["digest"]
        if not is_steady or (again is not None and again["digest"] == old["digest"]):
            self.noisy += 1
            return
        seen = again or {"parts": ["it ended without a word"], "marks": [0], "outcome": "died"}
        shown = first_apart(old, seen)
        self.differences.append(
            {
                "function": self.watched[call.number],
                "test": os.environ.get("PYTEST_CURRENT_TEST", ""),
                "is_real": variant is None,
                "places": old["places"],
                "old": shown[0],
                "new": shown[1],
            }
        )

    def _hold_mutants_against(self, call: "_Call", met: "list[_Met]") -> None:
        """Mutants that are left and that these inputs reach, until each is noticed."""
        for place, side in enumerate(self.sides):
            for start in range(0, len(met), _TOGETHER):
                tasks = [
                    Task(each.variant, mutant=key, expected=each.digest)
                    for each in met[start : start + _TOGETHER]
                    for key, mutant in side.alive.items()
                    if mutant.lines & each.lines[place]
                    and self._concerns(mutant, call.number)
                    and (mutant.met <= _PATIENT or each.seen <= _ALIKE)
                ]
                self._hold(side, tasks, call)
                if self.is_late():
                    return

    def _hold(self, side: Side, tasks: "list[Task]", call: "_Call") -> None:
        """Each task on a mutant that no earlier one has killed; then whether survivors matter."""
        left = tasks
        while left and not self.is_late():
            answers = call.begun(side, left)
            for task, answer in zip(left, answers):  # noqa: B905  as far as the fork came
                if task.mutant not in side.alive:
                    continue
                if answer is None or answer["digest"] != task.expected:
                    del side.alive[task.mutant]
                    side.killed.append(task.mutant)
                else:
                    side.alive[task.mutant].met += 1
            left = [each for each in left[len(answers) :] if each.mutant in side.alive]
        marks = [
            Task(task.variant, mutant=task.mutant, marked=True)
            for task in tasks
            if task.mutant in side.alive
            and side.alive[task.mutant].mark is not None
            and side.alive[task.mutant].reached < _IDLE
        ]
        for task, answer in zip(marks, call.of(side, marks)):  # noqa: B905  equally long
            if task.mutant is not None and answer is not None:
                side.alive[task.mutant].reached += bool(answer["marked"])

    def _concerns(self, mutant: Mutant, number: int) -> bool:
        """Of a watched function: its own calls; of another one, any."""
        units = [each.partition(".<locals>")[0] for each in self.watched]
        return units[number] == mutant.unit or mutant.unit not in units

    def own_modules(self) -> "tuple[str, ...]":
        """Names of the modules that lie in the repository."""
        if self._own[0] != len(sys.modules):
            names = [
                name
                for name, module in list(sys.modules.items())
                if str(getattr(module, "__file__", None) or "").startswith(f"{self.root}/")
            ]
            self._own = len(sys.modules), tuple(names)
        return self._own[1]

    def found(self) -> "dict[str, Any]":
        """Everything that was seen."""
        return {
            "inputs": self.inputs,
            "differences": self.differences[:_MOST_REPORTED],
            "trouble": self.trouble,
            "noisy": self.noisy,
            "skipped": self.skipped,
            "seconds": self.spent,
            "branches": [side.branches() for side in self.sides],
            "killed": [side.killed for side in self.sides],
            "idle": [
                [key for key, each in side.alive.items() if each.reached >= _IDLE]
                for side in self.sides
            ],
            "met": [sorted({each.met for each in side.alive.values()}) for side in self.sides],
        }


class _Met:
    """One input on which both versions did the same."""

    def __init__(
        self,
        variant: "int | None",
        digest: str,
        lines: "tuple[frozenset[int], frozenset[int]]",
        seen: int,
    ) -> None:
        self.variant = variant
        self.digest = digest
        self.lines = lines
        """What the old version ran, and the new one."""
        self.seen = seen
        """How many inputs have gone this way by now."""


class Task:
    """One input on one version: how it is looked at."""

    def __init__(
        self,
        variant: "int | None",
        *,
        mutant: "int | None" = None,
        expected: "str | None" = None,
        probed: bool = False,
        traced: bool = False,
        marked: bool = False,
    ) -> None:
        self.variant = variant
        self.mutant = mutant
        self.expected = expected
        self.probed = probed
        self.traced = traced
        self.marked = marked


class _Call:
    """One call that can be made of any version again and again."""

    def __init__(
        self, watcher: Watcher, number: int, given: Given, live: Live, places: "list[Place]"
    ) -> None:
        self.watcher = watcher
        self.number = number
        self.given = given
        self.live = live
        self.places = places
        self.is_still = True
        """Whether it leaves everything as it was: then one fork can make it several times."""
        self._turn = watcher.turn = watcher.turn + 1

    def of(self, side: Side, tasks: "list[Task]") -> "list[Answer | None]":
        """What comes of it on a version, or on mutants of it."""
        fork = _Fork(self, side)
        return _checked(list(ask_each(fork.act, tasks, self.watcher.step_seconds)))

    def begun(self, side: Side, tasks: "list[Task]") -> "list[Answer | None]":
        """The same of the first tasks, as far as one fork comes: at least to one."""
        return _checked(ask(_Fork(self, side).act, tasks, self.watcher.step_seconds))

    @property
    def chance(self) -> str:
        """What decides how it is made otherwise."""
        return f"{self.watcher.seed} {self._turn}"


def _checked(answers: "list[Answer | None]") -> "list[Answer | None]":
    """Answers of which none says that a version does not fit."""
    for each in answers:
        if each is not None and "unfit" in each:
            raise Unfit(each["unfit"])
    return answers


class _Fork:
    """In a fork: one task after the other."""

    def __init__(self, call: _Call, side: Side) -> None:
        self.call = call
        self.side = side
        watcher = call.watcher
        self.observer = Observer(watcher.own_modules(), watcher.forgotten, watcher.path)
        self.observer.raising = side.raising
        self._state: str | None = None
        self._is_placed = False

    def act(self, task: Task) -> Answer:
        """One task, and whether all is as it was before."""
        call, watcher = self.call, self.call.watcher
        if not self._is_placed:
            self._state = self._look() if call.is_still else None
            self._place(self.side.probed if task.probed else {})
            self._is_placed = True
        codes = self._changed(task)
        if codes is None:
            return {"digest": task.expected, "marked": False, "goes_on": True}
        units = [name for name in codes if ".<locals>" not in name]
        self._swap({name: codes[name] for name in units})
        mark, was = _Mark(), []
        call.live.space[MARK] = mark
        if task.variant is not None:
            chance = random.Random(f"{call.chance} {task.variant}")
            was = watcher.disturbances[call.number].disturb(call.given, call.places, chance)
        answer = self._observed(task, codes)
        answer["marked"] = mark.is_made
        answer["places"] = [list(place) for place, _ in was]
        for place, value in was:
            call.given.put(place, value)
        self._swap({name: self.side.version.codes[name] for name in units})
        is_expected = task.expected in (None, answer["digest"])
        is_same = is_expected and self._state is not None and self._look() == self._state
        answer["goes_on"] = is_same
        return answer

    def _look(self) -> "str | None":
        watcher = self.call.watcher
        return self.observer.state(self.call.given, self.call.live.space, watcher.globals)

    def _observed(self, task: Task, codes: "Mapping[str, CodeType]") -> Answer:
        call, watcher, side = self.call, self.call.watcher, self.side
        known = {**side.version.codes, **(side.probed if task.probed else {}), **codes}
        lines = _Lines(watcher.path) if task.traced else None
        side.probes.start()
        answer = self.observer.observe(
            known[watcher.watched[call.number]],
            call.live.space,
            call.given,
            watcher.globals,
            lines,
        )
        answer["taken"] = sorted(side.probes.taken)
        answer["lines"] = [] if lines is None else sorted(lines.seen)
        return answer

    def _place(self, probed: "Mapping[str, CodeType]") -> None:
        if probed:
            self.call.live.space.update(self.side.probes.names())
        version = self.side.version
        version.put_in_place(self.call.live, {**version.codes, **probed})

    def _swap(self, codes: "Mapping[str, CodeType]") -> None:
        for name, code in codes.items():
            self.call.live.swap(name, code)

    def _changed(self, task: Task) -> "dict[str, CodeType] | None":
        """The codes of a mutant, or of what marks it; None where it cannot be made."""
        if task.mutant is None:
            return {}
        mutant = self.side.alive[task.mutant]
        try:
            edit = mutant.mark if task.marked else mutant.edit
            return None if edit is None else self.side.version.edited(mutant.unit, edit)
        except (Unfit, SyntaxError, ValueError, KeyError):
            return None


class _Lines:
    """Which lines of one file are run."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.seen: set[int] = set()

    def __call__(self, frame: Any, event: str, argument: Any) -> Any:
        """A tracer."""
        if frame.f_code.co_filename != self.path:
            return None
        self.seen.add(frame.f_lineno)
        return self


class _Mark:
    """Notes that a place was reached, or that a changed expression has another value there."""

    def __init__(self) -> None:
        self.is_made = False

    def __call__(
        self,
        original: "Callable[[], Any] | None" = None,
        changed: "Callable[[], Any] | None" = None,
    ) -> Any:
        if original is None or changed is None:
            self.is_made = True
            return None
        value = original()
        if not self.is_made:
            self.is_made = not _is_alike(value, changed)
        return value


def _is_alike(value: Any, changed: "Callable[[], Any]") -> bool:
    try:
        other = changed()
        return type(value) is type(other) and (bool(value == other) or repr(value) == repr(other))
    except Exception:  # noqa: BLE001  it raises where the original does not
        return False


class _Hooks(ast.NodeTransformer):
    """Puts a call of ours at the beginning of functions."""

    def __init__(self, watched: "list[str]") -> None:
        self._numbers = {name: number for number, name in enumerate(watched)}
        self._around: list[str] = []

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Names inside begin with its own."""
        self._around.append(node.name)
        self.generic_visit(node)
        self._around.pop()
        return node

    def _function(self, node: Any) -> Any:
        name = ".".join((*self._around, node.name))
        self._around += [node.name, "<locals>"]
        self.generic_visit(node)
        del self._around[-2:]
        if name in self._numbers:
            call = ast.Call(
                ast.Name(ENTER, ast.Load()), [ast.Constant(self._numbers[name])], keywords=[]
            )
            place = node.body[0]
            says = isinstance(place, ast.Expr) and isinstance(place.value, ast.Constant)
            first = ast.copy_location(ast.Expr(ast.copy_location(call, place)), place)
            node.body.insert(1 if says else 0, first)
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815


def _cpu_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
