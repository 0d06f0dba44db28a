"""From bodies to tests: tables where only data differ, short examples together, the rest alone."""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.writing.admission import dotted
from reverie.dreamers.enrich.writing.columns import Table, table_of
from reverie.dreamers.enrich.writing.invariants import law_name
from reverie.dreamers.enrich.writing.naming import Namer, quality_of, raising, snake
from reverie.dreamers.enrich.writing.shapes import Parameters, Shape, shape_of

_EXAMPLES_PER_TEST = 6
_LEAST_ROWS = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """The body of one chosen candidate. `key` finds it again when it has to go."""

    key: int
    callee: str
    body: tuple[ast.stmt, ...]


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


def arrange(entries: Sequence[Entry], parameters: Parameters, order: dict[str, int]) -> list[Test]:
    """The tests of a file, by callee in the order of the module."""
    namer = Namer(entry.callee for entry in entries)
    found: list[Test] = []
    callees = sorted(
        {entry.callee for entry in entries}, key=lambda each: (order.get(each, 9**9), each)
    )
    for callee in callees:
        mine = [entry for entry in entries if entry.callee == callee]
        found += _of_callee(callee, mine, parameters, namer)
    return found


def _of_callee(
    callee: str, entries: Sequence[Entry], parameters: Parameters, namer: Namer
) -> Iterator[Test]:
    by_shape: dict[str, list[tuple[Entry, Shape]]] = {}
    for entry in entries:
        shape = shape_of(entry.body, parameters)
        by_shape.setdefault(shape.key, []).append((entry, shape))
    rest: list[tuple[Entry, Shape]] = []
    for members in by_shape.values():
        table = None
        if len(members) >= (_LEAST_ROWS if _is_example(members[0][0]) else 2):
            table = table_of([entry.body for entry, _ in members], [shape for _, shape in members])
        if table is None:
            rest += members
            continue
        keys = tuple(members[place][0].key for place in table.order)
        name = namer.name(callee, _qualities(*members[0], whole=False))
        yield Test(name, callee, table.body, table, keys)
    yield from _alone(callee, rest, namer)


def _alone(callee: str, rest: Sequence[tuple[Entry, Shape]], namer: Namer) -> Iterator[Test]:
    laws: dict[str, list[tuple[Entry, Shape]]] = {}
    for each in rest:
        if _is_example(each[0]):
            laws.setdefault(law_name(each[0].body[0]), []).append(each)
    examples = laws.pop("", [])
    for law, some in laws.items():
        body = tuple(statement for entry, _ in some for statement in entry.body)
        yield Test(
            namer.name(callee, [law]), callee, body, None, tuple(entry.key for entry, _ in some)
        )
    for start in range(0, len(examples), _EXAMPLES_PER_TEST):
        some = examples[start : start + _EXAMPLES_PER_TEST]
        body = tuple(statement for entry, _ in some for statement in entry.body)
        qualities = _qualities(*some[0], whole=True) if len(some) == 1 else ["", *_shared(some)]
        name = namer.name(callee, qualities)
        yield Test(name, callee, body, None, tuple(entry.key for entry, _ in some))
    for entry, shape in rest:
        if not _is_example(entry):
            name = namer.name(callee, _qualities(entry, shape, whole=True))
            yield Test(name, callee, entry.body, None, (entry.key,))


def _is_example(entry: Entry) -> bool:
    """Whether it is a single line that says all."""
    return len(entry.body) == 1 and isinstance(entry.body[0], ast.Assert)


def _shared(some: Sequence[tuple[Entry, Shape]]) -> list[str]:
    """What several examples have in common: keywords that are given in each."""
    given = [set(_keywords(entry)) for entry, _ in some]
    common = sorted(set.intersection(*given))
    return [f"with_{'_and_'.join(common)}"] if common else ["in_other_cases"]


def _qualities(entry: Entry, shape: Shape, *, whole: bool) -> list[str]:
    """What sets an entry apart, the most telling first."""
    exception = _exception(entry)
    found = [law_name(entry.body[0])] if exception is None else [raising(exception)]
    keywords = _keywords(entry)
    if keywords:
        found.append(f"with_{'_and_'.join(keywords[:2])}")
    if not whole:
        return [*found, "in_other_cases"]
    told = [quality_of(each) for each in _arguments(entry)[:3]]
    values = [each for each in told if each]
    if values:
        found.append(f"{'on' if exception else 'of'}_{values[0]}")
    if len(values) > 1:
        found.append(f"and_{values[1]}")
    earlier = _earlier(entry)
    if earlier:
        found.append(f"after_{'_and_'.join(earlier[-2:])}")
    return found


def _own_calls(entry: Entry) -> list[ast.Call]:
    """The calls of what the entry is about."""
    name = entry.callee.rpartition(".")[2]
    return [
        node
        for statement in entry.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and _called(node) == name
    ]


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _keywords(entry: Entry) -> list[str]:
    given = [each.arg for call in _own_calls(entry) for each in call.keywords if each.arg]
    return list(dict.fromkeys(given))


def _arguments(entry: Entry) -> list[ast.expr]:
    return [
        value
        for call in _own_calls(entry)
        for value in (*call.args, *(each.value for each in call.keywords))
    ]


def _earlier(entry: Entry) -> list[str]:
    """What was done to the object before, in order."""
    found: list[str] = []
    for statement in entry.body[:-1]:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            found.append("setting_an_item")
        elif isinstance(statement, ast.Delete):
            found.append("deleting_an_item")
        else:
            calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
            found += [
                snake(_called(node)) for node in calls if isinstance(node.func, ast.Attribute)
            ]
    return list(dict.fromkeys(each for each in found if each))


def _exception(entry: Entry) -> str | None:
    for statement in entry.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and dotted(node.func) == "pytest.raises" and node.args:
                return ast.unparse(node.args[0])
    return None
