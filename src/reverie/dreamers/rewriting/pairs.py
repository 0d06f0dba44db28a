"""Rewrites that are pairs of source: every place in a function where one fits, as edits."""

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.filling import KEPT, Part, Writer, differing, kept_lines, meaning
from reverie.syntax.matching import Bound, Match, Pattern
from reverie.syntax.parsing import parse_module
from reverie.syntax.rewrite_files import Pair, Questions
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class Found:
    """A place where a pair may fit, as questions see it."""

    scene: Scene
    nodes: tuple[ast.AST, ...]
    values: Mapping[str, Bound]
    """What the holes stand for; `whole` is all that was found."""

    @property
    def first(self) -> ast.stmt:
        """The statement that was found, or that holds the expression."""
        return self.scene.statement_of(self.nodes[0])

    def text(self, template: str, place: ast.AST | None = None) -> str | None:
        """A text with its holes filled, at the indentation of a place: where it was found."""
        indent = self.scene.source.indent_of(self.scene.statement_of(place or self.nodes[0]))
        filled = _writer(self, indent).filled(template, self.values)
        if filled is None:
            return None
        head, *others = filled.split("\n")
        return "\n".join([head, *(_placed(line, indent) for line in others)])

    def lines(self, template: str) -> list[str] | None:
        """Lines with their holes filled, without indentation."""
        filled = _writer(self, "").filled(template, self.values)
        if filled is None:
            return None
        return [line.replace(KEPT, "") for line in re.split(f"\n(?!{KEPT})", filled)]


def _placed(line: str, indent: str) -> str:
    if line.startswith(KEPT):
        return line.removeprefix(KEPT)
    return indent + line if line else line


def _writer(found: Found, outer: str) -> Writer:
    source = found.scene.source

    def block_of(nodes: Sequence[ast.AST], inner: str) -> str | None:
        """Statements with all between them, moved to another indentation."""
        old, is_moved = source.indent_of(nodes[0]), source.indent_of(nodes[0]) != outer + inner
        remarks = [] if nodes[0] in found.nodes else source.remarks_above(nodes[0])
        start, end = source.span(nodes[0])[0], source.span(nodes[-1])[1]
        text = source.text.encode()[start:end].decode()
        first, *others = [*remarks, *text.split("\n")]
        if remarks:
            others[len(remarks) - 1] = old + others[len(remarks) - 1]
        if is_moved and others and any(source.is_long_text(each) for each in nodes):
            return None
        moved = [
            inner + line.removeprefix(old) if line.startswith(old) else KEPT + line
            for line in others
        ]
        return "\n".join([first, *moved])

    return Writer(lambda node: kept_lines(source.of(node)), block_of)


def propose_pairs(pairs: Sequence[Pair], questions: Questions, scene: Scene) -> Iterator[Edits]:
    """A change for every place where one of the pairs fits."""
    seen: set[Edits] = set()
    for pair, match in _matches(pairs, scene):
        edits = _change(pair, match, questions, scene)
        if edits is not None and edits.edits and edits not in seen:
            seen.add(edits)
            yield edits


def _matches(pairs: Sequence[Pair], scene: Scene) -> Iterator[tuple[Pair, Match]]:
    """Statements in their order; expressions in that of `ast.walk`."""
    if not any(pair.pattern.is_expression or pair.is_nested for pair in pairs):
        for statement in scene.statements():
            yield from _windows(pairs, scene, statement)
        return
    for node in scene.nodes({type(pair.pattern.wanted[0]) for pair in pairs}):
        if isinstance(node, ast.stmt):
            some = [pair for pair in pairs if not pair.pattern.is_expression]
            yield from _windows(some, scene, node)
        for pair in pairs:
            if pair.pattern.is_expression and type(node) is type(pair.pattern.wanted[0]):
                match = pair.pattern.match((node,))
                if match is not None:
                    yield pair, match


def _windows(
    pairs: Sequence[Pair], scene: Scene, statement: ast.stmt
) -> Iterator[tuple[Pair, Match]]:
    fitting = [p for p in pairs if type(p.pattern.wanted[0]) is type(statement)]
    if fitting:
        block = scene.block_of(statement)
        at = block.index(statement)
        for pair in fitting:
            yield from ((pair, match) for match in pair.pattern.windows(block, at))


def _change(pair: Pair, match: Match, questions: Questions, scene: Scene) -> Edits | None:
    """What a pair makes of a match; None where its conditions do not hold."""
    found = _answered(pair, match, questions, scene)
    if found is None:
        return None
    edits = _written(pair, match, found)
    if edits is None:
        return None
    for text, at in pair.above:
        place, lines = at.answer(questions, found, found.values), found.lines(text)
        if not isinstance(place, ast.stmt) or lines is None:
            return None
        edits.append(scene.source.before(place, *lines))
    imports = pair.imports
    if pair.of is not None:
        others = _uses(pair, match, questions, found)
        if others is None:
            return None
        edits += others.edits
        imports |= others.imports
    return Edits(tuple(dict.fromkeys(edits)), imports)


def _answered(pair: Pair, match: Match, questions: Questions, scene: Scene) -> Found | None:
    """A match with all its holes, where every condition holds."""
    values: dict[str, Bound] = dict(match.holes)
    values["whole"] = match.nodes[0] if len(match.nodes) == 1 else match.nodes
    found = Found(scene, match.nodes, values)
    if not all(each.answer(questions, found, values) for each in pair.where):
        return None
    for name, wanted in pair.fresh:
        text = _writer(found, "").filled(wanted, values)
        if text is None or not text.isidentifier():
            return None
        values[name] = scene.fresh(text)
    for name, condition in pair.let:
        answer = condition.answer(questions, found, values)
        if not isinstance(answer, str | ast.AST | tuple):
            return None
        values[name] = answer
    return found


def _written(pair: Pair, match: Match, found: Found) -> list[Edit] | None:
    source, edits = found.scene.source, list[Edit]()
    if pair.after is not None:
        changed = _local(pair.pattern, pair.after, match, found)
        if changed is None:
            changed = _whole(pair.after, found)
        if changed is None:
            return None
        edits += changed
    if pair.below:
        lines = found.lines(pair.below)
        if lines is None:
            return None
        last = found.scene.statement_of(found.nodes[-1])
        edits.append(source.after(last, *lines))
    return edits


def _local(pattern: Pattern, after: str, match: Match, found: Found) -> list[Edit] | None:
    """Edits of the parts that differ; None where that would not say what is meant."""
    parts = differing(pattern, after, match)
    edits = [_edit(part, found) for part in parts]
    known = [each for each in edits if each is not None]
    if parts[:1] == [Part(match.nodes, after)] or len(known) != len(edits):
        return None
    source = found.scene.source
    start, end = source.span(match.nodes[0])[0], source.span(match.nodes[-1])[1]
    text = source.text.encode()
    for each in sorted(known, key=lambda each: each.start, reverse=True):
        text = text[: each.start] + each.text.encode() + text[each.end :]
    length = end - start + len(text) - len(source.text.encode())
    new = source.indent_of(found.first) + text[start : start + length].decode()
    return known if meaning(after, found.values) == _unparsed(new) else None


def _edit(part: Part, found: Found) -> Edit | None:
    text = found.text(part.text, part.nodes[0])
    source = found.scene.source
    if text is None:
        return None
    return Edit(source.span(part.nodes[0])[0], source.span(part.nodes[-1])[1], text)


def _unparsed(text: str) -> str | None:
    try:
        return unparse(parse_module(textwrap.dedent(text).lstrip()))
    except SyntaxError:
        return None


def _whole(after: str, found: Found) -> list[Edit] | None:
    """All that was found in another text; lines that stand alone go with their statements."""
    source, nodes = found.scene.source, found.nodes
    if not after.strip():
        return [source.removed(found.scene.statement_of(each)) for each in nodes]
    text = found.text(after)
    if text is None:
        return None
    *others, last = nodes
    gone = [source.removed(each) for each in others if isinstance(each, ast.stmt)]
    if all(each.text == "" for each in gone):
        return [*gone, source.replaced(last, text)]
    return [Edit(source.span(nodes[0])[0], source.span(last)[1], text)]


def _uses(pair: Pair, match: Match, questions: Questions, found: Found) -> Edits | None:
    """The changes of every other use of a name; None where one is none of those that are known."""
    scene, name = found.scene, found.values[pair.of or ""]
    spared = {each for node in match.nodes for each in ast.walk(node)}
    edits, imports, done = list[Edit](), frozenset[tuple[str, str]](), set[ast.AST]()
    needed = {how.needed for how in pair.uses if how.needed is not None}
    for each in scene.names(name.id) if isinstance(name, ast.Name) else ():
        if each in spared or not isinstance(each.ctx, ast.Load):
            continue
        use = _use(pair, each, questions, found)
        if use is None:
            return None
        how, known = use
        needed -= {how.needed}
        if known.nodes[0] in done:
            continue
        done.add(known.nodes[0])
        changed = _written(how, Match(known.nodes, known.values, ()), known)
        if changed is None:
            return None
        edits += changed
        imports |= how.imports
    return None if needed else Edits(tuple(edits), imports)


def _use(
    pair: Pair, each: ast.Name, questions: Questions, found: Found
) -> tuple[Pair, Found] | None:
    """The first of the known ways in which a name is used there."""
    scene, around = found.scene, list[ast.AST]([each])
    while not isinstance(around[-1], ast.stmt):
        around.append(scene.parents[around[-1]])
    if isinstance(scene.parents.get(around[-1]), ast.Try):  # an attempt is a way to ask
        around.append(scene.parents[around[-1]])
    for how in pair.uses:
        for node in around:
            known = how.pattern.match((node,), found.values)
            if known is not None and (pair.of, each) in known.spots:
                use = _answered(how, known, questions, scene)
                if use is not None:
                    return how, use
    return None
