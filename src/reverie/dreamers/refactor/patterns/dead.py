"""What nothing runs, nobody calls and nobody reads."""

import ast
from collections.abc import Iterator

from reverie.dreamers.refactor.refactoring import Place, is_alone, is_exit, last_line
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.gates.production.rewritten_files import looks_names_up
from reverie.syntax.nodes import Function, first_line, names_in

_SAFE_ARGUMENTS = (ast.Name, ast.Constant)


def unreachable(place: Place) -> Iterator[Edits]:
    """Statements behind one that always leaves."""
    if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(place.function)):
        return  # a yield that never runs still makes a generator
    seen: set[int] = set()
    for node in place.statements():
        block = place.block_of(node)
        rest = block[block.index(node) + 1 :]
        if not rest or id(block) in seen or not is_exit([node]):
            continue
        seen.add(id(block))
        if is_alone(place, (node, *rest)) and not _binds_outer(rest):
            first, last = last_line(node) + 1, last_line(rest[-1])
            yield Edits((place.source.relined(first, last, ()),))


def _binds_outer(statements: list[ast.stmt]) -> bool:
    """Whether names become the function's own by them: an assignment that never runs does that."""
    return any(
        isinstance(each, ast.Global | ast.Nonlocal | ast.FunctionDef | ast.ClassDef | ast.Import)
        or (isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store))
        for statement in statements
        for each in ast.walk(statement)
    )


def dead_function(place: Place) -> Iterator[Edits]:
    """A private function that no word of any file names."""
    function = place.function
    if not _is_own(place) or place.words.get(function.name, 0) != 1:
        return
    block = place.source.tree.body if place.owner is None else place.owner.body
    if len(block) < 2 or function not in block or not is_alone(place, [function]):
        return
    first, last = _with_remarks(place, first_line(function)), last_line(function)
    total = len(place.source.text.splitlines())
    while last < total and not place.source.lines(last + 1, last + 1)[0].strip():
        last += 1
    while last == total and first > 1 and not place.source.lines(first - 1, first - 1)[0].strip():
        first -= 1
    yield Edits((place.source.relined(first, last, ()),))


def _is_own(place: Place) -> bool:
    """Whether only this file can know the function, and only by its name."""
    function, owner = place.function, place.owner
    name = function.name
    is_private = name.startswith("_") and not name.startswith("__") and name.strip("_") != ""
    if not is_private or name.endswith("_") or function.decorator_list:
        return False
    if owner is not None and (owner.bases or owner.keywords or owner.decorator_list):
        return False
    if owner is None and function not in place.source.tree.body:
        return False
    return not place.is_known_elsewhere(name) and not looks_names_up(place.source.tree)


def _with_remarks(place: Place, first: int) -> int:
    """The line where the remarks right above begin."""
    while first > 1 and place.source.lines(first - 1, first - 1)[0].lstrip().startswith("#"):
        first -= 1
    return first


def unused_parameter(place: Place) -> Iterator[Edits]:
    """A parameter of a private function that the function never looks at."""
    function = place.function
    if not _is_own(place) or _is_overridden(place):
        return
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs or _is_stub(function):
        return
    calls = _calls(place)
    if not calls or any(_has_star(call) for call in calls):
        return
    inside = names_in(function)
    offset = 1 if place.owner is not None else 0
    for position, parameter in enumerate(given.args[offset:]):
        if parameter.arg in inside or parameter.arg.startswith("_"):
            continue
        edits = _without(place, parameter, calls, position)
        if edits is not None:
            yield Edits(edits)


def _is_overridden(place: Place) -> bool:
    return place.owner is not None and any(
        isinstance(each, ast.Name) and each.id == place.owner.name
        for node in ast.walk(place.source.tree)
        if isinstance(node, ast.ClassDef)
        for each in node.bases
    )


def _is_stub(function: Function) -> bool:
    body = [each for each in function.body if not isinstance(each, ast.Expr | ast.Pass)]
    return not body or isinstance(body[0], ast.Raise)


def _calls(place: Place) -> list[ast.Call]:
    """Every call, when nothing else is done with the name; otherwise none."""
    name = place.function.name
    calls = [
        node
        for node in ast.walk(place.source.tree)
        if isinstance(node, ast.Call) and _called(node, is_method=place.owner is not None) == name
    ]
    return calls if place.words.get(name, 0) == len(calls) + 1 else []


def _called(call: ast.Call, *, is_method: bool) -> str:
    match call.func:
        case ast.Name(id=name) if not is_method:
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name) if is_method:
            return name
    return ""


def _has_star(call: ast.Call) -> bool:
    return any(isinstance(each, ast.Starred) for each in call.args) or any(
        each.arg is None for each in call.keywords
    )


def _without(
    place: Place, parameter: ast.arg, calls: list[ast.Call], position: int
) -> tuple[Edit, ...] | None:
    """The parameter gone from the definition and from every call."""
    args = place.function.args
    default = _default_of(args, parameter)
    edits = [_item_removed(place, parameter, default)]
    for call in calls:
        given: ast.AST | None = call.args[position] if position < len(call.args) else None
        named = [each for each in call.keywords if each.arg == parameter.arg]
        given = named[0] if named else given
        if given is None:
            continue
        value = given.value if isinstance(given, ast.keyword) else given
        if not isinstance(value, _SAFE_ARGUMENTS):
            return None
        edits.append(_item_removed(place, given, None))
    found = [each for each in edits if each is not None]
    return tuple(found) if len(found) == len(edits) else None


def _default_of(args: ast.arguments, parameter: ast.arg) -> ast.expr | None:
    position = args.args.index(parameter) - (len(args.args) - len(args.defaults))
    return args.defaults[position] if position >= 0 else None


def _item_removed(place: Place, item: ast.AST, default: ast.expr | None) -> Edit | None:
    """One of several things parted by commas, taken out with its comma."""
    start, end = place.source.span(item)
    if default is not None:
        end = place.source.span(default)[1]
    text = place.source.text.encode()
    after = text[end:].lstrip(b" ")
    if after.startswith(b","):
        end = len(text) - len(after) + 1
        rest = text[end:]
        return Edit(start, end + len(rest) - len(rest.lstrip(b" ")), "")
    before = text[:start].rstrip(b" \n")
    if before.endswith(b",") and after[:1] in b")\n":
        return Edit(len(before) - 1, end, "")
    return Edit(start, end, "") if before.endswith(b"(") and after.startswith(b")") else None
