"""Which modules get tests: drawn by a rule, so that nobody chooses what looks good.

A module can be drawn that is of a middling size, has a few public callables, imports the standard
library and its own package alone, and has a test file of people that is named after it. The order
of packages and modules is that of a hash with the seed.
"""

import ast
import hashlib
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LEAST_LINES, MOST_LINES = 30, 1500
LEAST_PUBLIC = 2
MOST_FILES = 500
"""Of a repository: in a larger one reading takes longer than writing."""
_ASIDE = frozenset(
    {"tests", "test", "testing", "docs", "examples", "benchmarks", "tasks", "scripts"}
)
_NOT_DRAWN = frozenset({"__main__", "conftest", "setup", "cli", "_version", "version_info"})


@dataclass(frozen=True, slots=True)
class Drawn:
    """One module with the file in which people test it."""

    package: str
    module: str
    path: str
    """In the repository, as is `tests`."""
    tests: str | None


def repositories(mirror: Path) -> list[Path]:
    """The bare git directories of a folder, at most two levels down."""
    found = {each.parent for each in (*mirror.glob("*/HEAD"), *mirror.glob("*/*/HEAD"))}
    return sorted(each for each in found if (each / "objects").is_dir())


def name_of(repository: Path) -> str:
    """`boltons` of `mahmoud+boltons/repo`."""
    folder = repository.parent if repository.name in ("repo", ".git") else repository
    return folder.name.rpartition("+")[2].removesuffix(".git")


def in_order(names: list[str], seed: int) -> list[str]:
    """Shuffled, the same way each time."""
    return sorted(names, key=lambda each: hashlib.sha256(f"{seed}:{each}".encode()).digest())


def check_out(repository: Path, folder: Path) -> None:
    """The newest files of a git directory."""
    if folder.is_dir():
        return
    packed = subprocess.run(
        ["git", "--git-dir", str(repository), "archive", "HEAD"], capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def drawable(name: str, root: Path, seed: int, *, is_tested: bool = True) -> list[Drawn]:
    """The modules of a repository that can be drawn, in their order."""
    if sum(1 for _ in root.rglob("*.py")) > MOST_FILES:
        return []
    found = {each.module: each for each in _modules(name, root, is_tested)}
    return [found[each] for each in in_order(sorted(found), seed)]


def _modules(name: str, root: Path, is_tested: bool) -> Iterator[Drawn]:
    base = root / "src" if (root / "src").is_dir() else root
    tests = _test_files(root)
    files = {_dotted(each, base): each for each in _sources(base)}
    for module, file in sorted(files.items()):
        stem = module.rpartition(".")[2].strip("_")
        if stem in _NOT_DRAWN or (is_tested and stem not in tests) or not _is_middling(file):
            continue
        if _is_self_contained(module, files):
            tested = str(tests[stem].relative_to(root)) if stem in tests else None
            yield Drawn(name, module, str(file.relative_to(root)), tested)


def _sources(base: Path) -> Iterator[Path]:
    for file in sorted((*base.glob("*.py"), *base.glob("*/**/*.py"))):
        parts = file.relative_to(base).parts
        is_aside = any(part in _ASIDE or part.startswith(".") for part in parts[:-1])
        is_packaged = all(
            Path(base, *parts[:depth], "__init__.py").is_file() for depth in range(1, len(parts))
        )
        if not is_aside and is_packaged and not parts[-1].startswith("test_"):
            yield file


def _test_files(root: Path) -> dict[str, Path]:
    """By the stem of the module that each is named after; the first in order stays."""
    found: dict[str, Path] = {}
    for file in sorted(root.rglob("*.py")):
        stem = file.stem
        if stem.startswith("test_") or stem.endswith("_test"):
            found.setdefault(stem.removeprefix("test_").removesuffix("_test"), file)
    return found


def _dotted(file: Path, base: Path) -> str:
    parts = file.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def _is_middling(file: Path) -> bool:
    text = file.read_text("utf-8", errors="replace")
    if not LEAST_LINES <= text.count("\n") <= MOST_LINES:
        return False
    tree = _parsed(text)
    return tree is not None and sum(1 for _ in _public(tree)) >= LEAST_PUBLIC


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except SyntaxError:
        return None


def _public(tree: ast.Module) -> Iterator[str]:
    """Functions and methods that anybody may call."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
                    yield f"{node.name}.{each.name}"


def _is_self_contained(module: str, files: dict[str, Path]) -> bool:
    """Whether all that its import leads to is the standard library or a file of the repository."""
    waiting, seen = [module], set[str]()
    while waiting:
        name = waiting.pop()
        if name in seen or name not in files:  # a folder without a front runs nothing
            continue
        seen.add(name)
        for each in _imported(name, files):
            top = each.partition(".")[0]
            if top in sys.stdlib_module_names:
                continue
            if each not in files:
                return False
            waiting.extend(_prefixes(each))
    return True


def _prefixes(dotted: str) -> list[str]:
    """The module and the packages around it, each of which is imported with it."""
    parts = dotted.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def _imported(module: str, files: dict[str, Path]) -> Iterator[str]:
    """What the import of a module imports for certain: not in functions, not for type checkers."""
    tree = _parsed(files[module].read_text("utf-8", errors="replace"))
    home = module if files[module].stem == "__init__" else module.rpartition(".")[0]
    for node in [] if tree is None else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = home.split(".") if node.level and home else []
            kept = parts[: len(parts) - (node.level - 1)] if node.level else []
            start = ".".join((*kept, *([node.module] if node.module else [])))
            yield start or home
            yield from (
                f"{start}.{alias.name}" for alias in node.names if f"{start}.{alias.name}" in files
            )
    if "." in module:
        yield module.rpartition(".")[0]
