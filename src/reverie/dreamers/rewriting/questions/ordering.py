"""Questions about order that is made by hand, and about items that are taken out of a list."""

import ast

from reverie.dreamers.rewriting.comparisons import (
    Comparison,
    Linear,
    comparison,
    length_names,
    linear,
    renamed,
)
from reverie.dreamers.rewriting.pairs import Found
from reverie.dreamers.rewriting.questions.general import question
from reverie.dreamers.rewriting.repeats import leaves_no_names as leaves_none
from reverie.dreamers.rewriting.scene import Scene
from reverie.syntax.matching import Bound, shown
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_Span = tuple[Linear, Linear, int]
_STOPS = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
"""By what a walk goes on with: what it stops at."""
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
}  # fmt: skip
_HOLDERS = ("dict", "frozenset", "list", "set", "tuple")
_ASKED = frozenset({"startswith", "endswith", "isdigit", "isalpha", "isspace", "isupper", "islower",
                    "strip", "lower", "upper", "casefold"})  # fmt: skip


@question
def leaves_no_names(found: Found) -> bool:
    """Whether what a loop binds is used nowhere else."""
    return leaves_none(found.scene, found.nodes[-1])


@question
def covers(found: Found, walk: Bound, things: Bound, *spans: str) -> bool:
    """Whether a `range` is one of `first:stop:step`, where `len` is the length of a list."""
    loop = found.nodes[-1]
    size = f"len({shown(things)})"
    aliases = length_names(found.scene, shown(things), loop) if isinstance(loop, ast.stmt) else {}
    seen = _span_of_range(walk, aliases)
    return seen is not None and any(
        seen == _span_of_text(found.text(each) or "", {"len": size}) for each in spans
    )


def _span_of_range(walk: Bound, aliases: dict[str, str]) -> _Span | None:
    match walk:
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            return _span([linear(each, aliases) for each in args])
    return None


def _span_of_text(text: str, aliases: dict[str, str]) -> _Span | None:
    parts = [parse_expression(each.strip()) for each in text.split(":")]
    return _span([linear(each, aliases) for each in parts])


def _span(parts: list[Linear | None]) -> _Span | None:
    known = [each for each in parts if each is not None]
    if len(known) != len(parts) or not known:
        return None
    start, stop, *step = known if len(known) > 1 else [Linear(frozenset()), *known]
    return start, stop, step[0].number if step else 1


def _compared(found: Found, test: Bound, one: str, other: str) -> Comparison | None:
    """How a test compares two things that are written so."""
    first, second = found.text(one), found.text(other)
    if not isinstance(test, ast.expr) or first is None or second is None:
        return None
    return comparison(found.scene, test, first, second)


@question
def strictly(found: Found, test: Bound, one: str, other: str) -> bool:
    """Whether a test is no for things that are level."""
    compared = _compared(found, test, one, other)
    return compared is not None and not compared.sign.endswith("=")


@question
def sort_by(found: Found, things: Bound, test: Bound, one: str, other: str) -> str | None:
    """The sort that a test exchanges things for; level ones that it turns round go first."""
    compared, named = _compared(found, test, one, other), shown(things)
    if compared is None or (compared.may_fail and not _is_unseen(found, named)):
        return None
    descending = ("reverse=True",) if compared.sign.startswith("<") else ()
    lines = [f"{named}.reverse()"] if compared.sign.endswith("=") else []
    lines.append(f"{named}.sort({', '.join(compared.arguments + descending)})")
    if compared.may_fail:
        lines = [f"if len({named}) > 1:", *(f"    {line}" for line in lines)]
    return "\n".join(lines)


def _is_unseen(found: Found, things: str) -> bool:
    """Whether nobody sees a list half sorted when a key is missing."""
    scene, node = found.scene, found.nodes[-1]
    while node is not scene.function:
        node = scene.parents[node]
        if isinstance(node, ast.Try | ast.With):
            return False
    made = [scene.statement_of(each) for each in scene.bindings(things)]
    values = [each.value for each in made if isinstance(each, ast.Assign)]
    is_made = any(each in scene.function.body for each in made) or things not in scene.parameters
    return bool(made) and is_made and len(values) == len(made) and all(map(_is_new, values))


def _is_new(value: ast.expr) -> bool:
    match value:
        case ast.List() | ast.ListComp() | ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Call(func=ast.Name(id="list" | "sorted") | ast.Attribute(attr="copy")):
            return True
    return False


@question
def sorted_by(
    found: Found, things: Bound, test: Bound, there: str, new: str, how: str
) -> str | None:
    """Things sorted as if each was put where a test `stops`, or no more `goes on`."""
    compared, given = _compared(found, test, there, new), shown(things)
    if compared is None:
        return None
    sign = compared.sign if how == "stops" else _STOPS[compared.sign]
    descending = ("reverse=True",) if sign.startswith("<") else ()
    walked = f"reversed({given})" if sign.endswith("=") else given
    text = f"sorted({', '.join((walked, *compared.arguments, *descending))})"
    return f"{text} if len({given}) > 1 else list({given})" if compared.may_fail else text


@question
def says(found: Found, part: Bound, text: str) -> bool:
    """Whether a part is written so."""
    return shown(part) == found.text(text)


@question
def started(found: Found, flag: Bound) -> bool:
    """Whether a flag is set just in front, and nowhere but there and in what was found."""
    scene = found.scene
    block = scene.block_of(found.first)
    at = block.index(found.first)
    is_set = at > 0 and unparse(block[at - 1]) == f"{shown(flag)} = True"
    inside = sum(len(scene.names(shown(flag), node)) for node in found.nodes)
    return is_set and len(scene.names(shown(flag))) == inside + 1


@question
def in_terms(
    found: Found, test: Bound, place: Bound, one: str, first: str, other: str, second: str
) -> str | None:
    """A test of two things under other names; None where it asks for their place, too."""
    spots = found.text(one), found.text(other)
    if not isinstance(test, ast.expr) or spots[0] is None or spots[1] is None:
        return None
    half = renamed(test, spots[1], second)
    whole = renamed(half, spots[0], first)
    names = names_in(whole)
    is_both = {first, second} <= names and shown(place) not in names
    return unparse(whole) if is_both else None


@question
def in_pairs(found: Found, i: Bound, j: Bound, things: Bound) -> bool:
    """Whether places are walked along two by two, and neither they nor the list change."""
    scene, outer = found.scene, walk_of(found, i, things)
    if not isinstance(outer, ast.stmt) or scene.changes(shown(things), outer):
        return False
    return len(scene.bindings(shown(i), outer)) == len(scene.bindings(shown(j))) == 1


@question
def walk_of(found: Found, place: Bound, things: Bound) -> ast.stmt | None:
    """The loop around it along all places of a list."""
    for loop in found.scene.loops_around(found.nodes[0]):
        if isinstance(loop, ast.For) and shown(loop.target) == shown(place):
            return loop if unparse(loop.iter) == f"range(len({shown(things)}))" else None
    return None


@question
def bound_in_walk(found: Found, part: Bound, place: Bound, things: Bound) -> bool:
    """Whether the loop along all places binds a name anew."""
    outer = walk_of(found, place, things)
    return isinstance(part, ast.Name) and bool(
        found.scene.bindings(part.id, outer if isinstance(outer, ast.stmt) else None)
    )


@question
def part_can_be_key(found: Found, text: str) -> bool:
    """Whether a part of an item, as it is written, is surely found again as a key."""
    shape = found.text(text)
    for node in ast.walk(found.nodes[0]):
        if isinstance(node, ast.expr) and unparse(node) == shape:
            known = found.scene.kind_of(node)
            return known is not None and known.is_exact
    return False


@question
def appended_in_loop(found: Found, part: Bound) -> bool:
    """Whether a loop appends to a list."""
    appends = found.scene.method_calls(shown(part), "append")
    return any(map(found.scene.loops_around, appends))


@question
def binds_names(found: Found) -> bool:
    """Whether an assignment that was tried binds plain names only."""
    tried = found.nodes[0].body[0] if isinstance(found.nodes[0], ast.Try) else None
    if isinstance(tried, ast.Assign):
        return all(isinstance(each, ast.Name) for each in tried.targets)
    return True


@question
def opposite_of(found: Found, test: Bound, spot: str, each: Bound) -> str | None:
    """What is asked of an item that stays, where a test takes it out by its value alone."""
    scene, written = found.scene, found.text(spot)
    if not isinstance(test, ast.expr) or written is None:
        return None
    asked = renamed(test, written, shown(each))
    others = names_in(asked) - {shown(each)}
    bound = {
        name.id
        for node in found.nodes
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and not isinstance(name.ctx, ast.Load)
    }
    is_own = shown(found.values["xs"]) not in others and not others & bound
    is_known = items_known(found, found.values["xs"])
    return _opposite(asked) if is_own and is_known and _is_mild(scene, test, written) else None


@question
def items_known(found: Found, part: Bound) -> bool:
    """Whether it is known what a list holds."""
    known = found.scene.kinds.get(shown(part))
    return known is not None and known.item is not None


def _opposite(test: ast.expr) -> str:
    match test:
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            new = ast.Compare(left, [_OPPOSITE[type(sign)]()], [right])
            return unparse(new) if type(sign) in _OPPOSITE else f"not ({unparse(test)})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return unparse(operand)
        case ast.Name():
            return f"not {unparse(test)}"
    return f"not ({unparse(test)})"


def _is_mild(scene: Scene, node: ast.expr, spot: str) -> bool:
    """Whether asking it of any item only computes and never raises."""
    kind = scene.kind_of(node)
    if unparse(node) == spot or isinstance(node, ast.Constant):
        return kind is not None and kind.is_hashable
    match node:
        case ast.Name():
            return kind is not None and (kind.is_hashable or kind.name in _HOLDERS)
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            mild = _is_mild(scene, left, spot) and _is_mild(scene, right, spot)
            return mild and _is_comparable(scene, sign, left, right)
        case ast.BoolOp(values=values):
            return all(_is_mild(scene, each, spot) for each in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_mild(scene, operand, spot)
        case ast.BinOp(op=ast.Mod(), left=left, right=ast.Constant(value=int(number))):
            return number != 0 and kind is not None and _is_mild(scene, left, spot)
        case ast.BinOp(op=ast.Add() | ast.Sub(), left=left, right=right):
            whole = kind is not None and kind.name == "int"
            return whole and _is_mild(scene, left, spot) and _is_mild(scene, right, spot)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args, keywords=[]):
            of = scene.kind_of(owner)
            texts = all(isinstance(each, ast.Constant | ast.Name) for each in args)
            are_texts = texts and all(_is_text(scene, each) for each in args)
            is_text = of is not None and of.name == "str" and attr in _ASKED
            return is_text and are_texts and _is_mild(scene, owner, spot)
        case ast.Call(func=ast.Name(id="len"), args=[owner], keywords=[]):
            return _is_text(scene, owner) and _is_mild(scene, owner, spot)
    return False


def _is_text(scene: Scene, node: ast.expr) -> bool:
    kind = scene.kind_of(node)
    return kind is not None and kind.name == "str"


def _is_comparable(scene: Scene, sign: ast.cmpop, left: ast.expr, right: ast.expr) -> bool:
    one, other = scene.kind_of(left), scene.kind_of(right)
    if one is None or other is None:
        return False
    if isinstance(sign, ast.In | ast.NotIn):
        in_text = one.name == other.name == "str"
        return one.is_hashable and (in_text or other.name in _HOLDERS)
    if isinstance(sign, ast.Eq | ast.NotEq):
        return one.is_hashable and other.is_hashable
    return type(sign) in _OPPOSITE and one == other and one.is_ordered


_LEAVING = ast.Return | ast.Continue | ast.Break | ast.Raise
_SEQUENCES = ("list", "str", "bytes", "tuple")


@question
def own_loop(found: Found) -> ast.stmt | None:
    """The `while` that a statement stands in, as its own."""
    around = found.scene.parents.get(found.first)
    is_own = isinstance(around, ast.While) and not around.orelse and found.first in around.body
    return around if is_own and isinstance(around, ast.stmt) else None


@question
def asked_by_loop(found: Found) -> bool:
    """Whether a `while` goes on as long as it is true."""
    parent = found.scene.parents[found.nodes[0]]
    return isinstance(parent, ast.While) and parent.test is found.nodes[0]


@question
def cuts_its_loop(found: Found, rest: Bound) -> bool:
    """Whether a `while` cuts at one place until nothing is left, and nothing looks at it later."""
    scene, loop, named = found.scene, own_loop(found), shown(rest)
    if not isinstance(loop, ast.While) or scene.loops_around(loop):
        return False
    is_whole = unparse(loop.test) in (named, f"len({named}) > 0", f"0 < len({named})")
    end = loop.end_lineno or 0
    is_last = all(each.lineno <= end for each in scene.names(named))
    return is_whole and is_last and len(scene.bindings(named, loop)) == 1 and _is_cut(found, named)


def _is_cut(found: Found, named: str) -> bool:
    """Whether it is known as a list or a text where it comes from, whatever its slices are."""
    scene = found.scene
    made = [scene.statement_of(each) for each in scene.bindings(named)]
    values = [each.value for each in made if isinstance(each, ast.Assign | ast.AnnAssign)]
    kinds = [scene.parameters.get(named), *(scene.kind_of(each) for each in values if each)]
    return any(kind is not None and kind.name in _SEQUENCES for kind in kinds)


@question
def deeper(found: Found, rest: Bound) -> bool:
    """Whether it is done more often than a list is made."""
    scene = found.scene
    made = scene.statement_of(scene.bindings(shown(rest))[0])
    return len(scene.loops_around(found.nodes[0])) > len(scene.loops_around(made))


@question
def shrinks_in_loop(found: Found, rest: Bound) -> bool:
    """Whether a loop takes items out of a list of which no function inside knows."""
    scene, named = found.scene, shown(rest)
    inner = [each for each in ast.walk(scene.function) if isinstance(each, Function | ast.Lambda)]
    if any(each is not scene.function and scene.names(named, each) for each in inner):
        return False
    outside = len(scene.loops_around(found.first))
    removals = scene.method_calls(named, "remove")
    return any(len(scene.loops_around(each)) > outside for each in removals)


@question
def asked_whether(found: Found) -> bool:
    """Whether it is only asked whether there is anything."""
    node = found.nodes[0]
    match found.scene.parents[node]:
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="bool")):
            return True
    return False


@question
def surely_there(found: Found, rest: Bound, x: Bound) -> bool:
    """Whether a list was just asked for a value, and nothing came between."""
    scene, removal = found.scene, found.first
    block, around = scene.block_of(removal), scene.parents[removal]
    for before in reversed(block[: block.index(removal)]):
        match before:
            case ast.If(test=test, body=[*_, last], orelse=[]) if (
                isinstance(last, _LEAVING) and shown(test) == f"{shown(x)} not in {shown(rest)}"
            ):
                return True
        if not _is_aside(found, before, rest, x):
            return False
    if not isinstance(around, ast.If):
        return False
    how = "in" if block is around.body else "not in"
    return shown(around.test) == f"{shown(x)} {how} {shown(rest)}"


def _is_aside(found: Found, statement: ast.stmt, rest: Bound, x: Bound) -> bool:
    """Whether a statement changes neither a list nor what it was asked for."""
    scene = found.scene
    is_name = isinstance(x, ast.Name) and not scene.bindings(x.id, statement)
    is_simple = isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign)
    return is_simple and is_name and not scene.names(shown(rest), statement)
