"""A class used at random, alone and beside its model: its promises hold after every use."""

import random
import sys
import time
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import Evaluator, Node, const, render
from reverie.dreamers.enrich.search.inside.surface import parameters_of
from reverie.dreamers.enrich.search.inside.trying import (
    OutOfTime,
    Teller,
    guarded,
    in_child,
    is_deliberate,
)

from .checking import is_finite, shown
from .containers import Comparison
from .drawing import Drawer
from .values import fits

_SIZES = (1, 1, 2, 3, 4, 6, 9)
_ACCIDENTS = (
    "IndexError", "KeyError", "ZeroDivisionError", "AttributeError", "TypeError", "RecursionError",
    "UnboundLocalError", "NameError",
)  # fmt: skip
_FEW = 0.6
Use = tuple[str, list[Node]]


class Broken:
    """Uses after which a law does not hold."""

    def __init__(
        self, made: "list[Node]", uses: "list[Use]", law: int, actual: str, error: str = ""
    ) -> None:
        self.made = made
        self.uses = uses
        self.law = law
        self.actual = actual
        self.error = error
        """The type of what the last use raised, where that breaks the law."""
        self.refused: set[int] = set()
        """Places of the uses that raised: they may have changed something all the same."""


class Usage:
    """Random uses of one class."""

    def __init__(
        self, told: "dict[str, Any]", evaluator: Evaluator, drawer: Drawer, chance: random.Random
    ) -> None:
        self.told = told
        self.evaluator = evaluator
        self.drawer = drawer
        self.chance = chance
        self.kind = evaluator.namespace[told["name"]]
        self.runs = 0
        self.given: dict[tuple[str, str], list[Node]] = {}
        """What was given before in the same uses, by type and name: the same is given again."""
        self.held = [0] * len(told["laws"])
        self.broke = [0] * len(told["laws"])
        self.path = str(getattr(sys.modules[self.kind.__module__], "__file__", ""))

    def search(self, until: float, most: int) -> "list[Broken]":
        """The shortest uses found that break each law."""
        found: dict[int, Broken] = {}
        while time.monotonic() < until and self.runs < most:
            self.given = {}
            made = self._arguments(self.told["name"], self.kind)
            uses = [self._use() for _ in range(self.chance.choice(_SIZES))]
            broken = self.run(made, uses)
            if broken is not None:
                self.broke[broken.law] += 1
                known = found.get(broken.law)
                if known is None or len(broken.uses) < len(known.uses):
                    found[broken.law] = self._shrunk(broken)
        return [each for each in found.values() if self.held[each.law] > self.broke[each.law]]

    def _use(self) -> Use:
        name = self.chance.choice(self.told["methods"])
        return name, self._arguments(f"{self.told['name']}.{name}", getattr(self.kind, name), 1)

    def _arguments(self, owner: str, called: Any, skipped: int = 0) -> "list[Node]":
        made: list[Node] = []
        for each in parameters_of(called, {})[skipped:]:
            if each.kind != "place":
                continue
            if skipped and each.hint is None and self.chance.random() < _FEW:
                made.append(const(self.chance.randint(0, 4)))  # uses meet where values are few
            elif (known := self.given.get((repr(each.hint), each.name))) and (
                skipped and self.chance.random() < _FEW
            ):
                made.append(self.chance.choice(known))
            else:
                made.append(self.drawer.argument(owner, each, made))
                self.given.setdefault((repr(each.hint), each.name), []).append(made[-1])
        return made

    def run(self, made: "list[Node]", uses: "list[Use]") -> "Broken | None":
        """The first use after which a law does not hold."""
        self.runs += 1
        done: list[Use] = []
        refused: set[int] = set()
        try:
            with guarded():
                subject = self.kind(*(self.evaluator.value(each, {}) for each in made))
                for use in uses:
                    broken = self._used(subject, use, made, done, refused)
                    if broken is not None:
                        broken.refused = refused
                        return broken
        except OutOfTime:
            return None
        except Exception:  # noqa: BLE001  it cannot even be made
            return None
        return None

    def _used(
        self, subject: Any, use: Use, made: "list[Node]", done: "list[Use]", refused: "set[int]"
    ) -> "Broken | None":
        name, args = use
        values = [self.evaluator.value(each, {}) for each in args]
        if not all(map(is_finite, values)):
            return None
        done.append(use)
        try:
            result = getattr(subject, name)(*values)
        except Exception as error:  # noqa: BLE001  refusing is what it may do
            number = self._accident(name, values, error)
            if number is None:
                refused.add(len(done) - 1)
                return None
            told = f"{type(error).__name__}: {error}"[:200]
            return Broken(made, list(done), number, told, type(error).__name__)
        number = self._broken(subject, name, values, result)
        return None if number is None else Broken(made, list(done), number, shown(result))

    def _accident(self, name: str, values: "list[Any]", error: Exception) -> "int | None":
        """The law that a method always answers, if this error breaks it."""
        names = {each.__name__ for each in type(error).__mro__}
        if not names & set(_ACCIDENTS) or is_deliberate(error.__traceback__, self.path):
            return None
        hints = [each.hint for each in parameters_of(getattr(self.kind, name), {})[1:]]
        for number, (method, check, _, allowed) in enumerate(self.told["laws"]):
            if method == name and not check and not names & set(allowed):
                return number if all(map(fits, values, hints)) else None
        return None

    def _broken(self, subject: Any, name: str, values: "list[Any]", result: Any) -> "int | None":
        for number, (method, check, parameters, _) in enumerate(self.told["laws"]):
            if method is not None and method != name:
                continue
            if not check:
                self.held[number] += 1
                continue
            space = {**self.evaluator.namespace, "subject": subject, "result": result,
                     **dict(zip(parameters, values))}  # noqa: B905  # fmt: skip
            try:
                if eval(check, space):
                    self.held[number] += 1
                else:
                    return number
            except Exception:  # noqa: BLE001  the condition does not fit this result
                continue
        return None

    def _shrunk(self, broken: Broken) -> Broken:
        for place in range(len(broken.uses) - 2, -1, -1):
            again = self.run(broken.made, broken.uses[:place] + broken.uses[place + 1 :])
            if again is not None and again.law == broken.law:
                broken = again
        return broken

    def document(self, broken: Broken) -> "dict[str, Any]":
        """The finding as source."""
        made = ", ".join(render(each, {}) for each in broken.made)
        texts = [
            f"subject.{name}({', '.join(render(each, {}) for each in args)})"
            for name, args in broken.uses
        ]
        for place in broken.refused:
            texts[place] = f"errors_of(lambda: {texts[place]})"
        return {
            "lines": [f"subject = {self.told['name']}({made})", *texts[:-1]],
            "asked": texts[-1],
            "law": broken.law,
            "actual": broken.actual,
            "error": broken.error,
            "arguments": [["value", render(each, {})] for each in broken.uses[-1][1]],
            "held": self.held[broken.law],
        }


_MOST_COMPARED, _MOST_USED = 4000, 6000
_SPARE_SECONDS = 15.0


class Objects:
    """What has to be tried with objects instead of calls; each in a process of its own."""

    def __init__(
        self, request: "dict[str, Any]", evaluator: Evaluator, drawer: Drawer, chance: random.Random
    ) -> None:
        self.request = request
        self.evaluator = evaluator
        self.drawer = drawer
        self.chance = chance
        self.executions = 0

    def models(self, until: float) -> "list[dict[str, Any]]":
        """Classes beside their models."""
        found: list[dict[str, Any]] = []
        for number, told in enumerate(self.request["containers"]):
            comparison = Comparison(self.evaluator.namespace[told["name"]], told, self.chance)

            def work(
                teller: Teller, comparison: Comparison = comparison, number: int = number
            ) -> None:
                self.chance.seed(self.request["seed"])
                parted = comparison.search(until, min(_MOST_COMPARED, self.request["most"]))
                if parted is not None:
                    teller.tell({"model": number, **comparison.document(parted)})
                teller.tell(comparison.runs)

            answers, _ = in_child(work, max(1.0, until - time.monotonic()) + _SPARE_SECONDS)
            found += [each for each in answers if isinstance(each, dict)]
            self.executions += sum(each for each in answers if type(each) is int)
        return found

    def usages(self, until: float) -> "list[dict[str, Any]]":
        """Classes used at random."""
        found: list[dict[str, Any]] = []
        for number, told in enumerate(self.request["classes"]):
            usage = Usage(told, self.evaluator, self.drawer, self.chance)

            def work(teller: Teller, usage: Usage = usage, number: int = number) -> None:
                self.chance.seed(self.request["seed"])
                for broken in usage.search(until, min(_MOST_USED, self.request["most"])):
                    teller.tell({"class": number, **usage.document(broken)})
                teller.tell(usage.runs)

            answers, _ = in_child(work, max(1.0, until - time.monotonic()) + _SPARE_SECONDS)
            found += [each for each in answers if isinstance(each, dict)]
            self.executions += sum(each for each in answers if type(each) is int)
        return found
