"""A test that passes and one that fails, planted beside tests under names that nobody can guess."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SOURCE = (
    "def test_{good}():\n    assert 1 + 1 == 2\n\n\ndef test_{bad}():\n    assert 1 + 1 == 3\n"
)


@dataclass(frozen=True, slots=True)
class TestPlant:
    """A file with one test that passes and one that must not."""

    __test__ = False

    file: str
    good: str
    bad: str

    @classmethod
    def beside(cls, test_file: str) -> "TestPlant":
        """In the folder of a test file."""
        word = secrets.token_hex(13)
        folder = test_file.rpartition("/")[0]
        file = f"{folder}/test_{word[:10]}.py" if folder else f"test_{word[:10]}.py"
        return cls(file, f"{file}::test_{word[10:18]}", f"{file}::test_{word[18:26]}")

    @property
    def source(self) -> str:
        """Both tests."""
        good, bad = (each.rpartition("test_")[2] for each in (self.good, self.bad))
        return _SOURCE.format(good=good, bad=bad)


def plants_for(files: Sequence[str]) -> list[TestPlant]:
    """One for each folder that has one of these files."""
    chosen = {file.rpartition("/")[0]: file for file in files}
    return [TestPlant.beside(file) for file in chosen.values()]


class Planted:
    """Writes plants into a tree, and takes them away again."""

    def __init__(self, root: Path, plants: Sequence[TestPlant]) -> None:
        self._files = {root / plant.file: plant.source for plant in plants}

    def __enter__(self) -> None:
        for path, source in self._files.items():
            path.write_text(source, "utf-8")

    def __exit__(self, *error: object) -> None:
        for path in self._files:
            path.unlink(missing_ok=True)
