"""Statements moved into a function of their own: said twice, or under a remark of their own."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reverie.dreamers.refactor.refactoring import (
    Place,
    has_comment,
    is_alone,
    last_line,
    shifted,
)
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import Function, first_line, names_in, stored_names

_BOUND_TO_PLACE = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Nonlocal, ast.Global,
                   ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom,
                   ast.Lambda, ast.NamedExpr, ast.AsyncFor, ast.AsyncWith, ast.Delete)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Passage:
    """Statements of a function, with the names that they take from before and give to after."""

    takes: tuple[str, ...]
    gives: tuple[str, ...]


def passage(place: Place, block: Sequence[ast.stmt]) -> Passage | None:
    """None where they cannot be moved, or where that would not be plain."""
    nodes = [each for statement in block for each in ast.walk(statement)]
    if any(isinstance(each, _BOUND_TO_PLACE) for each in nodes) or _leaves_loop(block):
        return None
    names = [each for each in nodes if isinstance(each, ast.Name)]
    if any(each.id in ("super", "locals", "vars", "__class__") for each in names):
        return None
    bound = {each.id for each in names if isinstance(each.ctx, ast.Store)}
    bound |= {each.name for each in nodes if isinstance(each, ast.ExceptHandler) and each.name}
    own = _own_names(place)
    first, last = block[0].lineno, last_line(block[-1])
    reads = dict.fromkeys(each.id for each in names if isinstance(each.ctx, ast.Load))
    made = _made_first(block)
    takes = [
        name
        for name in reads
        if name in own - made and (name not in bound or _is_set(place, name, first))
    ]
    later = {name for name in bound if _is_read_behind(place, name, last)}
    in_loop = place.loops_around(block[0])
    if in_loop and any(_is_set(place, name, first) for name in bound - made):
        return None  # what one round leaves, the next one finds
    gives = [name for name in dict.fromkeys(e.id for e in names) if name in bound & later]
    return Passage(tuple(takes), tuple(gives))


def _made_first(block: Sequence[ast.stmt]) -> set[str]:
    """Names that the statements give a value before they read it, whatever happens."""
    found: set[str] = set()
    read: set[str] = set()
    for node in block:
        names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
        loads = {each.id for each in names if isinstance(each.ctx, ast.Load)}
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name not in read | loads:
                found.add(name)
            case ast.For(target=ast.Name(id=name)) if name not in read:
                inside = names_in(node.iter)
                found |= {name} - inside
        read |= loads
    return found


def _is_read_behind(place: Place, name: str, line: int) -> bool:
    """Whether the value that a name has at a line is read behind it."""
    behind = [each for each in place.names(name) if each.lineno > line]
    if not any(isinstance(each.ctx, ast.Load) for each in behind):
        return False
    for node in place.function.body:
        if node.lineno <= line:
            continue
        uses = place.names(name, node)
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                return bool(place.names(name, value))
            case ast.For(target=ast.Name(id=target)) if target == name:
                inside = set(uses)
                return bool(place.names(name, node.iter)) or any(e not in inside for e in behind)
        if uses:
            return True
    return True


def _own_names(place: Place) -> set[str]:
    given = {each.arg for each in ast.walk(place.function.args) if isinstance(each, ast.arg)}
    return given | stored_names(place.function)


def _is_set(place: Place, name: str, line: int) -> bool:
    """Whether a name has a value before a line."""
    return name in place.parameters or any(e.lineno < line for e in place.bindings(name))


def _leaves_loop(block: Sequence[ast.stmt]) -> bool:
    inner = {
        id(each)
        for statement in block
        for loop in ast.walk(statement)
        if isinstance(loop, ast.For | ast.While)
        for each in ast.walk(loop)
    }
    return any(
        isinstance(each, ast.Break | ast.Continue) and id(each) not in inner
        for statement in block
        for each in ast.walk(statement)
    )


_LEAST_SHARED_LINES = 4
_MOST_SHARED_LINES = 12
_MOST_SHARED_TAKEN = 4


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
        if _LEAST_SHARED_LINES
        <= last_line(block[end - 1]) - first_line(block[start]) + 1
        <= _MOST_SHARED_LINES
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
    if not ways.takes or len(ways.takes) > _MOST_SHARED_TAKEN or len(ways.gives) > 1:
        return None
    if not is_alone(place, (*block, *copy)) or has_comment(place, *_lines(copy)):
        return None
    name = _name_by_result(place, block, ways)
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


def _name_by_result(place: Place, block: Sequence[ast.stmt], ways: Passage) -> str | None:
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


_LONG_FUNCTION = 30
_LEAST_SPLIT_LINES = 6
_MOST_SPLIT_LINES = 16
_MOST_SPLIT_TAKEN = 3
_MOST_WORDS = 5
_VERBS = frozenset(
    {"add", "apply", "build", "check", "clean", "collect", "compute", "convert", "count", "create",
     "decode", "drop", "encode", "ensure", "escape", "expand", "extract", "fill", "filter", "find",
     "format", "get", "handle", "join", "load", "look", "make", "merge", "normalise", "normalize",
     "pad", "parse", "pick", "prepare", "print", "process", "read", "remove", "render", "replace",
     "resolve", "send", "set", "sort", "split", "strip", "sum", "trim", "update", "validate",
     "verify", "walk", "write"}
)  # fmt: skip
_FILLERS = frozenset({"the", "a", "an", "all", "any", "now", "first", "then", "of", "we"})


def split_section(place: Place) -> Iterator[Edits]:
    """A run of statements below a remark, with few names in and at most one out."""
    function = place.function
    if last_line(function) - function.lineno < _LONG_FUNCTION or place.owner is not None:
        return
    for run in _sections(place):
        ways = passage(place, run)
        name = _name_by_remark(place, run)
        if ways is None or name is None or not 1 <= len(ways.takes) <= _MOST_SPLIT_TAKEN:
            continue
        if len(ways.gives) == 1 and is_alone(place, run):
            edits = _split(place, run, ways, name)
            if edits is not None:
                yield edits


def _sections(place: Place) -> Iterator[Sequence[ast.stmt]]:
    """From one remark to the next, in the function's own block."""
    body = place.function.body
    starts = [index for index, each in enumerate(body) if _remark(place, each) is not None]
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(body)
        run = body[start:end]
        if _LEAST_SPLIT_LINES <= last_line(run[-1]) - first_line(run[0]) + 1 <= _MOST_SPLIT_LINES:
            yield run


def _remark(place: Place, node: ast.stmt) -> str | None:
    """One line of comment right above a statement, set off from what stands before it."""
    line = first_line(node) - 1
    text = place.source.lines(line, line)[0].strip() if line > 0 else ""
    above = place.source.lines(line - 1, line - 1)[0].strip() if line > 1 else ""
    return text.lstrip("# ").strip() if text.startswith("#") and not above else None


def _name_by_remark(place: Place, run: Sequence[ast.stmt]) -> str | None:
    """What the remark says is done; None when it does not say it in a few plain words."""
    words = re.findall(r"[a-z]+", (_remark(place, run[0]) or "").lower())
    words = [each for each in words if each not in _FILLERS]
    if not 2 <= len(words) <= _MOST_WORDS or words[0] not in _VERBS:
        return None
    return place.fresh("_" + "_".join(words))


def _split(place: Place, run: Sequence[ast.stmt], ways: Passage, name: str) -> Edits | None:
    source, head = place.source, first_line(place.function)
    outer = source.indent_of(place.function)
    first, last = first_line(run[0]) - 1, last_line(run[-1])
    body = shifted(source.lines(first + 1, last), source.indent_of(run[0]), outer + place.step)
    if body is None:
        return None
    result = ways.gives[0]
    body.append(f"{outer}{place.step}return {result}\n")
    made = [f"{outer}def {name}({', '.join(ways.takes)}):\n", *body, "\n", "\n"]
    call = f"{source.indent_of(run[0])}{result} = {name}({', '.join(ways.takes)})\n"
    return Edits((source.relined(head, head - 1, made), source.relined(first, last, [call])))
