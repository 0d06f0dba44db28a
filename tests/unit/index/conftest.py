"""Repositories written into a folder, and the index of them."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from reverie.index import read_repository
from reverie.model.repository.code import CodeIndex, Module
from reverie.model.sections import IndexSection, SafetySection


@pytest.fixture
def indexed(tmp_path: Path) -> Callable[..., CodeIndex]:
    """Writes files and reads the repository they make."""

    def read(files: Mapping[str, str | bytes], **settings: object) -> CodeIndex:
        for path, content in files.items():
            place = tmp_path / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode() if isinstance(content, str) else content)
        section = IndexSection(**settings)  # type: ignore[arg-type]
        return read_repository(tmp_path, section, SafetySection().tier_of)

    return read


@pytest.fixture
def module(indexed: Callable[..., CodeIndex]) -> Callable[[str | bytes], Module]:
    """The one module of a repository with that source."""

    def read(source: str | bytes, path: str = "one.py") -> Module:
        return indexed({path: source}).modules[0]

    return read
