"""What gates may know of a repository, read from the names and texts of its files."""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping

from reverie.errors import ConfigError
from reverie.gates.effects.table import Effect
from reverie.gates.gate import Surroundings
from reverie.gates.paths import is_test_path, module_of
from reverie.gates.python import Parsed, functions, imported_names, parse
from reverie.gates.suite.reach import effects_of
from reverie.model.baseline import PATH, read_baseline
from reverie.model.judgement_sections import GuardSection

_FIXTURES = frozenset(
    {"tmp_path", "tmp_path_factory", "tmpdir", "capsys", "capfd", "caplog", "monkeypatch",
     "request", "recwarn", "pytestconfig", "cache", "record_property", "testdir", "pytester",
     "mocker"}
)  # fmt: skip
_VALUES = frozenset({"str", "int", "float", "list", "dict", "tuple", "set", "bytes", "decimal"})
_MOST_BYTES = 4 << 20
_NO_CODE = frozenset({"docs", "doc", "examples", "scripts", "tools", "benchmarks", "build", "dist"})
_LIBRARIES = frozenset(
    {"pytest", "unittest", "hypothesis", "numpy", "pandas", "mock", "attrs", "attr", "yaml",
     "click", "requests", "coverage", "pluggy", "reverie_pytest", "reverie", "pytest_mock",
     "freezegun"}
)  # fmt: skip


def baseline_of(files: Mapping[str, bytes]) -> Mapping[str, float] | None:
    """What a repository has reached, by its own file; None where it keeps none."""
    if PATH not in files:
        return None
    try:
        return read_baseline(files[PATH].decode("utf-8")).measures
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{PATH}: {error}") from error


def surroundings_of(files: Mapping[str, bytes], section: GuardSection) -> Surroundings:
    """Of a whole tree, by path."""
    production = [
        path for path in files if path.endswith(".py") and not is_test_path(path, section)
    ]
    packages = frozenset(_top_names(production))
    tests = [path for path in files if path.endswith(".py") and is_test_path(path, section)]
    return Surroundings(
        packages=packages,
        modules=frozenset(sys.stdlib_module_names) | _LIBRARIES,
        fixtures=_FIXTURES | frozenset(_fixtures(files, section)),
        valued=frozenset(_valued(files[path] for path in production)),
        libraries=frozenset(_libraries(files)),
        test_effects=frozenset(_test_effects(files, tests, packages)),
        sources=dict(_sources(files, production)),
    )


def _libraries(files: Mapping[str, bytes]) -> Iterator[str]:
    """Top-level names that any file imports and Python does not have."""
    for parsed in _parsed(files, files):
        for origin in imported_names(parsed.tree).values():
            top = origin.partition(".")[0]
            if top and top not in sys.stdlib_module_names:
                yield top


def _test_effects(
    files: Mapping[str, bytes], tests: Iterable[str], packages: frozenset[str]
) -> Iterator[Effect]:
    for parsed in _parsed(files, tests):
        yield from effects_of(parsed, packages)


def _parsed(files: Mapping[str, bytes], paths: Iterable[str]) -> Iterator[Parsed]:
    """Python files, as far as is quickly read."""
    read = 0
    for path in paths:
        read += len(files[path]) if path.endswith(".py") else 0
        if path.endswith(".py") and read < _MOST_BYTES:
            parsed = parse(path, files[path].decode("utf-8", "surrogateescape"))
            if parsed is not None:
                yield parsed


def _sources(files: Mapping[str, bytes], production: Iterable[str]) -> Iterator[tuple[str, str]]:
    read = 0
    for path in production:
        read += len(files[path])
        if read < _MOST_BYTES:
            yield module_of(path), files[path].decode("utf-8", "surrogateescape")


def _top_names(paths: Iterable[str]) -> set[str]:
    known = set(paths)
    found = set()
    for path in known:
        parts = path.split("/")
        if parts[0] in ("src", "lib") and len(parts) > 1:
            parts = parts[1:]
        if parts[0] in _NO_CODE or parts[0] in ("setup.py", "noxfile.py", "conftest.py"):
            continue
        found.add(parts[0].removesuffix(".py"))
    return found


def _fixtures(files: Mapping[str, bytes], section: GuardSection) -> Iterator[str]:
    for path, text in files.items():
        if path.endswith(".py") and is_test_path(path, section) and b"fixture" in text:
            parsed = parse(path, text.decode("utf-8", "surrogateescape"))
            for _, node in () if parsed is None else functions(parsed.tree):
                if any("fixture" in ast.unparse(each) for each in node.decorator_list):
                    yield node.name


def _valued(texts: Iterable[bytes]) -> Iterator[str]:
    read = 0
    for text in texts:
        read += len(text)
        parsed = parse("", text.decode("utf-8", "surrogateescape")) if read < _MOST_BYTES else None
        for name, node in () if parsed is None else functions(parsed.tree):
            kind = "" if node.returns is None else ast.unparse(node.returns)
            if kind.partition("[")[0].lower() in _VALUES:
                yield name.rpartition(".")[2]
