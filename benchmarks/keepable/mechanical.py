"""What can be counted without judging: each with the tests that break it."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.keepable.cutting import Piece
from benchmarks.keepable.sheet import Item
from benchmarks.keepable.writing import SAMPLE, SAMPLE_FOLDER
from reverie.dreamers.enrich.naturalising.parameters import everyday_texts
from reverie.scoring.keepability import Known, files_about, known_of
from reverie.scoring.keepability.anatomy import Reading, read_test, says_nothing, tests_in
from reverie.scoring.keepability.score import is_empty_name, is_unfit

_KNOWN_SHARE = 0.90


@dataclass(frozen=True, slots=True)
class Count:
    """One figure with what stands against it."""

    name: str
    value: float
    wanted: str
    is_met: bool
    broken_by: tuple[str, ...]


def count(items: Sequence[Item], folder: Path) -> list[Count]:
    """The figures of Reverie's tests on a sheet."""
    ours = [each for each in items if each.author == "reverie"]
    read = [(each, reading_of(each)) for each in ours]
    knowns = {each.piece.module: known_to(each, folder) for each in ours}
    texts = [
        (each, text) for each, reading in read for text in reading.inputs if isinstance(text, str)
    ]
    strange = [(e, text) for e, text in texts if not knowns[e.piece.module].is_near(text)]
    share = 1 - len(strange) / len(texts) if texts else 1.0
    return [
        _none("type: ignore", [_said(e, *e.piece.ignores[:1]) for e in ours if e.piece.ignores]),
        _none("arguments that do not fit", [
            _said(e) for e, reading in read if is_unfit(reading, knowns[e.piece.module])
        ]),
        _none("private callables that a public one reaches", list(_private(read, folder))),
        _none("tests that say nothing", [
            _said(e) for e, reading in read if says_nothing(reading, knowns[e.piece.module].valued)
        ]),
        _none("empty names", [_said(e) for e, reading in read if is_empty_name(reading.name)]),
        Count("text arguments known or one edit away", share, f">= {_KNOWN_SHARE:.0%}",
              share >= _KNOWN_SHARE, tuple(_said(e, repr(text)) for e, text in strange)),
    ]  # fmt: skip


def reading_of(item: Item) -> Reading:
    """The test as it was written."""
    (node,) = tests_in(item.piece.raw).values()
    return read_test(node, item.piece.raw)


def known_to(item: Item, folder: Path) -> Known:
    """What is written about the module; for a test of people, all but the test itself."""
    piece = item.piece
    own = "" if item.author == "reverie" else piece.name
    return _known(root_of(piece, folder), piece.module, own)


def root_of(piece: Piece, folder: Path) -> Path:
    """The repository that a piece is about."""
    return SAMPLE_FOLDER if piece.package == SAMPLE else folder / "checkouts" / piece.package


@cache
def _known(root: Path, module: str, without: str) -> Known:
    own = _file_of(root, module)
    paths = sorted(str(each.relative_to(root)) for each in root.rglob("*") if each.is_file())
    near = files_about(str(own.relative_to(root)), paths)
    texts = [(root / each).read_text("utf-8", errors="replace") for each in near]
    if without:
        texts = [_without(each, without) if without in each else each for each in texts]
    return known_of(own.read_text("utf-8", errors="replace"), texts, everyday_texts())


def _without(text: str, test: str) -> str:
    """The source of a file of tests without one of them."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name == test:
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
            lines[node.lineno - 1] = " " * node.col_offset + "pass"
    return "\n".join(lines)


def _file_of(root: Path, module: str) -> Path:
    base = root / "src" if (root / "src").is_dir() else root
    place = base / Path(*module.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def _private(read: Sequence[tuple[Item, Reading]], folder: Path) -> Iterator[str]:
    """Those that something else in the module calls."""
    for item, reading in read:
        module = _file_of(root_of(item.piece, folder), item.piece.module).read_text("utf-8")
        names = {each.rpartition(".")[2] for each in item.piece.subjects}
        reached = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(ast.parse(module))
            if isinstance(node, ast.Name | ast.Attribute)
        }
        for name in reading.called:
            if name in names & reached and name.startswith("_") and not name.endswith("__"):
                yield _said(item, name)


def _none(name: str, broken: list[str]) -> Count:
    return Count(name, len(broken), "0", not broken, tuple(broken))


def _said(item: Item, what: str = "") -> str:
    piece = item.piece
    return f"{item.number} {piece.module} {piece.name}" + (f": {what}" if what else "")
