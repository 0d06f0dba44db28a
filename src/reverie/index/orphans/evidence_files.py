"""Reads a repository's files for the search of orphans. The only part of it that touches a disk.

Evidence of use is remembered file by file: only what changed is parsed again. Files that a tool
wrote about the code name every module, and use none.
"""

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from posixpath import splitext

from reverie.errors import StoreError
from reverie.index.orphans.source import SourceFacts, decode_source, encode_source, facts_of
from reverie.index.orphans.texts import TextFacts, facts_of_text
from reverie.index.remembering.memory import Memory
from reverie.index.remembering.refresh import Progress
from reverie.index.repository import collector_paused
from reverie.model.repository.code import CodeIndex, Module
from reverie.model.repository.indexed import StoredEvidence
from reverie.syntax.decoding import decode
from reverie.syntax.parsing import fresh_quietly

_SHOWN = 4_096
_ROOT = re.compile(
    r"<(?:!DOCTYPE\s+)?(?:coverage|testsuites?|checkstyle|pmd(?:-cpd)?|cpd|cobertura|jacoco|findbugs"
    r"|bugcollection|flake8|results|report|file_metrics)\b",
    re.IGNORECASE,
)
_KEYS = re.compile(
    r'"(?:executed_lines|missing_lines|physicalLocation|artifactLocation|results_summary|hashed_secret'
    r'|line_number|generated_at|sarif|\$schema"\s*:\s*"[^"]*sarif|generalDiagnostics'
    r"|message-id|percent_covered)"
)
_COVERAGE_LINES = re.compile(r"(?m)^(?:SF:|DA:\d)")


def is_report(path: str, text: str) -> bool:
    """Whether a file is a report of coverage, of tests, or of findings."""
    suffix = splitext(path)[1].lower()
    start = text[:_SHOWN]
    if suffix == ".xml":
        return bool(_ROOT.search(start))
    if suffix in (".json", ".sarif", ".baseline"):
        return bool(_KEYS.search(start))
    return suffix in (".info", ".lcov") and bool(_COVERAGE_LINES.search(start))


_LARGEST_TEXT = 1 << 20
_MOST_TEXTS = 20_000
_PASSED_OVER = {"__pycache__", "node_modules", "site-packages", "htmlcov", "dist", "build"}
_HIDDEN_AND_NOBODYS = re.compile(
    r"(?i)\.(?:git|hg|svn|bzr|idea|tox|nox|venv|eggs|hypothesis|history|terraform|serverless|aws-sam|"
    r"next|nuxt|yarn|pnpm-store|gradle|conda|pixi|direnv|local|npm|ropeproject|scannerwork|"
    r"ipynb_checkpoints|reverie.*|.*cache)"
)
"""Hidden folders that tools keep for themselves. Others hold settings, as `.github` does."""
_SUFFIXES = {
    ".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".sh", ".bash", ".mk", ".md", ".rst", ".env",
    ".service", ".tf", ".conf", ".bat", ".ps1", ".ipynb", ".pyi", ".pyx", ".pxd", ".c", ".cpp",
    ".nix", ".bzl", ".adoc", ".cmd", ".xml", ".mako", ".mdx",
    ".cmake", ".build", ".bazel", ".gradle", ".groovy", ".hcl", ".nomad", ".spec", ".smk", ".ninja",
    ".am", ".ac", ".fish", ".zsh", ".ksh", ".csh", ".jsonc", ".json5", ".timer", ".desktop",
    ".plist", ".pth", ".pxi", ".cc", ".cxx", ".star", ".dockerfile",
    ".txt", ".feature", ".tpl", ".tmpl", ".jinja", ".j2", ".py-tpl", ".in", ".rb", ".go", ".rs",
}  # fmt: skip
_NAMES = re.compile(
    r"(?i)dockerfile.*|\w*file|procfile.*|entry_points\.txt|\.pylintrc|pylintrc|\.(?:\w*env|envrc).*|crontab.*|"
    r"readme.*|taskfile.*|build|workspace|sconstruct|sconscript|wscript"
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


@dataclass(frozen=True, slots=True)
class ReadSource:
    """The facts of a file with the sha256 of what was read."""

    facts: SourceFacts
    content_hash: str


def read_evidence(
    repository: Path,
    index: CodeIndex,
    progress: Callable[[int, int], None] | None = None,
    read_module: Callable[[Module], SourceFacts | None] | None = None,
) -> Evidence:
    """Read everything; `progress` is told how many modules of how many are done."""
    sources: dict[str, SourceFacts] = {}
    read = read_module or partial(_from_disk, repository)
    for count, module in enumerate(index.modules, 1):
        facts = None if module.error is not None else read(module)
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
        is_silent = text is None or is_report(relative, text)
        facts_here = None if is_silent else facts_of_text(relative, text or "")
        if facts_here is not None and facts_here != TextFacts():
            texts[relative] = facts_here
    return Evidence(sources, texts, frozenset(markers))


def _from_disk(repository: Path, module: Module) -> SourceFacts | None:
    found = read_source_facts(repository / module.path)
    return None if found is None else found.facts


def read_source_facts(path: Path) -> ReadSource | None:
    """The facts of one file; None when it cannot be read or parsed."""
    try:
        with path.open("rb") as file:
            content = file.read()
        source = decode(content)
        facts = facts_of(source, fresh_quietly(source))
        return ReadSource(facts, hashlib.sha256(content).hexdigest())
    except (OSError, SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return None


def _text_files(repository: Path) -> Iterator[Path]:
    return _first(_MOST_TEXTS, _walk(repository))


def _walk(repository: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(repository):
        folders[:] = sorted(name for name in folders if _is_walked(Path(folder), name))
        for name in sorted(names):
            path = Path(folder, name)
            is_read = _is_read(name) or ("." not in name and _has_shebang(path))
            if is_read and path.is_file() and not path.is_symlink():
                yield path


def _is_walked(folder: Path, name: str) -> bool:
    if name in _PASSED_OVER or _HIDDEN_AND_NOBODYS.fullmatch(name):
        return False
    return not (folder / name / "pyvenv.cfg").exists() and not (folder / name).is_symlink()


def _is_read(name: str) -> bool:
    if _NOT_READ.fullmatch(name):
        return False
    return os.path.splitext(name)[1].lower() in _SUFFIXES or bool(_NAMES.fullmatch(name))


def _has_shebang(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


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


def remembered_evidence(
    root: Path, index: CodeIndex, memory: Memory, progress: Progress | None = None
) -> Evidence:
    """The evidence of a repository; what had to be read is remembered."""
    with collector_paused():
        reader = _Reader(root, {each.path: each for each in memory.evidence()})
        evidence = read_evidence(root, index, progress, reader.read)
    if reader.fresh:
        memory.save_evidence(reader.fresh)
    return evidence


@dataclass(slots=True)
class _Reader:
    """Reads a file when what is remembered is of another content."""

    root: Path
    known: Mapping[str, StoredEvidence]
    fresh: list[StoredEvidence] = field(default_factory=list)

    def read(self, module: Module) -> SourceFacts | None:
        stored = self.known.get(module.path)
        if stored is not None and stored.content_hash == module.content_hash:
            facts = _decoded(stored)
            if facts is not None:
                return facts
        read = read_source_facts(self.root / module.path)
        if read is None:
            return None
        if read.content_hash == module.content_hash:  # else it changed since it was indexed
            encoded = encode_source(read.facts)
            self.fresh.append(StoredEvidence(module.path, module.content_hash, encoded))
        return read.facts


def _decoded(stored: StoredEvidence) -> SourceFacts | None:
    try:
        return decode_source(stored.facts)
    except (ValueError, TypeError, RecursionError) as error:
        reason = f"the remembered evidence of {stored.path!r} is none: {error}"
        raise StoreError(reason) from error
