"""Objects that stand for a list, a set or a dictionary, beside one: the same is done to both."""

import itertools
from typing import Any

_SET = ("add", "discard", "__contains__", "__iter__", "__len__")
_DICT = ("keys", "__setitem__", "__delitem__", "__iter__", "__len__", "__contains__", "get")
_LIST = ("append", "insert", "__getitem__", "__iter__", "__len__", "extend")
ONE, MANY, NONE, PLACE = "one", "many", "none", "place"
_ON_ITEMS = "add discard remove"
_ON_MANY = (
    "update union intersection difference symmetric_difference issubset issuperset isdisjoint"
    " intersection_update difference_update symmetric_difference_update"
)
_ON_SETS = (
    "__or__ __and__ __sub__ __xor__ __ior__ __iand__ __isub__ __ixor__ __eq__ __le__ __lt__ __ge__"
)
_USES: "dict[Any, dict[str, str]]" = {
    set: {
        ONE: _ON_ITEMS, MANY: _ON_MANY, "set": _ON_SETS, NONE: "clear copy",
        "several": "union intersection difference update",
    },
    dict: {
        ONE: "get pop __getitem__ __delitem__ __contains__", "pair": "setdefault __setitem__",
        "map": "update __or__ __ior__ __eq__", "pairs": "update", NONE: "copy clear",
    },
    list: {
        ONE: "append remove index count __contains__", MANY: "extend",
        PLACE: "pop __delitem__ __getitem__", "place_one": "insert __setitem__",
        "list": "__add__ __iadd__ __eq__", "slice": "__delitem__ __getitem__",
        NONE: "pop reverse clear copy",
    },
}  # fmt: skip
"""What is done to both, by what it is given."""


def model_of(subject: Any) -> Any:
    """The plain container that an object stands for; None where it is none, or is one itself."""
    kind = type(subject)
    for model, needed in ((dict, _DICT), (set, _SET), (list, _LIST)):
        if kind is not model and all(callable(getattr(kind, each, None)) for each in needed):
            made = model(subject)
            return made if len(made) == len(subject) else None
    return None


def uses_for(subject: Any, model: Any) -> "list[tuple[str, tuple[Any, ...]]]":
    """What is done to both: methods that the class has, with items it holds and others."""
    kind, items = type(subject), list(model)[:6]
    if not all(type(each) in (int, str, float, bool) for each in items):
        return []
    new = _others(items)
    found: list[tuple[str, tuple[Any, ...]]] = []
    for shape, names in _USES[type(model)].items():
        given = _arguments(shape, items, new, len(model))
        known = [each for each in names.split() if callable(getattr(kind, each, None))]
        found += [(name, args) for name in known for args in given]
    return found


def _others(items: "list[Any]") -> "list[Any]":
    if all(type(each) is str for each in items) and items:
        made: list[Any] = [items[0] + "0", "zz"]
    else:
        made = [max((each for each in items if type(each) is not str), default=0) + 1, 97]
    return [each for each in made if each not in items]


def _arguments(
    shape: str, items: "list[Any]", new: "list[Any]", size: int
) -> "list[tuple[Any, ...]]":
    ones = [*items[:1], *items[-1:], *new[:1]]
    many = [[], items[:2], new, [*items[-1:], *new], [*new[:1], *new[:1]]]
    places = [0, -1, size - 1, -size, size, -size - 1]
    pairs = [(each, "other") for each in ones]
    made: dict[str, list[tuple[Any, ...]]] = {
        NONE: [()],
        ONE: [(each,) for each in ones],
        MANY: [(each,) for each in many],
        "several": [(items[:2], items[1:]), (new, items[:1])],
        "set": [(set(each),) for each in many],
        "list": [(each,) for each in many[:3]],
        "pair": pairs,
        "map": [(dict(pairs[-1:]),), (dict(pairs),)],
        "pairs": [(pairs,)],
        PLACE: [(each,) for each in places],
        "place_one": [(each, new[0] if new else 0) for each in places],
        "slice": [
            (slice(*each),) for each in itertools.product((None, 1, -1), (None, 2, -1), (None, 2))
        ],
    }
    return made[shape]
