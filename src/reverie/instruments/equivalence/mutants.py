"""Mutants of what a change touches, and whether the tried inputs would have noticed them.

They are made by the mutation instrument's own operators. Branches whose condition is a constant
under a name cannot be taken, and are left out. Inputs that notice too few cannot vouch for the
code.
"""

import ast
import codecs
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.instruments.equivalence.inside.probes import reachable
from reverie.instruments.equivalence.laboratory import Laboratory
from reverie.instruments.equivalence.scenario import NOTHING, Scenario, Shown
from reverie.instruments.equivalence.targets import Version
from reverie.instruments.mutation.inside.loading import is_same
from reverie.instruments.mutation.inside.sites import Site, Survey, Text
from reverie.instruments.mutation.mutant_texts import spread_sample
from reverie.model.measurements.equivalence import Adequacy, Survivor
from reverie.syntax.nodes import Function, around_difference, parents_in
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse


def constant_names(tree: ast.Module) -> dict[str, object]:
    """Names that the whole module binds once, to a constant."""
    bound = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    bound.update(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
    return {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and bound[target.id] == 1
    }


def is_dead(condition: str, way: int, constants: dict[str, object]) -> bool:
    """Whether a condition can never come out this way (1: true, 0: false)."""
    try:
        node = parse_expression(condition)
    except SyntaxError:
        return False  # a loop, a case or a handler
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_dead(unparse(node.operand), 1 - way, constants)
    if isinstance(node, ast.Name) and node.id in constants:
        return bool(constants[node.id]) != bool(way)
    return isinstance(node, ast.Constant) and bool(node.value) != bool(way)


MARK = "_rv_mark"
_FEW = 12
"""With fewer mutants of changed statements, those of the whole changed functions are taken."""
_SHOWN = 80
_BINDING = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
"""What cannot be evaluated a second time in a function of its own."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes of a source that go, and what comes in their place."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to a version: a statement of its module, written otherwise."""

    operator: str
    line: int
    shown: str
    """What stands there, and what stands there instead."""
    top: int
    text: str
    """The whole statement of the module, changed."""
    marked: str | None
    """The statement as it was, with a mark where the change would make a difference."""
    is_shared: bool = False
    """The other version computes the same there: whoever survives it says nothing of the change."""
    unit: str | None = None
    """The outermost function around it; None outside of any."""
    edit: Edit | None = None
    """The change, as bytes of the source."""
    mark: Edit | None = None
    """The mark, as bytes of the source."""
    lines: tuple[int, int] = (0, 0)
    """First and last line of its statement; of a compound one, of its head."""
    is_other: bool = False
    """It is the other version: no mutant to be noticed, but the very change."""

    @property
    def name(self) -> str:
        """The same for the same change of the same code."""
        return f"{self.line} {self.operator} {self.shown}"


def mutants_of(version: Version, other: Version) -> list[Mutant]:
    """Mutants of the code that only this version has, as far as its callable reaches it."""
    return mutants_reached(version, other, reachable(version.tree, version.qualname))


def mutants_reached(version: Version, other: Version, owners: set[str]) -> list[Mutant]:
    """Mutants of the code that only this version has, as far as some functions hold it."""
    survey = Survey(version.source.encode())
    writer = _Writer(survey, version.source, _expressions(other, changed_functions(other, version)))
    writer.hold_beside(other.tree)
    known = _heads(other)
    changed = _changed_scopes(version, other)
    sites = [each for each in survey.sites if _counts(each, owners) and writer.may_show(each)]
    near = [each for each in sites if writer.head(each.lines) not in known]
    if len(near) < _FEW:
        near = [
            each for each in sites if each.scope in changed or writer.head(each.lines) not in known
        ]
    made = dict.fromkeys(found for each in near if (found := writer.mutant(each)) is not None)
    return [each for each in made if not each.is_other]


def changes_between(version: Version, other: Version) -> list[Mutant]:
    """Mutants of this version that are the other one: what is to be decided by inputs.

    An input that makes no difference to such a place has said nothing of the change.
    """
    owners = reachable(version.tree, version.qualname)
    survey = Survey(version.source.encode())
    writer = _Writer(survey, version.source)
    writer.hold_beside(other.tree)
    sites = (each for each in survey.sites if writer.may_be_other(each))
    made = (
        writer.mutant(each) for each in sites if _counts(each, owners) and writer.may_show(each)
    )
    return [each for each in made if each is not None and each.is_other]


def _counts(site: Site, owners: set[str]) -> bool:
    is_decorator = site.slot == "decorator_list" or site.operator == "drop_decorator"
    return not is_decorator and (site.scope in owners or site.scope == "<module>")


class _Writer:
    """Writes the mutants of one source."""

    def __init__(self, survey: Survey, source: str, known: frozenset[str] = frozenset()) -> None:
        self.known = known
        """Expressions that stand in the changed code of the other version."""
        self._others: set[str] = set()
        """Statements of the other version: a mutant that is one of them is what is compared."""
        self._meeting: set[int] = set()
        """The only nodes whose change can make a statement one of them."""
        self.data = source.encode()
        self.text = Text(self.data)
        self.tree = survey.tree
        self.lines = source.split("\n")
        self.parents = parents_in(survey.tree)
        self.silent = {
            *_silent(survey.tree),
            *_unreachable(survey.tree),
            *_rebound(survey.tree),
        }
        self._codes: dict[int, Any] = {}

    def hold_beside(self, other: ast.Module) -> None:
        """Know the statements that only another version has."""
        own = {ast.dump(each): each for each in self.tree.body}
        others = {ast.dump(each): each for each in other.body}
        self._others = others.keys() - own.keys()
        self._meeting = {
            id(each)
            for said in own.keys() - others.keys()
            for theirs in self._others
            for each in around_difference(own[said], others[theirs])
        }

    def head(self, lines: tuple[int, int]) -> str:
        """The text of a statement, or of a compound one's head."""
        return " ".join(each.strip() for each in self.lines[lines[0] - 1 : lines[1]])

    def may_show(self, site: Site) -> bool:
        """Whether it could change anything that is compared: the words of an error are not."""
        if id(site.node) in self.silent:
            return False
        before, after = site.node, site.replacement
        if isinstance(before, ast.Constant) and isinstance(after, ast.Constant):
            return not _are_one_codec(before.value, after.value)
        return True

    def mutant(self, site: Site) -> Mutant | None:
        """The change as text; None when Python cannot write it or it compiles to the same."""
        written = self.text.replacing(site)
        if written is None:
            return None
        start, end = self.text.span(site.node)
        changed = self._statement(site.top, start, end, written)
        if changed is None or not self._differs(site.top, changed):
            return None
        was = self.text.of(site.node)
        shown = f"{' '.join(was.split())[:_SHOWN]} -> {' '.join(written.split())[:_SHOWN]}"
        mark = self._mark(site, start, end, written)
        is_other = self.may_be_other(site) and self._is_other(changed)
        if is_other and mark is None:
            return None
        return Mutant(
            site.operator,
            self.data[:start].count(b"\n") + 1,
            shown,
            site.top,
            changed,
            None if mark is None else self._statement(site.top, mark.start, mark.end, mark.text),
            self._is_shared(site.node),
            None if site.unit is None else site.unit.qualname,
            Edit(start, end, written),
            mark,
            site.lines,
            is_other,
        )

    def may_be_other(self, site: Site) -> bool:
        """Whether all that the other version has otherwise lies where the change is made."""
        return id(site.node) in self._meeting

    def _is_other(self, changed: str) -> bool:
        return ast.dump(parse_module(changed).body[0]) in self._others

    def _is_shared(self, node: ast.AST) -> bool:
        """Whether it is part of an expression that the other version computes as well."""
        if not isinstance(node, ast.expr):
            return False
        around: ast.AST = node
        while isinstance(around, ast.expr):
            if unparse(around) in self.known:
                return True
            around = self.parents[around]
        return False

    def _statement(self, top: int, start: int, end: int, written: str) -> str | None:
        """A statement of the module with other bytes in one place."""
        node = self.tree.body[top]
        begin, finish = self.text.span(node)
        for each in getattr(node, "decorator_list", ()):
            begin = min(begin, self.text.starts[each.lineno - 1])
        if not begin <= start <= end <= finish:
            return None
        return (self.data[begin:start] + written.encode() + self.data[end:finish]).decode()

    def _differs(self, top: int, changed: str) -> bool:
        if top not in self._codes:
            first = self.text.span(self.tree.body[top])[0]
            whole = self._statement(top, first, first, "")
            self._codes[top] = compile(whole or "", "", "exec", dont_inherit=True)
        try:
            return not is_same(self._codes[top], compile(changed, "", "exec", dont_inherit=True))
        except (SyntaxError, ValueError):
            return False

    def _mark(self, site: Site, start: int, end: int, written: str) -> Edit | None:
        """The original, telling when the change would make the statement's value another."""
        node = site.node
        if isinstance(node, ast.stmt):
            is_plain = not isinstance(node, ast.Match)
            return Edit(start, start, f"{MARK}(); ") if is_plain else None
        outer = self._outermost(node)
        first, last = self.text.span(outer)
        was = self.data[first:last].decode()
        changed = (self.data[first:start] + written.encode() + self.data[end:last]).decode()
        is_for_effect = isinstance(self.parents[outer], ast.Expr)
        if is_for_effect or any(isinstance(each, _BINDING) for each in ast.walk(outer)):
            marked = f"({MARK}(), ({was}))[1]"
        else:
            marked = f"{MARK}(lambda: ({was}), lambda: ({changed}))"
        return Edit(first, last, marked)

    def _outermost(self, node: ast.AST) -> ast.AST:
        """The largest expression around it that is read, not written to; a comparison decides."""
        found = node
        while not isinstance(found, ast.Compare):
            node = self.parents[node]
            if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case | ast.arguments):
                break
            is_written = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
            is_spread = isinstance(node, ast.Starred | ast.Slice)
            if isinstance(node, ast.expr) and not is_written and not is_spread:
                found = node
        return found


def _rebound(tree: ast.Module) -> Iterator[int]:
    """Nodes of a module's assignments to names that its functions bind anew."""
    names = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id in names for each in node.targets
        ):
            yield from map(id, ast.walk(node))


def _unreachable(tree: ast.Module) -> Iterator[int]:
    """Nodes in branches whose condition is a constant that excludes them."""
    constants = constant_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While):
            condition = unparse(node.test)
            for way, block in ((1, node.body), (0, node.orelse)):
                if is_dead(condition, way, constants):
                    yield from (id(inner) for each in block for inner in ast.walk(each))


def _silent(tree: ast.Module) -> Iterator[int]:
    """Nodes that only make the words of an error."""
    for node in ast.walk(tree):
        said: list[ast.AST] = []
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            said = [node.exc, *node.exc.args, *node.exc.keywords]
        elif isinstance(node, ast.Assert) and node.msg is not None:
            said = [node.msg]
        for each in said:
            yield from map(id, ast.walk(each))


def _are_one_codec(before: object, after: object) -> bool:
    """Whether both texts name one encoding: its name is written in many ways."""
    try:
        return codecs.lookup(str(before)).name == codecs.lookup(str(after)).name
    except (LookupError, ValueError):
        return False


def _heads(version: Version) -> set[str]:
    """The statements of a version, each as its text; of compound ones the heads."""
    survey = Survey(version.source.encode())
    writer = _Writer(survey, version.source)
    return {writer.head(each.lines) for each in survey.sites}


def changed_functions(version: Version, other: Version) -> set[str]:
    """Functions of a version that the other does not have, or not so."""
    known = dict(_functions(other.tree, ""))
    return {name for name, text in _functions(version.tree, "") if known.get(name) != text}


def _changed_scopes(version: Version, other: Version) -> set[str]:
    """Functions that are not so in the other version, and classes whose own statements are not."""
    theirs = dict(_nodes(other.tree, ""))
    classes = {
        name
        for name, node in _nodes(version.tree, "")
        if isinstance(node, ast.ClassDef)
        and _own_statements(node) == _own_statements(theirs.get(name))
    }
    return changed_functions(version, other) - classes


def _own_statements(node: ast.AST | None) -> list[str]:
    body = node.body if isinstance(node, ast.ClassDef) else []
    return [unparse(e) for e in body if not isinstance(e, Function | ast.ClassDef)]


def _expressions(version: Version, functions: set[str]) -> frozenset[str]:
    """What some functions of a version compute of what they are given, each as its text."""
    return frozenset(
        unparse(each)
        for name, node in _nodes(version.tree, "")
        if name in functions and not isinstance(node, ast.ClassDef)
        for each in ast.walk(node)
        if isinstance(each, ast.expr) and _computes(each)
    )


def _computes(node: ast.expr) -> bool:
    """Whether it is made of more than names and constants, and of a value that can vary."""
    called = {id(each.func) for each in ast.walk(node) if isinstance(each, ast.Call)}
    is_more = not isinstance(node, ast.Name | ast.Constant | ast.Attribute)
    return is_more and any(
        isinstance(each, ast.Name) and id(each) not in called for each in ast.walk(node)
    )


def _functions(node: ast.AST, around: str) -> Iterator[tuple[str, str]]:
    yield from ((name, unparse(each)) for name, each in _nodes(node, around))


def _nodes(node: ast.AST, around: str) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            name = f"{around}{child.name}"
            yield name, child
            yield from _nodes(child, f"{name}.")
        else:
            yield from _nodes(child, around)


_MOST_MUTANTS = 60
"""Of each version; which ones, the seed decides."""
_FIRST_SCENARIOS = 160
_AT_ONCE = 400
_MOST_FURTHER = 800
_MOST_LARGE = 12
_IDLE = 5
"""Scenarios in which a mutant has to make a difference of its own that nothing comes of."""
_MOST_SHOWN = 10


@dataclass(slots=True)
class _Side:
    """One version, and which of its mutants nobody has noticed so far."""

    name: str
    version: Version
    mutants: list[Mutant]
    alive: list[Mutant]
    changes: list[Mutant]
    """Mutants that are the other version."""
    reached: dict[Mutant, int] = field(default_factory=dict)
    """In how many scenarios a survivor made a difference to its own statement."""

    @property
    def unseen(self) -> list[Mutant]:
        """Survivors whose change no input has made a difference of."""
        return [each for each in self.alive if self.reached.get(each, 0) < _IDLE]


class Weighing:
    """Mutants of both versions, held against more and more scenarios."""

    def __init__(self, laboratory: Laboratory, seed: int, shown: Shown = NOTHING) -> None:
        self.laboratory = laboratory
        self.chance = random.Random(f"adequacy {seed}")
        old, new = laboratory.facts.versions
        self._sides = [_side("old", old, new, seed), _side("new", new, old, seed)]
        for side, noticed, idle in zip(self._sides, shown.noticed, shown.idle, strict=True):
            side.alive = [each for each in side.alive if each.name not in noticed]
            side.reached = {each: _IDLE for each in side.alive if each.name in idle}

    def weigh(self, corpus: Sequence[Scenario], tried: Sequence[Scenario]) -> Adequacy:
        """With the calls that brought news first, then with the rest for those who survive."""
        known = set(corpus)
        rest = [each for each in tried if each not in known]
        self.chance.shuffle(rest)
        large = [each for each in rest if _is_large(each)][:_MOST_LARGE]
        rest = [each for each in rest if not _is_large(each)]
        first = [*corpus, *rest[: max(0, _FIRST_SCENARIOS - len(corpus))], *large]
        rest = rest[max(0, _FIRST_SCENARIOS - len(corpus)) :]
        self.hold_against(first)
        for start in range(0, min(len(rest), _MOST_FURTHER), _AT_ONCE):
            if not any(each.unseen or (not start and each.alive) for each in self._sides):
                break
            self.hold_against(rest[start : start + _AT_ONCE])
        return self.found()

    def hold_against(self, scenarios: Sequence[Scenario]) -> None:
        """Survivors meet further scenarios."""
        for side in self._sides:
            if side.alive:
                self._notice(side, scenarios)
            untried = (each for each in side.changes if not side.reached.get(each))
            marked = [each for each in (*side.unseen, *untried) if each.marked is not None]
            if marked:
                self._mark(side, marked, scenarios)

    def found(self) -> Adequacy:
        """As things stand."""
        alive = sum(len(each.alive) for each in self._sides)
        total = sum(len(each.mutants) for each in self._sides)
        unseen = [(side.name, each) for side in self._sides for each in side.unseen]
        shared = sum(each.is_shared for _, each in unseen)
        unseen = [each for each in unseen if not each[1].is_shared]
        total, alive = total - shared, alive - shared
        return Adequacy(
            mutants=total,
            noticed=total - alive,
            idle=alive - len(unseen),
            survivors=tuple(
                Survivor(name, each.line, each.operator, each.shown)
                for name, each in unseen[:_MOST_SHOWN]
            ),
            untried=self._untried(),
        )

    def _untried(self) -> Survivor | None:
        """The change itself, where it is a mutant and no input made a difference to its place."""
        changes = [(side, each) for side in self._sides for each in side.changes]
        if not changes or any(side.reached.get(each) for side, each in changes):
            return None
        side, change = changes[0]
        return Survivor(side.name, change.line, change.operator, change.shown)

    def _notice(self, side: _Side, scenarios: Sequence[Scenario]) -> None:
        orders = [(each.top, each.text, False) for each in side.alive]
        answers = self.laboratory.notice(side.version, orders, scenarios)
        side.alive = [
            each for each, answer in zip(side.alive, answers, strict=True) if answer is None
        ]

    def _mark(self, side: _Side, mutants: list[Mutant], scenarios: Sequence[Scenario]) -> None:
        orders = [(each.top, each.marked or "", True) for each in mutants]
        answers = self.laboratory.notice(side.version, orders, scenarios)
        for each, answer in zip(mutants, answers, strict=True):
            side.reached[each] = side.reached.get(each, 0) + (answer or 0)


def _side(name: str, version: Version, other: Version, seed: int) -> _Side:
    made = spread_sample(
        mutants_of(version, other), _MOST_MUTANTS, lambda each: f"{seed} {each.name}"
    )
    return _Side(name, version, made, made, changes_between(version, other))


def _is_large(scenario: Scenario) -> bool:
    return any(step.is_large for step in scenario.steps)
