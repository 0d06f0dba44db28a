"""The files that others copy call commands that exist, with options that exist."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from reverie.interfaces.cli.root import build_root

TEMPLATES = ("examples/ci/github.yml", "examples/ci/gitlab.yml", ".pre-commit-hooks.yaml")


def calls(text: str) -> list[list[str]]:
    found = re.findall(r"(?:\.venv/bin/|entry: )reverie ([^\n#|>]+)", text)
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
