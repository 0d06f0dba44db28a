"""The files that others copy call commands that exist, with options that exist."""

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import click
import pytest
import yaml

from reverie.interfaces.cli.root import build_root

TEMPLATES = (
    *("examples/ci/github.yml", "examples/ci/gitlab.yml", "examples/ci/agent.yml"),
    *("action.yml", ".pre-commit-hooks.yaml"),
)


def calls(text: str) -> list[list[str]]:
    found = re.findall(r"(?:\bbin/|entry: )reverie\"? ([^\n#|>]+)", text)
    return [shlex.split(line) for line in found]


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_call_is_understood(root: Path, name: str) -> None:
    text = (root / name).read_text("utf-8")
    assert yaml.safe_load(text)
    made, lines = build_root(), calls(text)
    assert lines
    for command, *rest in lines:
        found = made.get_command(click.Context(made), command)
        assert found is not None, command
        known = {
            option for param in found.params for option in (*param.opts, *param.secondary_opts)
        }
        assert {word for word in rest if word.startswith("-")} <= known, (command, rest)


def test_the_image_runs_as_an_ordinary_user(root: Path) -> None:
    lines = (root / "Dockerfile").read_text("utf-8").splitlines()
    assert "USER reverie" in lines
    copied = [word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]]
    assert all((root / word).exists() for word in copied)


def test_the_problem_matcher_reads_what_check_prints(
    root: Path, cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (task,) = json.loads((root / "examples/editors/tasks.json").read_text("utf-8"))["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "bad.py").write_text("import os\n\nos.system('ls')\n")
    monkeypatch.chdir(tmp_path)
    ran = cli(*task["args"], "--tier", "sandbox")
    found = [re.fullmatch(pattern["regexp"], line) for line in ran.out.splitlines()]
    read = [each for each in found if each is not None]
    assert {each[pattern["line"]] for each in read} == {"3"}
    assert {each[pattern["file"]] for each in read} == {"src/bad.py"}
    assert {each[pattern["code"]] for each in read} == {"process", "shell-command"}
