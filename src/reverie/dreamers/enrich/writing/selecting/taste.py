"""Checks that tell a reader something, and values that read naturally.

A length, a type, a hash, the first twenty characters: each breaks with many mutants, and nobody
can say why it should be what it is. A field that holds what it was given is Python's doing.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeGuard

from reverie.dreamers.enrich.writing.selecting.candidates import Candidate, Check, Relation
from reverie.dreamers.enrich.writing.selecting.threads import CHANGING
from reverie.dreamers.enrich.writing.subject import QUESTION, SuspectedBug
from reverie.instruments.mutation.matrix import KillMatrix
from reverie.model.call import Scenario, Seen, Step, StepForm
from reverie.model.outcome import counted
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse

_LONGEST = 300
"""Characters of a value that somebody compares by eye."""
_LONGEST_SHOWN = 100
"""Of a `repr` or a `str`, which has no structure to hold on to."""
_READ = re.compile(r"\{\}\.(\w+)")
_SHOWN = re.compile(r"(repr|str|len|hash|list|dict|bool|int|float|sorted|next)\(\{\}\)")
_SHOWING = re.compile(r"(?:repr|str|len|bool)\(")
_BEHIND = {"repr": "__repr__", "str": "__str__", "len": "__len__", "list": "__iter__",
           "bool": "__bool__", "int": "__int__", "float": "__float__"}  # fmt: skip
_ANY = ("Exception", "BaseException")
EMPTY_RESULTS = frozenset({"''", "b''", "[]", "{}", "()", "None", '""', 'b""'})
_NOTHING = EMPTY_RESULTS | {"False", "set()", "frozenset()"}
_HOLLOW = re.compile(r"[\w.]*[A-Z]\w*\((?:''|b''|\[\]|\{\}|\(\))?\)")
"""`Markup('')`: an object that holds nothing."""
_REPR = re.compile(r"""['"]<?[A-Z]\w*\(\w+=""")
_FAULT = re.compile(r"(?:Error|Exception|Warning)$")
_MAPPINGS = frozenset({"dict", "defaultdict", "OrderedDict", "Counter", "ChainMap"})
_PYTHONS = re.compile(r"\b(?:hash|type|id|dir|vars|isinstance|issubclass|callable)\(")
_UNCHECKABLE = re.compile(
    r"[0-9a-fA-F]{16,}|(?=[\w+/=.-]*\d)(?=[\w+/=.-]*[A-Z])[\w+/=.-]{30,}|\d{10,}|\d\.\d{7,}"
    r"|\ufffd"
)
"""Digests, keys and numbers that nobody works out by hand; characters that were lost."""
_MOST_UNREAD, _UNREAD_SHARE = 6, 0.25
"""Of the characters of a text or of bytes: control characters, and bytes that are no letters."""


class Telling:
    """Judges the checks of one module."""

    def __init__(self, tree: ast.Module, taste: "Taste | None" = None) -> None:
        self.taste = taste or AnyTaste()
        self.knows = self.taste.knows
        self.words = frozenset(re.findall(r"\w+", unparse(tree)))
        self.classes = {
            node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
        }

    def tells(self, scenario: Scenario, check: Check) -> bool:
        """Whether a check is worth a reader's time."""
        step, seen = scenario.steps[check.step], scenario.seen[check.step]
        if check.relation is Relation.RAISES:
            return check.match is not None or check.expected.source not in _ANY
        if check.relation is Relation.IS_A or len(check.expected.source) > _LONGEST:
            return False
        before = " ".join(each.line.source for each in scenario.steps[: check.step + 1])
        if self._is_ambiguous(step, seen, check):
            return False
        told = _UNCHECKABLE.findall(check.expected.source)
        if any(each not in before and not self.knows(each) for each in told):
            return False
        if _is_opaque(check.expected.source):
            return False
        if step.form is StepForm.READ and not self._is_own_work(step.callee or ""):
            return False
        if check.expected.source.startswith("re.compile("):
            return False  # how Python shows a pattern changes, and what it matches is not said
        until = scenario.steps[: check.step + 1]
        is_asked = step.form is StepForm.READ or _READ.fullmatch(check.reading) is not None
        if (is_asked or _is_shown(step, check)) and not any(map(_is_given_something, until)):
            return False  # of nothing came nothing: what an untouched object looks like
        if self._is_as_it_began(scenario, check) or self._is_asked_by_nobody(step, seen, check):
            return False
        is_repr = "repr({})" in (check.reading, step.line.source.partition("(")[0] + "({})")
        is_repr = is_repr or _REPR.match(check.expected.source) is not None
        if is_repr and not (step.callee or "").endswith(("__repr__", "__str__")):
            return False  # how an object is shown is another behaviour than what it does
        if check.reading == "{}":
            is_shown = step.line.source.startswith(("repr(", "str("))
            is_long = is_shown and len(check.expected.source) > _LONGEST_SHOWN
            return not is_long and not _is_looking(step) and not self._is_pythons(scenario, step)
        return self._is_telling_part(step, seen.type_name.rpartition(".")[2], check)

    def _is_ambiguous(self, step: Step, seen: Seen, check: Check) -> bool:
        """Whether nobody can tell where the value comes from: a field that is as others are, a
        default that stands in what is looked through as well.
        """
        expected = check.expected.source
        if expected in (*_NOTHING, "True", "0", "1"):
            return False
        if _READ.fullmatch(check.reading):
            same = [reading for reading, value in seen.parts.items() if value.source == expected]
            return len([each for each in same if _READ.fullmatch(each)]) > 1
        match parse_module(step.line.source).body:
            case [ast.Expr(value=ast.Call(args=given, keywords=[*_, ast.keyword(value=last)]))]:
                return _is_default_among(last, given, expected)
            case [ast.Expr(value=ast.Call(args=[*given, last]))] if len(given) > 1:
                return _is_default_among(last, given, expected)
        return False

    def _is_pythons(self, scenario: Scenario, step: Step) -> bool:
        """Whether it shows an object whose class does not say how: Python or a decorator does."""
        match parse_module(step.line.source).body:
            case [ast.Expr(value=ast.Call(func=ast.Name(id=shown), args=[held], keywords=[]))]:
                names = [each.name for each in scenario.steps]
                made = held.func if isinstance(held, ast.Call) else held
                text = unparse(made)
                known = dict(zip(names, scenario.seen, strict=False))
                kind = known[text].type_name.rpartition(".")[2] if text in known else text
                behind = [_BEHIND.get(shown, ""), *(["__repr__"] if shown == "str" else [])]
                is_own = any(self._has(kind, each) for each in behind)
                return kind in self.classes and bool(behind[0]) and not is_own
        return False

    def _is_asked_by_nobody(self, step: Step, seen: Seen, check: Check) -> bool:
        """Whether it looks at a field at which nobody looks who uses such objects."""
        read = _READ.fullmatch(check.reading)
        if read is not None:
            return not self.taste.asks(seen.type_name.rpartition(".")[2], read[1])
        kind, _, name = (step.callee or "").rpartition(".")
        is_field = step.form is StepForm.READ and check.reading == "{}"
        return is_field and not self.taste.asks(kind.rpartition(".")[2], name)

    def _is_as_it_began(self, scenario: Scenario, check: Check) -> bool:
        """Whether a field holds what every object begins with, and no method set it here."""
        step, seen = scenario.steps[check.step], scenario.seen[check.step]
        read = _READ.fullmatch(check.reading)
        if step.form is StepForm.READ and check.reading == "{}":
            kind, _, name = (step.callee or "").rpartition(".")
        elif read is not None:
            kind, name = seen.type_name, read[1]
        else:
            return False
        line = self._line(kind.rpartition(".")[2])
        if check.expected.source not in {each for node in line for each in _beginnings(node, name)}:
            return False
        used = {(each.callee or "").rpartition(".")[2] for each in scenario.steps}
        return not any(
            _is_changed(each, name)
            for node in line
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name in used - {"__init__"}
            for each in ast.walk(method)
        )

    def _is_telling_part(self, step: Step, kind: str, check: Check) -> bool:
        shown = _SHOWN.fullmatch(check.reading)
        if shown is not None:
            is_short = len(check.expected.source) <= _LONGEST_SHOWN
            behind = _BEHIND.get(shown[1], "")
            is_own = self._has(kind, behind)
            if shown[1] in ("list", "sorted") and self._is_mapping(kind):
                return False  # the keys alone
            return is_short and (is_own or shown[1] in ("list", "dict", "sorted"))
        read = _READ.fullmatch(check.reading)
        if read is None:
            return False
        if read[1].startswith("_"):
            return False
        if kind not in self.classes and read[1] not in self.words:
            return False  # a field of another module's class, of which this one knows nothing
        is_same_object = step.form is StepForm.MAKE or step.line.source.isidentifier()
        return (
            not is_same_object or self._is_computed(kind, read[1]) or self._changes(kind, read[1])
        )

    def _is_mapping(self, kind: str) -> bool:
        bases = [unparse(each) for node in self._line(kind) for each in node.bases]
        return kind in _MAPPINGS or any(
            each.partition("[")[0].rpartition(".")[2] in _MAPPINGS for each in bases
        )

    def _is_own_work(self, callee: str) -> bool:
        """Whether what is read is computed, or changes with what is done."""
        owner, _, name = callee.rpartition(".")
        kind = owner.rpartition(".")[2]
        return self._is_computed(kind, name) or self._changes(kind, name)

    def _is_computed(self, kind: str, name: str) -> bool:
        """Whether a class has a property or a method of that name: its own work, not a field."""
        return any(
            isinstance(each, Function) and each.name == name
            for node in self._line(kind)
            for each in node.body
        )

    def _changes(self, kind: str, name: str) -> bool:
        """Whether a method sets a field after the object was made, or changes what it holds."""
        return any(
            _is_changed(each, name)
            for node in self._line(kind)
            for method in node.body
            if isinstance(method, ast.FunctionDef) and method.name not in ("__init__", "__new__")
            for each in ast.walk(method)
        )

    def _has(self, kind: str, method: str) -> bool:
        return bool(method) and self._is_computed(kind, method)

    def _line(self, kind: str) -> list[ast.ClassDef]:
        """A class of the module with its bases there."""
        found: list[ast.ClassDef] = []
        waiting = [kind]
        while waiting and len(found) < 10:
            node = self.classes.get(waiting.pop())
            if node is not None and node not in found:
                found.append(node)
                waiting += [unparse(each).rpartition(".")[2] for each in node.bases]
        return found


def _is_opaque(expected: str) -> bool:
    """Whether it holds so many signs that nobody can read that nobody can check it."""
    try:
        nodes = [each for each in ast.walk(parse_expression(expected))
                 if isinstance(each, ast.Constant)]  # fmt: skip
    except SyntaxError:
        return False
    for each in (node.value for node in nodes if isinstance(node.value, str | bytes)):
        text = each.decode("latin-1") if isinstance(each, bytes) else each
        unread = sum(
            not (sign.isprintable() or sign in "\n\r\t")
            or (isinstance(each, bytes) and not sign.isascii())
            for sign in text
        )
        if unread > _MOST_UNREAD and unread > _UNREAD_SHARE * len(text):
            return True
    return False


def _is_changed(node: ast.AST, name: str) -> bool:
    """`self.items = …`, `self.items[key] = …`, `self.items.append(…)`."""
    match node:
        case ast.Attribute(attr=found, ctx=ast.Store() | ast.Del()):
            return found == name
        case ast.Subscript(value=ast.Attribute(attr=found), ctx=ast.Store() | ast.Del()):
            return found == name
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=found), attr=verb)):
            return found == name and verb in CHANGING
    return False


def _beginnings(node: ast.ClassDef, name: str) -> Iterator[str]:
    """The constants that a class or its `__init__` gives a field."""
    made = [each for each in node.body if isinstance(each, ast.FunctionDef)]
    bodies = [node.body, *(each.body for each in made if each.name == "__init__")]
    for statement in (each for body in bodies for each in body):
        match statement:
            case (
                ast.Assign(targets=[target], value=ast.Constant() as value)
                | ast.AnnAssign(target=target, value=ast.Constant() as value)
            ) if name in (getattr(target, "id", ""), getattr(target, "attr", "")):
                yield unparse(value)


def _is_shown(step: Step, check: Check) -> bool:
    """Whether a check looks at a length, a truth or a text of an object."""
    return (
        _SHOWN.fullmatch(check.reading) is not None or _SHOWING.match(step.line.source) is not None
    )


def _is_given_something(step: Step) -> bool:
    """Whether a line gives anything but nothing: a value, a name that is no class's object."""
    if step.form is StepForm.CHANGE:
        return True
    calls = [
        each
        for each in ast.walk(parse_expression(step.line.source))
        if isinstance(each, ast.Call) and not _SHOWING.match(f"{unparse(each.func)}(")
    ]
    given = [value for each in calls for value in (*each.args, *(k.value for k in each.keywords))]
    return any(
        unparse(each) not in _NOTHING and not isinstance(each, ast.Name | ast.Call)
        for each in given
    )


def is_bland(line: str, expected: str) -> bool:
    """Whether nothing comes of a line, or what went in: no typical use of anything."""
    if expected in _NOTHING or _HOLLOW.fullmatch(expected):
        return True
    try:
        node = parse_expression(line)
    except SyntaxError:
        return False
    if any(_is_made_of_nothing(each, expected) for each in ast.walk(node)):
        return True
    if _is_echo(node, expected):
        return True
    given = [*node.args, *(each.value for each in node.keywords)] if _is_call(node) else []
    shown = [unparse(each) for each in given]
    if not shown:
        return False
    if len(shown) > 1 and len(set(shown)) == 1:
        return True  # one thing and the same: what it is to itself
    back = (shown[0], f"[{shown[0]}]", f"({shown[0]},)", f"{{{shown[0]}}}")
    return expected in back or shown[0] in EMPTY_RESULTS


def _is_default_among(last: ast.expr, given: Sequence[ast.expr], expected: str) -> bool:
    """Whether what is given last comes back, and stands in what is given before as well."""
    held = [part for each in given for part in ast.walk(each) if isinstance(part, ast.Constant)]
    return unparse(last) == expected and expected in map(unparse, held)


def _is_echo(node: ast.expr, expected: str) -> bool:
    """Whether an object gives back what it was made of, or itself: `Tag("a").name`."""
    if _gives_itself(node, expected):
        return True
    asked = node.func if isinstance(node, ast.Call) and not (node.args or node.keywords) else node
    match asked:
        case ast.Attribute(value=ast.Call(func=ast.Name(id=name)) as made) if name[:1].isupper():
            given = (*made.args, *(each.value for each in made.keywords))
            return expected in map(unparse, given)
        case ast.Call(func=ast.Name(id="str"), args=[ast.Call(func=ast.Name(id=name)) as made]):
            return bool(_FAULT.search(name)) and expected in map(unparse, made.args)
    return False


def _gives_itself(node: ast.expr, expected: str) -> bool:
    """Whether what a method gives is the object as it was made: `Tag("a").stripped()`."""
    match node, parse_expression(expected):
        case (
            ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id=name)) as made)),
            ast.Call(func=ast.Name(id=given)) as back,
        ) if name == given:
            parts = [set(map(unparse, (*each.args, *each.keywords))) for each in (made, back)]
            return parts[0] <= parts[1]
    return False


def _is_made_of_nothing(node: ast.AST, expected: str) -> bool:
    """Whether an object that holds nothing is asked, and given nothing to make something of.

    `Markup().center(8)`; but `Levenshtein().distance("kitten", "sitting")` needs to hold nothing.
    """
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Call(func=ast.Name(id=name), args=[], keywords=[]))
        ):
            given = [*node.args, *(each.value for each in node.keywords)]
            is_back = any(expected in unparse(each) for each in given)
            return name[:1].isupper() and (is_back or not any(map(_is_material, given)))
        case ast.BinOp(left=ast.Call(func=ast.Name(id=name), args=[], keywords=[])):
            return name[:1].isupper()
    return False


def _is_material(node: ast.expr) -> bool:
    """Whether there is something in it to work on: a text, a collection, an object."""
    is_number = isinstance(node, ast.Constant) and not isinstance(node.value, str | bytes)
    return not is_number and unparse(node) not in EMPTY_RESULTS


def _is_call(node: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call)


def repeats_itself(scenario: Scenario) -> bool:
    """Whether a line comes to the same twice: the second says nothing new, unless it acts."""
    told = [
        (step.line.source, seen.literal.source)
        for step, seen in zip(scenario.steps, scenario.seen, strict=False)
        if seen.literal is not None
        and seen.literal.source != "None"
        and step.form is not StepForm.CHANGE
        and step.name is None
    ]
    return len(set(told)) < len(told)


def _is_looking(step: Step) -> bool:
    """Whether a line asks for a hash, a type, or the length of what has none of its own."""
    source = step.line.source
    is_counted = source.startswith("len(") and not (step.callee or "").endswith("__len__")
    return is_counted or _PYTHONS.search(source) is not None


_EMPTY_VALUES = frozenset({"''", "b''", "[]", "{}", "()"})
"""Of nothing comes nothing: an edge that people test."""
_WRONG_NUMBER = "-1"
_MOST_QUESTIONS = 3
_LEAST_KILLS = 2
"""Fewer changes that only an odd input shows are no condition that matters."""


class Taste(Protocol):
    """Judges single lines."""

    def oddities(self, step: Step) -> tuple[str, ...]:
        """Values of a step that nobody would write there."""

    def strangeness(self, step: Step) -> float:
        """What its values cost a reader, in lines."""

    def spoilt(self, step: Step) -> tuple[str, ...]:
        """Values of a step that are right but for one thing."""

    def knows(self, text: str) -> bool:
        """Whether somebody has written a text."""

    def asks(self, kind: str, name: str) -> bool:
        """Whether somebody looks at a field of a class."""


class AnyTaste:
    """Takes every line."""

    def oddities(self, step: Step) -> tuple[str, ...]:
        """None."""
        return ()

    def strangeness(self, step: Step) -> float:
        """Nothing."""
        return 0.0

    def spoilt(self, step: Step) -> tuple[str, ...]:
        """None."""
        return ()

    def knows(self, text: str) -> bool:
        """None."""
        return False

    def asks(self, kind: str, name: str) -> bool:
        """Any."""
        return True


def is_natural(candidate: Candidate, taste: Taste) -> bool:
    """Whether every value of a candidate is one that people use.

    Wrong input is right input with one thing wrong. It shows what is refused; what else comes of
    it nobody has meant.
    """
    steps = candidate.scenario.steps
    if any(taste.oddities(step) for step in steps):
        return False
    if any(_WRONG_NUMBER in taste.spoilt(step) for step in steps[:-1]):
        return False  # what took it without a word has not refused it
    spoilt = [text for step in steps for text in taste.spoilt(step)]
    if spoilt and any(gives_nothing(step, spoilt) for step in steps):
        return False  # two things are wrong
    seen = candidate.scenario.seen[-1]
    is_answered = _is_refused(seen) or (
        set(spoilt) <= _EMPTY_VALUES and _literal(seen) in _EMPTY_VALUES
    )
    return not spoilt or (len(spoilt) == 1 and is_answered)


def gives_nothing(step: Step, besides: Sequence[str] = ()) -> bool:
    """Whether a line gives something empty, besides some values."""
    given = [
        unparse(value)
        for each in ast.walk(parse_module(step.line.source))
        if isinstance(each, ast.Call)
        for value in (*each.args, *(more.value for more in each.keywords))
    ]
    return any(each in _EMPTY_VALUES and each not in besides for each in given)


def _is_refused(seen: Seen) -> bool:
    return seen.is_exception or _literal(seen) in ("False", "None")


def _literal(seen: Seen) -> str:
    return "" if seen.literal is None else seen.literal.source


def questions_of(
    candidates: Sequence[Candidate], matrix: KillMatrix, taste: Taste, module: str
) -> list[SuspectedBug]:
    """Of inputs that nobody would write those that show most, for a person to look at."""
    left = matrix.killable
    found: list[SuspectedBug] = []
    while left and len(found) < _MOST_QUESTIONS:
        offers = [
            (len(matrix.kills.get(number, frozenset()) & left), -len(each.scenario.steps), place,
             number)
            for place, each in enumerate(candidates)
            for number in each.numbers
            if number in matrix.steady and each.check(number).relation is not Relation.RAISES
        ]  # fmt: skip
        best = max(offers, default=(0, 0, 0, 0))
        if best[0] < _LEAST_KILLS:
            break
        candidate, number = candidates[best[2]], best[3]
        left -= matrix.kills.get(number, frozenset())
        found.append(_question(candidate, number, best[0], module, taste))
    return found


def _question(
    candidate: Candidate, number: int, kills: int, module: str, taste: Taste
) -> SuspectedBug:
    check = candidate.check(number)
    steps = candidate.scenario.steps[: check.step + 1]
    lines = [f"{each.name} = {each.line.source}" if each.name else each.line.source
             for each in steps]  # fmt: skip
    odd = [text for each in steps for text in taste.oddities(each)]
    return SuspectedBug(
        module=module,
        function=candidate.callee([number]),
        line=None,
        kind=QUESTION,
        input="; ".join(lines),
        expected="a test with this input, or a refusal of it",
        actual=f"{check.relation} {check.expected.source}"[:300],
        why=f"{counted(kills, 'fault')} in it would be noticed by no usual value, only by one "
        f"such as {odd[0] if odd else lines[-1]}",
        repro="\n".join(lines),
    )
