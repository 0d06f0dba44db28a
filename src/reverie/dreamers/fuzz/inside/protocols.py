"""Laws of Python's own protocols, held against objects that tests and documents build.

A law is source about `subject`, and perhaps `other`; it is broken where its condition is false, or
where it raises although its guard holds. What a class obeys on most of its objects is meant.
"""

from typing import Any

_ROW = "isinstance(items, list) and 0 < len(items) < 60 and not hasattr(subject, 'keys') and not hasattr(subject, '__next__')"


class ProtocolLaw:
    """What methods it is about, how it is asked, and what is said of it."""

    __slots__ = ("check", "guard", "name", "needs", "says", "steps")

    def __init__(self, name: str, needs: str, says: str, guard: str, steps: "tuple[str, ...]", check: str) -> None:
        self.name = name
        self.needs = tuple(needs.split())
        self.says = says
        self.guard = guard
        self.steps = steps
        """Statements before the condition, those of the guard first."""
        self.check = check


_ITEMS = ("items = list(subject)",)
PROTOCOL_LAWS = (
    ProtocolLaw("length", "__len__ __iter__", "its length is the number of its items", "True", _ITEMS, "len(items) == len(subject)"),
    ProtocolLaw("again", "__iter__ __len__", "going through it twice gives the same", "True", _ITEMS, "same(list(subject), items)"),
    ProtocolLaw("member", "__contains__ __iter__", "it contains its items", "len(items) < 60", _ITEMS, "all(each in subject for each in items if each == each)"),
    ProtocolLaw("places", "__getitem__ __iter__", "its places hold its items", _ROW, _ITEMS,
                "all(same(subject[at], each) for at, each in enumerate(items) if each is not None)"),
    ProtocolLaw("ends", "__getitem__ __iter__ __len__", "places from the end hold its items", _ROW, _ITEMS,
                "all(same(subject[at - len(items)], each) for at, each in enumerate(items) if each is not None)"),
    ProtocolLaw("beyond", "__getitem__ __iter__ __len__", "a place that it has not is an IndexError", _ROW + " and same(subject[-1], items[-1])", _ITEMS,
                "all('IndexError' in errors_of(lambda: subject[at]) for at in (len(items), -len(items) - 1))"),
    ProtocolLaw("slices", "__getitem__ __iter__ __len__", "its slices hold what slices of its items hold", _ROW + " and same(list(subject[:]), items)", _ITEMS,
                "all(same(list(subject[a:b:c]), items[a:b:c]) for a in (None, 0, 1, -1, -2) for b in (None, 1, 2, -1) for c in (None, 2, -1))"),
    ProtocolLaw("backwards", "__reversed__ __iter__", "its items backwards are its items", "True", _ITEMS, "same(list(reversed(subject)), items[::-1])"),
    ProtocolLaw("index", "index __iter__ __getitem__", "index gives the place of an item", _ROW, _ITEMS,
                "all(subject.index(each) == items.index(each) for each in items if each == each)"),
    ProtocolLaw("count", "count __iter__ __getitem__", "count gives how often an item is there", _ROW, _ITEMS,
                "all(subject.count(each) == items.count(each) for each in items if each == each)"),
    ProtocolLaw("truth", "__len__ __iter__", "what is empty is false", "True", _ITEMS, "bool(subject) == bool(items)"),
    ProtocolLaw("keys", "keys __getitem__ __iter__", "its keys lead to its items", "hasattr(subject, 'items')", (),
                "[each for each, _ in subject.items()] == list(subject.keys())"),
    ProtocolLaw("popped", "pop keys __getitem__ __delitem__", "what is popped is gone", "len(list(subject)) > 0", ("changed = copy.deepcopy(subject)", "key = next(iter(changed))", "changed.pop(key)"),
                "key not in changed"),
    ProtocolLaw("itself", "__eq__", "it equals itself", "True", (), "bool(subject == subject)"),
    ProtocolLaw("shallow", "__eq__", "copy.copy gives an equal object of its type", "subject == subject", ("made = copy.copy(subject)",), "type(made) is type(subject) and bool(made == subject)"),
    ProtocolLaw("deep", "__eq__", "copy.deepcopy gives an equal object of its type", "subject == subject", ("made = copy.deepcopy(subject)",), "type(made) is type(subject) and bool(made == subject)"),
    ProtocolLaw("pickled", "__eq__", "a pickled object equals what it was made of", "subject == subject", ("made = pickle.loads(pickle.dumps(subject))",), "type(made) is type(subject) and bool(made == subject)"),
    ProtocolLaw("copied", "__eq__ copy", "its copy is an equal object of its type", "subject == subject", ("made = subject.copy()",), "type(made) is type(subject) and bool(made == subject)"),
    ProtocolLaw("hashed", "__eq__ __hash__", "equal objects have the same hash", "True", ("made = copy.deepcopy(subject)",), "not made == subject or hash(made) == hash(subject)"),
    ProtocolLaw("unequal", "__eq__", "what is equal is not unequal", "True", ("made = copy.deepcopy(subject)",), "bool(made == subject) != bool(made != subject)"),
    ProtocolLaw("shown", "__eq__ __repr__", "what its repr says makes an equal object", "repr(subject).startswith(type(subject).__name__ + '(') and '...' not in repr(subject)",
                ("made = eval(repr(subject), {**vars(sys.modules[type(subject).__module__])})",), "bool(made == subject)"),
)  # fmt: skip
OPTIONAL = frozenset({"pickled", "shown", "deep", "hashed", "unequal", "popped"})
"""Nobody promises that these can be done at all: an error breaks nothing."""
FATAL = frozenset({"RecursionError", "UnboundLocalError"})


def laws_for(kind: type) -> "list[ProtocolLaw]":
    """Those about methods that a class has."""
    found = [each for each in PROTOCOL_LAWS if all(_has(kind, name) for name in each.needs)]
    return found + spelled_laws(kind)


def _has(kind: type, name: str) -> bool:
    made = getattr(kind, name, None)
    return made is not None and made is not getattr(object, name, None)


_INTO = ("as_", "to_", "")
_FROM = ("from_", "parse_")


def spelled_laws(kind: type) -> "list[ProtocolLaw]":
    """`X.from_hex(x.as_hex())` is `x`, and `X.parse(str(x))`."""
    if not _has(kind, "__eq__"):
        return []
    found = []
    name = kind.__name__
    pairs = [(f"subject.{way}{each.removeprefix(back)}()", each)
             for each in dir(kind) for back in _FROM if each.startswith(back)
             for way in _INTO if callable(getattr(kind, way + each.removeprefix(back), None))]  # fmt: skip
    if _has(kind, "__str__"):
        pairs += [("str(subject)", each) for each in ("parse", "from_string", "from_str", "fromstring")]
    for into, back in pairs:
        if callable(getattr(kind, back, None)) and isinstance(kind.__dict__.get(back), (classmethod, staticmethod)):
            found.append(ProtocolLaw(
                f"round trip {back}", "", f"{name}.{back}({into}) is what it was made of", "isinstance(text, (str, bytes))",
                (f"text = {into}", f"made = type(subject).{back}(text)"), "bool(made == subject)",
            ))  # fmt: skip
    return found
