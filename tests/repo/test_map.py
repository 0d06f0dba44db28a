"""The map of the source documents: what a row names as the place where something lives is there."""

import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from tests.repo.test_docs import rows

from reverie.interfaces.cli.autonomous import command as autonomous
from reverie.interfaces.cli.root import build_root
from reverie.settings import known_settings

PLACES = ("", "src/reverie/", "docs/")
ENDPOINTS = ("/metrics", "/health", "/ready")
MADE = ".reverie/"
"""Where a run writes: not in this repository."""
LIBRARY = ("asyncio.run",)


def table() -> list[list[str]]:
    page = Path(__file__, "../../../docs/documents.md").resolve().read_text("utf-8")
    return [row for row in rows(page) if row[3] == "now"]


def named() -> Iterator[tuple[str, str]]:
    """What each row names in its third cell, with the name that the row is about."""
    for row in table():
        for each in re.findall(r"`([^`]+)`", row[2]):
            yield each, row[0]


def is_path(text: str) -> bool:
    return "/" in text and re.fullmatch(r"[\w./*-]+", text) is not None


def is_dotted(text: str) -> bool:
    ends = (".py", ".json", ".jsonl", ".toml", ".env", ".ini")
    return re.fullmatch(r"[a-z]\w*(\.\w+)+", text) is not None and not text.endswith(ends)


def resolves(name: str) -> bool:
    """Whether a dotted name is a module, or what one holds."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            value = getattr(value, part, None)
        return value is not None
    return False


def command_of(words: list[str]) -> tuple[click.Command, list[str]] | None:
    """The command that words name, and the words after it."""
    found: click.Command | None = build_root()
    rest = list(words)
    while isinstance(found, click.Group) and rest and not rest[0].startswith("-"):
        found = found.get_command(click.Context(found), rest.pop(0))
    return None if found is None else (found, rest)


def options_of(found: click.Command) -> set[str]:
    return {name for each in found.params for name in (*each.opts, *each.secondary_opts)} | {
        "--json",
        "--repo",
        "--log-level",
        "--log-file",
    }


@pytest.mark.parametrize("place", sorted({each for each, _ in named() if is_path(each)}))
def test_every_file_that_the_map_names_is_there(root: Path, place: str) -> None:
    is_ours = not place.startswith(MADE) and place not in ENDPOINTS
    assert not is_ours or any((root / prefix / place).exists() for prefix in PLACES)


@pytest.mark.parametrize("name", sorted({each for each, _ in named() if is_dotted(each)}))
def test_every_setting_and_module_that_the_map_names_is_there(name: str) -> None:
    is_known = name in known_settings() or name in LIBRARY
    assert is_known or resolves(name) or resolves(f"reverie.{name}")


@pytest.mark.parametrize(
    "line", sorted({each for each, _ in named() if each.startswith("reverie ")})
)
def test_every_command_that_the_map_names_is_there(line: str) -> None:
    found = command_of(shlex.split(line)[1:])
    assert found is not None, line
    flags = {each for each in found[1] if each.startswith("--")}
    assert flags <= options_of(found[0])


def test_every_flag_of_the_documents_is_an_option_of_the_command_that_has_it_now() -> None:
    wrong = []
    for row in table():
        if not row[1].startswith("flag"):
            continue
        places = re.findall(r"`(?:reverie |python -m reverie\.)([a-z -]+)[^`]*`", row[2])
        known: set[str] = set()
        for each in places:
            words = each.split(" --")[0].split()
            found = (autonomous, []) if words == ["autonomous"] else command_of(words)
            known |= options_of(found[0]) if found is not None else set()
        flags = set(re.findall(r"--[a-z][a-z-]*", row[0]))
        renamed = set(re.findall(r"--[a-z][a-z-]*", row[2]))
        is_setting = any(each in known_settings() for each in re.findall(r"`([^`]+)`", row[2]))
        if not flags <= known and not (renamed & known or is_setting):
            wrong.append((row[0], row[2]))
    assert wrong == []
