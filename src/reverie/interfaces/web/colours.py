"""Python with its colours, and differences line by line: text in, harmless HTML out.

The colours are a reader's aid, found by a pattern that never fails; what is not Python comes out
as it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from reverie.cycle.report.inert import LINE_CHARACTERS, LINES, inert

_KEYWORDS = (
    "and as assert async await break case class continue def del elif else except finally for "
    "from global if import in is lambda match nonlocal not or pass raise return try while with "
    "yield None True False self cls"
).replace(" ", "|")
_TOKEN = re.compile(
    r"(?P<c>\#.*)"
    r"|(?P<t>[rbfuRBFU]{0,2}(?:\"\"\"|'''))"
    r"|(?P<s>[rbfuRBFU]{0,2}(?:\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?))"
    r"|(?P<m>\b\d[\w.]*)"
    rf"|(?P<k>\b(?:{_KEYWORDS})\b)"
    r"|(?P<d>(?<=\bdef )\w+|(?<=\bclass )\w+|@[\w.]+)"
)
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference: which side has it, and where."""

    kind: str
    """`add`, `del`, `at` (headings), or empty for what both sides have."""
    old: int | None
    new: int | None
    html: Markup


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row of a difference, side by side."""

    old: DiffLine | None
    new: DiffLine | None


def coloured(source: str) -> Iterator[Markup]:
    """The lines of a Python source."""
    inside = ""
    every = source.split("\n")
    for line in every[:LINES]:
        html, inside = _line(line, inside)
        yield html
    if len(every) > LINES:
        yield Markup(inert(f"… ({len(every) - LINES} more lines)"))


def diff_lines(diff: str) -> Iterator[DiffLine]:
    """The lines of a unified difference."""
    old = new = 0
    every = diff.rstrip("\n").split("\n")
    for line in every[:LINES]:
        found = _HUNK.match(line)
        if found is not None:
            old, new = int(found[1]), int(found[2])
        if found is not None or line.startswith(("--- ", "+++ ", "\\")):
            yield DiffLine("at", None, None, Markup(inert(line)))
            continue
        kind = {"+": "add", "-": "del"}.get(line[:1], "")
        html = Markup(inert(line[:1])) + _line(line[1:], "")[0]
        yield DiffLine(kind, old if kind != "add" else None, new if kind != "del" else None, html)
        old, new = old + (kind != "add"), new + (kind != "del")
    if len(every) > LINES:
        told = f"… ({len(every) - LINES} more lines)"
        yield DiffLine("at", None, None, Markup(inert(told)))


def side_by_side(lines: Sequence[DiffLine]) -> Iterator[DiffRow]:
    """The same with what goes on the left and what comes on the right."""
    gone: list[DiffLine] = []
    come: list[DiffLine] = []
    for line in lines:
        if line.kind in ("add", "del"):
            (come if line.kind == "add" else gone).append(line)
            continue
        yield from _paired(gone, come)
        gone, come = [], []
        yield DiffRow(line, line)
    yield from _paired(gone, come)


def _paired(gone: list[DiffLine], come: list[DiffLine]) -> Iterator[DiffRow]:
    for at in range(max(len(gone), len(come))):
        yield DiffRow(gone[at] if at < len(gone) else None, come[at] if at < len(come) else None)


def _line(line: str, inside: str) -> tuple[Markup, str]:
    """One line, and the quotes that are still open behind it."""
    if len(line) > LINE_CHARACTERS:
        return Markup(inert(line)), inside
    line = line.expandtabs(8)
    parts: list[str] = []
    at = 0
    while at < len(line):
        if inside:
            end = line.find(inside, at)
            stop = len(line) if end < 0 else end + 3
            parts.append(_token("s", line[at:stop]))
            at, inside = stop, inside if end < 0 else ""
            continue
        found = _TOKEN.search(line, at)
        if found is None:
            parts.append(inert(line[at:]))
            break
        parts.append(inert(line[at : found.start()]))
        kind = found.lastgroup or ""
        parts.append(_token("s" if kind == "t" else kind, found[0]))
        inside = found[0][-3:] if kind == "t" else ""
        at = found.end()
    return Markup("".join(parts)), inside


def _token(kind: str, text: str) -> str:
    return f'<b class="{kind}">{inert(text)}</b>'
