"""Classes of the module: beside their models, and used at random."""

import random
import time
from typing import Any

from reverie.dreamers.enrich.search.inside.children import Teller, in_child
from reverie.dreamers.enrich.search.inside.nodes import Evaluator

from .classes import Usage
from .containers import Comparison
from .drawing import Drawer

_MOST_COMPARED, _MOST_USED = 4000, 6000


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

            answers, _ = in_child(work, max(1.0, until - time.monotonic()) + 5)
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

            answers, _ = in_child(work, max(1.0, until - time.monotonic()) + 5)
            found += [each for each in answers if isinstance(each, dict)]
            self.executions += sum(each for each in answers if type(each) is int)
        return found
