"""Every way to rewrite a function and what it calls, one change at a time and in combination."""

import ast
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.optimise.patterns import Rewrite, catalogue
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Source
from reverie.syntax.nodes import Function, plain_functions
from reverie.syntax.parsing import parse_module

_MOST_STEPS = 5
_MOST_VARIANTS = 96
_MOST_FROM_ONE = 24


@dataclass(frozen=True, slots=True)
class Variant:
    """A module with some rewrites made."""

    source: str
    steps: tuple[str, ...]
    """Names of the rewrites, in the order in which they were made."""
    changed: frozenset[str] = frozenset()
    """Functions whose text is another one, by qualified name."""

    @property
    def pattern(self) -> str:
        """The steps as one name."""
        return "+".join(self.steps)


def imagine_variants(text: str, entry: str) -> list[Variant]:
    """Variants of a module in which `entry` should be faster, the shortest ways first."""
    start = Variant(text, ())
    seen = {_shape(text)}
    found: list[Variant] = []
    waiting = deque([start])
    while waiting and len(found) < _MOST_VARIANTS:
        variant = waiting.popleft()
        for number, (step, function, new) in enumerate(
            _steps(variant.source, entry, is_first=not variant.steps)
        ):
            shape = _shape(new)
            if number >= _MOST_FROM_ONE or shape in seen or len(found) >= _MOST_VARIANTS:
                continue
            seen.add(shape)
            after = Variant(new, (*variant.steps, step.name), variant.changed | {function})
            found.append(after)
            if len(after.steps) < _MOST_STEPS:
                waiting.append(after)
    return [each for each in found if not _is_idle(each)]


def _is_idle(variant: Variant) -> bool:
    """Only enabling steps: nothing was gained by them."""
    enabling = {each.name for each in catalogue() if each.is_enabling}
    return all(step in enabling for step in variant.steps)


def _steps(text: str, entry: str, *, is_first: bool) -> Iterator[tuple[Rewrite, str, str]]:
    """Each rewrite that fits, the function it changes, and the module's text after it.

    Small gains are looked for at first only, and only where there is no larger one.
    """
    source, is_done = Source(text), True
    scenes = {
        name: Scene(source, function)
        for name, function in reached_functions(source.tree, entry).items()
    }
    for rewrite in sorted(catalogue(), key=lambda each: each.is_minor):
        if rewrite.is_minor and not (is_done and is_first):
            return
        for qualname, scene in scenes.items():
            for edits in rewrite.propose(scene):
                new = source.applied(edits)
                if new is not None and new != text:
                    is_done &= rewrite.is_enabling
                    yield rewrite, qualname, new


def fitting_rewrites(text: str) -> dict[str, tuple[Rewrite, ...]]:
    """The functions of a module in which rewrites fit, each by itself; small gains apart."""
    source = Source(text)
    larger = [each for each in catalogue() if not each.is_minor and not each.is_enabling]
    found = {}
    for qualname, function in plain_functions(source.tree.body):
        scene = Scene(source, function)
        fitting = [each for each in larger if next(each.propose(scene), None) is not None]
        if fitting:
            found[qualname] = tuple(fitting)
    return found


def reached_functions(tree: ast.Module, entry: str) -> dict[str, Function]:
    """The entry and all functions and methods of the module that it may call, by name."""
    defined = dict(plain_functions(tree.body))
    if entry not in defined:
        return {}
    found = {entry: defined[entry]}
    waiting = [entry]
    while waiting:
        called = _called_names(found[waiting.pop()])
        for qualname, function in defined.items():
            parts = qualname.split(".")
            reached = parts[-1] in called or (parts[-1] == "__init__" and parts[0] in called)
            if reached and qualname not in found:
                found[qualname] = function
                waiting.append(qualname)
    return found


def _called_names(function: Function) -> set[str]:
    """Names that may be called; what the function itself binds is no function of the module."""
    names, own, methods = set[str](), set[str](), set[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            methods.add(getattr(node.func, "attr", ""))
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name):
            (names if isinstance(node.ctx, ast.Load) else own).add(node.id)
    return methods | names - own


def _shape(text: str) -> str:
    return ast.dump(parse_module(text))
