"""`reverie generate` through the real sandbox."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

KEYS = {
    "solved", "source", "tests", "origin", "seconds", "reason", "name", "mutation", "files",
    "dream",
}  # fmt: skip
LONGEST = {
    "sentence": "Return the largest number in the non-empty list.",
    "signature": "def largest(values: list[int]) -> int",
    "examples": [
        {"args": [[1, 2]], "result": 2},
        {"args": [[3, 2]], "result": 3},
        {"args": [[-5, -9]], "result": -5},
    ],
}


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Check if a number is prime", "is_prime"),
        ("Calculate the average of a list of numbers", "average"),
        ("Reverse a string", "reverse_text"),
    ],
)
def test_a_sentence_alone_gives_code_and_tests_that_kill_mutants(
    cli: Callable, repository: Path, tmp_path: Path, sentence: str, name: str
) -> None:
    out = tmp_path / "draft"
    ran = cli("generate", sentence, "--json", "--repo", str(repository), "--out", str(out))
    assert ran.code == 0
    assert set(ran.document) == KEYS
    assert (ran.document["origin"], ran.document["name"]) == ("recipe", name)
    assert ran.document["mutation"]["score"] >= 0.9
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(out)]
    subprocess.run(tests, check=True, cwd=out, capture_output=True)
    module = out / f"{name}.py"
    module.write_text(module.read_text().replace("return ", "return not ", 1))
    assert subprocess.run(tests, check=False, cwd=out, capture_output=True).returncode == 1


def test_examples_lead_to_an_expression(
    cli: Callable, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin = SimpleNamespace(buffer=io.BytesIO(json.dumps(LONGEST).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    ran = cli("generate", "-", "--json", "--repo", str(repository))
    assert ran.code == 0
    assert ran.document["origin"] == "synthesis"
    assert "max(values)" in ran.document["source"]
    assert "([-5, -9], -5)" in ran.document["tests"]


def test_what_nothing_fits_is_refused_with_a_reason(
    cli: Callable, repository: Path, tmp_path: Path
) -> None:
    spec = tmp_path / "spec.json"
    shown = [{"args": [number], "result": number * 7919 % 1009} for number in (3, 50, 777, 12345)]
    spec.write_text(json.dumps({"sentence": "The oracle's answer.", "examples": shown}))
    out = tmp_path / "draft"
    ran = cli("generate", str(spec), "--budget", "4s", "--repo", str(repository), "--out", str(out))
    assert ran.code == 1
    assert ran.out.startswith("not solved: ")
    assert not out.exists()


@pytest.mark.parametrize(
    ("body", "code"), [("return number * 2", 0), ("return number * 3", 1), ("while True: pass", 1)]
)
def test_a_given_body_is_used_when_it_keeps_to_the_examples(
    cli: Callable, repository: Path, tmp_path: Path, body: str, code: int
) -> None:
    spec = tmp_path / "double.py"
    spec.write_text(
        f'def double(number: int) -> int:\n    """Double it.\n\n    >>> double(4)\n    8\n    """\n'
        f"    {body}\n"
    )
    ran = cli("generate", str(spec), "--json", "--repo", str(repository))
    assert ran.code == code
    assert ran.document["origin"] == ("template" if code == 0 else None)
    assert (ran.document["reason"] is None) == (code == 0)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["{"], "not a specification"),
        (["absent.json"], "absent.json"),
        (['{"sentence": 3}'], "sentence"),
        (["Reverse a string", "--budget", "soon"], "--budget"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    cli: Callable, repository: Path, given: list[str], named: str
) -> None:
    ran = cli("generate", *given, "--repo", str(repository))
    assert ran.code == 2
    assert named in ran.err
    assert ran.err.count("\n") == 1


def test_files_that_are_there_are_not_overwritten(
    cli: Callable, repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "reverse_text.py").write_text("mine")
    ran = cli("generate", "Reverse a string", "--repo", str(repository), "--out", str(tmp_path))
    assert ran.code == 2
    assert (tmp_path / "reverse_text.py").read_text() == "mine"
    assert not (tmp_path / "test_reverse_text.py").exists()


def test_versions_of_a_function_know_their_parents(
    cli: Callable, repository: Path, tmp_path: Path
) -> None:
    repo = ("--repo", str(repository), "--json")
    assert cli("init", *repo).code == 0
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(LONGEST))
    told = [
        cli("generate", str(spec), *repo, *form).document["dream"]
        for form in ((), (), ("--form", "class"))
    ]
    assert told[0] == told[1] == {"id": 1, "version": 1, "parent": None}
    assert told[2] == {"id": 2, "version": 2, "parent": 1}
    shown = cli("dream", "show", "2", *repo).document
    assert shown["dream_type"] == "generated"


def test_a_template_that_spoils_the_function_is_not_believed(
    cli: Callable, repository: Path, tmp_path: Path
) -> None:
    (tmp_path / "function.txt").write_text("$signature:\n    return 0\n")
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(LONGEST))
    line = (
        "generate",
        str(spec),
        "--templates",
        str(tmp_path),
        "--json",
        "--repo",
        str(repository),
    )
    ran = cli(*line)
    assert (ran.code, ran.document["source"]) == (1, None)
    assert "in this form it fails an example" in ran.document["reason"]
