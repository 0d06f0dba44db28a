"""What commands write: JSON for programs, tables for people, untrusted text made harmless.

What makes one of them is imported when it is made: some commands are waited for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_UNWRAPPED_COLUMNS = 4096


def emit_json(document: object, *, on_one_line: bool = False) -> None:
    """Write one JSON document to stdout."""
    _echo(json_text(document, on_one_line=on_one_line))


def json_text(document: object, *, on_one_line: bool = False) -> str:
    """One JSON document: strict, pure ASCII, keys in the order given."""
    import json

    from reverie.model.codec import plain

    indent = None if on_one_line else 2
    try:
        return json.dumps(document, allow_nan=False, indent=indent, default=plain)
    except ValueError:
        return json.dumps(_finite(document), allow_nan=False, indent=indent, default=plain)


def printable(text: str, *, multiline: bool = False) -> str:
    """Text that no terminal obeys: controls, escapes, bidi overrides and the like made visible."""
    if text.isprintable():
        return text
    import unicodedata

    kept = "\n\t" if multiline else ""
    return "".join(
        char
        if char.isprintable() or char in kept or unicodedata.category(char) == "Zs"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def warn(text: str) -> None:
    """Say on one line of stderr what goes otherwise than somebody may think."""
    _echo(f"warning: {printable(' '.join(text.split()))}", err=True)


_PROGRAMS = ("reverie ", "git ", "/", "$ ")


def require_place(option: str, path: str, *, is_folder: bool = False) -> None:
    """Before time is spent: what an option names can be written; `UsageError` where not."""
    from pathlib import Path

    from reverie.errors import UsageError

    place = Path(path)
    if is_folder and place.exists() and not place.is_dir():
        raise UsageError(f"{option}: {path!r} is no folder")
    if not is_folder and (place.is_dir() or not path.strip()):
        raise UsageError(f"{option}: {path!r} is a folder: name a file")
    around = (place.absolute(), *place.absolute().parents)
    folder = next(each for each in around[not is_folder :] if each.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(f"{option}: {path!r} cannot be written")


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """A file that somebody asked for, with its folder; `UsageError` where it cannot be written."""
    try:
        os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        from reverie.errors import UsageError

        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def tell_address(is_json: bool, what: str, address: str) -> None:
    """Say where a server listens, before it does nothing else for long."""
    if is_json:
        emit_json({"address": address}, on_one_line=True)
        sys.stdout.flush()
    else:
        _echo(f"{what}: {address}/metrics", err=True)


def emit_line(text: str) -> None:
    """One line; on a terminal broken between words, what follows as far in as its first words.

    A line with a command in it stays whole: it is copied.
    """
    import shutil
    import textwrap

    line = printable(text)
    head = line[: len(line) - len(line.lstrip())]
    first, gap, rest = line.lstrip().partition("  ")
    is_command = rest.lstrip().startswith(_PROGRAMS) or f": {_PROGRAMS[0]}" in line
    if sys.stdout is None or not sys.stdout.isatty() or is_command:
        _echo(line)
        return
    inner = head + " " * (len(first) + 2 if gap else 4)
    width = max(40, shutil.get_terminal_size().columns)
    wrapper = textwrap.TextWrapper(
        width, subsequent_indent=inner, break_long_words=False, break_on_hyphens=False
    )
    _echo("\n".join(wrapper.wrap(line)))


def emit_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    styles: Mapping[str, str] | None = None,
) -> None:
    """Write a table to stdout; off a terminal every row stays on one line.

    `styles` colours whole cells by what they say, on terminals only.
    """
    import shutil

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    table = Table(box=None, pad_edge=False, header_style="bold")
    texts = [[printable(str(cell)) for cell in row] for row in rows]
    least = 0
    sentences: list[int] = []
    for number, column in enumerate(columns):
        cells = [row[number] for row in texts]
        # An id, a number or a word is copied as a whole: only sentences are broken.
        is_whole = not any(" " in cell for cell in cells)
        words = (each[:_LONG_WORD] for each in " ".join((column, *cells)).split())
        width = max(map(len, (column, *cells) if is_whole else words), default=0)
        sentences += [] if is_whole else [number]
        table.add_column(column, overflow="fold", no_wrap=is_whole, min_width=width)
        least += 2 + width
    screen = shutil.get_terminal_size().columns if is_terminal else _UNWRAPPED_COLUMNS
    if is_terminal and sentences and least > screen + 2:
        _emit_records(columns, texts, sentences)
        return
    for row in texts:
        table.add_row(*(Text(cell, (styles or {}).get(cell, "")) for cell in row))
    console = Console(
        width=max(screen, least),
        force_terminal=is_terminal,
        no_color="NO_COLOR" in os.environ,
        highlight=False,
        legacy_windows=False,
    )
    with console.capture() as captured:
        console.print(table)
    for line in captured.get().splitlines():
        _echo(line.rstrip())


_LONG_WORD = 24
"""Characters from which a word of a sentence, such as a path, may be broken in a table."""


def _emit_records(
    columns: Sequence[str], rows: Sequence[Sequence[str]], sentences: Sequence[int]
) -> None:
    """Rows of a table that is too wide for the terminal: a line, and one for each sentence."""
    for row in rows:
        short = [cell for number, cell in enumerate(row) if number not in sentences]
        emit_line("  ".join(cell for cell in short if cell not in ("", "-")))
        for number in sentences:
            if row[number] not in ("", "-"):
                emit_line(f"    {columns[number]}: {row[number]}")


def _finite(value: Any) -> Any:
    """A value in which a number that is not finite is its name."""
    import math

    from reverie.model.codec import plain

    match value:
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case str() | int() | None:
            return value
    return _finite(plain(value))


def _echo(text: str, *, err: bool = False) -> None:
    import click  # `quick` makes texts without it

    click.echo(text, err=err)


def counted(number: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
