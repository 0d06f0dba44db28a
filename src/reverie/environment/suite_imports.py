"""What the tests of a repository import that is neither Python's nor the repository's own."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from packaging.utils import canonicalize_name

from reverie.environment.setup_files import read_text

_FOLDERS = frozenset({"tests", "test", "testing"})
_FILES = frozenset({"test.py", "tests.py", "conftest.py"})
_PASSED_OVER = frozenset({"node_modules", "site-packages", "__pycache__", "build", "dist"})
_MOST_FILES = 5000
_DISTRIBUTIONS = {
    "attr": "attrs", "bs4": "beautifulsoup4", "cv2": "opencv-python", "dateutil": "python-dateutil",
    "docx": "python-docx", "dotenv": "python-dotenv", "git": "gitpython", "jose": "python-jose",
    "jwt": "pyjwt", "magic": "python-magic", "OpenSSL": "pyopenssl",
    "PIL": "pillow", "pkg_resources": "setuptools", "ruamel": "ruamel.yaml", "serial": "pyserial",
    "skimage": "scikit-image", "sklearn": "scikit-learn", "slugify": "python-slugify",
    "yaml": "pyyaml", "zmq": "pyzmq", "Crypto": "pycryptodome", "pyximport": "cython",
    "_pytest": "pytest", "mpl_toolkits": "matplotlib", "delegator": "delegator-py",
}  # fmt: skip
_FIXTURES = {
    "mocker": "pytest-mock", "benchmark": "pytest-benchmark", "subtests": "pytest-subtests",
    "freezer": "pytest-freezer", "httpserver": "pytest-httpserver", "httpx_mock": "pytest-httpx",
    "requests_mock": "requests-mock", "data_regression": "pytest-regressions",
    "snapshot": "syrupy", "faker": "faker", "event_loop": "pytest-asyncio",
    "file_regression": "pytest-regressions", "datadir": "pytest-datadir",
    "script_runner": "pytest-console-scripts", "cookies": "pytest-cookies",
    "monkeypatch_module": "pytest-mock", "param": "pytest-lazy-fixture",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Wants:
    """Names of distributions that tests ask for, by the import or fixture that does."""

    imports: tuple[str, ...]
    """Top-level names that are imported without a way round."""
    fixtures: tuple[str, ...]
    """Distributions of fixtures that tests take."""


def distributions_of(name: str) -> frozenset[str]:
    """Canonical names of the distributions that a module may come from."""
    known = {name, _DISTRIBUTIONS.get(name, name), f"python-{name}", f"py{name}"}
    return frozenset(canonicalize_name(each) for each in known)


def read_wants(root: Path) -> Wants:
    """Read the tests of a repository; nothing is run."""
    imports: set[str] = set()
    fixtures: set[str] = set()
    local = set(_local_names(root))
    for path in find_test_files(root):
        tree = _parsed(path)
        if tree is None:
            continue
        imports |= set(_imported(tree.body))
        local.add(path.stem)
        local |= {each.name for each in path.parent.iterdir() if each.is_dir()}
        local |= {each.stem for each in path.parent.glob("*.py")}
        fixtures |= {_FIXTURES[each] for each in _taken(tree) if each in _FIXTURES}
    foreign = imports - local - sys.stdlib_module_names
    return Wants(tuple(sorted(foreign)), tuple(sorted(fixtures)))


def find_test_files(root: Path) -> Iterator[Path]:
    """Python files that are tests by their name or by the folder they lie in."""
    count = 0
    for folder, names, files in os.walk(root):
        names[:] = sorted(
            name
            for name in names
            if name not in _PASSED_OVER
            and name[0] != "."
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        )
        inside = os.path.relpath(folder, root).split(os.sep)
        is_folder = not _FOLDERS.isdisjoint(inside)
        for name in sorted(files):
            if name.endswith(".py") and (is_folder or is_test_file(name)):
                count += 1
                if count > _MOST_FILES:
                    return
                yield Path(folder, name)


def is_test_file(name: str) -> bool:
    """Whether a file is one of tests by its name alone."""
    return name.startswith("test_") or name.endswith("_test.py") or name in _FILES


def _parsed(path: Path) -> ast.Module | None:
    text = read_text(path)
    try:
        return None if text is None else ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imported(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Top-level names of imports, without those that a handler or a condition catches."""
    for node in body:
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.With | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _imported(node.body)


def _taken(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (each.arg for each in node.args.args)


def _local_names(root: Path) -> Iterator[str]:
    for start in (root, root / "src", root / "lib"):
        if start.is_dir():
            for each in start.iterdir():
                if each.is_dir() or each.suffix == ".py":
                    yield each.stem if each.suffix == ".py" else each.name
