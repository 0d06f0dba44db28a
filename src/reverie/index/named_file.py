"""A file that somebody named, before anything is done with it: whether Python can read it."""

from pathlib import Path

from reverie.errors import UsageError
from reverie.syntax.decoding import decode
from reverie.syntax.parsing import NOT_PYTHON, parse_quietly


def require_python(path: Path, given: str) -> None:
    """`UsageError` where it cannot, with the reason."""
    try:
        parse_quietly(decode(path.read_bytes()))
    except OSError as error:
        raise UsageError(f"cannot read {given!r:.200}: {error.strerror}") from error
    except (*NOT_PYTHON, LookupError) as error:
        raise UsageError(f"{given!r:.200} is no Python source: {error}") from error
