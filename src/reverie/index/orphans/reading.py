"""Reads a repository's files for the search of orphans. The only part of it that touches a disk."""

import ast
import io
import os
import re
import tokenize
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from reverie.index.orphans.source import SourceFacts, facts_of
from reverie.index.orphans.texts import TextFacts, facts_of_text
from reverie.model.code import CodeIndex

_LARGEST_TEXT = 1 << 20
_MOST_TEXTS = 20_000
_PASSED_OVER = {"__pycache__", "node_modules", "site-packages", "htmlcov", "dist", "build"}
_HIDDEN_FOLDERS = {".github", ".circleci", ".gitlab", ".ci", ".devcontainer", ".buildkite"}
_SUFFIXES = {
    ".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".sh", ".bash", ".mk", ".md", ".rst", ".env",
    ".service", ".tf", ".conf", ".bat", ".ps1", ".ipynb", ".pyi", ".pyx", ".pxd", ".c", ".cpp",
    ".nix", ".bzl", ".adoc", ".cmd", ".xml", ".mako", ".mdx",
    ".txt", ".feature", ".tpl", ".tmpl", ".jinja", ".j2", ".py-tpl", ".in", ".rb", ".go", ".rs",
}  # fmt: skip
_NAMES = re.compile(
    r"(?i)dockerfile.*|.*\.dockerfile|makefile|gnumakefile|justfile|procfile.*|entry_points\.txt|"
    r"\.pylintrc|pylintrc|\.env.*|crontab.*|readme.*|taskfile.*|jenkinsfile|tiltfile|build"
)
_NOT_READ = re.compile(
    r"(?i)sources\.txt|record|codecov\.ya?ml|\.coveragerc|\.flake8|codeowners|.*lock(?:\.json)?|"
    r"package-lock\.json|requirements.*|top_level\.txt|manifest\.in|labeler\.yml|sonar-project.*|\.bumpversion.*|"
    r"\.reverie.*|\.gitlab-labels.*|renovate\.json"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the files of a repository say, besides what the index already knows."""

    sources: dict[str, SourceFacts] = field(default_factory=dict)
    """By the path of the module; one that cannot be read or parsed is not here."""
    texts: dict[str, TextFacts] = field(default_factory=dict)
    folders: frozenset[str] = frozenset()
    """Names of files that make a folder somebody's: `script.py.mako`, `x.feature`."""


def read_evidence(
    repository: Path, index: CodeIndex, progress: Callable[[int, int], None] | None = None
) -> Evidence:
    """Read everything; `progress` is told how many modules of how many are done."""
    sources: dict[str, SourceFacts] = {}
    for count, module in enumerate(index.modules, 1):
        facts = None if module.error is not None else _source_facts(repository / module.path)
        if facts is not None:
            sources[module.path] = facts
        if progress is not None:
            progress(count, len(index.modules))
    texts: dict[str, TextFacts] = {}
    markers: set[str] = set()
    for path in _text_files(repository):
        relative = path.relative_to(repository).as_posix()
        if path.suffix in (".mako", ".feature"):
            markers.add(relative)
        text = _content(path)
        facts_here = None if text is None else facts_of_text(relative, text)
        if facts_here is not None and facts_here != TextFacts():
            texts[relative] = facts_here
    return Evidence(sources, texts, frozenset(markers))


def _source_facts(path: Path) -> SourceFacts | None:
    try:
        with path.open("rb") as file:
            content = file.read()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        source = content.decode(encoding)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return facts_of(source, ast.parse(source))
    except (OSError, SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return None


def _text_files(repository: Path) -> Iterator[Path]:
    return _first(_MOST_TEXTS, _walk(repository))


def _walk(repository: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(repository):
        folders[:] = sorted(name for name in folders if _is_walked(Path(folder), name))
        for name in sorted(names):
            path = Path(folder, name)
            if _is_read(name) and path.is_file() and not path.is_symlink():
                yield path


def _is_walked(folder: Path, name: str) -> bool:
    if name in _HIDDEN_FOLDERS:
        return True
    if name.startswith(".") or name in _PASSED_OVER:
        return False
    return not (folder / name / "pyvenv.cfg").exists() and not (folder / name).is_symlink()


def _is_read(name: str) -> bool:
    if _NOT_READ.fullmatch(name):
        return False
    return os.path.splitext(name)[1].lower() in _SUFFIXES or bool(_NAMES.fullmatch(name))


def _content(path: Path) -> str | None:
    try:
        if path.stat().st_size > _LARGEST_TEXT:
            return None
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return None


def _first(most: int, paths: Iterable[Path]) -> Iterator[Path]:
    for _, path in zip(range(most), paths, strict=False):
        yield path
