"""How a repository keeps its tests: where, under which names, in which style, how wide."""

import os
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatch
from pathlib import Path

from reverie.instruments.mutation.project import read_options

_FOLDERS = ("tests", "test", "testing", "unit_tests")
_SKIPPED = frozenset(
    {"node_modules", "__pycache__", "site-packages", "venv", "env", "build", "dist"}
)
_MOST_FILES = 2000
_READ_BYTES = 20_000
_WIDTH = 100
_CASE = re.compile(r"^class \w+\(.*TestCase\)", re.MULTILINE)
_TEST = re.compile(r"^ *(?:async )?def test_\w*\([^()]*(?:\([^()]*\)[^()]*)*\)( ->)?", re.MULTILINE)
_FUNCTION = re.compile(r"^(?:async )?def test_|^import pytest|^from pytest", re.MULTILINE)


class Framework(StrEnum):
    """What tests are written for."""

    PYTEST = "pytest"
    UNITTEST = "unittest"


@dataclass(frozen=True, slots=True)
class Habits:
    """Where a new test file goes, relative to the repository, and how it is written."""

    path: str
    framework: Framework = Framework.PYTEST
    width: int = _WIDTH
    is_typed: bool = True
    """Whether tests have annotations."""


def find_habits(repository: str | None, module: str, framework: Framework | None = None) -> Habits:
    """The habits of a repository; without one, pytest's usual."""
    if repository is None:
        return Habits(f"test_{_stem(module)}.py", framework or Framework.PYTEST)
    root = Path(repository)
    files = list(_test_files(root))
    folder = _folder(root, files, module)
    style = framework or _framework(root, files)
    path = _free_name(root, folder, files, module)
    return Habits(path, style, _width(root), _is_typed(root, files))


def named_files_alone(repository: Path) -> tuple[str, ...]:
    """The files that pytest is told to look in, where it is told of no folder: no other is run."""
    paths = read_options(repository).testpaths
    return paths if paths and all((repository / each).is_file() for each in paths) else ()


def _stem(module: str) -> str:
    return module.rpartition(".")[2].strip("_") or "module"


def _test_files(root: Path) -> Iterator[Path]:
    """The test files of a repository, relative to it."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if name not in _SKIPPED
            and not name.startswith(".")
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        )
        for name in sorted(names):
            if name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py")):
                yield Path(folder, name).relative_to(root)
                count += 1
                if count >= _MOST_FILES:
                    return


def _folder(root: Path, files: list[Path], module: str) -> Path:
    """Beside the module's own tests; else where its neighbours' are; else the tests' folder."""
    stem, package = _stem(module), module.split(".")[:-1]
    for path in files:
        if _subject(path) == stem:
            return path.parent
    mirrored = [
        path.parent
        for path in files
        if package and path.parent.parts[-len(package) :] == tuple(package)
    ]
    if mirrored:
        return mirrored[0]
    below = [path.parent for path in files if len(package) > 1 and path.parent.name == package[-1]]
    if below:
        return below[0]
    for name in read_options(root).testpaths:
        if (root / name).is_dir() and not Path(name).is_absolute() and ".." not in Path(name).parts:
            return _fullest(files, Path(name))
    for name in _FOLDERS:
        if (root / name).is_dir():
            return _fullest(files, Path(name))
    if files:
        parents = [path.parent for path in files]
        return max(sorted(set(parents)), key=parents.count)
    if any((root / f"{name}.py").is_file() for name in _FOLDERS):
        return Path()  # a folder `tests` beside `tests.py` would be two modules of one name
    return Path("tests")


def _fullest(files: list[Path], folder: Path) -> Path:
    """The folder itself if tests lie in it, else the one below it with most of them."""
    parents = [path.parent for path in files if path.is_relative_to(folder)]
    if not parents or folder in parents:
        return folder
    return max(sorted(set(parents)), key=parents.count)


def _subject(path: Path) -> str:
    return path.stem.removeprefix("test_").removesuffix("_test").strip("_")


def _free_name(root: Path, folder: Path, files: list[Path], module: str) -> str:
    """A name of the repository's kind that no other test file has: pytest confuses namesakes."""
    stem = _stem(module)
    suffixed = sum(path.stem.endswith("_test") for path in files)
    pattern = "{}_test.py" if suffixed > len(files) / 2 else "test_{}.py"
    if not any(fnmatch(pattern.format(stem), each) for each in read_options(root).python_files):
        # pytest collects other names here: `check_*.py`
        own = (each for each in read_options(root).python_files if each.count("*") == 1)
        pattern = next(own, pattern).replace("*", "{}")
    taken = {path.name for path in files}
    package = module.split(".")[-2] if "." in module else stem
    is_tested = any(_subject(path) == stem for path in files)
    names = [] if is_tested else [stem]
    names += [f"{stem}_behaviour", f"{package.strip('_')}_{stem}_behaviour"]
    names += [f"{stem}_behaviour_{number}" for number in range(2, 1000)]
    for name in names:
        file = pattern.format(name)
        if file not in taken and not (root / folder / file).exists():
            return (folder / file).as_posix()
    raise FileExistsError(f"no free name for tests of {module}")


def _framework(root: Path, files: list[Path]) -> Framework:
    """unittest where its test cases are the rule and pytest is nowhere."""
    cases = functions = 0
    for path in files[:60]:
        text = _text(root / path)
        cases += bool(_CASE.search(text))
        functions += bool(_FUNCTION.search(text))
    return Framework.UNITTEST if cases > 2 * functions else Framework.PYTEST


def _is_typed(root: Path, files: list[Path]) -> bool:
    """Whether most tests say what they return; without tests, whether that is usual: yes."""
    found = [bool(match[1]) for path in files[:60] for match in _TEST.finditer(_text(root / path))]
    return 2 * sum(found) >= len(found)


def _text(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(_READ_BYTES)
    except OSError:
        return ""


def _width(root: Path) -> int:
    """The repository's line length, where it is narrower than ours."""
    try:
        tool = tomllib.loads((root / "pyproject.toml").read_text("utf-8")).get("tool", {})
    except (OSError, ValueError):
        return _WIDTH
    for name in ("ruff", "black"):
        table = tool.get(name) if isinstance(tool, dict) else None
        width = table.get("line-length") if isinstance(table, dict) else None
        if type(width) is int and 60 <= width < _WIDTH:
            return width
    return _WIDTH
