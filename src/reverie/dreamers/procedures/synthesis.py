"""Cross-repository synthesis: a procedure together with one that another repository has for it.

The other one fits when it can be called the same way: as many arguments, of types that do not
contradict. Whether it does something alike is seen in the sandbox.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.dreamers.procedures.procedure import Procedure, bound_names, parsed
from reverie.dreamers.procedures.relaxing import is_generator
from reverie.dreamers.procedures.variant import Variant, written
from reverie.model.procedure import DreamType
from reverie.syntax.nodes import Function
from reverie.syntax.unparsing import unparse

_MOST_PARTNERS = 12
_PREFIX = "_other_"
_WORD = re.compile(r"[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class SynthesisDreamer:
    """Combines a procedure with those of other repositories."""

    others: Sequence[Procedure]
    dream_type: DreamType = DreamType.CROSS_PROJECT_SYNTHESIS

    def imagine(self, procedure: Procedure) -> Iterator[Variant]:
        """In place of it, after it failed, and on its result; the likest partners first."""
        for partner in partners(procedure, self.others):
            extra = _renamed(procedure, partner)
            if extra is None:
                continue
            origin = {"with": partner.base, "repository": partner.repository}
            yield Variant(
                "synthesis/replacement",
                f"Does what {partner.base} does",
                _delegating(procedure, partner, "return {other}({given})"),
                origin,
                extra,
            )
            if not is_generator(procedure.node):
                yield _falling_back(procedure, partner, extra, origin)
        for partner in self._followers(procedure):
            extra = _renamed(procedure, partner)
            if extra is not None:
                yield _composed(procedure, partner, extra)

    def _followers(self, procedure: Procedure) -> Iterator[Procedure]:
        """Those whose one argument is what the procedure returns."""
        returned = _type_of(procedure.node.returns)
        found = 0
        for other in self.others:
            node = other.node
            taken = _required(node)
            fits = len(taken) == 1 and _type_of(taken[0].annotation) == returned
            if (
                returned is not None
                and fits
                and found < _MOST_PARTNERS
                and _is_foreign(procedure, other)
            ):
                found += 1
                yield other


def partners(procedure: Procedure, others: Sequence[Procedure]) -> list[Procedure]:
    """Procedures of other repositories that can be called alike, the likest first."""
    node = procedure.node
    fitting = [
        other for other in others if _is_foreign(procedure, other) and _fits(node, other.node)
    ]
    fitting.sort(key=lambda other: -_likeness(procedure, other))
    return fitting[:_MOST_PARTNERS]


def _is_foreign(procedure: Procedure, other: Procedure) -> bool:
    return other.repository != procedure.repository and other.code != procedure.code


def _fits(one: Function, other: Function) -> bool:
    if isinstance(one, ast.AsyncFunctionDef) != isinstance(other, ast.AsyncFunctionDef):
        return False
    mine, theirs = _required(one), _required(other)
    if len(mine) != len(theirs) or not mine or one.args.vararg or other.args.vararg:
        return False
    pairs = [
        (_type_of(a.annotation), _type_of(b.annotation)) for a, b in zip(mine, theirs, strict=True)
    ]
    pairs.append((_type_of(one.returns), _type_of(other.returns)))
    return all(None in pair or pair[0] == pair[1] for pair in pairs)


def _required(node: Function) -> list[ast.arg]:
    taken = [*node.args.posonlyargs, *node.args.args]
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    if any(default is None for _, default in named):
        return []
    return taken[: len(taken) - len(node.args.defaults)]


def _type_of(annotation: ast.expr | None) -> str | None:
    return None if annotation is None else unparse(annotation).strip("'\"").lower()


def _likeness(procedure: Procedure, other: Procedure) -> float:
    mine, theirs = _words(procedure.name), _words(other.name)
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    one, two = procedure.node, other.node
    typed = sum(
        _type_of(a.annotation) == _type_of(b.annotation) is not None
        for a, b in zip(_required(one), _required(two), strict=False)
    )
    return 2 * shared + typed / max(1, len(_required(one)))


def _words(name: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(name)}


def _renamed(procedure: Procedure, partner: Procedure) -> str | None:
    """The partner's source under another name; None when the two would get in each other's way."""
    tree = parsed(partner.code)
    mine = {name for each in parsed(procedure.code).body for name in bound_names(each)}
    lines = {unparse(each) for each in parsed(procedure.code).body}
    for each in tree.body:
        names = set(bound_names(each)) - {partner.name}
        if names & mine and unparse(each) not in lines:
            return None
    new = f"{_PREFIX}{partner.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == partner.name:
            node.id = new
        elif isinstance(node, Function) and node.name == partner.name:
            node.name = new
    return written(tree)


def _given(procedure: Procedure) -> str:
    return ", ".join(each.arg for each in _required(procedure.node))


def _delegating(procedure: Procedure, partner: Procedure, line: str) -> str:
    node = procedure.node
    source = line.format(other=f"{_PREFIX}{partner.name}", given=_given(procedure))
    is_async = isinstance(node, ast.AsyncFunctionDef)
    node.body = parsed(source.replace("return ", "return await ", 1) if is_async else source).body
    return written(node)


def _falling_back(
    procedure: Procedure, partner: Procedure, extra: str, origin: dict[str, str | None]
) -> Variant:
    node = procedure.node
    wait = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    call = f"{wait}{_PREFIX}{partner.name}({_given(procedure)})"
    guarded = parsed(f"try:\n    pass\nexcept Exception:\n    return {call}").body[0]
    assert isinstance(guarded, ast.Try)
    guarded.body = node.body
    node.body = [guarded]
    title = f"Falls back on {partner.base}"
    return Variant("synthesis/fallback", title, written(node), origin, extra)


def _composed(procedure: Procedure, partner: Procedure, extra: str) -> Variant:
    node, inner = procedure.node, procedure.node
    inner.name = f"{_PREFIX}own"
    inner.decorator_list = []
    names = ", ".join(
        [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
        + [f"{each.arg}={each.arg}" for each in node.args.kwonlyargs]
    )
    wait = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    node.body = parsed(f"return {_PREFIX}{partner.name}({wait}{inner.name}({names}))").body
    node.returns = None
    origin = {"with": partner.base, "repository": partner.repository}
    source = f"{written(inner)}\n\n{written(node)}"
    title = f"Hands its result to {partner.base}"
    return Variant("synthesis/composition", title, source, origin, extra)
