from collections.abc import Callable
from pathlib import Path

import pytest

Lay = Callable[[dict[str, str]], Path]


@pytest.fixture
def lay(tmp_path: Path) -> Lay:
    """Writes a small repository."""

    def write(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "repository" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "repository"

    return write
