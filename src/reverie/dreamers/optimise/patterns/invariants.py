"""Work repeated each time round although nothing changes; `re` patterns that are constants."""

import ast
import re
import warnings
from collections.abc import Iterator

from reverie.dreamers.rewriting.kinds import known_calls, owner_of
from reverie.dreamers.rewriting.repeats import is_reached_once, repeats_around
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.parsing import parse_expression
from reverie.syntax.unparsing import unparse

_NEVER_RAISING = ("sorted", "sum", "set", "frozenset", "list", "tuple", "dict")
_EXTREMES = ("max", "min")


def hoisted_call(scene: Scene) -> Iterator[Edits]:
    """A call of steady names: made in front of the loop, where it cannot fail there."""
    seen: set[str] = set()
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not _is_worth_it(scene, node):
            continue
        outer = _steady_in(scene, node)
        shown = unparse(node)
        if outer is None or shown in seen or _is_hoisted(scene, node):
            continue
        seen.add(shown)
        value = _eager(scene, node, outer)
        if value is None:
            continue
        name, source = scene.fresh(_called(node)), scene.source
        same = [each for each in ast.walk(outer) if _is_same(each, shown)]
        made = source.before(scene.statement_of(outer), f"{name} = {value}")
        yield Edits((made, *(source.replaced(each, name) for each in same)))


def _is_same(node: ast.AST, shown: str) -> bool:
    return isinstance(node, ast.Call) and unparse(node) == shown


def _is_worth_it(scene: Scene, node: ast.Call) -> bool:
    """A call that only computes something immutable, or that is only read, from plain names."""
    if node.keywords:
        return False
    match node.func:
        case ast.Name(id=name) if name in (*_EXTREMES, "sum"):
            return len(node.args) == 1 and _are_places(node.args)
        case ast.Name(id=name) if name in ("set", "sorted", "frozenset"):
            return len(node.args) == 1 and _are_places(node.args) and _is_looked_into(scene, node)
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            kind = scene.kinds.get(name)
            is_text = kind is not None and kind.name == "str" and attr in known_calls()["texts"]
            return is_text and all(isinstance(each, ast.Constant) for each in node.args)
    return False


def _are_places(args: list[ast.expr]) -> bool:
    return all(
        isinstance(each, ast.Name)
        or (isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name))
        for each in args
    )


def _is_looked_into(scene: Scene, node: ast.Call) -> bool:
    """Whether what is made is only asked for an item or a membership, at once."""
    match scene.parents[node]:
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return True
        case ast.Subscript(value=value, ctx=ast.Load()):
            return value is node
        case ast.Call(func=ast.Name(id="len")):
            return True
    return False


def _steady_in(scene: Scene, node: ast.Call) -> ast.AST | None:
    names = names_in(node)
    func = node.func.id if isinstance(node.func, ast.Name) else ""
    outer: list[ast.AST] = []
    for repeat in repeats_around(scene, node):
        own = {
            each.id
            for each in ast.walk(repeat)
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        }
        if names & own or any(scene.changes(name, repeat) for name in names - {func}):
            break
        outer.append(repeat)
    return outer[-1] if outer and is_reached_once(scene, outer[-1], outer) else None


def _is_hoisted(scene: Scene, node: ast.Call) -> bool:
    """`x = None` in front and `if x is None: x = …` inside: it is made once already."""
    match scene.parents.get(scene.statement_of(node)):
        case ast.If(test=ast.Compare(ops=[ast.Is()])):
            return True
    return False


def _eager(scene: Scene, node: ast.Call, outer: ast.AST) -> str | None:
    """The expression that can be evaluated in front; None where it might raise there."""
    text = scene.source.of(node)
    if isinstance(node.func, ast.Attribute) or unparse(node.func) in _NEVER_RAISING:
        return text
    things = unparse(node.args[0])
    return f"{text} if {things} else None" if _walks(outer, things) else None


def _walks(outer: ast.AST, things: str) -> bool:
    """Whether the loop goes along the very list, so that it is not run when that is empty."""
    walks = {things, f"enumerate({things})", f"range(len({things}))"}
    match outer:
        case ast.For(iter=walk):
            return unparse(walk) in walks
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return unparse(outer.generators[0].iter) in walks
    return False


def _called(node: ast.Call) -> str:
    """A name for the result: `max(readings)` is `max_readings`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
            return f"{name}_{attr}"
        case ast.Call(func=ast.Name(id=name), args=[first, *_]):
            return f"{name}_{unparse(first).rpartition('.')[2]}"
    return "steady"


_WORD_END = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_AFTER_TEXT = {"match": 0, "search": 0, "fullmatch": 0, "findall": 0, "split": 0, "sub": 1}
"""Functions that are methods of a pattern too, and what they take besides pattern and text."""


def compiled_once(scene: Scene) -> Iterator[Edits]:
    """`re.compile("constant")` in a function: compiled when the module is loaded."""
    home = _home(scene)
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr="compile"),
                args=[ast.Constant() as pattern],
                keywords=[],
            ) if home is not None and _is_sound(pattern):
                name = scene.fresh(_named(scene))
                made = scene.source.before(home, f"{name} = {scene.source.of(node)}", "", "")
                yield Edits((made, scene.source.replaced(node, name)))


def compiled_match(scene: Scene) -> Iterator[Edits]:
    """`re.sub("constant", …)`: the method of a compiled pattern; all, those of a loop, or one."""
    home = _home(scene)
    found = sorted(_calls(scene), key=lambda each: (each.lineno, each.col_offset))
    if home is None or _is_begun(scene):
        return
    groups = {tuple(found): None}
    for loop in dict.fromkeys(loop for each in found for loop in scene.loops_around(each)):
        groups[tuple(each for each in found if loop in scene.loops_around(each))] = None
    groups |= {(each,): None for each in found}
    yield from (_rewritten(scene, home, list(calls)) for calls in groups if calls)


def _is_begun(scene: Scene) -> bool:
    """Whether patterns of this function stand at the top already: then its author, or we, chose."""
    names = [each for each in ast.walk(scene.source.tree) if isinstance(each, ast.Name)]
    return any(each.id.startswith(_named(scene)) for each in names)


def _calls(scene: Scene) -> Iterator[ast.Call]:
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=how),
                args=[ast.Constant() as pattern, *rest],
                keywords=[],
            ) if how in _AFTER_TEXT and len(rest) == _AFTER_TEXT[how] + 1 and _is_sound(pattern):
                yield node


def _rewritten(scene: Scene, home: ast.stmt, calls: list[ast.Call]) -> Edits:
    """Every pattern once, under a name of its own."""
    source, names, lines = scene.source, dict[object, str](), list[str]()
    edits: list[Edit] = []
    wanted = _named(scene)
    for number, call in enumerate(calls):
        pattern, *rest = call.args
        key = ast.literal_eval(pattern)
        if key not in names:
            names[key] = scene.fresh(wanted if len(calls) == 1 else f"{wanted}_{number + 1}")
            first, *others = _written(source.of(pattern), pattern)
            lines += [f"{names[key]} = {first}", *others]
        given = ", ".join(source.of(each) for each in rest)
        how = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        edits.append(source.replaced(call, f"{names[key]}.{how}({given})"))
    return Edits((source.before(home, *lines, "", ""), *edits))


def _written(text: str, pattern: ast.expr) -> list[str]:
    """`re.compile(…)` of a pattern as it was written, a piece to a line where it has several."""
    if "\n" not in text:
        return [f"re.compile({text})"]
    lines = ["re.compile(", *(f"    {line.strip()}" for line in text.splitlines()), ")"]
    try:
        again = parse_expression("\n".join(lines))
    except SyntaxError:
        again = None
    is_same = isinstance(again, ast.Call) and ast.dump(again.args[0]) == ast.dump(pattern)
    return lines if is_same else [f"re.compile({unparse(pattern)})"]


def _named(scene: Scene) -> str:
    """After the function, and the class that it belongs to."""
    owner = owner_of(scene.source.tree, scene.function)
    parts = [*([] if owner is None else [owner.name]), scene.function.name.strip("_"), "pattern"]
    return f"_{_WORD_END.sub('_', '_'.join(parts)).upper()}"


def _is_sound(pattern: ast.Constant) -> bool:
    """Whether it can be compiled, without a word: otherwise the import would say it."""
    if not isinstance(pattern.value, str | bytes):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            re.compile(pattern.value)
        except (re.error, Warning, RecursionError, OverflowError):
            return False
    return True


def _home(scene: Scene) -> ast.stmt | None:
    """The statement of the module around the function, where `re` is the module behind it."""
    is_own = scene.bindings("re") or "re" in scene.parameters
    has_import = False
    for node in scene.source.tree.body:
        if isinstance(node, ast.Import):
            has_import |= any(e.name == "re" and e.asname is None for e in node.names)
        if isinstance(node, Function | ast.ClassDef) and scene.function in ast.walk(node):
            return node if has_import and not is_own else None
    return None
