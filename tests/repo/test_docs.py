"""The pages say what is there, and nothing that is not."""

import importlib.util
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import pytest
from tests.json_page import documented_keys as keys_in
from tests.json_page import section

from reverie.errors import ReverieError
from reverie.interfaces.cli.registry import COMMANDS
from reverie.interfaces.cli.root import build_root

COMMANDS_THERE = build_root().list_commands(click.Context(build_root()))


def pages(root: Path) -> list[Path]:
    return [*root.glob("*.md"), *(root / "docs").rglob("*.md")]


def sections(page: str) -> dict[str, str]:
    """The text under each second-level heading."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def rows(text: str) -> list[list[str]]:
    """The cells of the tables in a text, headings and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    rules = {index for index, row in enumerate(cells) if set("".join(row)) <= set("-:")}
    headings = {index - 1 for index in rules}
    return [row for index, row in enumerate(cells) if index not in rules | headings]


def test_the_generated_parts_are_up_to_date(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("write_docs", root / "scripts/write_docs.py")
    assert spec is not None
    assert spec.loader is not None
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    for place, tables in writer.parts().items():
        page = place.read_text("utf-8")
        assert page == writer.with_tables(page, tables), f"{place.name}: run make docs"
        assert all(writer.BEGIN.format(name) in page for name in tables)


def test_every_error_has_its_section(root: Path) -> None:
    def tree(kind: type[ReverieError]) -> Iterator[type[ReverieError]]:
        yield kind
        for child in kind.__subclasses__():
            yield from tree(child)

    slugs = [kind.slug for kind in tree(ReverieError) if kind.__module__ == "reverie.errors"]
    assert len(slugs) == len(set(slugs)), "two errors share a slug"
    page = (root / "docs" / "reference" / "errors.md").read_text("utf-8")
    assert set(sections(page)) == set(slugs)
    assert all(text.strip() for text in sections(page).values())


def test_the_error_tree_is_drawn_whole() -> None:
    import reverie.errors as errors

    drawn = set(re.findall(r"[├└]── (\w+)", errors.__doc__ or "")) | {"ReverieError"}
    defined = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, ReverieError)
    }
    assert drawn == defined


@pytest.mark.parametrize("command", COMMANDS_THERE)
def test_every_command_has_its_json_section(root: Path, command: str) -> None:
    assert keys_in(section(root, command)), "docs/json.md lists no keys"


@pytest.mark.parametrize("command", ["config", "init"])
def test_the_json_keys_are_the_documented_ones(
    root: Path, cli: Callable, repository: Path, command: str
) -> None:
    document = cli(command, "--json", "--repo", str(repository)).document
    assert set(keys_of(document)) == documented_keys(root, command)


def test_the_json_keys_of_an_execution_are_the_documented_ones(root: Path) -> None:
    from reverie.interfaces.cli.views import requests
    from reverie.model.execution import ChangeKind, Execution, FileChange, Usage
    from reverie.model.outcome import IsolationTier, TestOutcome

    execution = Execution(
        id="1",
        outcome=TestOutcome.SUCCESS,
        error_category=None,
        output=None,
        error=None,
        stdout="",
        stderr="",
        usage=Usage(0.1),
        isolation=IsolationTier.NONE,
        code_hash="",
        started_at=datetime(2024, 1, 1, tzinfo=UTC),
        changes=(FileChange("x", ChangeKind.CREATED),),
    )
    asked, answered = section(root, "exec").split("\nAnswer")
    assert set(keys_in(asked)) == requests._FIELDS
    documented = keys_in(answered)
    assert list(keys_of(requests.execution_document(execution))) == documented
    assert list(requests.failure_document("", "none")) == documented[:8]


OPEN_OBJECTS = ("by_outcome.", "by_category.", "by_isolation.", "policy.", "limits.", "pattern.")


def documented_keys(root: Path, command: str) -> set[str]:
    return set(keys_in(section(root, command)))


def test_the_json_keys_of_the_history_are_the_documented_ones(
    root: Path, cli: Callable, repository: Path
) -> None:
    from reverie.model.outcome import TestOutcome
    from reverie.store import ExecutionRecorder, Journal, journal_url
    from reverie.testing.fakes import finished

    with Journal.open(journal_url(repository)) as journal, ExecutionRecorder(journal) as recorder:
        recorder(*finished(0, outcome=TestOutcome.RUNTIME_ERROR))
    seen: set[str] = set()
    for flags in ([], [finished(0)[1].id], ["--stats"], ["--patterns"]):
        document = cli("history", *flags, "--json", "--repo", str(repository)).document
        for key in keys_of(document):
            inner = key.removeprefix("execution.")
            listed = f"executions[].{inner}" if inner != key else key
            seen.add(
                inner if inner != key and listed not in documented_keys(root, "history") else listed
            )
    closed = {key for key in seen if not any(part in key for part in OPEN_OBJECTS)}
    assert closed - {"execution", "statistics", "patterns"} == documented_keys(root, "history")


@pytest.mark.parametrize("line", [["check", "{file}"], ["rules", "show", "debugger"]])
def test_the_json_keys_of_the_safety_commands_are_the_documented_ones(
    root: Path, cli: Callable, repository: Path, line: list[str]
) -> None:
    (repository / "bad.py").write_text("import os\nos.system('ls')\n")
    arguments = [part.format(file=repository / "bad.py") for part in line]
    document = cli(*arguments, "--json", "--repo", str(repository)).document
    assert set(keys_of(document)) == documented_keys(root, line[0])


def test_the_json_keys_of_candidates_are_the_documented_ones(
    root: Path, cli: Callable, scripted: Callable
) -> None:
    made = scripted()
    report = '{"files": {"a.py": {"executed_lines": [1], "missing_lines": [2]}}}'
    source = "def f():\n    return 1\n"
    made.commit("One", {"a.py": source, "test_a.py": "import a\n", "coverage.json": report})
    document = cli("candidates", str(made.folder), "--json").document
    assert set(keys_of(document)) == documented_keys(root, "candidates")


def test_the_json_keys_of_quality_are_the_documented_ones(
    root: Path, cli: Callable, repository: Path
) -> None:
    body = "".join(f"    if a > {n} and a.b:\n        c -= a * {n}\n" for n in range(12))
    for name in ("a.py", "b.py"):
        (repository / name).write_text(f"def f(a, c):\n{body}    return c\n")
    document = cli("quality", str(repository), "--json", "--repo", str(repository)).document
    assert set(keys_of(document)) == documented_keys(root, "quality")


def test_the_json_keys_of_a_benchmark_are_the_documented_ones(root: Path) -> None:
    from reverie.interfaces.cli.views.figures import benchmark_document
    from reverie.model.measurements.benchmark import (
        Benchmark,
        BenchmarkClock,
        Estimate,
        Growth,
        PairedTimes,
        RequiredGain,
        SpeedJudgement,
        Speedup,
        SpeedVerdict,
    )
    from reverie.model.measurements.suite import Proof, Sighting
    from reverie.model.outcome import IsolationTier

    one = Estimate(1.0, 1.0, 1.0)
    judged = SpeedJudgement(SpeedVerdict.HOLD, "", "", Speedup(one, one, None), 0, None)
    found = Benchmark(
        judgement=judged,
        clock=BenchmarkClock.CPU,
        times=PairedTimes((), ()),
        calls=0,
        calls_per_sample=1,
        distinct_inputs=True,
        old=None,
        new=None,
        memory_ratio=None,
        difference=None,
        growth=Growth(one, one, (1, 2, 4)),
        seconds=0.0,
        has_watch_of_its_own=True,
    )
    proof = Proof("benchmark", (Sighting("a slowdown", "slower", "slower"),))
    document = benchmark_document(found, RequiredGain(), proof, IsolationTier.NONE, 1)
    assert {"old", "new", "n", *keys_of(document)} == documented_keys(root, "bench")


def test_the_json_keys_of_the_index_are_the_documented_ones(
    root: Path, cli: Callable, repository: Path
) -> None:
    source = "import os\nclass A:\n    pass\ndef f(a): 'Doc.'\nf(1)\n"
    (repository / "one.py").write_text(source)
    for line in (["index"], ["search", "f"]):
        document = cli(*line, "--json", "--repo", str(repository)).document
        closed = {key for key in keys_of(document) if not key.startswith("totals.tiers.")}
        assert closed == documented_keys(root, line[0])


def test_the_json_keys_of_orphans_and_the_map_are_the_documented_ones(
    root: Path, cli: Callable, repository: Path
) -> None:
    (repository / "one.py").write_text("VALUE = 1\n")
    where = ("--json", "--repo", str(repository))
    assert set(keys_of(cli("orphans", *where).document)) == documented_keys(root, "orphans")
    plain, mapped = cli("index", *where).document, cli("index", "--map", *where).document
    added = set(keys_of(mapped)) - set(keys_of(plain))
    closed = {key.replace("graph.modules.one", "graph.modules.*") for key in added}
    assert closed - {"graph.modules.*"} == documented_keys(root, "index --map")


def keys_of(document: Any, prefix: str = "") -> Iterator[str]:
    """Paths of a document as docs/json.md writes them."""
    for key, value in document.items():
        path = f"{prefix}{'*' if '.' in key else key}"
        if "*" not in path or isinstance(value, dict) is False:
            yield path
        if isinstance(value, dict):
            yield from keys_of(value, f"{path}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield from keys_of(value[0], f"{path}[].")


def test_no_cell_of_the_map_is_empty(root: Path) -> None:
    page = (root / "docs" / "documents.md").read_text("utf-8")
    table = rows(page)
    assert len(table) > 250
    assert all(len(row) == 4 and all(row) for row in table)
    assert {row[3] for row in table} <= {"now", "not carried"}


def test_the_map_tells_of_every_name_of_the_autonomous_sandbox(root: Path) -> None:
    page = sections((root / "docs" / "documents.md").read_text("utf-8"))["Autonomous sandbox"]
    told = " ".join(cell for row in rows(page) for cell in row)
    names = (root / "tests" / "repo" / "autonomous_sandbox_names.txt").read_text("utf-8").split()
    assert len(names) > 250
    assert [name for name in names if name not in told] == []


def test_the_map_names_nothing_twice(root: Path) -> None:
    for title, text in sections((root / "docs" / "documents.md").read_text("utf-8")).items():
        names = [row[0] for row in rows(text)]
        assert len(names) == len(set(names)), title


def test_the_map_knows_every_alias_and_every_variable_without_effect(root: Path) -> None:
    from reverie.interfaces.cli.autonomous import CYCLES_VARIABLE, UNHEARD
    from reverie.settings import ALIASES

    page = (root / "docs" / "documents.md").read_text("utf-8")
    variables = {row[0].strip("`"): row[3] for row in rows(page) if row[1] == "variable"}
    now = {name for name, status in variables.items() if status == "now"}
    assert now == {CYCLES_VARIABLE, *(alias.name for alias in ALIASES)}
    assert variables.keys() - now == set(UNHEARD)


def test_the_commands_of_the_readme_exist(root: Path) -> None:
    targets = set(re.findall(r"^(\w+):", (root / "Makefile").read_text("utf-8"), re.MULTILINE))
    readme = (root / "README.md").read_text("utf-8")
    assert {"run", "test"} <= set(re.findall(r"^\$ make (\w+)", readme, re.MULTILINE))
    for page in pages(root):
        text = page.read_text("utf-8")
        assert set(re.findall(r"(?:`|^\$ )make (\w+)", text, re.MULTILINE)) <= targets, page.name
    called = set(re.findall(r"(?:`|\$ |\| )reverie ([a-z]+)", readme))
    assert called
    assert called <= set(COMMANDS)


def test_every_link_leads_somewhere(root: Path) -> None:
    for page in pages(root):
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_pages_for_users_stay_few_and_short(root: Path) -> None:
    nav = tomllib.loads((root / "zensical.toml").read_text("utf-8"))["project"]["nav"]
    (home,) = (each["Home"] for each in nav if "Home" in each)
    sections_there = [each for each in nav if not {"Home", "Internal"} & set(each)]
    assert [name for each in sections_there for name in each] == [
        *("Start", "Guides", "Reference", "Explanation"),
    ]
    named = [place for each in sections_there for part in each.values() for page in part
             for place in page.values()]  # fmt: skip
    users = [root / "docs" / place for place in (home, *named)]
    words = sum(len(page.read_text("utf-8").split()) for page in users)
    assert len(users) <= 25
    assert words <= 50_000, f"{words} words: cut repetition before something is added"


def test_every_decision_is_told_in_full(root: Path) -> None:
    decisions = sorted((root / "docs" / "decisions").glob("*.md"))
    assert decisions
    for page in decisions:
        text = page.read_text("utf-8")
        number = int(page.name.partition("-")[0])
        assert text.startswith(f"# {number}. "), page.name
        for part in ("Context", "Decision", "Consequences", "How we would notice it was wrong"):
            assert f"**{part}" in text, f"{page.name}: {part}"


def test_the_json_keys_of_events_are_the_documented_ones(
    root: Path, cli: Callable, tmp_path: Path
) -> None:
    event = {"ts": "2025-01-01T00:00:00Z", "test_id": "t", "signature": "s"}
    (tmp_path / "events.ndjson").write_text(json.dumps(event), encoding="utf-8")
    document = cli("events", str(tmp_path / "events.ndjson"), "--json").document
    assert set(keys_of(document)) == documented_keys(root, "events")


def shown_calls(text: str) -> Iterator[list[str]]:
    """Every command line of Reverie in the examples of a page."""
    for block in re.findall(r"```(?:console|text)\n(.*?)```", text, re.DOTALL):
        joined = block.replace("\\\n", " ")
        for line in re.findall(r"^\$ (?:.*\| )?reverie ([^#>|\n]*)", joined, re.MULTILINE):
            yield shlex.split(line.split(" <<")[0].split(" && ")[0])
    for line in re.findall(r"`reverie ([a-z][^`|]*)`", text):
        yield shlex.split(line)


def known_to(command: click.Command) -> set[str]:
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    return options | {"--help", "--json", "--repo", "--debug", "--log-file", "--log-level"}


@pytest.mark.parametrize(
    "place", ["README.md", "docs/start", "docs/guides", "docs/reference/errors.md"]
)
def test_every_example_names_commands_and_options_that_exist(root: Path, place: str) -> None:
    found = root / place
    seen = 0
    for page in [found] if found.is_file() else sorted(found.glob("*.md")):
        for name, *rest in shown_calls(page.read_text("utf-8")):
            command = build_root().get_command(click.Context(build_root()), name)
            assert command is not None, f"{page.name}: {name}"
            if isinstance(command, click.Group) and rest:
                child = command.get_command(click.Context(command), rest[0])
                command, rest = (child, rest[1:]) if child is not None else (command, rest)
            given = {word.partition("=")[0] for word in rest if word.startswith("--")}
            unknown = given - known_to(command)
            assert not unknown, f"{page.name}: reverie {name} {unknown}"
            seen += 1
    assert seen
