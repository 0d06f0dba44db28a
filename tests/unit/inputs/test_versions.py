"""The same seed gives the same bytes: in every process, on every Python, with any hash seed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

OTHERS = ("python3.12", "python3.13")
PROGRAM = """
import json, random, sys
from reverie.model.codec import plain
from reverie.inputs import generate_calls, hostile_calls, misused_calls, mutate_call, shrink_call
from reverie.inputs import Hostility, SyntheticTestGenerator
source = open(sys.argv[1], encoding="utf-8").read()
found = []
for name in json.loads(sys.argv[2]):
    calls = generate_calls(source, name, seed=7, count=20)
    found += [plain(call) for call in calls]
    rng = random.Random(3)
    found += [plain(mutate_call(call, rng)) for call in calls]
    found += [plain(each) for call in calls[:5] for each in shrink_call(call)]
    found += [plain(each.call) for each in hostile_calls(calls, Hostility.HIGH)]
    found += [plain(each.call) for each in misused_calls(calls, Hostility.HIGH)]
code = "def g(items: list, n: int = 3, *, s: str, t: set[str], x: float, u): return u['a'] + s"
found.append(repr([sorted(map(ascii, each.items()))
                   for each in SyntheticTestGenerator(5).generate_test_inputs(code, 9)
                   for _ in [each.update(t=sorted(each["t"]))]]))
sys.stdout.write(json.dumps(found, sort_keys=True))
"""
SOURCE = """
import decimal, datetime, enum
from dataclasses import dataclass
from typing import *
class Colour(enum.Enum):
    RED = 1
    GREEN = 2
@dataclass
class Point:
    x: int
    y: float = 0.5
class Reader(Protocol):
    def read(self, n: int) -> bytes: ...
T = TypeVar("T")
def typed(a: int, b: dict[str, set[str]], c: Optional[Colour], d: frozenset[int], e: list[Point],
          f: Callable[[T], T], g: T, h: Reader, *args: decimal.Decimal, k: float = 1.5,
          when: datetime.datetime, **rest): ...
def untyped(rows, key, limit=10, names=("a", "b"), options={"x", "y"}):
    \"\"\"Rows by key.

    >>> untyped([{"id": 1, "name": "\\u00e9"}], "id")
    \"\"\"
    for row in rows:
        if row["name"].startswith("\\u65e5") and row["id"] > 17:
            yield row[key]
    return options
class Stack:
    def __init__(self, items=None): self.items = list(items or [])
    def push(self, item: "Point | str") -> None: self.items.append(item)
class Guarded:
    settings: dict
    def __init__(self, names: Sequence[str] | None = None, *, tags: set[str] = frozenset(), n=1):
        if not names or not list(tags) and n > 3:
            raise TypeError("no name")
        self.first = sorted(tags)[:1] or names[0]
        self.size = dict(self.settings)
    @property
    def size(self) -> int: return 1
    @size.setter
    def size(self, value: int): assert value
class Complete(Guarded):
    settings = {}
def guarded(x: set[str] | int, when: datetime.timedelta, fillchar: str):
    if when.days or not isinstance(x, int) and "a" in list(x)[:1]:
        raise TypeError("no days")
"""
NAMES = ["typed", "untyped", "Stack.push", "Stack", "Point", "Guarded", "Guarded.size", "guarded"]


def made_by(python: str, folder: Path, hash_seed: str = "0") -> list[object]:
    """What the program makes on an interpreter that has nothing installed but itself."""
    path = folder / "source.py"
    path.write_text(SOURCE, "utf-8")
    root = Path(__file__).parents[3] / "src"
    done = subprocess.run(
        [python, "-s", "-c", PROGRAM, str(path), json.dumps(NAMES)],
        env={"PYTHONPATH": str(root), "PYTHONHASHSEED": hash_seed, "PATH": os.environ["PATH"],
             "HOME": str(folder)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert isinstance(found, list)
    return found


def interpreter(name: str) -> str | None:
    """Another Python of this machine: on the path, or among those that pyenv keeps."""
    version, found = name.removeprefix("python"), shutil.which(name)
    keepers = [Path.home() / ".pyenv", *([Path(found).parents[1]] if found else [])]
    places = [each / "versions" for each in keepers]
    managed = [each for place in places for each in place.glob(f"{version}.*/bin/{name}")]
    return str(max(managed)) if managed else found


def test_another_process_with_another_hash_seed_makes_the_same(tmp_path: Path) -> None:
    first = made_by(sys.executable, tmp_path, "1")
    assert len(first) > 300
    assert first == made_by(sys.executable, tmp_path, "2")


@pytest.mark.parametrize("name", OTHERS)
def test_another_python_makes_the_same(name: str, tmp_path: Path) -> None:
    python = interpreter(name)
    if python is None:
        pytest.skip(f"NOT COMPARED: {name} is not on this machine; byte equality is unproven here")
    assert made_by(python, tmp_path) == made_by(sys.executable, tmp_path)
