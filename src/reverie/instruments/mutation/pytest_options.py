"""What a project asks of pytest in its configuration, without what would get in the way.

Mutation needs one process, one order and one run of each test: options of plugins that spread,
shuffle, repeat, time or measure tests are left out, those that say what a test is are kept.
"""

import configparser
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_KEPT_WITH_VALUE = (
    "--import-mode", "--doctest-glob", "--ignore", "--ignore-glob", "--deselect", "-k", "-m", "-W",
    "--pythonwarnings", "--confcutdir", "-o", "--override-ini", "--asyncio-mode",
    "--hypothesis-profile", "--hypothesis-seed", "--doctest-encoding", "-p",
)  # fmt: skip
_KEPT_ALONE = ("--doctest-modules", "--doctest-continue-on-failure", "--noconftest", "--pyargs")
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
