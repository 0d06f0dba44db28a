"""Sources of other modules, read from folders. Nothing is imported."""

from functools import cache
from pathlib import Path

from reverie.inputs.scope import Resolver

_LARGEST_BYTES = 2_000_000


def folder_resolver(*roots: str | Path) -> Resolver:
    """Modules as they lie below the roots: `a.b` is `a/b.py` or `a/b/__init__.py`."""
    folders = [Path(root).resolve() for root in roots]

    @cache
    def source_of(module: str) -> str | None:
        parts = module.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        for folder in folders:
            place = folder.joinpath(*parts)
            for path in (place.with_suffix(".py"), place / "__init__.py"):
                if path.is_file() and path.resolve().is_relative_to(folder):
                    return _text(path)
        return None

    return source_of


def _text(path: Path) -> str | None:
    if path.stat().st_size > _LARGEST_BYTES:
        return None
    return path.read_bytes().decode("utf-8", "replace")
