"""Which tests run which lines of a room, and what each of them costs."""

import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coverage import Coverage
from hypothesis import HealthCheck, Phase, settings

from benchmarks.gates.rooms import ROOT
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


@dataclass(slots=True)
class Measured:
    """What each test runs and costs, kept between runs by the file it stands in."""

    path: Path
    files: Sequence[str]
    """Whose lines are looked at."""

    def of(self, items: Sequence[Any], runner: ItemRunner) -> Reach:
        """What is known of tests that stand where nothing has changed, and a look at the others."""
        known = json.loads(self.path.read_text("utf-8")) if self.path.exists() else {}
        texts = {file: self._text(file) for file in {each.location[0] for each in items}}
        fresh = {file for file, text in texts.items() if known.get(file, {}).get("text") != text}
        known |= {file: {"text": texts[file], "tests": {}} for file in fresh}
        asked = [each for each in items if each.location[0] in fresh]
        for name, (file, cost, lines) in in_fork(lambda: _seen(asked, runner, self.files)):
            known[file]["tests"][name] = (cost, lines)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps(known), "utf-8")
        return _reach(items, known)

    def _text(self, file: str) -> str:
        """Changes with the test file, with what its folder lends it, and with the rooms."""
        test = ROOT / file
        lent = [each for each in sorted(test.parent.iterdir()) if each.is_file()]
        others = [each for each in lent if not each.name.startswith("test_")]
        texts = (Path(each).read_bytes() for each in (test, *others, *self.files))
        return hashlib.sha256(b"\0".join(texts)).hexdigest()


def _reach(items: Sequence[Any], known: Mapping[str, Any]) -> Reach:
    lines: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    costs: dict[int, float] = {}
    for place, item in enumerate(items):
        for cost, ran in filter(None, [known[item.location[0]]["tests"].get(item.nodeid)]):
            costs[place] = cost
            for path, numbers in ran.items():
                for line in numbers:
                    lines[str(ROOT / path)][line].add(place)
    frozen = {
        path: {line: frozenset(places) for line, places in found.items()}
        for path, found in lines.items()
    }
    return Reach(frozen, costs)


def _seen(items: Sequence[Any], runner: ItemRunner, files: Sequence[str]) -> list[Any]:
    """Of every test that passes: its name, its file, its cost, and the lines of each file."""
    coverage = Coverage(data_file=None, config_file=False, include=list(files))
    costs = {}
    coverage.start()
    for place, item in enumerate(items):
        coverage.switch_context(str(place))
        began = time.process_time()
        if runner.passes(item, None, is_slow=False):
            costs[place] = time.process_time() - began
    coverage.stop()
    data = coverage.get_data()
    lines: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for path in data.measured_files():
        below = Path(path).relative_to(ROOT).as_posix()  # another checkout may ask
        for line, contexts in data.contexts_by_lineno(path).items():
            for context in filter(None, contexts):
                lines[int(context)][below].append(line)
    return [
        (items[place].nodeid, (items[place].location[0], cost, lines[place]))
        for place, cost in costs.items()
    ]
