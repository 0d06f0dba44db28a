"""What the language expects of methods that belong together: length, contents, places, copies."""

import ast
from collections.abc import Iterator

from reverie.dreamers.fuzz.claims.subjects import ClassSubject

_LAWS: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset({"__len__", "__iter__"}), "its length is the number of its items",
     "len(list(subject)) == len(subject)"),
    (frozenset({"__contains__", "__iter__"}), "it contains its items",
     "all(each in subject for each in list(subject))"),
    (frozenset({"__getitem__", "__len__", "__iter__"}), "its places hold its items",
     "[subject[each] for each in range(len(subject))] == list(subject)"),
    (frozenset({"__reversed__", "__iter__"}), "its items backwards are its items",
     "list(reversed(subject)) == list(subject)[::-1]"),
    (frozenset({"index", "__iter__"}), "index gives the place of an item",
     "all(subject.index(each) == list(subject).index(each) for each in list(subject))"),
    (frozenset({"count", "__iter__"}), "count gives how often an item is there",
     "all(subject.count(each) == list(subject).count(each) for each in list(subject))"),
    (frozenset({"copy", "__eq__"}), "a copy equals what it was made of",
     "subject.copy() == subject"),
)  # fmt: skip
_KEYED = frozenset({"keys", "items", "values", "__missing__"})


def protocol_laws(made: ClassSubject) -> Iterator[tuple[str, str]]:
    """What is said, and the condition on `subject`, for the methods that a class defines."""
    names = set(made.by_name)
    is_keyed = bool(names & _KEYED) or any(
        "Mapping" in ast.unparse(each) or "dict" in ast.unparse(each).lower()
        for each in made.node.bases
    )
    if "__next__" in names:
        return  # it is used up by looking at it
    for needed, says, check in _LAWS:
        if needed <= names and not (is_keyed and "[each]" in check):
            yield f"{made.name}: {says}", check
