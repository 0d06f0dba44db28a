"""Every promise of docs/threat_model.md names tests, and they are there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

CONTRACT = "src/reverie/testing/sandbox_contract"
NAMED = re.compile(r"`([\w/.]*)::(\w+)`")
Promise = tuple[str, list[tuple[str, str]]]


def promises(root: Path) -> Iterator[Promise]:
    """What is promised, and the tests by file and name; `::test` is of the file before it."""
    is_promise = False
    for line in (root / "docs" / "threat_model.md").read_text("utf-8").splitlines():
        if not line.startswith("|"):
            is_promise = False
        elif line == "| promise | held by |":
            is_promise = True
        elif is_promise and set(line) - set("|-"):
            said, held = line.strip("| ").split(" | ")
            yield said, list(named(held))


def named(text: str) -> Iterator[tuple[str, str]]:
    file = ""
    for path, test in NAMED.findall(text):
        file = path or file
        yield file, test


@cache
def functions_of(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def test_every_promise_names_tests_that_are_there(root: Path) -> None:
    found = list(promises(root))
    assert len(found) > 40
    for said, tests in found:
        assert tests, f"nothing holds it: {said}"
        for file, test in tests:
            folder = "tests" if "/" in file else CONTRACT
            assert test in functions_of(root / folder / file), f"{file} has no {test}"


def test_nothing_but_promises_names_tests(root: Path) -> None:
    text = (root / "docs" / "threat_model.md").read_text("utf-8")
    assert sum(len(tests) for _, tests in promises(root)) == len(NAMED.findall(text))


def test_what_the_weaker_tier_lacks_is_not_promised_of_it(root: Path) -> None:
    page = (root / "docs" / "internal" / "isolation_tiers.md").read_text("utf-8")
    landlock = page.partition("\n### landlock\n")[2].partition("\n#")[0]
    lacking = set(re.findall(r"^\| `(\w+)` \|", landlock, re.MULTILINE))
    assert len(lacking) > 20
    for said, tests in promises(root):
        if lacking & {test for file, test in tests if "/" not in file}:
            assert said.startswith("at `namespaces`: "), said
