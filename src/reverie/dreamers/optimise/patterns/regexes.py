"""Patterns of `re` that are constants."""

import ast
import re
import warnings
from collections.abc import Iterator

from reverie.dreamers.rewriting.classes import owner_of
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edit, Edits

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
        again = ast.parse("\n".join(lines), mode="eval").body
    except SyntaxError:
        again = None
    is_same = isinstance(again, ast.Call) and ast.dump(again.args[0]) == ast.dump(pattern)
    return lines if is_same else [f"re.compile({ast.unparse(pattern)})"]


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
