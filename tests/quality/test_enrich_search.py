"""Planted modules whose ways are hard to take by chance: the search takes all of them.

Fixed seed and number of tries, so that a change of the search shows here and not by luck.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.dreamers.enrich.search.search import Effort, Findings, find_scenarios
from reverie.dreamers.enrich.target import Target, find_target
from reverie.dreamers.enrich.worth import outline_of
from reverie.errors import UsageError
from reverie.sandbox.engine import Sandbox

_TRIES = 1500
_STEMS = (
    "ox", "quiz", "mouse", "index", "sheaf", "hive", "bus", "alias", "octopus", "axis", "datum",
    "tomato", "shelf", "city", "church", "person", "zombie", "movie", "shoe", "crisis",
)  # fmt: skip

PLANTED = {
    "magic_string": """
def grade(word):
    if word == "xyzzy-17":
        return "magic"
    if word.startswith("prefix::") and word.endswith("!"):
        return "framed"
    return "plain"
""",
    "computed": """
def check(number: int, text: str) -> str:
    if number * 7 + 3 == 150006:
        return "exact"
    if len(text) == 23:
        return "long"
    if text.strip().lower() == "open sesame":
        return "open"
    return "no"
""",
    "parser": """
import re

_ENTRY = re.compile(r"(?P<key>[a-z]+)\\s*=\\s*(?P<value>\\d+|true|false|'[^']*')$")


class Bad(ValueError):
    pass


def read(text: str) -> dict:
    found = {}
    for number, line in enumerate(text.split("\\n")):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("[") and line.endswith("]"):
            found[line[1:-1]] = {}
            continue
        match = _ENTRY.match(line)
        if match is None:
            raise Bad(f"line {number}")
        value = match["value"]
        if value in ("true", "false"):
            found[match["key"]] = value == "true"
        elif value.startswith("'"):
            found[match["key"]] = value[1:-1]
        else:
            found[match["key"]] = int(value)
    return found
""",
    "protocol": """
class Shelf:
    def __init__(self, room):
        if room < 1:
            raise ValueError("no room")
        self.room = room
        self.items = {}

    def __setitem__(self, key, value):
        while len(self.items) >= self.room and key not in self.items:
            self.items.pop(next(iter(self.items)))
        self.items[key] = value

    def __getitem__(self, key):
        return self.items[key]

    def __delitem__(self, key):
        del self.items[key]

    def __contains__(self, key):
        return key in self.items

    def __len__(self):
        return len(self.items)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.items.clear()

    def get(self, key, default=None):
        if key in self:
            return self[key]
        return default

    def is_full(self):
        if len(self) == self.room:
            return True
        return False
""",
    "untyped_callable": """
def pick(choose, things):
    kept = []
    for each in things:
        if choose(each):
            kept.append(each)
    if not kept:
        raise LookupError("nothing chosen")
    return kept
""",
    "awaiting": '''
import abc
import enum


class Mood(enum.Enum):
    GOOD = "good"
    BAD = "bad"


class Source(abc.ABC):
    @abc.abstractmethod
    def read(self):
        """One value."""

    def doubled(self):
        value = self.read()
        if value is None:
            return None
        return value * 2


async def slow(mood: Mood, times: int):
    if mood is Mood.GOOD:
        return times + 1
    return -times


def counted(upto: int):
    for each in range(upto):
        if each % 2:
            yield each
''',
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def searched(sandbox: Sandbox, folder: Path, name: str, tries: int = _TRIES) -> Findings:
    target = planted(folder, name)
    return find_scenarios(sandbox, target, Effort(seconds=None, tries=tries, seed=3))


def planted(folder: Path, name: str) -> Target:
    path = folder / f"{name}.py"
    path.write_text(PLANTED[name])
    return find_target(str(path), None, None)


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_every_branch_of_a_planted_module_is_taken(
    sandbox: Sandbox, tmp_path: Path, name: str
) -> None:
    findings = searched(sandbox, tmp_path, name)
    outline = outline_of((tmp_path / f"{name}.py").read_text())
    arcs = frozenset().union(*(each.arcs for each in findings.scenarios))
    covered = outline.covered(arcs | findings.import_arcs)
    least = 0.85 if name == "awaiting" else 1.0  # a stand-in gives no None
    assert covered.branches >= least, sorted(findings.open_ways)


def test_the_same_seed_and_number_of_tries_give_the_same_scenarios(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    first = searched(sandbox, tmp_path, "protocol", 300)
    second = searched(sandbox, tmp_path, "protocol", 300)
    assert first.scenarios == second.scenarios
    assert first.tries == second.tries


def test_every_rule_of_a_table_is_tried(sandbox: Sandbox, tmp_path: Path) -> None:
    rules = [(f"(?i)({stem})s?$", f"rule-{number}") for number, stem in enumerate(_STEMS)]
    (tmp_path / "rules.py").write_text(
        f"import re\n\nRULES = {rules!r}\n\n\ndef kind(word: str) -> str:\n"
        "    for rule, name in RULES:\n        if re.search(rule, word):\n"
        "            return name\n    return 'none'\n"
    )
    target = find_target(str(tmp_path / "rules.py"), None, None)
    found = find_scenarios(sandbox, target, Effort(seconds=None, tries=2500, seed=3))
    told = {str(each.seen[-1].literal and each.seen[-1].literal.source) for each in found.scenarios}
    assert {f"'{name}'" for _, name in rules} <= told


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('import sys\n\nsys.exit("usage: bump PART")\n', "SystemExit: usage: bump PART"),
        ("import missing_altogether\n", "ModuleNotFoundError: No module named"),
        ("raise KeyboardInterrupt\n", "KeyboardInterrupt"),
    ],
)
def test_a_module_that_cannot_be_imported_says_why(
    sandbox: Sandbox, tmp_path: Path, source: str, why: str
) -> None:
    (tmp_path / "script.py").write_text(source)
    target = find_target(str(tmp_path / "script.py"), None, None)
    with pytest.raises(UsageError, match=f"script cannot be imported: {why}"):
        find_scenarios(sandbox, target, Effort(seconds=None, tries=10))
