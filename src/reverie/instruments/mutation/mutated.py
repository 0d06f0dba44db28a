"""A mutant as text on this side: the changed file, and the difference for people."""

import difflib
import io
import tokenize
from functools import lru_cache
from pathlib import Path

from reverie.errors import MachineryError
from reverie.instruments.mutation.inside.sites import Survey
from reverie.instruments.mutation.inside.texts import Text
from reverie.model.mutation import Mutant


@lru_cache(maxsize=64)
def source_of(root: str, file: str) -> bytes:
    """A file as the far side reads it: UTF-8, plain line ends."""
    try:
        data = Path(root, file).read_bytes()
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n").encode()
    except (OSError, SyntaxError, ValueError, LookupError) as error:
        raise MachineryError(f"{file!r} cannot be read any more: {error}") from error


def changed_source(root: str, mutant: Mutant) -> str:
    """The whole file with the mutant in it."""
    source = source_of(root, mutant.file)
    changed = source[: mutant.start] + mutant.replacement.encode() + source[mutant.end :]
    return changed.decode("utf-8", "replace")


def diff_of(root: str, mutant: Mutant) -> str:
    """The lines that change, as a unified difference with little around them."""
    before = source_of(root, mutant.file).decode("utf-8", "replace").splitlines()
    after = changed_source(root, mutant).splitlines()
    lines = difflib.unified_diff(
        before, after, f"a/{mutant.file}", f"b/{mutant.file}", n=2, lineterm=""
    )
    return "\n".join(lines)


def mutants_of(source: str) -> tuple[str, ...]:
    """Every mutant of a source as text, in the order of its sites; nothing of it is run."""
    data = source.encode()
    text = Text(data)
    found = []
    for site in Survey(data).sites:
        written = text.replacing(site)
        if written is not None:
            start, end = text.span(site.node)
            found.append((data[:start] + written.encode() + data[end:]).decode())
    return tuple(dict.fromkeys(found))
