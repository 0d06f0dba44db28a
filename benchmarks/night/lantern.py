"""A text adventure: a flat package, a workflow, a flaky test; vendored and generated files."""

from benchmarks.night.planted import Planted

_PROJECT = """[build-system]
requires = ["setuptools"]
build-backend = "setuptools.build_meta"

[project]
name = "lantern"
version = "0.4"
description = "A small text adventure."
requires-python = ">=3.11"

[project.scripts]
lantern = "lantern.game:main"

[tool.setuptools]
packages = ["lantern"]

[tool.reverie.workflows.turn]
steps = ["lantern.parser:parse", "lantern.game:answer"]
params = { line = "take the brass lamp" }
"""
_COMBAT = '''"""Blows and what they do."""


class Fighter:
    """Somebody with a name, strength and hit points."""

    def __init__(self, name: str, strength: int, hit_points: int) -> None:
        self.name = name
        self.strength = strength
        self.hit_points = hit_points

    def is_alive(self) -> bool:
        """Whether there are hit points left."""
        return self.hit_points > 0


def damage(strength: int, armour: int, critical: bool = False) -> int:
    """Points that a blow takes: strength above armour, at least one; a critical blow doubles."""
    points = max(strength - armour, 1)
    if critical:
        points *= 2
    return points


def strike(attacker: Fighter, defender: Fighter, armour: int = 0) -> str:
    """One blow, and what is told of it."""
    points = damage(attacker.strength, armour)
    defender.hit_points = max(defender.hit_points - points, 0)
    if not defender.is_alive():
        return f"{attacker.name} slays {defender.name}"
    return f"{attacker.name} hits {defender.name} for {points}"


def rank(victories: int) -> str:
    """The title of a fighter: novice, squire from 3 victories, knight from 10."""
    if victories >= 10:
        return "knight"
    if victories >= 3:
        return "squire"
    return "novice"
'''
_DOORS = '''"""Doors, and who may pass."""


def can_open(locked: bool, has_key: bool, strength: int) -> bool:
    """Whether somebody gets through a door."""
    if locked == False:
        return True
    else:
        if has_key:
            return True
        else:
            if strength > 15:
                return True
            else:
                return False


def describe(locked: bool, wooden: bool) -> str:
    """How a door looks."""
    if wooden:
        text = "a wooden door"
        if locked:
            text = text + ", locked"
        return text
    else:
        text = "an iron door"
        if locked:
            text = text + ", locked"
        return text
'''
_JOURNAL = '''"""The journal of a player."""


def headlines(entries: list[tuple[int, str]], since: int) -> list[str]:
    """What happened from a turn on, each with its turn."""
    lines = []
    for i in range(len(entries)):
        turn = entries[i][0]
        text = entries[i][1]
        if not turn < since:
            lines.append("{}: {}".format(turn, text))
    return lines


def has_met(names: list[str], who: str) -> bool:
    """Whether a name is in the journal, in any case."""
    found = False
    for name in names:
        if name.lower() == who.lower():
            found = True
            break
    return found
'''
_MAPS = '''"""Rooms and the ways between them."""


def reachable(ways: dict[str, list[str]], start: str) -> list[str]:
    """Every room that can be walked to, in the order in which it is found."""
    found = [start]
    queue = [start]
    while queue:
        room = queue.pop(0)
        for other in ways.get(room, []):
            if other not in found:
                found.append(other)
                queue.append(other)
    return found
'''
_INVENTORY = '''"""What a player carries."""


def heaviest(weights: dict[str, int], count: int) -> list[str]:
    """Return the names of the heaviest things, the heaviest first.

    >>> heaviest({"lamp": 2, "sword": 7, "rope": 4}, 2)
    ['sword', 'rope']
    >>> heaviest({"lamp": 2}, 5)
    ['lamp']
    """
    ordered = sorted(weights, key=lambda name: weights[name])
    return ordered[:count]


def total_weight(weights: dict[str, int]) -> int:
    """What all things weigh together."""
    return sum(weights.values())
'''
_RIDDLES = '''"""Riddles of the sphinx; not asked anywhere yet."""

ANSWERS = {"what walks on four legs, then two, then three": "man", "what has keys": "piano"}


def normalise(answer: str) -> str:
    """An answer in small letters without its article and blanks around."""
    words = answer.strip().lower().split()
    if words and words[0] in ("a", "an", "the"):
        words = words[1:]
    return " ".join(words)


def is_solved(riddle: str, answer: str) -> bool:
    """Whether an answer is right; an unknown riddle is a KeyError."""
    return normalise(answer) == ANSWERS[riddle]


def hint(riddle: str) -> str:
    """The first letter of the answer, and dots for the rest."""
    answer = ANSWERS[riddle]
    return answer[0] + "." * (len(answer) - 1)
'''
_PARSER = '''"""What a player types, understood."""

VERBS = {"take": "take", "get": "take", "go": "go", "walk": "go", "look": "look"}
FILLERS = ("the", "a", "an", "to")


def parse(line: str) -> tuple[str, str]:
    """The verb and the thing that it is about; an unknown verb is a ValueError."""
    words = []
    for word in line.lower().split():
        if word not in FILLERS:
            words.append(word)
    if not words or words[0] not in VERBS:
        raise ValueError("I do not understand.")
    return VERBS[words[0]], " ".join(words[1:])
'''
_WEATHER = '''"""The weather outside of the cave."""

import os

KINDS = ("fog", "rain", "sun", "wind", "snow", "hail", "calm", "storm")


def today() -> str:
    """One of the kinds, by chance."""
    return KINDS[os.urandom(1)[0] % len(KINDS)]
'''
_SCORE = '''"""What a player has earned."""


def share(found: int, hidden: int) -> int:
    """How much of the treasure was found, in whole percent."""
    return 100 * found // hidden if hidden else 0


def top_scores(scores: list[int], count: int) -> list[int]:
    """The highest scores, the highest first, as many as are asked for.

    >>> top_scores([3, 9, 4], 2)
    [9, 4]
    >>> top_scores([5], 3)
    [5]
    >>> top_scores([1, 2, 3, 4], 1)
    [4]
    """
    raise NotImplementedError
'''
_GAME = '''"""The game: a line comes in, an answer goes out."""

from lantern._tables import NAMES
from lantern.combat import Fighter, strike
from lantern.doors import can_open, describe
from lantern.inventory import heaviest
from lantern.journal import has_met, headlines
from lantern.maps import reachable
from lantern.parser import parse
from lantern.score import share
from lantern.weather import today

WAYS = {"hall": ["cave", "tower"], "cave": ["lake"], "tower": ["hall"]}


def answer(command: tuple[str, str]) -> str:
    """What is told of a command that was understood."""
    verb, thing = command
    if verb == "take":
        return f"You take the {thing}."
    if verb == "go":
        return "You walk." if thing in reachable(WAYS, "hall") else "There is no way."
    return f"You see {describe(True, False)}; outside there is {today()}."


def fight(strength: int) -> str:
    """A fight with the troll."""
    return strike(Fighter(NAMES[0], strength, 10), Fighter("the troll", 3, 5))


def status(weights: dict[str, int], entries: list[tuple[int, str]]) -> str:
    """A line about the player."""
    load = ", ".join(heaviest(weights, 3))
    news = "; ".join(headlines(entries, 1))
    seen = "met" if has_met([text for _, text in entries], "troll") else "not met"
    way = "open" if can_open(True, False, 3) else "shut"
    return f"{load} | {news} | troll {seen} | way {way} | {share(1, 4)} %"


def main() -> None:
    """One turn."""
    print(answer(parse("take the lamp")))
'''
_TABLES = '''# This file is generated by tools/make_tables.py. DO NOT EDIT.
"""Names."""

NAMES = []
for _name in ("Ada", "Bo", "Cy"):
    NAMES.append(_name)


def index_of(name: str) -> int:
    if name in NAMES:
        return NAMES.index(name)
    else:
        return -1
'''
_VENDORED = '''# Vendored from oldtrie 1.2; changes belong upstream.
"""A trie."""


def longest(words):
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
    return best


def is_prefix(text, of):
    if of.startswith(text) == True:
        return True
    else:
        return False
'''
_SCRATCH = """import random

rolls = []
for i in range(10):
    rolls.append(random.randint(1, 6))
print(rolls)


def average(xs):
    return sum(xs) / len(xs)
"""
_TEST_DOORS = """import pytest

from lantern.doors import can_open, describe


@pytest.mark.parametrize(
    ("locked", "key", "strength", "opens"),
    [
        (False, False, 1, True),
        (True, True, 1, True),
        (True, False, 16, True),
        (True, False, 15, False),
    ],
)
def test_who_gets_through(locked: bool, key: bool, strength: int, opens: bool) -> None:
    assert can_open(locked, key, strength) is opens


@pytest.mark.parametrize(
    ("locked", "wooden", "text"),
    [
        (True, True, "a wooden door, locked"),
        (False, True, "a wooden door"),
        (True, False, "an iron door, locked"),
        (False, False, "an iron door"),
    ],
)
def test_how_doors_look(locked: bool, wooden: bool, text: str) -> None:
    assert describe(locked, wooden) == text
"""
_TEST_JOURNAL = """from lantern.journal import has_met, headlines

ENTRIES = [(1, "woke up"), (4, "met a troll"), (9, "slept")]


def test_headlines_begin_with_a_turn() -> None:
    assert headlines(ENTRIES, 4) == ["4: met a troll", "9: slept"]
    assert headlines(ENTRIES, 0) == ["1: woke up", "4: met a troll", "9: slept"]
    assert headlines([], 3) == []


def test_names_are_met_in_any_case() -> None:
    assert has_met(["Troll", "Ada"], "troll")
    assert has_met(["Ada"], "ADA")
    assert not has_met(["Ada"], "troll")
    assert not has_met([], "troll")
"""
_TEST_MAPS = """from lantern.maps import reachable


def test_rooms_come_in_the_order_of_the_walk() -> None:
    ways = {"hall": ["cave", "tower"], "cave": ["lake"], "tower": ["hall"]}
    assert reachable(ways, "hall") == ["hall", "cave", "tower", "lake"]
    assert reachable(ways, "lake") == ["lake"]


def test_a_long_tunnel() -> None:
    ways = {f"t{n}": [f"t{n + 1}"] for n in range(1500)}
    assert len(reachable(ways, "t0")) == 1501
"""
_TEST_GAME = """import pytest

from lantern.game import answer, fight, main, status
from lantern.inventory import heaviest, total_weight
from lantern.parser import parse


def test_a_turn(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert capsys.readouterr().out == "You take the lamp.\\n"


def test_walking() -> None:
    assert answer(parse("walk to the lake")) == "You walk."
    assert answer(parse("go moon")) == "There is no way."


def test_what_is_not_understood() -> None:
    with pytest.raises(ValueError, match="I do not understand"):
        parse("sing")


def test_one_thing_is_the_heaviest() -> None:
    assert heaviest({"lamp": 2}, 1) == ["lamp"]
    assert total_weight({"lamp": 2, "rope": 4}) == 6


def test_status() -> None:
    assert status({"lamp": 2}, [(1, "troll")]) == "lamp | 1: troll | troll met | way shut | 25 %"


def test_a_fight() -> None:
    assert fight(3) == "Ada hits the troll for 3"
"""
_TEST_WEATHER = """from lantern.weather import KINDS, today


def test_the_weather_is_known() -> None:
    assert today() in KINDS


def test_no_storm() -> None:
    assert today() != "storm"
"""
_FILES = {
    "pyproject.toml": _PROJECT,
    "README.md": "# lantern\n\nA small text adventure.\n",
    "lantern/__init__.py": '"""A text adventure."""\n',
    "lantern/_tables.py": _TABLES,
    "lantern/combat.py": _COMBAT,
    "lantern/doors.py": _DOORS,
    "lantern/game.py": _GAME,
    "lantern/inventory.py": _INVENTORY,
    "lantern/journal.py": _JOURNAL,
    "lantern/maps.py": _MAPS,
    "lantern/parser.py": _PARSER,
    "lantern/riddles.py": _RIDDLES,
    "lantern/score.py": _SCORE,
    "lantern/weather.py": _WEATHER,
    "lantern/vendor/__init__.py": "",
    "lantern/vendor/oldtrie.py": _VENDORED,
    "scratch/try_dice.py": _SCRATCH,
    "tests/test_doors.py": _TEST_DOORS,
    "tests/test_journal.py": _TEST_JOURNAL,
    "tests/test_maps.py": _TEST_MAPS,
    "tests/test_game.py": _TEST_GAME,
    "tests/test_weather.py": _TEST_WEATHER,
}
LANTERN = Planted(
    name="lantern",
    files=_FILES,
    kinds={
        "lantern.combat": "test",
        "lantern.doors": "refactor",
        "lantern.journal": "refactor",
        "lantern.maps": "optimisation",
        "lantern.riddles": "integration",
        "lantern.inventory": "finding",
        "lantern.score": "generated",
    },
    junk=(
        "README.md",
        "lantern/_tables.py",
        "lantern/vendor/oldtrie.py",
        "scratch/try_dice.py",
    ),
    first=tuple(each for each in _FILES if "combat" not in each and "maps" not in each),
    flaky="tests/test_weather.py::test_no_storm",
    workflow="turn",
)
