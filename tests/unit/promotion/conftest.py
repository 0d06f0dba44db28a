"""What nobody may change: everything of a repository but our own branches and loose objects."""

import hashlib
import os
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

import pytest

from reverie.model.cycle import Proven
from reverie.model.settings.promotion import PromotionSection
from reverie.promotion.promoter import Promoter
from reverie.promotion.trial_tree import read_source
from reverie.testing.fakes import new_file, proven_dream

NOW = datetime(2026, 11, 15, 3, 0, tzinfo=UTC)


@pytest.fixture
def needs_program(not_run: Callable[[str], NoReturn]) -> Callable[[str], None]:
    """Gives up on a test where a program that it compares with is not installed."""

    def need(name: str) -> None:
        if shutil.which(name) is None:
            not_run(f"no {name}: what it makes and reads was not compared with ours")

    return need


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, str]]:
    return take_snapshot


def take_snapshot(folder: Path) -> dict[str, str]:
    """Every file with its mode and content, but objects and what is below reverie/."""
    found = {}
    for place, names, files in os.walk(folder):
        for name in (*files, *names):
            path = Path(place, name)
            relative = path.relative_to(folder).as_posix()
            is_ours = "/heads/reverie" in relative or ".git/objects" in relative
            if is_ours or "objects/" in relative or relative.startswith("objects"):
                continue
            if path.is_symlink():
                found[relative] = f"-> {os.readlink(path)}"
            elif path.is_file():
                digest = hashlib.sha256(path.read_bytes()).hexdigest()
                found[relative] = f"{path.stat().st_mode:o} {digest}"
            elif not relative.startswith(".git/"):
                found[relative] = "folder"
    return found


@pytest.fixture
def promoter() -> Callable[..., Promoter]:
    def make(folder: Path, **settings: object) -> Promoter:
        return Promoter(folder, PromotionSection(**settings))  # type: ignore[arg-type]

    return make


@pytest.fixture
def dream_of() -> Callable[..., Proven]:
    """A proven dream that adds one test to a repository as it is committed."""

    def make(folder: Path, name: str = "cart", **about: object) -> Proven:
        change = new_file(f"tests/test_{name}.py", f"def test_{name}():\n    assert True\n")
        return proven_dream(change, read_source(folder), **about)  # type: ignore[arg-type]

    return make
