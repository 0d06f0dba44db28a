"""What files other than Python's say about modules: configurations, commands, documents.

Each format is read as far as needed to know under which key a value stands: a module that a
linter leaves out is not thereby used, and a commented line says nothing.
"""

import configparser
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from posixpath import basename, splitext

from reverie.index.orphans.mention import (
    Mention,
    MentionKind,
    imports_in,
    mentions_in_command,
    mentions_in_value,
)

_NOT_A_USE = re.compile(
    r"(?:^|[.\s_-])(?:omit|exclude\w*|ignore\w*|skip\w*|per-file-ignores|overrides|known|forbidden\w*"
    r"|source_modules|layers|modules_to_ignore|not_skip|paths-ignore|include_trailing_comma|files"
    r"|version\w*|coverage|flake8|isort|black|ruff|pyright|basedpyright|bandit|vulture|deptry"
    r"|importlinter|bumpversion|bumpver|commitizen|semantic_release|interrogate|pydocstyle"
    r"|codespell|package-data|package_data|sdist|dependencies|requires|keywords|classifiers"
    r"|description|authors|urls|title)(?:$|[.\s:_-])",
    re.IGNORECASE,
)
_A_USE = re.compile(
    r"(?:^|[.\s_-])(?:load-plugins|load_plugins|plugins?|entry)$"
    r"|\.dynamic\.\w+\.attr$|\.version\.path$",
    re.IGNORECASE,
)
"""Keys that use what they name although they stand where most do not."""
_WATCHED = re.compile(
    r"(?:^|\.)(?:paths|changes|changed-files|any-glob-to-\w+-files?|all-globs-to-\w+-files?)$"
)
"""What continuous integration looks at to decide whether to run."""
_FOLDERS = re.compile(r"(?:^|\.)(?:benchmark_dir|script_location|version_locations)$")
_NAMES_MODULES = re.compile(
    r"(?:^|[.\s])(?:scripts|gui-scripts|gui_scripts|console_scripts|entry-points|entry_points"
    r"|plugins?|py-modules|py_modules|handler|FLASK_APP|DJANGO_SETTINGS_MODULE|load-plugins"
    r"|load_plugins|default|packages|module|extensions|cmdclass|app|build-backend)(?:$|[.\s])",
    re.IGNORECASE,
)
_YAML_LINE = re.compile(r"^(\s*)((?:- )*)(?:([\w.$/-]+|\"[^\"]+\")\s*:(?:\s+|$))?(.*)$")
_COMMENT = re.compile(r"(?:^|\s)(?:#|//).*$")
_DIRECTIVE = re.compile(
    r"(?:auto(?:module|class|function|summary|exception|data)::\s*|^\s*:::\s*|currentmodule::\s*"
    r"|:mod:`~?)([\w.]+)"
)
_LISTED_NAME = re.compile(r"^\s+~?([A-Za-z_]\w*(?:\.\w+)+)$")
_WRITTEN_PATH = re.compile(r"(?<![\w/])(?:\./)?((?:[\w-]+/)*[\w-]+\.py)\b")
_OUT_OF_USE = re.compile(
    r"deprecat|remov|unused|obsolete|dead|no longer|legacy|delet|supersed|orphan|stale|replaced",
    re.IGNORECASE,
)
_PLAIN_SCRIPTS = re.compile(r"^(?:[\w-]+/)*(?:scripts?|tools?|bin|examples?|hack|utils?|docs?)/")
_CHANGES = re.compile(r"^(?:change|history|news|release|upgrad|migrat|todo|roadmap)", re.IGNORECASE)
_DOCUMENTS = {".md", ".rst", ".txt", ".adoc", ".ipynb", ".mdx"}
_ENTRY_POINTS = "entry_points.txt"
_STUBS = {".pyi", ".pyx", ".pxd", ".pxi", ".pth"}
_BUILD_FILES = {"cmakelists.txt"}
_PROJECT_NAMES = {"project.name", "metadata.name", "tool.poetry.name"}
_TEST_FILES = re.compile(r"(?:^|\.)python_files$")


@dataclass(frozen=True, slots=True)
class TextFacts:
    """What one such file says."""

    mentions: tuple[Mention, ...] = ()
    test_patterns: tuple[str, ...] = ()
    distribution: str | None = None
    """The name of the project, as its packaging calls it."""


@dataclass(frozen=True, slots=True)
class _Value:
    key: str
    text: str
    line: int = 0


def facts_of_text(path: str, text: str) -> TextFacts:
    """The facts of one file; one that is malformed in its format is read line by line."""
    name, suffix = basename(path), splitext(path)[1].lower()
    if suffix in _STUBS:
        return TextFacts(tuple(imports_in(text.splitlines())))
    if _is_document(name, suffix):
        if _CHANGES.match(name):
            return TextFacts()
        return TextFacts(tuple(_document(_notebook(text) if suffix == ".ipynb" else text)))
    values = list(_values(name, suffix, text))
    found = [mention for value in values for mention in _mentions(value)]
    patterns = [
        each for value in values if _TEST_FILES.search(value.key) for each in value.text.split()
    ]
    names = [value.text for value in values if value.key in _PROJECT_NAMES]
    return TextFacts(tuple(dict.fromkeys(found)), tuple(patterns), names[0] if names else None)


def _is_document(name: str, suffix: str) -> bool:
    if name == _ENTRY_POINTS or name.lower() in _BUILD_FILES:
        return False
    return suffix in _DOCUMENTS or name.upper() == "README"


def _mentions(value: _Value) -> list[Mention]:
    if _FOLDERS.search(value.key):
        folder = value.text.replace("%(here)s/", "").replace(":", "/")
        return [Mention(MentionKind.FOLDER, f"./{folder}", value.line)]
    if _WATCHED.search(value.key):
        return []
    is_attribute = value.text.startswith("attr:")
    if _NOT_A_USE.search(value.key) and not _A_USE.search(value.key) and not is_attribute:
        return []
    imported = [
        Mention(MentionKind.IMPORTED, each.text, value.line) for each in imports_in([value.text])
    ]
    return imported or mentions_in_value(
        value.text, value.line, imported=bool(_NAMES_MODULES.search(value.key))
    )


def _values(name: str, suffix: str, text: str) -> Iterator[_Value]:
    try:
        if suffix == ".toml":
            yield from _nested("", tomllib.loads(text))
            return
        if suffix == ".json":
            yield from _nested("", json.loads(text))
            return
        if suffix in (".cfg", ".ini") or name in (_ENTRY_POINTS, ".pylintrc", "pylintrc"):
            yield from _ini(text)
            return
    except (ValueError, configparser.Error, RecursionError):
        yield from _lines(text)
        return
    yield from _yaml(text) if suffix in (".yml", ".yaml") else _lines(text)


def _nested(key: str, value: object) -> Iterator[_Value]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _nested(f"{key}.{name}" if key else str(name), inner)
    elif isinstance(value, list):
        if all(isinstance(each, str) for each in value):
            yield _Value(key, " ".join(value))
        else:
            for each in value:
                yield from _nested(key, each)
    elif isinstance(value, str):
        yield _Value(key, value)


def _ini(text: str) -> Iterator[_Value]:
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True, delimiters=("=", ":"))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string(text)
    for section in parser.sections():
        for key, value in parser.items(section):
            lines = [line for line in (value or "").splitlines() if not _COMMENT.fullmatch(line)]
            yield _Value(f"{section}.{key}", "\n".join(lines))


def _yaml(text: str) -> Iterator[_Value]:
    """Values with the keys above them, by indentation alone; enough to know what they are for."""
    keys: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = _COMMENT.sub("", line)
        found = _YAML_LINE.match(stripped)
        if not stripped.strip() or found is None:
            continue
        indent = len(found[1]) + len(found[2])
        while keys and (keys[-1][0] >= indent if found[3] else keys[-1][0] > indent):
            keys.pop()
        if found[3]:
            keys.append((indent, found[3].strip('"')))
        if found[4]:
            yield _Value(".".join(key for _, key in keys), found[4], number)


def _lines(text: str) -> Iterator[_Value]:
    for number, line in enumerate(text.splitlines(), 1):
        stripped = _COMMENT.sub("", line) if not line.startswith("#!") else ""
        name, is_set, value = stripped.partition("=")
        key = name.replace("export ", "").strip() if is_set and " " not in name.strip() else ""
        yield _Value(key, value if key else stripped, number)


def _document(text: str) -> Iterator[Mention]:
    """Commands, directives, imports and paths of scripts; prose about modules does not count."""
    for number, line in enumerate(text.splitlines(), 1):
        yield from mentions_in_command(line, number)
        for found in _DIRECTIVE.finditer(line):
            yield Mention(MentionKind.NAME, found[1].strip("."), number)
        if found_name := _LISTED_NAME.match(line):
            yield Mention(MentionKind.NAME, found_name[1], number)
        if not _OUT_OF_USE.search(line):
            for found in _WRITTEN_PATH.finditer(line):
                if _PLAIN_SCRIPTS.match(found[1]):
                    yield Mention(MentionKind.FILE, found[1], number)
    yield from imports_in(text.splitlines())


def _notebook(text: str) -> str:
    try:
        cells = json.loads(text).get("cells", [])
        sources = [cell["source"] for cell in cells if cell.get("cell_type") == "code"]
    except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
        return text
    return "\n".join("".join(each) if isinstance(each, list) else str(each) for each in sources)
