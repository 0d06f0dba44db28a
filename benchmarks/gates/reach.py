"""Which tests run which lines of a room, and what each of them costs."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coverage import Coverage
from hypothesis import HealthCheck, Phase, settings

from reverie.instruments.mutation.inside.baseline import in_fork
from reverie.instruments.mutation.inside.items import ItemRunner

PROFILE = "gates"


def hold_still() -> None:
    """Properties try the same examples every time, and a busy machine fails none of them."""
    settings.register_profile(
        PROFILE,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile(PROFILE)


@dataclass(frozen=True, slots=True)
class Reach:
    """Places of tests by file and line. Only tests that pass are in it."""

    lines: Mapping[str, Mapping[int, frozenset[int]]]
    costs: Mapping[int, float]

    def of_file(self, path: str) -> frozenset[int]:
        """The tests that run anything of a file, after its import."""
        return frozenset[int]().union(*self.lines.get(path, {}).values())

    def of_nothing(self) -> frozenset[int]:
        """The tests that run no line of any file: they look at what an import leaves."""
        return frozenset(self.costs).difference(*map(self.of_file, self.lines))

    def of_lines(self, path: str, first: int, last: int) -> frozenset[int]:
        """The tests that run one of these lines."""
        known = self.lines.get(path, {})
        return frozenset[int]().union(*(known.get(at, ()) for at in range(first, last + 1)))


def measure(items: Sequence[Any], runner: ItemRunner, files: Sequence[str]) -> Reach:
    """Run every test once, in a fork."""
    lines: dict[str, dict[int, frozenset[int]]] = defaultdict(dict)
    costs: dict[int, float] = {}
    for found in in_fork(lambda: _seen(items, runner, files)):
        costs = dict(found["costs"])
        for path, line, places in found["lines"]:
            lines[path][line] = frozenset(places) & costs.keys()
    return Reach(lines, costs)


def _seen(items: Sequence[Any], runner: ItemRunner, files: Sequence[str]) -> list[dict[str, Any]]:
    coverage = Coverage(data_file=None, config_file=False, include=list(files))
    costs = []
    coverage.start()
    for place, item in enumerate(items):
        coverage.switch_context(str(place))
        began = time.process_time()
        if runner.passes(item, None, is_slow=False):
            costs.append((place, time.process_time() - began))
    coverage.stop()
    data = coverage.get_data()
    lines = [
        (path, line, [int(context) for context in contexts if context])
        for path in data.measured_files()
        for line, contexts in data.contexts_by_lineno(path).items()
    ]
    return [{"costs": costs, "lines": lines}]
