"""Questions about lists and tables: how they are made, grow, are asked and are copied."""

import ast

from reverie.dreamers.rewriting.comparisons import linear
from reverie.dreamers.rewriting.kinds import known_calls
from reverie.dreamers.rewriting.pairs import Found
from reverie.dreamers.rewriting.purity import only_appended
from reverie.dreamers.rewriting.questions.general import (
    at_least,
    has_quality,
    items,
    kind,
    kind_of,
    nodes_of,
    question,
    starred,
)
from reverie.dreamers.rewriting.repeats import (
    asked_again,
    is_reached_once,
    repeats_around,
    steady_repeats,
    walked_kind,
)
from reverie.syntax.filling import kept_lines
from reverie.syntax.matching import Bound, shown
from reverie.syntax.nodes import names_in
from reverie.syntax.unparsing import unparse


@question
def dictionary(found: Found, part: Bound) -> bool:
    """Whether it surely is a dictionary: others may have keys and hold something else."""
    scene, known = found.scene, kind_of(found, part)
    if known is not None or not isinstance(part, ast.Name) or part.id in scene.parameters:
        return known is not None and known.name == "dict"
    made = [scene.statement_of(each) for each in scene.bindings(part.id)]
    return bool(made) and all(_binds_dictionary(each) for each in made)


def _binds_dictionary(made: ast.stmt) -> bool:
    match made:
        case ast.Assign(targets=[ast.Name()], value=ast.Dict() | ast.DictComp()):
            return True
    return False


@question
def plain_keys(found: Found, parts: Bound) -> bool:
    """Whether all are constants that can be keys."""
    return all(
        isinstance(each, ast.Constant) and isinstance(each.value, str | int | bytes)
        for each in nodes_of(parts)
    )


@question
def one_of(found: Found, choice: Bound) -> str | None:
    """`x == 1 or x == 2 or x == 3` as a question to a set."""
    subjects, texts = set[str](), list[str]()
    for value in choice.values if isinstance(choice, ast.BoolOp) else ():
        match value:
            case ast.Compare(
                left=ast.Name(id=subject), ops=[ast.Eq()], comparators=[ast.Constant() as right]
            ):
                subjects.add(subject)
                texts.append(kept_lines(found.scene.source.of(right)))
            case _:
                return None
    asked = subjects.pop() if len(subjects) == 1 else ""
    is_key = has_quality(found.scene.kinds.get(asked), "hashable")
    return f"{asked} in {{{', '.join(texts)}}}" if is_key else None


@question
def changed(found: Found, part: Bound) -> bool:
    """Whether what was found may change a named object, or bind its name anew."""
    return isinstance(part, ast.Name) and any(
        found.scene.changes(part.id, node) for node in found.nodes
    )


@question
def only_grows(found: Found, part: Bound) -> bool:
    """Whether nothing but `append` of a plain value changes a list."""
    return isinstance(part, ast.Name) and only_appended(found.scene, part.id)


@question
def begins_empty(found: Found, part: Bound) -> bool:
    """Whether it is bound once, to an empty list."""
    scene = found.scene
    bindings = scene.bindings(part.id) if isinstance(part, ast.Name) else []
    made = scene.statement_of(bindings[0]) if len(bindings) == 1 else None
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    return isinstance(value, ast.List) and not value.elts


@question
def only_changed_here(found: Found, part: Bound) -> bool:
    """Whether one place alone changes it."""
    scene = found.scene
    changes = [
        each
        for each in (scene.names(part.id) if isinstance(part, ast.Name) else ())
        if isinstance(each.ctx, ast.Load)
        and isinstance(scene.parents[each], ast.Attribute | ast.Subscript)
        and scene.is_change(each)
    ]
    return len(changes) == 1


@question
def stays_sorted(found: Found, part: Bound) -> bool:
    """Whether it was bound to `sorted(…)` of what has an order, and nothing changes it."""
    scene = found.scene
    bindings = scene.bindings(part.id) if isinstance(part, ast.Name) else []
    if len(bindings) != 1 or not items(found, part, "ordered"):
        return False
    match scene.statement_of(bindings[0]):
        case (
            ast.Assign(value=ast.Call(func=ast.Name(id="sorted"), keywords=[]))
            | ast.AnnAssign(value=ast.Call(func=ast.Name(id="sorted"), keywords=[]))
        ):
            uses = [each for each in scene.names(bindings[0].id) if isinstance(each.ctx, ast.Load)]
            return not any(scene.is_change(each) for each in uses)
    return False


@question
def same_for_each(found: Found, part: Bound, item: Bound) -> bool:
    """Whether it is the same for each item of a walk, and cannot fail where there is none."""
    match part:
        case ast.Name(id=named):
            return named != shown(item)
        case ast.Constant():
            return True
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub()):
            return same_for_each(found, left, item) and same_for_each(found, right, item)  # type: ignore[return-value]
    return False


@question
def range_bounds(found: Found, parts: Bound) -> bool:
    """Whether they are one or two whole numbers, made of names and constants."""
    allowed = ast.Name | ast.Constant | ast.BinOp | ast.operator | ast.Load
    nodes = nodes_of(parts)
    are_plain = all(isinstance(each, allowed) for node in nodes for each in ast.walk(node))
    return are_plain and 1 <= len(nodes) <= 2 and all(kind(found, each, "int") for each in nodes)


@question
def whole_bounds(found: Found, start: Bound, low: Bound, stop: Bound, *others: Bound) -> bool:
    """Whether a walk begins at the first place or behind it, and all are other whole numbers."""
    first, after, last = (
        linear(each) if isinstance(each, ast.expr) else None for each in (start, low, stop)
    )
    if first is None or after is None or last is None or not first.names:
        return False
    skipped, used = after.plus(first, -1), first.names | last.names
    kinds = [found.scene.kinds.get(each) for each in used if each.isidentifier()]
    are_whole = all(has_quality(each, "int") for each in kinds)
    is_next = not skipped.names and skipped.number in (0, 1)
    return are_whole and is_next and not used & set(map(shown, others))


@question
def under_test(found: Found, test: str) -> bool:
    """Whether the statement around it asks just that."""
    text = found.text(test)
    return text is not None and text in unparse(found.scene.parents[found.nodes[0]])


@question
def follows(found: Found, text: str) -> bool:
    """Whether the statement just in front says that."""
    block = found.scene.block_of(found.first)
    at = block.index(found.first)
    return at > 0 and unparse(block[at - 1]) == found.text(text)


@question
def counts_up(found: Found, part: Bound) -> bool:
    """Whether it is the number of a walk around it, or the one behind it: never below nought."""
    scene = found.scene
    match part:
        case ast.Name(id=counter):
            pass
        case ast.BinOp(left=ast.Name(id=counter), op=ast.Add(), right=ast.Constant(value=1)):
            pass
        case _:
            return False
    walks = [
        (each.target, each.iter)
        for repeat in repeats_around(scene, found.nodes[0])
        for each in (repeat, *getattr(repeat, "generators", ()))
        if isinstance(each, ast.For | ast.comprehension)
    ]
    is_counter = any(_counter(target, walk) == counter for target, walk in walks)
    return is_counter and len(scene.bindings(counter)) == 1


def _counter(target: ast.expr, walk: ast.expr) -> str | None:
    """The name that counts up from nought, or from a number above it."""
    match target, walk:
        case (
            ast.Tuple(elts=[ast.Name(id=counter), _]),
            ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]),
        ):
            return counter
        case (
            ast.Name(id=counter),
            ast.Call(
                func=ast.Name(id="range"), args=[_] | [ast.Constant(), _], keywords=[]
            ) as call,
        ):
            start = call.args[0]
            is_above = len(call.args) == 1 or at_least(None, start, 0)
            return counter if is_above else None
    return None


@question
def sure_part(found: Found, key: Bound, item: Bound) -> bool:
    """Whether the key of each item is there and only has to be taken."""
    match key:
        case ast.Name() | ast.Attribute(value=ast.Name()):
            return shown(key).partition(".")[0] == shown(item)
        case ast.Subscript(value=ast.Name() as owner, slice=ast.Constant(value=int())):
            known = kind_of(found, owner)
            is_pair = known is not None and known.name == "tuple" and len(known.items) > 1
            return is_pair and shown(owner) == shown(item)
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[], keywords=[]):
            is_text = kind(found, owner, "str") and attr in _TEXT_PARTS
            return bool(is_text and sure_part(found, owner, item))
    return False


_TEXT_PARTS = ("lower", "upper", "casefold", "strip", "title")


@question
def fields_stay(found: Found, things: Bound) -> bool:
    """Whether nothing may change a field of some object while a list is asked again and again."""
    named = things.id if isinstance(things, ast.Name) else ""
    steady = steady_repeats(found.scene, found.nodes[0], named)
    return bool(steady) and not any(_may_change_field(found, each) for each in ast.walk(steady[-1]))


def _may_change_field(found: Found, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(ctx=ctx) | ast.Subscript(ctx=ctx):
            return not isinstance(ctx, ast.Load)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=attr)):
            known = found.scene.kinds.get(owner)
            is_held = known is not None and known.name in ("list", "set", "dict")
            if attr in known_calls()["changing"] and is_held:
                return False
        case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.With() | ast.AsyncWith():
            return True
    return isinstance(node, ast.Call) and not found.scene.is_pure_node(node, frozenset())


@question
def compares_order(found: Found, test: Bound) -> bool:
    """Whether two plain things are compared by their order."""
    match test:
        case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
            return not any(isinstance(e, ast.Call | ast.NamedExpr) for e in ast.walk(test))
    return False


@question
def single_item(found: Found, part: Bound) -> bool:
    """Whether it is a list of one item, written out."""
    return isinstance(part, ast.List) and len(part.elts) == 1 and not starred(found, part.elts[0])


@question
def own_growth(found: Found, part: Bound) -> bool:
    """Whether a list begins as a display, and no other name sees it while it grows here."""
    scene, growth = found.scene, found.first
    if not isinstance(part, ast.Name) or part.id in scene.parameters:
        return False
    bound = [scene.statement_of(each) for each in scene.bindings(part.id)]
    starts = [each for each in bound if each is not growth]
    value = starts[0].value if len(starts) == 1 and isinstance(starts[0], _BINDING) else None
    holders = ast.Call | ast.Assign | ast.keyword | ast.Dict | ast.List | ast.Tuple
    loops = scene.loops_around(growth)
    return isinstance(value, ast.List) and not any(
        isinstance(scene.parents[each], holders)
        for each in scene.names(part.id, loops[-1] if loops else growth)
        if isinstance(each.ctx, ast.Load) and scene.statement_of(each) is not growth
    )


_BINDING = ast.Assign | ast.AnnAssign


@question
def only_read(found: Found, part: Bound) -> bool:
    """Whether it is only asked for its length, an item or a key, or walked along."""
    scene = found.scene
    uses = [each for each in scene.names(shown(part)) if isinstance(each.ctx, ast.Load)]
    return all(_is_reading(scene.parents[each], each) for each in uses)


def _is_reading(parent: ast.AST, each: ast.Name) -> bool:
    match parent:
        case ast.Attribute(attr="get" | "keys" | "values" | "items" | "count" | "index"):
            return True
        case ast.Subscript(ctx=ast.Load()) | ast.Compare():
            return True
        case ast.Call(func=ast.Name(id="len" | "sum" | "max" | "min" | "any" | "all" | "sorted")):
            return True
        case ast.For(iter=walked) | ast.comprehension(iter=walked):
            return walked is each
    return False


@question
def left_alone(found: Found, part: Bound) -> bool:
    """Whether the function changes nothing of what a part is made of."""
    scene, own = found.scene, {each for node in nodes_of(part) for each in ast.walk(node)}
    return not any(
        scene.is_change(each) or not isinstance(each.ctx, ast.Load)
        for node in nodes_of(part)
        for named in names_in(node)
        for each in scene.names(named)
        if each not in own
    )


@question
def otherwise_asked(found: Found) -> bool:
    """Whether it is what is left for values that are not there."""
    match found.scene.parents[found.nodes[0]]:
        case ast.IfExp(test=ast.Compare(ops=[ast.In()]), orelse=orelse):
            return orelse is found.nodes[0]
    return False


@question
def before_asking(found: Found, things: Bound, asked: Bound) -> ast.stmt | None:
    """In front of all that asks a list for one value after another, sorting by keys included."""
    known = kind_of(found, asked)
    if not isinstance(things, ast.Name) or (known is not None and not known.is_hashable):
        return None
    around = asked_again(found.scene, found.nodes[0], things.id, is_known=known is not None)
    return found.scene.statement_of(around[-1]) if around else None


@question
def before_keys(found: Found, things: Bound) -> ast.stmt | None:
    """In front of the call that is handed it as a key, and of what repeats that."""
    scene = found.scene
    call = scene.parents[scene.parents[found.nodes[0]]]
    walked = walked_kind(scene, call) if isinstance(call, ast.Call) else None
    if not has_quality(walked, "hashable") or scene.changes(shown(things), call):
        return None
    around = steady_repeats(scene, call, shown(things))
    if not is_reached_once(scene, call, around):
        return None
    return scene.statement_of(around[-1] if around else call)
