"""`reverie fuzz` on buggy and sound twins, through the command line."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.fuzz import Effort, fuzz_callable
from reverie.model.repository.environment import Fuzzed
from reverie.sandbox.engine import Sandbox

CODES = '''"""Run lengths."""


def encode(text: str) -> str:
    """Each run as count and character. Raises ValueError when there is a digit."""
    if any(c.isdigit() for c in text):
        raise ValueError("digit")
    out, i = [], 0
    while i < len(text):
        j = i
        while j < len(text) and text[j] == text[i]:
            j += 1
        out.append(f"{j - i}{text[i]}")
        i = j
    return "".join(out)


def decode(code: str) -> str:
    """Inverse of encode: decode(encode(t)) == t. Raises ValueError for malformed code."""
    out, count = [], ""
    for c in code:
        if c.isdigit():
            count += c
        elif not count:
            raise ValueError("no count")
        else:
            out.append(c * int(count))
            count = ""
    return "".join(out)
'''
QUEUE = '''class Queue:
    """First in, first out; get raises IndexError when it is empty."""

    def __init__(self):
        self.items: list = []

    def put(self, item) -> None:
        self.items.append(item)

    def get(self):
        return self.items.pop(0)
'''
LOOP = '''def steps(base: int, limit: int) -> list[int]:
    """Multiples of base up to limit. Raises ValueError when base is not positive."""
    if base <= 0:
        raise ValueError("base")
    out = []
    while sum(out) < limit:
        out.append(base)
    return out
'''
SORTING = '''def middle(values: list[int]) -> int:
    """The middle one. Raises ValueError for an empty list."""
    if not values:
        raise ValueError("empty")
    values = sorted(values)
    return values[len(values) // 2]
'''
TWINS = [
    (CODES, "decode", "count += c", "count = c", "round trip"),
    (QUEUE, "Queue", "pop(0)", "pop()", "model"),
    (LOOP, "steps", "base <= 0", "base < 0", "endless"),
    (SORTING, "middle", "values = sorted(values)", "values.sort()", "arguments"),
    (SORTING, "middle", "if not values:", "if values is None:", "error"),
]


@pytest.fixture(scope="module")
def sandbox():  # type: ignore[no-untyped-def]
    with Sandbox() as opened:
        yield opened


def fuzzed(sandbox: Sandbox, folder: Path, source: str, name: str, executions: int) -> Fuzzed:
    path = folder / "subject.py"
    path.write_text(source)
    target = find_target(str(path), None, None)
    return fuzz_callable(sandbox, target, name, Effort(seconds=60, executions=executions))


@pytest.mark.parametrize(("source", "name", "old", "new", "kind"), TWINS)
def test_a_planted_bug_is_found_and_made_small(
    sandbox: Sandbox, tmp_path: Path, source: str, name: str, old: str, new: str, kind: str
) -> None:
    assert source.count(old) == 1
    found = fuzzed(sandbox, tmp_path, source.replace(old, new), name, 2_000).findings
    assert kind in {each.kind for each in found}
    assert all(len(each.input) < 120 for each in found)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_sound_twin_raises_no_alarm(sandbox: Sandbox, tmp_path: Path, number: int) -> None:
    source, name = TWINS[number][:2]
    assert fuzzed(sandbox, tmp_path, source, name, 3_000).findings == ()


FOREIGN = '''from xml.parsers import expat


class Interrupted(Exception):
    pass


def parse(text, stop=False):
    """What the parser comes to. Raises Interrupted when it is stopped."""
    if stop:
        raise Interrupted
    return expat.ParserCreate().Parse(text, True)
'''


def test_what_another_library_refuses_in_words_is_no_alarm(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    assert fuzzed(sandbox, tmp_path, FOREIGN, "parse", 400).findings == ()


USED = '''class Shelf:
    """Books in a row."""

    def __init__(self, *books):
        self._books = list(books)

    def __len__(self):
        return len(self._books)

    def __iter__(self):
        return iter(self._books)

    def __getitem__(self, at):
        if not -len(self._books) <= at < len(self._books):
            raise IndexError(at)
        return self._books[at]


def first(books, default=None):
    """The first book."""
    return books[0] if books else default


def size(value):
    """An amount: 12 B, 1.5 kB."""
    value = int(value)
    return f"{value} B" if value < 1000 else f"{value / 1000:.1f} kB"
'''
USED_BY = """from shelf import Shelf, first, size


def test_all():
    assert len(Shelf()) == 0
    assert first(["a", "b"]) == "a"
    assert list(Shelf("a", "b", "c")) == ["a", "b", "c"]
    assert Shelf(1, 2)[1] == 2
    assert Shelf(7)[0] == 7


def test_sizes():
    assert size(1) == "1 B"
    assert size("20") == "20 B"
    assert size("300") == "300 B"
    assert size(4000) == "4.0 kB"
    assert size(5000) == "5.0 kB"
    assert size(6000) == "6.0 kB"
    assert size(7100) == "7.1 kB"
    assert size(55) == "55 B"
    assert size(5.0) == "5 B"
    assert size(70.5) == "70 B"
"""
SHOWN = [
    ("        return self._books[at]", "        return self._books[at] or self._books[99]", "Shelf",
     "postcondition"),
    ("books else default", "books else default.title()", "first", "error"),
    ("value = int(value)", "value = float(value) if isinstance(value, str) else value", "size",
     "agreement"),
]  # fmt: skip


def shelved(folder: Path, source: str) -> Path:
    (folder / "shelf.py").write_text(source)
    (folder / "tests").mkdir()
    (folder / "tests" / "test_shelf.py").write_text(USED_BY)
    return folder / "shelf.py"


@pytest.mark.parametrize(("old", "new", "name", "kind"), SHOWN)
def test_what_tests_show_leads_to_a_fault_that_no_promise_names(
    sandbox: Sandbox, tmp_path: Path, old: str, new: str, name: str, kind: str
) -> None:
    assert USED.count(old) == 1
    path = shelved(tmp_path, USED.replace(old, new))
    target = find_target(str(path), tmp_path, None)
    found = fuzz_callable(sandbox, target, name, Effort(seconds=20)).findings
    assert kind in {each.kind for each in found}


@pytest.mark.parametrize("name", ["Shelf", "first", "size"])
def test_what_tests_show_of_sound_code_raises_no_alarm(
    sandbox: Sandbox, tmp_path: Path, name: str
) -> None:
    target = find_target(str(shelved(tmp_path, USED)), tmp_path, None)
    assert fuzz_callable(sandbox, target, name, Effort(seconds=12)).findings == ()


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "reverie", "fuzz", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_a_finding_has_a_catalogue_a_script_and_a_verdict(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(SORTING.replace("values = sorted(values)", "values.sort()"))
    (tmp_path / ".reverie").mkdir()
    asked = ("code.py:middle", "--budget", "60s", "--executions", "1500", "--json")
    done = run(tmp_path, *asked, "--out", "emergence")
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    (finding,) = document["findings"]
    keys = {"signature", "input", "expected", "actual", "hypothesis", "action", "repro"}
    assert keys <= set(finding)
    assert document["executions"] > 0
    folder = tmp_path / "emergence"
    script = folder / f"repro_{finding['signature']}.py"
    assert subprocess.run([sys.executable, script], capture_output=True).returncode == 1
    for name in ("emergence.md", "emergence.html", "emergence.json"):
        assert finding["signature"] in (folder / name).read_text()
    said = run(tmp_path, "--verdict", f"{finding['signature']}=feature", "--why", "in place")
    assert said.returncode == 0, said.stderr
    again = run(tmp_path, *asked)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["settled"][0]["verdict"] == "feature"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("nothing.py:f",), "nothing.py"),
        (("code.py:nothing",), "nothing"),
        (("code.py:middle", "--budget", "soon"), "soon"),
        (("--verdict", "12=feature"), "12=feature"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    cli: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    named: str,
) -> None:
    (tmp_path / "code.py").write_text(SORTING)
    monkeypatch.chdir(tmp_path)
    ran = cli("fuzz", *arguments)
    assert ran.code == 2
    assert len(ran.err.strip().splitlines()) == 1
    assert named in ran.err


STATEFUL = '''_seen: list[str] = []


def label(name: str) -> str:
    """A label of at most 8 characters."""
    _seen.append(name)
    return name[:8] if len(_seen) % 5 else name + "-and-some-more"
'''
WAITING = '''class Waiting:
    """Readers waiting for books."""

    def __init__(self, most: int = 5) -> None:
        self.most = most
        self._queues: dict[str, list[str]] = {}

    def reserve(self, isbn: str, reader: str) -> int:
        """Put a reader into the queue."""
        queue = self._queues.setdefault(isbn, [])
        if len(queue) >= self.most:
            raise ValueError(f"{self.most} wait already")
        queue.append(reader)
        return len(queue)

    def next_reader(self, isbn: str) -> str | None:
        """The reader whose turn it is; None when nobody waits."""
        if isbn not in self._queues:
            return None
        return self._queues[isbn].pop(0)
'''
SHELF = """_GONE = object()


class Shelf:
    def __init__(self):
        self._slots = []

    def put(self, item):
        self._slots.append(item)

    def drop(self, item):
        self._slots[self._slots.index(item)] = _GONE

    def __len__(self):
        return len(self._slots)

    def __iter__(self):
        return (each for each in self._slots if each is not _GONE)
"""
GROWING = [
    ('def paths(n: int) -> int:\n    """Ways through."""\n'
     '    return 1 if n < 2 else paths(n - 1) + paths(n - 2)\n', "paths"),
    ('import re\n\n_WORDS = re.compile(r"^(\\w+\\s?)*$")\n\n\n'
     'def is_words(text: str) -> bool:\n    """Whether a text is words."""\n'
     '    return _WORDS.match(text) is not None\n', "is_words"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "name", "kind", "told"),
    [
        (STATEFUL, "label", "postcondition", "label("),
        (WAITING, "Waiting", "error", "errors_of(lambda: subject.reserve("),
        (SHELF, "Shelf", "postcondition", "subject.drop("),
    ],
)
def test_a_script_makes_the_calls_that_have_to_come_before(
    sandbox: Sandbox, tmp_path: Path, source: str, name: str, kind: str, told: str
) -> None:
    found = fuzzed(sandbox, tmp_path, source, name, 1_500).findings
    finding = next(each for each in found if each.kind == kind)
    assert told in finding.repro
    script = tmp_path / "repro.py"
    script.write_text(finding.repro)
    done = subprocess.run([sys.executable, script, tmp_path], capture_output=True, text=True)
    assert done.returncode == 1, done.stderr


def test_a_helper_that_is_replaced_by_another_hides_nothing(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    source = (
        'def size(of: list[int]) -> int:\n    """How many."""\n    return 0\n\n\nsize = len\n\n\n'
        'def gaps(of: list[int]) -> int:\n    """Never negative."""\n    return size(of) - 1\n'
    )
    (finding,) = fuzzed(sandbox, tmp_path, source, "gaps", 600).findings
    assert finding.input == "gaps([])"


@pytest.mark.parametrize(("source", "name"), GROWING)
def test_a_cost_that_multiplies_is_found_with_its_sizes(
    sandbox: Sandbox, tmp_path: Path, source: str, name: str
) -> None:
    found = fuzzed(sandbox, tmp_path, source, name, 100).findings
    (finding,) = [each for each in found if each.kind == "growth"]
    assert "for size = " in finding.input
    assert "for each item" in finding.actual
