"""Classes whose protocol is known: a plain model can be asked what they should answer."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.fuzz.claims.subjects import ClassSubject, Subject
from reverie.model.codec import pick

_ROLES: Mapping[str, tuple[str, ...]] = {
    "add": ("add", "insert", "push", "append", "put", "enqueue", "offer", "record", "write", "extend_one"),
    "has": ("has", "contains", "__contains__", "search", "member", "exists", "is_member", "might_contain"),
    "remove": ("remove", "discard", "delete", "erase", "__delitem__"),
    "take": ("pop", "pop_min", "extract_min", "pop_max", "extract_max", "dequeue", "poll", "get_next",
             "pop_front", "popleft", "take", "get"),
    "peek": ("peek", "top", "front", "first"),
    "least": ("min", "find_min", "smallest", "minimum", "get_min", "peek_min"),
    "most": ("max", "find_max", "largest", "maximum", "get_max", "peek_max"),
    "rank": ("push", "add", "insert", "put", "enqueue"),
    "store": ("put", "set", "__setitem__", "insert", "add", "store"),
    "look": ("get", "__getitem__", "lookup", "fetch", "find", "read"),
    "items": ("items", "to_list", "as_list", "values", "contents", "snapshot", "elements", "list", "tolist",
              "__iter__", "latest", "all"),
    "size": ("__len__", "size", "count", "length"),
    "join": ("union", "merge", "connect", "unite", "join", "link"),
    "joined": ("connected", "same", "is_connected", "same_set", "together", "are_connected"),
    "root": ("find", "__getitem__", "find_set", "root", "representative"),
    "words": ("words_with_prefix", "starts_with", "with_prefix", "startswith", "has_prefix", "prefix"),
    "bump": ("update", "add", "increment"),
    "prefix": ("prefix_sum", "sum", "query", "prefix", "total", "range_sum", "sum_range"),
}  # fmt: skip
SAME = "=="
"""Behind the name of a method: whether it answers the same for two values."""
_CAPACITY = (
    "capacity",
    "maxsize",
    "size",
    "limit",
    "max_size",
    "maxlen",
    "max_items",
    "length",
    "n",
)


@dataclass(frozen=True, slots=True)
class Container:
    """A class, the model that it is held against, and which method plays which part."""

    name: str
    model: str
    roles: Mapping[str, str]
    capacity: str | None = None
    is_largest_first: bool = False
    is_stable: bool = False
    """Among equals the first comes first."""
    is_priority_first: bool = False
    key_hint: str = ""
    """Annotation of what is put in."""

    def document(self) -> dict[str, Any]:
        """As `inside` reads it."""
        return pick(
            self,
            "name model roles capacity is_largest_first key_hint is_stable is_priority_first",
        )


def recognise(made: ClassSubject) -> Container | None:
    """The model of a class, by its name, its documentation and its methods; None for most."""
    text = f"{made.name} {made.doc}".lower()
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", made.name).lower() + " " + made.doc.lower()
    roles = {
        role: name for role, names in _ROLES.items() if (name := _first(made, names)) is not None
    }
    if "join" in roles and "joined" not in roles and "root" in roles:
        roles["joined"] = f"{roles['root']}{SAME}"
    capacity = next((each.name for each in made.constructor if each.name in _CAPACITY), None)
    if len([each for each in made.constructor if each.is_required]) > (1 if capacity else 0):
        return None
    kind = _kind(words, text, made, roles, capacity)
    if kind is None:
        return None
    largest = bool(
        re.search(r"\b(?:largest|max|maximum|highest|biggest)\b", text)
    ) and not re.search(r"\b(?:smallest|min|minimum|lowest)\b", text)
    return Container(
        made.name,
        kind,
        roles,
        capacity,
        largest,
        is_stable=bool(
            re.search(r"added first|first added|insertion order|fifo|stable|in order of", text)
        ),
        is_priority_first=_is_priority_first(made, roles),
        key_hint=_key_hint(made, roles),
    )


def _is_priority_first(made: ClassSubject, roles: Mapping[str, str]) -> bool:
    method = made.by_name.get(roles.get("rank", ""))
    names = () if method is None else method.names
    return bool(names) and bool(re.match(r"prio|weight|rank|key|cost", names[0]))


def _kind(
    words: str, text: str, made: ClassSubject, roles: dict[str, str], capacity: str | None
) -> str | None:
    """Which model fits: names first, since a queue and a stack have the same methods."""
    many = {role: _many(made, name) for role, name in roles.items()}
    is_row = bool(re.search(r"\blist\b|sequence|array", words))
    is_keyed = (
        not is_row and "look" in roles and many.get("store") == 2 and many.get("look", 0) >= 1
    )
    if is_keyed and capacity and re.search(r"\blru\b|lru|least recently", text):
        return "lru"
    if is_keyed and capacity and re.search(r"\bfifo\b|first in", text):
        return "fifo_map"
    if is_keyed and not capacity and re.search(r"map|dict|table|store|cache|tree", words):
        return "map"
    if {"join", "joined"} <= set(roles) and many["join"] == 2:
        return "partition"
    takes = "take" in roles and many["take"] == 0 and many.get("add") == 1
    if "take" in roles and many["take"] == 0 and many.get("rank") == 2:
        return "priority" if re.search(r"priorit", words) else None
    if takes and not is_row and (order := _order(words)) is not None:
        return order
    is_rolling = re.search(r"ring|circular|last|recent|rolling|window|history", words)
    if many.get("add") == 1 and "items" in roles and capacity and is_rolling:
        return "ring"
    if many.get("add") == 1 and "has" in roles and many["has"] == 1:
        if re.search(r"bloom|might", words):
            return "bloom"
        is_set = re.search(r"\bset\b", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", made.name).lower())
        if (
            re.search(r"\bbag\b|multiset|\blist\b|counter|duplicates are kept", words)
            and not is_set
        ):
            return "bag"
        return (
            "set"
            if re.search(r"\bset\b|trie|tree|distinct|unique|words|index|graph", words)
            else None
        )
    return None


def _order(words: str) -> str | None:
    """What comes out first; a stack that knows its smallest item is a stack."""
    for kind, pattern in (
        ("heap", r"heap|priority"),
        ("stack", r"\bstack\b|last in|lifo"),
        ("queue", r"\bqueue\b|first in|fifo"),
        ("heap", r"smallest|largest"),
    ):
        if re.search(pattern, words):
            return kind
    return None


def _first(made: ClassSubject, names: tuple[str, ...]) -> str | None:
    return next((each for each in names if each in made.by_name), None)


def _many(made: ClassSubject, name: str) -> int:
    """How many values a method takes; two where it takes any number."""
    method = made.by_name.get(name.removesuffix(SAME))
    if method is None:
        return 0
    is_open = not method.required and method.node.args.vararg is not None
    return 2 if is_open or name.endswith(SAME) else len(method.required)


def _key_hint(made: ClassSubject, roles: Mapping[str, str]) -> str:
    method: Subject | None = made.by_name.get(roles.get("add", roles.get("store", "")))
    if method is None or not method.parameters:
        return ""
    return method.parameters[0].annotation or ""
