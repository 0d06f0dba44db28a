import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from reverie.interfaces.cli.root import build_root

COMMANDS = build_root().list_commands(click.Context(build_root()))


def test_help(cli: Callable, golden: Callable) -> None:
    golden("help.txt", cli("--help").out)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of(cli: Callable, golden: Callable, command: str) -> None:
    ran = cli(command, "--help")
    assert ran.code == 0
    assert re.search(r"^Example:\n  \S", ran.out, re.MULTILINE), "the help has no example"
    golden(f"help-{command}.txt", ran.out)


def test_config(cli: Callable, golden: Callable, root: Path) -> None:
    sample = root / "examples" / "sample_repo"
    ran = cli("config", "--repo", str(sample), "--json")
    golden("config.json", ran.out.replace(str(sample), "<sample>"))
