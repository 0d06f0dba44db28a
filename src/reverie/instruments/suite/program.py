"""The far side and the pytest plugin as text, sent into the sandbox with the request."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

ENTRY = "answer"


@cache
def far_side() -> str:
    """The source of a program whose `answer` takes a request and returns what was seen."""
    return (Path(__file__).parent / "inside" / "runs.py").read_text("utf-8")


@cache
def plugin_sources() -> tuple[tuple[str, str], ...]:
    """Reverie's pytest plugin, for interpreters that it is not installed for."""
    spec = find_spec("reverie_pytest")
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return tuple(
        (f"reverie_pytest/{path.relative_to(place).as_posix()}", path.read_text("utf-8"))
        for place in places
        for path in sorted(Path(place).rglob("*.py"))
    )
