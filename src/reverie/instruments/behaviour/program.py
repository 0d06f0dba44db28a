"""The source that is looked at, with the program beside it that looks.

The program is appended, so that what the journal shows of a failure is the function's own source,
and has a namespace of its own, so that neither sees the other's names.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from reverie.model.behaviour import Subject
from reverie.model.call import Call

ENTRY = "reverie_look"
RACE = "reverie_race"
PRELOADED = ("collections", "contextlib", "enum", "hashlib", "re", "types")
"""What the program imports, loaded once in the warm sandbox."""


def watched_source(subject: Subject, calls: Sequence[Call]) -> str:
    """The subject's source with a function that looks at it on the call of a number.

    Calls are compiled with it, once, and not in the process of each.
    """
    orders = [order_of(call) for call in calls]
    return f"{subject.code}\n\n\n{_beside(_looking())}\n\n{_looker(subject.entry, orders)}"


def racing_source(base: Subject, other: Subject) -> str:
    """A source that loads two subjects beside each other and lets them race."""
    return "\n".join(
        (
            _beside(_racing()),
            f"_reverie_sources = [{base.code!r}, {other.code!r}]",
            "_reverie_modules = []",
            "for _reverie_source in _reverie_sources:",
            '    _reverie_modules.append({"__name__": "dream"})',
            '    exec(compile(_reverie_source, "<stdin>", "exec"), _reverie_modules[-1])',
            f"def {RACE}(**order):",
            '    return _reverie_beside["race"](_reverie_modules, order)',
            "",
        )
    )


def order_of(call: Call) -> dict[str, Any]:
    """A call, as the program reads it."""
    return {
        "preamble": call.preamble,
        "args": [each.source for each in call.args],
        "kwargs": [[name, value.source] for name, value in call.kwargs],
        "names": sorted(call.names),
    }


def _looker(entry: str, orders: Sequence[Mapping[str, Any]]) -> str:
    made = f'[_reverie_beside["Prepared"](_order) for _order in {list(orders)!a}]'
    look = f'_reverie_beside["look"](globals(), {entry!r}, _reverie_calls[number], counts_steps)'
    lines = (
        f"_reverie_calls = {made}",
        f"def {ENTRY}(number, counts_steps):",
        f"    return {look}",
        # A fork of every call follows: what the collector does not touch is not copied.
        '__import__("gc").freeze()',
    )
    return "\n".join((*lines, ""))


def _beside(program: str) -> str:
    return "\n".join(
        (
            '_reverie_beside = {"__name__": "reverie_beside"}',
            f'exec(compile({program!r}, "<reverie>", "exec"), _reverie_beside)',
        )
    )


@cache
def _looking() -> str:
    instruments = Path(__file__).parent.parent
    return _joined(
        (instruments / "equivalence/inside/canon.py", instruments / "behaviour/inside/looking.py")
    )


@cache
def _racing() -> str:
    return _joined((Path(__file__).parent / "inside" / "racing.py",))


def _joined(parts: Sequence[Path]) -> str:
    return "\n\n".join(part.read_text("utf-8") for part in parts)
