"""Builds the labelled sample: real packages with cases planted in them."""

import ast
import builtins
import random
import re
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.orphans.case import COPY, DONOR, Case

_SRC_LAYOUT = {"flask"}
_UNFIT = re.compile(
    r"__main__|import_module|__import__|pkgutil|listdir|glob\(|__getattr__|^#!|deprecat|unittest"
)
_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class Sample:
    """One repository of the sample with what is true of its planted modules, by path."""

    name: str
    folder: Path
    labels: dict[str, str]


def build(
    cases: Iterable[Case], repositories: Mapping[str, str], packages: Path, folder: Path, seed: int
) -> list[Sample]:
    """Write one half of the sample below `folder`."""
    chance = random.Random(seed)
    donors = _donors(packages, chance)
    samples = []
    for name, package in repositories.items():
        target = folder / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        if package:
            home = target / "src" if name in _SRC_LAYOUT else target
            ignored = shutil.ignore_patterns("__pycache__", "*.so")
            shutil.copytree(packages / package, home / package, ignore=ignored)
        labels: dict[str, str] = {}
        copied = _copied_modules(packages / package, chance) if package else []
        for case in cases:
            if case.repository == name:
                _plant(case, target, package, donors, copied)
                for path, mark in case.labels.items():
                    labels[path.replace("{pkg}", package)] = mark
        samples.append(Sample(name, target, labels))
    return samples


def _plant(
    case: Case, target: Path, package: str, donors: list[tuple[str, str]], copied: list[str]
) -> None:
    for written, text in case.files.items():
        path = target / written.replace("{pkg}", package)
        path.parent.mkdir(parents=True, exist_ok=True)
        if text == DONOR:
            at = next(at for at, (owner, _) in enumerate(donors) if owner != package)
            text = donors.pop(at)[1]
        elif text == COPY:
            text = copied.pop()
        else:
            text = text.replace("{pkg}", package)
        before = path.read_text("utf-8") if path.exists() else ""
        path.write_text(before + text, "utf-8")


def _donors(packages: Path, chance: random.Random) -> list[tuple[str, str]]:
    """Real modules with the package they are from, in a random order."""
    found = []
    for path in sorted(packages.glob("*/**/*.py")):
        owner = path.relative_to(packages).parts[0]
        if owner.endswith("-info") or path.name == "__init__.py":
            continue
        if "test" in path.as_posix() or "_vendor" in path.parts:
            continue
        text = path.read_text("utf-8", errors="replace")
        if 30 <= text.count("\n") <= 300 and "def " in text and not _UNFIT.search(text):
            found.append((owner, text))
    chance.shuffle(found)
    return found


def _copied_modules(package: Path, chance: random.Random) -> list[str]:
    """Modules of a package with the names changed that a person would change in a copy."""
    found = []
    for path in sorted(package.glob("**/*.py")):
        text = path.read_text("utf-8", errors="replace")
        if "test" in path.as_posix() or path.name == "__init__.py" or _UNFIT.search(text):
            continue
        if 80 <= text.count("\n") <= 600 and text.count("def ") >= 4:
            found.append(ast.unparse(_Renamed(text).tree) + "\n")
    chance.shuffle(found)
    return found


class _Renamed(ast.NodeTransformer):
    """Variables, parameters and functions get new names; methods and imports keep theirs."""

    def __init__(self, text: str) -> None:
        self._kept = {*_BUILTINS, "self", "cls"}
        tree = ast.parse(text)
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        self._functions = {node.name for node in tree.body if isinstance(node, functions)}
        for node in ast.walk(tree):
            if isinstance(node, ast.alias):
                self._kept.add((node.asname or node.name).partition(".")[0])
        self.tree = self.visit(tree)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id not in self._kept:
            node.id = f"{node.id}_x"
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = f"{node.arg}_x" if node.arg not in ("self", "cls") else node.arg
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name in self._functions:
            node.name = f"{node.name}_x"
        return self.generic_visit(node)
