"""Files to mutate and tests to run, found without anybody saying so.

A project's own pytest options are read from its configuration, without what would get in the way:
mutation needs one process, one order and one run of each test, so options of plugins that spread,
shuffle, repeat, time or measure tests are left out; those that say what a test is are kept.
"""

import configparser
import os
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Any

from reverie.errors import UsageError
from reverie.index.named_file import require_python
from reverie.index.naming import is_package
from reverie.sandbox.interpreters import Choice, choose

_KEPT_WITH_VALUE = (
    "--import-mode", "--doctest-glob", "--ignore", "--ignore-glob", "--deselect", "-k", "-m", "-W",
    "--pythonwarnings", "--confcutdir", "-o", "--override-ini", "--asyncio-mode",
    "--hypothesis-profile", "--hypothesis-seed", "--doctest-encoding", "-p",
)  # fmt: skip
_KEPT_ALONE = ("--doctest-modules", "--doctest-continue-on-failure",
               "--doctest-ignore-import-errors", "--noconftest", "--pyargs")  # fmt: skip
_UNWANTED_PLUGINS = (
    "xdist", "pytest_cov", "randomly", "timeout", "rerunfailures", "cacheprovider", "sugar", "no:",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PytestOptions:
    """Arguments to run with, where tests are said to be, and what was left out."""

    arguments: tuple[str, ...] = ()
    testpaths: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    python_files: tuple[str, ...] = ("test_*.py", "*_test.py")
    """Names of files that hold tests."""


def read_options(root: Path) -> PytestOptions:
    """The options of the configuration file that pytest would read."""
    table = _configuration(root)
    kept, left_out = _sorted_out(_words(table.get("addopts", "")))
    overrides = ["-o", "addopts="]
    for name, neutral in (("required_plugins", ""), ("strict", "false"), ("strict_config", "false"),
                          ("strict_markers", "false"), ("xfail_strict", None)):  # fmt: skip
        if name in table and neutral is not None:
            overrides += ["-o", f"{name}={neutral}"]
    if "filterwarnings" in table or "-W" in kept:
        # Last, so it counts: what newer tools say of themselves is no failure of the code.
        kept += ["-W", "default::pytest.PytestDeprecationWarning"]
    named = tuple(_words(table.get("python_files", "")))
    return PytestOptions(
        (*overrides, *kept),
        tuple(_words(table.get("testpaths", ""))),
        tuple(left_out),
        named or PytestOptions().python_files,
    )


def _configuration(root: Path) -> Mapping[str, Any]:
    for name in ("pytest.toml", ".pytest.toml"):
        table = _toml(root / name).get("pytest")
        if isinstance(table, dict):
            return table
    for name in ("pytest.ini", ".pytest.ini"):
        if (root / name).is_file():
            return _ini(root / name, "pytest")
    tool = _toml(root / "pyproject.toml").get("tool")
    table = tool.get("pytest") if isinstance(tool, dict) else None
    if isinstance(table, dict):
        options = table.get("ini_options")
        return options if isinstance(options, dict) else table
    return _ini(root / "tox.ini", "pytest") or _ini(root / "setup.cfg", "tool:pytest")


def _toml(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}  # not there, or not readable: pytest will say so


def _ini(path: Path, section: str) -> Mapping[str, Any]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(path.read_text("utf-8"))
    except (OSError, ValueError, configparser.Error):
        return {}
    return dict(parser[section]) if parser.has_section(section) else {}


def _words(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(each) for each in value]
    try:
        return shlex.split(str(value), comments=False)
    except ValueError:
        return str(value).split()


def _sorted_out(words: list[str]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    left_out: list[str] = []
    for option, value in _options(words):
        whole = [option] if value is None else [option, value]
        is_unwanted = option == "-p" and str(value).startswith(_UNWANTED_PLUGINS)
        name = option.partition("=")[0]
        if name in _KEPT_ALONE or (name in _KEPT_WITH_VALUE and not is_unwanted):
            kept += whole
        elif option.startswith("-"):
            left_out.append(" ".join(whole))
    return kept, left_out


def _options(words: list[str]) -> Iterator[tuple[str, str | None]]:
    """Options with their values; `-mfoo` and `--name=value` hold theirs already."""
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if word in _KEPT_WITH_VALUE and waiting:
            yield word, waiting.pop(0)
        elif word[:2] in ("-k", "-m", "-W", "-p", "-o") and len(word) > 2:
            yield word[:2], word[2:]
        else:
            yield word, None


_NO_SOURCE = frozenset(
    {"tests", "test", "testing", "docs", "doc", "examples", "example", "benchmarks", "benchmark",
     "bench", "scripts", "tools", "build", "dist", "node_modules", "site-packages", "__pycache__",
     "venv", "env", "ci"}
)  # fmt: skip
_NEVER = frozenset({"build", "dist", "node_modules", "site-packages", "venv", "env"})
"""Folders that hold what others wrote."""
_NO_MODULES = frozenset(
    {"setup.py", "conftest.py", "noxfile.py", "tasks.py", "fabfile.py", "versioneer.py",
     "_version.py", "dodo.py", "toxfile.py", "ez_setup.py"}
)  # fmt: skip

_SINGLE_FILES = ("test.py", "tests.py")
"""Whole suites by their name, which pytest collects only when it is told to."""
_TEST_FOLDERS = ("tests", "test", "testing")
_OTHER_NAMES = ("*test*.py", "*Test*.py")
_TEST = re.compile(r"^\s*(?:async )?def test_|\bTestCase\b", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Project:
    """A repository as mutation sees it. Paths of files are relative to `root`."""

    root: str
    files: tuple[str, ...]
    import_paths: tuple[str, ...]
    packages: tuple[str, ...]
    """Top-level names under which the files are imported."""
    tests: tuple[str, ...]
    arguments: tuple[str, ...]
    python: str | None
    notes: tuple[str, ...] = ()


def find_project(
    repository: Path,
    path: str | None = None,
    tests: Sequence[str] = (),
    python: str | None = None,
) -> Project:
    """The files, tests and interpreter of a repository; `UsageError` when there is no such."""
    root = Path(os.path.realpath(repository))
    files = tuple(sorted(_source_files(root, path)))
    loose = () if files or path is not None else tuple(sorted(_loose_files(root)))
    files = files or loose
    if not files:
        raise UsageError(f"no Python source to mutate in {path or str(repository)!r}")
    options = read_options(root)
    roots = {name: root if loose else _import_root(root, root / name) for name in files}
    source = [str(root / "src")] if (root / "src").is_dir() else []
    import_paths = dict.fromkeys([*(str(each) for each in roots.values()), *source, str(root)])
    chosen = choose(root, python) or Choice(None)
    notes = [] if chosen.note is None else [chosen.note]
    if options.left_out:
        notes.append("left out of the project's pytest options: " + ", ".join(options.left_out))
    return Project(
        root=str(root),
        files=files,
        import_paths=tuple(import_paths),
        packages=tuple(sorted({_top_level(root / name, roots[name]) for name in files})),
        tests=_tests(root, tests, options, files),
        arguments=options.arguments,
        python=chosen.python,
        notes=tuple(notes),
    )


def _source_files(root: Path, path: str | None) -> Iterator[str]:
    start = root if path is None else Path(os.path.realpath(path))
    if not start.exists():
        raise UsageError(f"no such file or folder: {path!r}")
    if not start.is_relative_to(root):
        raise UsageError(f"{path!r} is not inside the repository {str(root)!r}")
    if start.is_file():
        require_python(start, str(path))
        if not start.read_bytes().strip():
            return
        yield start.relative_to(root).as_posix()
        return
    folders = [start] if start != root else list(_source_folders(root))
    for folder in folders:
        for each in _walk(folder):
            yield each.relative_to(root).as_posix()
    if start == root and not (root / "src").is_dir():
        yield from (each.name for each in sorted(root.glob("*.py")) if _is_source(each))


def _source_folders(root: Path) -> Iterator[Path]:
    if (root / "src").is_dir():
        yield root / "src"
        return
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and folder.name not in _NO_SOURCE and folder.name[0] not in "._":
            has_code = (folder / "__init__.py").exists() or any(folder.glob("*/__init__.py"))
            if has_code and not (folder / "pyvenv.cfg").exists():
                yield folder
            elif not has_code:
                yield from _project_sources(folder)


def _project_sources(folder: Path) -> Iterator[Path]:
    """Source folders of the projects that lie side by side in a folder."""
    for file in sorted(folder.glob("*/pyproject.toml")):
        yield from _source_folders(file.parent)


def _loose_files(root: Path) -> Iterator[str]:
    """Of folders that are packages without a front, where a repository has nothing else."""
    for folder in sorted(root.iterdir()):
        is_hidden = folder.name[0] in "._" or folder.name in _NO_SOURCE
        if folder.is_dir() and not is_hidden and not (folder / "pyvenv.cfg").exists():
            yield from (each.relative_to(root).as_posix() for each in _walk(folder))


def _walk(start: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(start):
        folders[:] = sorted(
            name
            for name in folders
            if name not in ("tests", "test", "__pycache__", "site-packages")
            and not name.startswith(".")
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        )
        yield from (Path(folder, name) for name in sorted(names) if _is_source(Path(folder, name)))


def _is_source(path: Path) -> bool:
    name = path.name
    if not name.endswith(".py") or name in _NO_MODULES or path.is_symlink() or _is_suite(path):
        return False
    if name == "__init__.py" and not is_package(path.parent):
        return False  # of a place for packages: nobody imports it
    return not name.startswith(("test_", "tests.")) and not name.endswith("_test.py")


def _import_root(root: Path, file: Path) -> Path:
    """The first folder above a file that is no package."""
    folder = file.parent
    while folder != root and is_package(folder):
        folder = folder.parent
    if folder != root and folder.is_relative_to(root / "src"):
        return root / "src"  # also for packages without `__init__.py`
    return folder


def _top_level(file: Path, import_root: Path) -> str:
    return file.relative_to(import_root).parts[0].removesuffix(".py")


def _tests(
    root: Path, given: Sequence[str], options: PytestOptions, files: Sequence[str]
) -> tuple[str, ...]:
    if given:
        return tuple(_test_path(root, each) for each in given)
    found = [
        match.relative_to(root).as_posix()
        for each in options.testpaths
        for match in (sorted(root.glob(each)) if PurePosixPath(each).parts else [root])
    ]
    folders = [name for name in _TEST_FOLDERS if (root / name).is_dir()]
    if not found:
        holding = [name for name in folders if _holds_tests(root / name, options.python_files)]
        single = _single_files(root, is_deep=not holding)
        found = [*holding, *single]
        if single:
            found += _beside(root, holding, options)
        elif holding:
            found += _in_packages(root, holding, options, files)
        if others := _otherwise_named(root, options):
            found = [*(found or _beside(root, (), options)), *others]
    is_doctest = "--doctest-modules" in options.arguments
    if not found and (folders or is_doctest or any(_test_files(root, options))):
        found = folders or ["."]
    if not found:
        raise UsageError(f"no tests found in {str(root)!r}; say where with --tests")
    return tuple(dict.fromkeys(found))  # pytest runs twice what it is given twice


def _otherwise_named(root: Path, options: PytestOptions) -> list[str]:
    """Files of tests whose names only another runner asks for: `config_tests.py`.

    Pytest collects what it is given by name. They are a suite where they are at least as many as
    those that it would find by itself: then they stay one when a test comes to lie beside them.
    """
    usual = {*_test_files(root, options)}
    found = {*_test_files(root, replace(options, python_files=_OTHER_NAMES))} - usual
    suites = [
        each.relative_to(root).as_posix()
        for each in found
        if each.name not in _SINGLE_FILES
        and {*_TEST_FOLDERS} & {*each.relative_to(root).parts[:-1]}
        and has_tests(each)
    ]
    return sorted(suites) if len(suites) >= len(usual) else []


def _beside(root: Path, folders: Sequence[str], options: PytestOptions) -> list[str]:
    """Files of tests outside of these folders: where one file is named, all have to be."""
    found = (each.relative_to(root) for each in _test_files(root, options))
    return sorted(each.as_posix() for each in found if each.parts[0] not in folders)


def _in_packages(
    root: Path, folders: Sequence[str], options: PytestOptions, files: Sequence[str]
) -> list[str]:
    """Where pytest would collect besides: tests in packages, examples in docstrings and texts."""
    code = {PurePosixPath(each).parts[0] for each in files}
    inside = (root / each for each in _beside(root, folders, options))
    found = {each.relative_to(root).parts[0] for each in inside if has_tests(each)}
    found &= code
    if "--doctest-modules" in options.arguments:
        found |= code
    for pattern in _doctest_globs(options.arguments):
        found |= {each.relative_to(root).parts[0] for each in root.rglob(pattern)}
    # What is named is run whatever else is said of it: a script that builds ends the whole run.
    left_alone = {"setup.py", *folders, *_values(options.arguments, "--ignore")}
    return sorted(each for each in found - left_alone if each[0] != ".")


def _doctest_globs(arguments: Sequence[str]) -> Iterator[str]:
    """Names of texts whose examples are run."""
    return _values(arguments, "--doctest-glob")


def _values(arguments: Sequence[str], wanted: str) -> Iterator[str]:
    """What an option that may be given several times is given."""
    for option, value in _options(list(arguments)):
        name, _, rest = option.partition("=")
        if name == wanted and (rest or value):
            yield rest or str(value)


def _single_files(root: Path, *, is_deep: bool) -> list[str]:
    """Suites in one file that pytest has to be told of; in folders below only if `is_deep`."""
    places = [root / name for name in _SINGLE_FILES]
    if is_deep:
        places += [each for name in _SINGLE_FILES for each in root.glob(f"*/{name}")]
    return sorted(each.relative_to(root).as_posix() for each in places if _is_suite(each))


def _holds_tests(folder: Path, names: Sequence[str]) -> bool:
    """Whether pytest would find a file of tests somewhere below."""
    return any(fnmatch(name, each) for _, _, files in os.walk(folder) for name in files
               for each in names)  # fmt: skip


def _is_suite(path: Path) -> bool:
    """Whether a file with such a name holds tests: production code may be called so as well."""
    return path.name in _SINGLE_FILES and has_tests(path)


def has_tests(path: Path) -> bool:
    """Whether a file holds anything that pytest would call a test."""
    return _TEST.search(_text(path)) is not None


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _test_path(root: Path, given: str) -> str:
    path, separator, rest = given.partition("::")
    place = Path(os.path.realpath(path))
    if not place.exists():
        place = root / path
    if not place.exists():
        raise UsageError(f"no such tests: {given!r}")
    if not place.is_relative_to(root):
        raise UsageError(f"the tests {given!r} are not inside the repository {str(root)!r}")
    return place.relative_to(root).as_posix() + separator + rest


def require_tests(repository: Path, given: Sequence[str]) -> None:
    """`UsageError` for a place in which pytest would find no test at all."""
    root = Path(os.path.realpath(repository))
    options = read_options(root)
    if "--doctest-modules" in options.arguments:
        return
    names = (*options.python_files, *_SINGLE_FILES, *_doctest_globs(options.arguments), "test*.txt")
    for each in given:
        place = root / _test_path(root, each.partition("::")[0])
        if not (_holds_tests(place, names) if place.is_dir() else _may_hold_tests(place, names)):
            raise UsageError(f"--tests: pytest finds no test in {each!r:.200}")


def _may_hold_tests(file: Path, names: Sequence[str]) -> bool:
    return file.suffix == ".py" or any(fnmatch(file.name, each) for each in names)


def _test_files(root: Path, options: PytestOptions) -> Iterator[Path]:
    names = (each for each in options.python_files if each != "*.py")
    for folder, name in product(("", "*/", "*/*/", "*/*/*/", "*/*/*/*/"), names):
        for each in root.glob(folder + name):
            inside = each.relative_to(root).parts
            if _NEVER.isdisjoint(inside) and not any(part[0] == "." for part in inside):
                yield each
