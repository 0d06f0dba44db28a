"""The same statements twice: said once."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from reverie.dreamers.refactor.layout import first_line, has_comment, is_alone, last_line, shifted
from reverie.dreamers.refactor.patterns.moving import Passage, passage
from reverie.dreamers.refactor.refactoring import Place
from reverie.dreamers.rewriting.scene import Function
from reverie.dreamers.rewriting.source import Edits

_LEAST_LINES = 4
_MOST_LINES = 12
_MOST_TAKEN = 4


def shared_tail(place: Place) -> Iterator[Edits]:
    """An `if` and its `else` that end alike."""
    for node in place.statements():
        if not isinstance(node, ast.If) or not node.orelse or _is_chain(place, node):
            continue
        tail = _common_tail(node.body, node.orelse)
        if not tail or tail >= min(len(node.body), len(node.orelse)):
            continue
        every = [node, *node.body, *node.orelse]
        if not is_alone(place, every) or _rest_of_block(place, node, node.body[-tail:]):
            continue
        yield from _behind(place, node, tail)


def _is_chain(place: Place, node: ast.If) -> bool:
    head = place.source.lines(node.lineno, node.lineno)[0].lstrip()
    return head.startswith("elif") or (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If))


def _common_tail(first: Sequence[ast.stmt], second: Sequence[ast.stmt]) -> int:
    count = 0
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if ast.dump(one) != ast.dump(other):
            break
        count += 1
    return count


def _rest_of_block(place: Place, node: ast.If, tail: list[ast.stmt]) -> bool:
    """Whether something follows that the tail, which leaves, would make dead."""
    leaves = isinstance(tail[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
    return leaves and place.block_of(node)[-1] is not node


def _behind(place: Place, node: ast.If, tail: int) -> Iterator[Edits]:
    source = place.source
    cuts = [
        (last_line(body[-tail - 1]) + 1, last_line(body[-1])) for body in (node.body, node.orelse)
    ]
    texts = ["".join(line.strip() for line in source.lines(*cut)) for cut in cuts]
    if texts[0] != texts[1]:
        return  # a comment is there in one of them only
    inner, outer = source.indent_of(node.body[-1]), source.indent_of(node)
    moved = shifted(source.lines(*cuts[1]), inner, outer)
    if moved is None:
        return
    yield Edits((source.relined(*cuts[0], ()), source.relined(*cuts[1], moved)))


def duplicate_block(place: Place) -> Iterator[Edits]:
    """The same run of statements in this function and in a later one, or twice in this one."""
    if place.owner is not None:
        return
    for block in _runs(place.function):
        twin = _twin(place, block)
        if twin is None:
            continue
        other, copy = twin
        first, second = passage(place, block), passage(other, copy)
        if first is None or second is None or set(first.gives) != set(second.gives):
            continue
        edits = _shared_function(place, block, copy, first)
        if edits is not None and set(first.takes) == set(second.takes):
            yield edits
            return


_Run = Sequence[ast.stmt]


def _runs(function: Function) -> list[_Run]:
    """Runs of statements of a fitting length, the longest first."""
    found = [
        block[start:end]
        for block in _blocks(function.body)
        for start in range(len(block))
        for end in range(start + 2, len(block) + 1)
        if _LEAST_LINES <= last_line(block[end - 1]) - first_line(block[start]) + 1 <= _MOST_LINES
    ]
    return sorted(found, key=lambda run: first_line(run[0]) - last_line(run[-1]))


def _blocks(body: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
    """Every list of statements, nested functions' apart."""
    yield body
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            continue
        for field in ("body", "orelse", "finalbody"):
            if inner := getattr(node, field, None):
                yield from _blocks(inner)
        for handler in getattr(node, "handlers", ()):
            yield from _blocks(handler.body)


@lru_cache(maxsize=4)
def _known_runs(tree: ast.Module) -> dict[tuple[str, ...], list[tuple[Function, _Run]]]:
    """Every run of every function at the top of a module, by its shape."""
    found: dict[tuple[str, ...], list[tuple[Function, _Run]]] = {}
    for function in [each for each in tree.body if isinstance(each, Function)]:
        for run in _runs(function):
            found.setdefault(tuple(map(_shape, run)), []).append((function, run))
    return found


@lru_cache(maxsize=4096)
def _shape(node: ast.stmt) -> str:
    return ast.dump(node)


def _twin(place: Place, block: _Run) -> tuple[Place, _Run] | None:
    """The same run of statements further down."""
    for function, run in _known_runs(place.source.tree)[tuple(map(_shape, block))]:
        if first_line(run[0]) > last_line(block[-1]):
            return Place(place.source, function, function.name, place.elsewhere), run
    return None


def _shared_function(place: Place, block: _Run, copy: _Run, ways: Passage) -> Edits | None:
    source = place.source
    if not ways.takes or len(ways.takes) > _MOST_TAKEN or len(ways.gives) > 1:
        return None
    if not is_alone(place, (*block, *copy)) or has_comment(place, *_lines(copy)):
        return None
    name = _name(place, block, ways)
    head = first_line(place.function)
    outer = source.indent_of(place.function)
    body = shifted(source.lines(*_lines(block)), source.indent_of(block[0]), outer + place.step)
    if name is None or body is None:
        return None
    call = f"{name}({', '.join(ways.takes)})"
    if ways.gives:
        call = f"{ways.gives[0]} = {call}"
        body.append(f"{outer}{place.step}return {ways.gives[0]}\n")
    nothing = " -> None" if place.function.returns is not None and not ways.gives else ""
    made = [f"{outer}def {name}({_parameters(place, ways)}){nothing}:\n", *body, "\n", "\n"]
    calls = [
        source.relined(*_lines(run), [f"{source.indent_of(run[0])}{call}\n"])
        for run in (block, copy)
    ]
    return Edits((source.relined(head, head - 1, made), *calls))


def _lines(run: Sequence[ast.stmt]) -> tuple[int, int]:
    return first_line(run[0]), last_line(run[-1])


def _parameters(place: Place, ways: Passage) -> str:
    args = place.function.args
    known = {each.arg: each for each in (*args.args, *args.kwonlyargs)}
    written = {
        name: place.source.of(each)
        for name, each in known.items()
        if each.annotation is not None and all(n in known for n in ways.takes) and not ways.gives
    }
    return ", ".join(written.get(name, name) for name in ways.takes)


def _name(place: Place, block: Sequence[ast.stmt], ways: Passage) -> str | None:
    """After what it makes or refuses; None where no name says what it does."""
    if ways.gives:
        wanted = f"_find_{ways.gives[0].strip('_')}"
    elif all(isinstance(each, ast.If) and _only_raises(each) for each in block):
        wanted = f"_require_{ways.takes[0].strip('_')}"
    else:
        return None
    is_word = re.fullmatch(r"[a-z][a-z0-9_]{2,}", wanted.partition("_")[2].partition("_")[2])
    return place.fresh(wanted) if is_word else None


def _only_raises(node: ast.If) -> bool:
    return not node.orelse and len(node.body) == 1 and isinstance(node.body[0], ast.Raise)
