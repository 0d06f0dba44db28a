"""Calls that cost far more as their input grows: steps that multiply the lines or the time."""

import re
import time
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import CONST, Evaluator, Node, render
from reverie.dreamers.enrich.search.inside.trying import OutOfTime, Teller, guarded, in_child

from .drawing import Group
from .prelude import is_steep, lines_of, listed, seconds_of

_ADDED, _DOUBLED = [8, 12, 16, 20], [8, 16, 32, 64]
_LONG = [128, 256, 512, 1024]
_TIMED = [12, 16, 20, 24]
_LEAST = {"lines": 3000.0, "seconds": 10.0}
_PROBED_MS = 1.0
_MOST_INPUTS = 4
_UNITS = ("a", "0", " ", "a.", "-", ",", "(", "\t")
_TAILS = ("", "!", "\x00")
_DEEP = 1500
_LEAST_SIZES = 3
_PATIENT = 10.0


class Growth:
    """One call, written with `size`, that grows too fast."""

    def __init__(self, call: str, sizes: "list[int]", costs: "list[float]", measure: str) -> None:
        self.call = call
        self.sizes = sizes
        self.costs = costs
        self.measure = measure
        """`lines`, `seconds`, or `depth` for a recursion that does not fit the stack."""


class Growing:
    """Looks for such calls among inputs that were accepted."""

    def __init__(self, evaluator: Evaluator, request: "dict[str, Any]") -> None:
        self.evaluator = evaluator
        self.measured: list[str] = request["measured"]
        self.pieces: list[str] = request["pieces"]
        self.executions = 0

    def search(self, groups: "list[Group]", until: float) -> "list[dict[str, Any]]":
        """At most one finding for each callable."""
        found: list[dict[str, Any]] = []
        for name in self.measured:
            group = next((each for each in groups if _is_of(each, name)), None)
            left = until - time.monotonic()
            if group is None or not group.accepted or left <= 0:
                continue

            def work(teller: Teller, name: str = name, group: Group = group) -> None:
                grown = self._steepest(name, group, until)
                if grown is not None:
                    teller.tell({"growth": name, "call": grown.call, "sizes": grown.sizes,
                                 "costs": grown.costs, "measure": grown.measure})  # fmt: skip
                teller.tell(self.executions)

            answers, _ = in_child(work, left + 10)
            found += [each for each in answers if isinstance(each, dict)]
            self.executions += sum(each for each in answers if type(each) is int)
        return found

    def _steepest(self, name: str, group: Group, until: float) -> "Growth | None":
        for args in _different(group.accepted):
            sources = [render(each, {}) for each in args]
            for place, node in enumerate(args):
                for shape, is_text in self._shapes(node):
                    if time.monotonic() > until:
                        return None
                    given = ", ".join([*sources[:place], shape, *sources[place + 1 :]])
                    grown = self._grown(f"{name}({given})", is_text, is_number=shape == "size")
                    if grown is not None:
                        return grown
        return None

    def _shapes(self, node: Node) -> "Iterator[tuple[str, bool]]":
        """Expressions of `size` that are like an argument, and whether they are texts."""
        if node.kind == CONST and type(node.value) is int:
            yield "size", False
        elif node.kind == CONST and type(node.value) is str:
            signs = [each for each in self.pieces if len(each) <= 2][:6]
            for unit in dict.fromkeys((*_UNITS, *node.value[:3], *signs)):
                for tail in _TAILS:
                    yield f"{unit!r} * size + {tail!r}" if tail else f"{unit!r} * size", True
            if node.value:
                yield f"{node.value!r} * size", True
        elif node.kind in ("list", "tuple") and node.items:
            text = render(node, {})
            yield f"({text} * size)[:size]", False
            if node.kind == "list" and all(type(each.value) is int for each in node.items):
                yield "list(range(size))", False

    def _grown(self, call: str, is_text: bool, is_number: bool) -> "Growth | None":
        made = eval(f"lambda size: {call}", self.evaluator.namespace)
        for sizes in ([*_ADDED],) if is_number else ([*_ADDED], [*_DOUBLED]):
            costs = self._costs(made, sizes, lines_of)
            if costs is not None and is_steep(sizes, costs, _LEAST["lines"]):
                return Growth(call, sizes, costs, "lines")
        if is_text and self._is_slow(made):
            for sizes in ([*_TIMED], [*_LONG]):
                costs = self._costs(made, sizes, seconds_of, until=100.0)
                if costs is not None and is_steep(sizes, costs, _LEAST["seconds"]):
                    return Growth(call, sizes, costs, "seconds")
        if not is_number and self._is_too_deep(made):
            return Growth(call, [_DEEP], [float(_DEEP)], "depth")
        return None

    def _costs(
        self, made: Any, sizes: "list[int]", measure: Any, until: float = 2e5
    ) -> "list[float] | None":
        """The cost of each size; None when a call raises. A series that explodes is cut short."""
        costs: list[float] = []
        for size in sizes:
            if costs and costs[-1] >= until:
                break
            self.executions += 1
            try:
                with guarded(_PATIENT):
                    costs.append(measure(lambda size=size: made(size)))
            except OutOfTime:
                costs.append(until)
            except Exception:  # noqa: BLE001  such an input is refused
                return None
        if len(costs) > _LEAST_SIZES and costs[-1] >= until:
            costs.pop()  # not measured to its end
        if len(costs) < _LEAST_SIZES:
            return None
        del sizes[len(costs) :]
        return costs

    def _is_slow(self, made: Any) -> bool:
        """Whether time is worth measuring: a text of moderate length already takes a while."""
        try:
            with guarded(5.0):
                return seconds_of(lambda: made(_TIMED[-2])) > _PROBED_MS or (
                    seconds_of(lambda: made(_LONG[-1])) > 10 * _PROBED_MS
                )
        except OutOfTime:
            return True
        except Exception:  # noqa: BLE001  such an input is refused
            return False

    def _is_too_deep(self, made: Any) -> bool:
        """Whether the calls nest as deep as the input is long."""
        try:
            with guarded(5.0):
                listed(made(20))
                listed(made(_DEEP))
        except RecursionError:
            return True
        except OutOfTime:
            return False
        except Exception:  # noqa: BLE001  such an input is refused
            return False
        return False


def _is_of(group: Group, name: str) -> bool:
    return bool(group.variables) and all(each[1] == name for each in group.variables)


def _different(accepted: "list[list[Node]]") -> "list[list[Node]]":
    """A few inputs of different shapes, the smallest of each."""
    found: dict[str, list[Node]] = {}
    for args in sorted(accepted, key=lambda each: sum(one.size for one in each)):
        shape = re.sub(r"\w+", "x", " ".join(f"{each.kind}{type(each.value)}" for each in args))
        if all(each.items for each in args if each.kind in ("list", "tuple")):
            found.setdefault(shape, args)
    return list(found.values())[:_MOST_INPUTS]
