"""A class used at random: what it says of itself has to hold after every use."""

import random
import time
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import Evaluator, Node, render
from reverie.dreamers.enrich.search.inside.surface import parameters_of
from reverie.dreamers.enrich.search.inside.trying import OutOfTime, guarded

from .checking import is_finite, shown
from .drawing import Drawer

_SIZES = (1, 1, 2, 3, 4, 6, 9)
Use = tuple[str, list[Node]]


class Broken:
    """Uses after which a law does not hold."""

    def __init__(self, made: "list[Node]", uses: "list[Use]", law: int, actual: str) -> None:
        self.made = made
        self.uses = uses
        self.law = law
        self.actual = actual


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
        self.held = [0] * len(told["laws"])

    def search(self, until: float, most: int) -> "list[Broken]":
        """The shortest uses found that break each law."""
        found: dict[int, Broken] = {}
        while time.monotonic() < until and self.runs < most:
            made = self._arguments(self.told["name"], self.kind)
            uses = [self._use() for _ in range(self.chance.choice(_SIZES))]
            broken = self.run(made, uses)
            if broken is not None:
                known = found.get(broken.law)
                if known is None or len(broken.uses) < len(known.uses):
                    found[broken.law] = self._shrunk(broken)
        return [each for each in found.values() if self.held[each.law]]

    def _use(self) -> Use:
        name = self.chance.choice(self.told["methods"])
        return name, self._arguments(f"{self.told['name']}.{name}", getattr(self.kind, name), 1)

    def _arguments(self, owner: str, called: Any, skipped: int = 0) -> "list[Node]":
        made: list[Node] = []
        for each in parameters_of(called, {})[skipped:]:
            if each.kind == "place":
                made.append(self.drawer.argument(owner, each, made))
        return made

    def run(self, made: "list[Node]", uses: "list[Use]") -> "Broken | None":
        """The first use after which a law does not hold; uses that raise are left out."""
        self.runs += 1
        done: list[Use] = []
        try:
            with guarded():
                subject = self.kind(*(self.evaluator.value(each, {}) for each in made))
                for name, args in uses:
                    values = [self.evaluator.value(each, {}) for each in args]
                    if not all(map(is_finite, values)):
                        continue
                    try:
                        result = getattr(subject, name)(*values)
                    except Exception:  # noqa: BLE001  refusing is what it may do
                        continue
                    done.append((name, args))
                    number = self._broken(subject, name, values, result)
                    if number is not None:
                        return Broken(made, done, number, shown(result))
        except OutOfTime:
            return None
        except Exception:  # noqa: BLE001  it cannot even be made
            return None
        return None

    def _broken(self, subject: Any, name: str, values: "list[Any]", result: Any) -> "int | None":
        for number, (method, check, parameters) in enumerate(self.told["laws"]):
            if method is not None and method != name:
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
        return {
            "lines": [f"subject = {self.told['name']}({made})", *texts[:-1]],
            "asked": texts[-1],
            "law": broken.law,
            "actual": broken.actual,
            "arguments": [["value", render(each, {})] for each in broken.uses[-1][1]],
            "held": self.held[broken.law],
        }
