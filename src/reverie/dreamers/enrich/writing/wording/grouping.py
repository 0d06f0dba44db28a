"""From bodies to tests: one table of results, one of refusals, and stories one by one."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from reverie.dreamers.enrich.writing.selecting.taste import is_bland
from reverie.dreamers.enrich.writing.wording.entries import (
    Entry,
    about_part,
    flattened,
    merged_body,
)
from reverie.dreamers.enrich.writing.wording.invariants import law_name
from reverie.dreamers.enrich.writing.wording.naming import Namer, raising
from reverie.dreamers.enrich.writing.wording.qualities import Qualities
from reverie.dreamers.enrich.writing.wording.reasons import Reasons
from reverie.dreamers.enrich.writing.wording.tables import Parameters, Table, shape_of, table_of
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

_LEAST_ROWS, _MOST_ROWS = 3, 7
_EXAMPLES_PER_TEST = 3
_LINES_PER_TEST = 4
_MOST_FUNCTIONS = 2
_WHY = re.compile(r"_(?:when|if|unless|where|for|beyond|on)_")
_MUDDLED = "nobody can tell which behaviour it is about"
_BLAND = "nothing comes of it, or what went in"
_UNEXPLAINED = "its name cannot say why it is refused"
_NAMELESS = "nothing in its name sets it apart"
_TOO_MANY = "more rows than a reader takes in"
_KINDS: dict[str, tuple[type[ast.expr], ...]] = {
    "slice": (ast.Slice,), "items": (ast.List, ast.Tuple, ast.Set), "pairs": (ast.Dict,),
}  # fmt: skip
_WRAPPING = frozenset({"__len__", "__repr__", "__str__", "__bool__", "__iter__", "__reversed__"})
"""What is asked of an object as it was made."""
_STATES = frozenset({
    "__getstate__", "__setstate__", "__reduce__", "__reduce_ex__", "__copy__", "__deepcopy__",
    "__getnewargs__",
})  # fmt: skip
"""What packing and copying are there to test."""
_LINE = 110
"""Characters of an example among others; a longer one is wrapped, or told in several lines."""


@dataclass(frozen=True, slots=True)
class Test:
    """One test function; with a table, one for each row."""

    __test__ = False

    name: str
    callee: str
    body: tuple[ast.stmt, ...]
    table: Table | None
    keys: tuple[int, ...]
    """The candidates it is made of: of a table, row by row."""

    @property
    def count(self) -> int:
        """How many tests pytest sees."""
        return 1 if self.table is None else len(self.table.rows)


@dataclass(frozen=True, slots=True)
class _Group:
    """Entries that become one test."""

    entries: tuple[Entry, ...]
    table: Table | None = None

    def test(self, name: str) -> Test:
        first = self.entries[0]
        if self.table is None:
            keys = tuple(entry.key for entry in self.entries)
            return Test(name, first.callee, merged_body(self.entries), None, keys)
        keys = tuple(self.entries[place].key for place in self.table.order)
        return Test(name, first.callee, self.table.body, self.table, keys)


def arrange(
    entries: Sequence[Entry],
    parameters: Parameters,
    order: dict[str, int],
    reasons: Reasons | None = None,
    left_out: dict[int, str] | None = None,
) -> list[Test]:
    """The tests of a file, by callee in the order of the module; typical use first.

    Why a candidate has come into none of them is told in `left_out`.
    """
    left_out = {} if left_out is None else left_out
    asked = entries
    entries = [about_part(each) for entry in asked for each in _about_last(entry, order)]
    clear = {entry.key for entry in entries}
    left_out.update((entry.key, _MUDDLED) for entry in asked if entry.key not in clear)
    namer = Namer(entry.callee for entry in entries)
    qualities = Qualities(parameters, reasons or Reasons())
    found: list[Test] = []
    callees = sorted(
        {entry.callee for entry in entries}, key=lambda each: (order.get(each, 9**9), each)
    )
    for callee in callees:
        mine = _distinct(entry for entry in entries if entry.callee == callee)
        groups = _groups(mine, parameters)
        for place, group in enumerate(groups):
            others = [each.entries for each in groups if each is not group]
            words = qualities.of(group.entries, others, is_first=place == 0)
            name = namer.free(callee, words)
            keys = [entry.key for entry in group.entries]
            if not _WHY.search(name or "") and all(map(_is_bland, group.entries)):
                left_out.update(dict.fromkeys(keys, _BLAND))
                continue  # no typical use, and nothing says what it is instead
            if name is not None and _is_unexplained(name, group.entries):
                left_out.update(dict.fromkeys(keys, _UNEXPLAINED))
                continue
            if name is not None:
                found.append(group.test(name))
            elif not _join(found, group.test(""), namer.names(callee, words)):
                left_out.update(dict.fromkeys(keys, _NAMELESS))
    told = {key for test in found for key in test.keys}
    left_out.update((key, _TOO_MANY) for key in clear - told - left_out.keys())
    return found


def _about_last(entry: Entry, order: Mapping[str, int]) -> Iterator[Entry]:
    """The entry as one about the method that its last line calls.

    None where that is a stranger, where what came of one method is given to the next, and where
    several parts of an object are looked at: which of them it is about, nobody can tell.
    """
    owner, _, own = entry.callee.rpartition(".")
    last = entry.body[-1]
    match last.test if isinstance(last, ast.Assert) else None:
        case ast.Compare(left=ast.Call(func=ast.Attribute(value=ast.Name(), attr=name))):
            if name != own and f"{owner}.{name}" in order:
                entry, own = replace(entry, callee=f"{owner}.{name}"), name
            elif name != own and own != "__init__" and entry.is_story:
                return
    raised = _raising_method(last)
    if raised and raised != own:
        others = [each for each in order if each.endswith(f".{raised}")]
        if len(others) != 1:
            return  # of several classes' methods nobody can tell which refuses
        entry, owner, own = replace(entry, callee=others[0]), others[0].rpartition(".")[0], raised
    if own and not own.startswith("__") and own not in _words(entry):
        return  # what it would be named after does not stand in it
    is_chained = bool(owner) and entry.part != own and f"{owner}.{entry.part}" in order
    if not (is_chained or _is_strung(entry, order) or len(set(_parts_read(entry))) > 1):
        yield entry


def _raising_method(last: ast.stmt) -> str:
    """The method whose call has to raise, where an object is made in the same line."""
    match last:
        case ast.With(
            body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(), attr=name)))]
        ):
            return name
    return ""


def _words(entry: Entry) -> set[str]:
    return {word for each in entry.body for word in re.findall(r"\w+", unparse(each))}


def _is_strung(entry: Entry, order: Mapping[str, int]) -> bool:
    """Whether what is looked at was made by other methods or sums, or by many functions."""
    owner, _, own = entry.callee.rpartition(".")
    own_names = {each.rpartition(".")[2] for each in order}
    calls = [
        each for statement in entry.body for each in ast.walk(statement)
        if isinstance(each, ast.Call)
    ]  # fmt: skip
    if owner and any(_is_roundabout(each, own, owner) for each in calls):
        return True
    match entry.body[-1]:
        case ast.Assert(test=ast.Compare(left=ast.Attribute(value=ast.BinOp()))):
            return True
    if entry.is_story and any("pickle.loads(" in unparse(each) for each in entry.body[:-1]):
        return True
    for each in calls:
        match each.func:
            case ast.Attribute(value=ast.Call(), attr=inner) if (
                own in _WRAPPING and f"{owner}.{inner}" in order
            ):
                return True
            case ast.Attribute(value=ast.BinOp() | ast.Subscript(slice=ast.Slice())):
                return True
            case ast.Attribute(value=ast.Call(func=ast.Attribute(value=held, attr=inner))) if owner:
                if inner != own and f"{owner}.{inner}" in order and not _is_class(held):
                    return True
    for statement in entry.body:
        match statement:
            case ast.Assign(
                value=ast.Call(func=ast.Attribute(value=ast.Name() as held, attr=inner))
            ):
                if not _is_class(held) and inner != own and f"{owner}.{inner}" in order:
                    return True
    named = [unparse(each.func) for each in calls]
    return sum(each in own_names and each[:1].islower() for each in named) > _MOST_FUNCTIONS


def _is_roundabout(call: ast.Call, own: str, owner: str) -> bool:
    """Whether an object comes by a way that is another behaviour's: packed and unpacked, copied,
    or by a method called on its class with an object.
    """
    match call.func:
        case ast.Attribute(value=ast.Name(id="pickle" | "copy" | "json")):
            return own not in _STATES
        case ast.Attribute(value=ast.Name(id=name)) if name == owner.rpartition(".")[2]:
            first = call.args[0] if call.args else None
            return isinstance(first, ast.Call) and unparse(first.func) == name
    return False


def _is_class(node: ast.expr) -> bool:
    """Whether a method of a class is called on it, not of an object: that makes one."""
    return isinstance(node, ast.Name) and node.id[:1].isupper()


def _parts_read(entry: Entry) -> Iterator[str]:
    """The fields that the checks of an entry compare."""
    for statement in entry.body:
        match statement:
            case ast.Assert(test=ast.Compare(left=ast.Attribute(attr=name))):
                yield name


def _is_unexplained(name: str, entries: Sequence[Entry]) -> bool:
    """Whether a name tells that something is raised, after what or with what, and not why."""
    if entries[0].exception is None:
        return False
    _, is_plain, rest = name.partition(f"_{raising(entries[0].exception)}")
    return bool(is_plain) and _WHY.match(rest) is None


def _is_bland(entry: Entry) -> bool:
    """Whether nothing comes of it, or what went in."""
    last = flattened(entry).body[-1]
    if entry.exception is not None or not isinstance(last, ast.Assert):
        return False
    test = last.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return True
    if not isinstance(test, ast.Compare) or isinstance(test.ops[0], ast.In):
        return False
    if isinstance(test.ops[0], ast.NotIn):
        return True
    return is_bland(unparse(test.left), unparse(test.comparators[-1]))


def _join(found: list[Test], test: Test, names: Sequence[str]) -> bool:
    """Put the lines of a test that nothing sets apart to those of its namesake, where they fit.

    A number in a name says nothing. One more example of the same does not need a name.
    """
    for place, other in enumerate(found):
        is_plain = other.table is None and test.table is None and not _is_telling(test, other)
        body = (*other.body, *test.body)
        if is_plain and other.name in names and len(body) <= _LINES_PER_TEST:
            found[place] = replace(other, body=body, keys=(*other.keys, *test.keys))
            return True
    return False


def _is_telling(*tests: Test) -> bool:
    """Whether one of them is a story: two stories are two behaviours."""
    return any(isinstance(each, ast.Assign) for test in tests for each in test.body)


def _distinct(entries: Iterable[Entry]) -> list[Entry]:
    """Of several that say the same, the first."""
    found: dict[str, Entry] = {}
    for entry in entries:
        found.setdefault("\n".join(map(unparse, entry.body)), entry)
    return list(found.values())


def _groups(entries: Sequence[Entry], parameters: Parameters) -> list[_Group]:
    """The tests of one callee: results, laws, stories, refusals, each the simplest first."""
    raising = [entry for entry in entries if entry.exception is not None]
    plain = [entry for entry in entries if entry.exception is None]
    laws: dict[str, list[Entry]] = {}
    for entry in plain:
        laws.setdefault(law_name(entry.body[0]) if entry.is_example else "", []).append(entry)
    usual = laws.pop("", [])
    found = [*_results([entry for entry in usual if not _is_told(entry)], parameters)]
    found += [_law(some, parameters) for some in laws.values()]
    found += _tables([entry for entry in usual if _is_told(entry)], parameters)
    found += _refusals([entry for entry in raising if not _is_told(entry)], parameters)
    found += _tables([entry for entry in raising if _is_told(entry)], parameters)
    return found


def _law(entries: Sequence[Entry], parameters: Parameters) -> _Group:
    """One law on several values: a table where it is the same line each time."""
    tables = _tables(entries, parameters)
    return tables[0] if len(tables) == 1 else _Group(tuple(entries))


def _is_told(entry: Entry) -> bool:
    """Whether it is a story: more than the making of what its last line uses."""
    return flattened(entry).is_story


def _results(examples: Sequence[Entry], parameters: Parameters) -> list[_Group]:
    """A test for each set of flags and each part that is looked at; a table of several rows."""
    by_flags: dict[tuple[str, ...], list[Entry]] = {}
    for entry in examples:
        by_flags.setdefault((*entry.flags(parameters), entry.part), []).append(entry)
    found: list[_Group] = []
    for flags in sorted(by_flags, key=lambda each: (len(each), each)):
        some = _most_telling(by_flags[flags])
        has_story = any(entry.is_story for entry in some)
        is_many = len(some) >= (2 if has_story else _LEAST_ROWS)
        whole = _table(some, parameters) if is_many else None
        if whole is not None:
            found.append(whole)
            continue
        tables = _tables(some, parameters, least=_LEAST_ROWS)
        rest = [entry for group in tables if group.table is None for entry in group.entries]
        found += [group for group in tables if group.table is not None]
        rest = [entry if len(rest) == 1 else flattened(entry, _LINE) for entry in rest]
        rest.sort(key=lambda entry: (entry.is_story, not entry.is_known))
        rest = [entry for entry in rest if _kind(entry) == _kind(rest[0])]
        for start in range(0, len(rest), _EXAMPLES_PER_TEST):
            found.append(_Group(tuple(rest[start : start + _EXAMPLES_PER_TEST])))
    return found


def _kind(entry: Entry) -> str:
    """What it is given first, as far as that makes another behaviour: a slice, a list, a text."""
    last = entry.body[-1]
    test = last.test if isinstance(last, ast.Assert) else None
    left = test.left if isinstance(test, ast.Compare) else test
    if isinstance(left, ast.Subscript):
        given: ast.expr | None = left.slice
    else:
        given = entry.arguments[0] if entry.arguments else None
    if _is_given_nothing(entry):
        return ""
    return next((name for name, kinds in _KINDS.items() if isinstance(given, kinds)), "")


def _most_telling(entries: Sequence[Entry]) -> list[Entry]:
    """As many as a reader takes in at once: what people wrote, then the shortest."""
    telling = _one_edge_each([each for each in entries if not _is_bland(each) or _is_an_edge(each)])
    ranked = sorted(
        telling or entries,
        key=lambda entry: (
            _is_bland(entry),
            not entry.is_known,
            -entry.weight,
            sum(len(unparse(each)) for each in entry.body),
        ),
    )
    kept = {id(entry) for entry in ranked[:_MOST_ROWS]}
    return [entry for entry in entries if id(entry) in kept]


def _one_edge_each(entries: Sequence[Entry]) -> list[Entry]:
    """Of several that are given nothing and come to the same, the first that people wrote."""
    found: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda each: (not each.is_known, -each.weight)):
        if _is_given_nothing(entry):
            found.setdefault(unparse(entry.expected) if entry.expected else "", entry)
    kept = {id(entry) for entry in found.values()}
    return [each for each in entries if id(each) in kept or not _is_given_nothing(each)]


def _is_given_nothing(entry: Entry) -> bool:
    return any(unparse(each) in ("[]", "{}", "()", "''") for each in entry.arguments)


def _is_an_edge(entry: Entry) -> bool:
    """Whether little comes of it for a reason that people test: nothing given, or the answer no."""
    expected = "False" if entry.expected is None else unparse(entry.expected)
    last = entry.body[-1]
    test = last.test if isinstance(last, ast.Assert) else None
    is_out = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.NotIn)
    return _is_given_nothing(entry) or is_out or expected in ("None", "False")


def _of_each_message(entries: Sequence[Entry]) -> list[Entry]:
    """One for each message: a second one of the same is no other behaviour."""
    found: dict[str, Entry] = {}
    for entry in sorted(entries, key=lambda each: not each.is_known):
        found.setdefault(entry.match, entry)
    kept = {id(entry) for entry in found.values()}
    return [entry for entry in entries if id(entry) in kept or not entry.match]


def _refusals(entries: Sequence[Entry], parameters: Parameters) -> Iterator[_Group]:
    """One table of messages for each exception, where the calls are alike."""
    by_exception: dict[str, list[Entry]] = {}
    for entry in entries:
        by_exception.setdefault(entry.exception or "", []).append(entry)
    for same in by_exception.values():
        some = _most_telling(_of_each_message(same))
        whole = _table(some, parameters) if len(some) > 1 else None
        yield from [whole] if whole is not None else _tables(some, parameters)


def _tables(entries: Sequence[Entry], parameters: Parameters, *, least: int = 2) -> list[_Group]:
    """Entries that differ only in data together, in the order of the first of each."""
    by_shape: dict[str, list[Entry]] = {}
    for entry in entries:
        by_shape.setdefault(shape_of(entry.body, parameters).key, []).append(entry)
    found: list[_Group] = []
    for members in by_shape.values():
        shapes = [shape_of(entry.body, parameters) for entry in members]
        table = None
        if len(members) >= least:
            table = table_of([entry.body for entry in members], shapes)
        if table is not None:
            found.append(_Group(tuple(members), table))
        else:
            found += [_Group((entry,)) for entry in members]
    return found


def _table(entries: Sequence[Entry], parameters: Parameters) -> _Group | None:
    """All of them as one table: of one shape, or with the arguments of the callee taken whole."""
    callee = entries[0].callee.rpartition(".")[2]
    flat = [flattened(entry).body for entry in entries]
    if len({_operator(entry) for entry in entries}) > 1:
        flat = [_as_equal(body) for body in flat]
    found: list[Table] = []
    for bodies, whole in (([entry.body for entry in entries], ""), (flat, callee)):
        shapes = [shape_of(body, parameters, whole) for body in bodies]
        if len({shape.key for shape in shapes}) == 1:
            table = table_of(bodies, shapes, whole)
            found += [] if table is None else [table]
    if not found:
        return None
    return _Group(tuple(entries), min(found, key=lambda table: len(table.names)))


def _operator(entry: Entry) -> str:
    last = entry.body[-1]
    if isinstance(last, ast.Assert) and isinstance(last.test, ast.Compare):
        return type(last.test.ops[0]).__name__
    return ""


def _as_equal(body: tuple[ast.stmt, ...]) -> tuple[ast.stmt, ...]:
    """`f(x) is None` as a row among others: `f(x) == None`, with the value in a column."""
    copied = fresh_module("\n".join(map(unparse, body))).body
    for statement in copied:
        test = statement.test if isinstance(statement, ast.Assert) else None
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is):
            test.ops = [ast.Eq()]
    return tuple(copied)
