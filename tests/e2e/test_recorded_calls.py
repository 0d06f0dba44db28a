"""What a suite calls functions with, through the real sandbox."""

from pathlib import Path

import pytest

from reverie import Sandbox, SandboxSection
from reverie.instruments.calls.instrument import record_calls
from reverie.instruments.equivalence import compare_versions, version_of
from reverie.instruments.mutation.project import find_project
from reverie.model.sections import EquivalenceSection

CODE = """
class Grammar:
    def __init__(self, rules):
        self.rules = rules
        self.first = next(iter(rules))

    def words(self, text, *, limit=None):
        found = [word for word in text.split() if word in self.rules]
        if limit is not None:
            found = found[:limit]
        return found


def pairs(items):
    for left in items:
        yield left, len(items)
"""
TESTS = """
from gram import Grammar, pairs

def test_words():
    grammar = Grammar({"a": 1, "b": 2})
    assert grammar.words("a x b") == ["a", "b"]
    assert grammar.words("a x b", limit=1) == ["a"]

def test_pairs():
    assert list(pairs([1, 2])) == [(1, 2), (2, 2)]

def test_lambdas_are_left_out():
    assert list(pairs([lambda: 1]))
"""


_TESTS = tuple(
    f"tests/test_gram.py::{line[4:-3]}" for line in TESTS.splitlines() if line.startswith("def ")
)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "gram.py").write_text(CODE)
    (tmp_path / "tests" / "test_gram.py").write_text(TESTS)
    return tmp_path


def test_calls_of_tests_are_told_with_the_objects_they_were_made_on(repository: Path) -> None:
    wanted = {"gram.py": ("Grammar.words", "pairs", "nothing")}
    new = CODE.replace(
        "            found = found[:limit]\n", "            found = found[: limit + 1]\n"
    )
    with Sandbox(SandboxSection()) as sandbox:
        found = record_calls(sandbox, find_project(repository), wanted, _TESTS, 60.0)
        words = found["gram.py", "Grammar.words"]
        path = str(repository / "gram.py")
        versions = [version_of(text, "Grammar.words", path=path) for text in (CODE, new)]
        section = EquivalenceSection(seed=3, least_inputs=150)
        answer = compare_versions(sandbox, *versions, section=section, inputs=words)
    assert [each.render("pairs") for each in found["gram.py", "pairs"]] == ["pairs([1, 2])"]
    assert found["gram.py", "nothing"] == ()
    assert {each.arguments for each in words} == {"'a x b', limit=None", "'a x b', limit=1"}
    assert all(each.receiver and each.receiver.source.startswith("pickle.loads(") for each in words)
    assert answer.verdict == "different"
