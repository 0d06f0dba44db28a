"""The production files of a change, before and after, as syntax trees."""

from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter
from reverie.gates.paths import is_test_path
from reverie.gates.python import Parsed, imported_names, parse

_NOTHING = ""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """One production file; an empty one stands for a file that is not there."""

    before: Parsed
    after: Parsed
    names_before: dict[str, str]
    names: dict[str, str]


def rewritten_files(matter: Matter) -> Iterator[Rewritten]:
    """Every Python file outside the tests that both sides of the change can read."""
    for edit in matter.change.edits:
        if is_test_path(edit.path, matter.section) or not edit.path.endswith(".py"):
            continue
        before = parse(edit.renamed_from or edit.path, edit.before or _NOTHING)
        after = parse(edit.path, edit.after or _NOTHING)
        if before is not None and after is not None:
            names_before, names = imported_names(before.tree), imported_names(after.tree)
            yield Rewritten(before, after, names_before, names)
