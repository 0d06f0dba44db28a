"""What is hot in a repository's suite, benchmarks and declared workflows."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.instruments.profiling import profile_benchmarks
from reverie.model.measurements.benchmark import Profile
from reverie.model.repository.code import CodeIndex
from reverie.model.sections import IndexSection, SafetySection
from reverie.model.settings.analysis import CandidatesSection
from reverie.sandbox.engine import Sandbox
from reverie.settings import load_settings
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner, profile_workflows

PACKAGE = '''def joined(words: list[str]) -> str:
    """All words in one line."""
    text = ""
    for word in words:
        text += word + " "
    return text


def counted(words: list[str]) -> dict[str, int]:
    """How often each word is there."""
    return {word: words.count(word) for word in words}


def listed(path: str) -> list[str]:
    """The words of a file."""
    with open(path) as file:
        return file.read().split()


def halved(words: list[str]) -> list[str]:
    """The first half."""
    return [word for place, word in enumerate(words) if place < len(words) // 2]
'''
BENCHMARKS = """from shop.words import counted, joined


class TimeCounted:
    params = [20, 200]

    def setup(self, size):
        self.words = ["a", "b"] * size

    def time_counted(self, size):
        counted(self.words)


def time_broken():
    raise RuntimeError("not today")


def test_joined(benchmark):
    assert benchmark(joined, ["a"] * 500).startswith("a ")
"""
SETTINGS = """[tool.reverie.workflows.halve]
steps = ["shop.words:listed", "shop.words:halved"]
params = { path = "in.txt" }
test_data = { "in.txt" = "a b c d" }
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    files = {
        "shop/__init__.py": "",
        "shop/words.py": PACKAGE,
        "benchmarks/bench_words.py": BENCHMARKS,
        "pyproject.toml": SETTINGS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def index_of(repository: Path) -> CodeIndex:
    with open_index(repository, IndexSection(), SafetySection(), None) as reader:
        reader.refresh()
        return reader.load()


def called(profile: Profile) -> set[str]:
    return {each.qualname for each in profile.hot if each.calls}


def test_benchmarks_of_both_kinds_show_what_is_hot(sandbox: Sandbox, repository: Path) -> None:
    found = profile_benchmarks(sandbox, index_of(repository), CandidatesSection())
    assert found.problem is None
    assert called(found) == {"joined", "counted"}
    calls = {each.qualname: each.calls for each in found.hot}
    assert calls == {"joined": 5, "counted": 10}


def test_what_cannot_be_run_is_told(sandbox: Sandbox, repository: Path) -> None:
    section = CandidatesSection(benchmarks=("perf/*.py",))
    told = profile_benchmarks(sandbox, index_of(repository), section).problem
    assert told == "no file matches `candidates.benchmarks`"
    (repository / "benchmarks" / "bench_words.py").write_text("import nothing_like_it\n")
    told = profile_benchmarks(sandbox, index_of(repository), CandidatesSection()).problem
    assert "ModuleNotFoundError" in str(told)


def test_declared_workflows_are_profiled_step_by_step(sandbox: Sandbox, repository: Path) -> None:
    index = index_of(repository)
    declared = load_settings(repository, {}, {}).settings.workflows.declared
    with WorkflowSandboxRunner(repository=repository, sandbox=sandbox) as runner:
        found = profile_workflows(runner, declared, index)
        failing = replace(declared[0], name="lost", test_data={})
        lost = profile_workflows(runner, [failing], index)
        assert profile_workflows(runner, [], index).problem == "no workflow is declared"
    assert found.problem is None
    assert called(found) == {"listed", "halved"}
    assert str(lost.problem).startswith("lost: shop.words:listed")
