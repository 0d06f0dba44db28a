"""`reverie fuzz` on buggy and sound twins, through the command line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.fuzz import Effort, fuzz_callable
from reverie.model.discovery import Fuzzed
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
    found = fuzzed(sandbox, tmp_path, source.replace(old, new), name, 6_000).findings
    assert kind in {each.kind for each in found}
    assert all(len(each.input) < 120 for each in found)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_the_sound_twin_raises_no_alarm(sandbox: Sandbox, tmp_path: Path, number: int) -> None:
    source, name = TWINS[number][:2]
    assert fuzzed(sandbox, tmp_path, source, name, 3_000).findings == ()


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
    tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    (tmp_path / "code.py").write_text(SORTING)
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert named in done.stderr
