"""Words that set a test apart: why it is refused, its flags, its conditions, what the docs say."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.writing.wording.clauses import promised, warned
from reverie.dreamers.enrich.writing.wording.entries import Entry
from reverie.dreamers.enrich.writing.wording.invariants import law_name
from reverie.dreamers.enrich.writing.wording.naming import raising, snake
from reverie.dreamers.enrich.writing.wording.phrases import article, is_begun, refusal
from reverie.dreamers.enrich.writing.wording.reasons import Reasons, by_class
from reverie.dreamers.enrich.writing.wording.sentences import is_sentence
from reverie.dreamers.enrich.writing.wording.tables import Parameters
from reverie.syntax.unparsing import unparse

_ADJECTIVE = re.compile(r"(ed|able|ible|ing|ive|al|ic|en|less|ful|ous|open|late|empty|valid)$")
_WORDS = {"''": "empty", "[]": "empty", "{}": "empty", "-1": "minus_1"}
_OBJECTIONS = {
    "KeyError": "for_an_unknown_key", "IndexError": "beyond_the_end",
    "ZeroDivisionError": "when_dividing_by_zero", "StopIteration": "when_nothing_is_left",
    "UnicodeDecodeError": "for_bytes_that_are_no_text",
    "RecursionError": "when_nested_too_deeply",
}  # fmt: skip
_OPTIONS = re.compile(r"option|config|setting|kwargs|flags|param")
_VAGUE = re.compile(r"^refuses_(?:what_is_|when_)|^refuses_an?_(?:invalid|wrong|bad)_")
"""Says less than what is wrong in the input, where that is nothing or a number."""
_ASKING = re.compile(r"^(is|has|was)_(?=[a-z])")


@dataclass(frozen=True, slots=True)
class Qualities:
    """Words from the source of a module: messages, flags, conditions, docstrings."""

    parameters: Parameters
    reasons: Reasons

    def of(
        self, entries: Sequence[Entry], others: Sequence[Sequence[Entry]], *, is_first: bool
    ) -> list[str]:
        """Ends of a name, the best first; the empty one is the function's name alone."""
        return [each for each in self._ends(entries, others, is_first) if is_sentence(each)]

    def _ends(
        self, entries: Sequence[Entry], others: Sequence[Sequence[Entry]], is_first: bool
    ) -> list[str]:
        first = entries[0]
        if first.exception is not None:
            return list(dict.fromkeys(self._refusal(entries)))
        law = law_name(first.body[0]) if first.is_example else ""
        if law:
            return [law]
        flags, part = self._flags(entries), _part(first)
        told = [each for each in (flags, part, f"{flags}_{part}" if flags and part else "") if each]
        if len(entries) == 1 and not first.is_story:
            told += self._promise(first)
        if is_first:
            return list(dict.fromkeys([*told, "", *self._ways(entries, others)]))
        told += [*self._ways(entries, others), ""] if not first.is_story else [""]
        told += self._ways(entries, others)
        return list(dict.fromkeys(told))

    def _refusal(self, entries: Sequence[Entry]) -> Iterator[str]:
        """The message's own words, where all say the same; then what was done before."""
        phrases = {self._phrase(entry) for entry in entries}
        first = entries[0]
        plain = raising(first.exception or "")
        is_of_several = len(phrases) > 1
        phrase = None if is_of_several else phrases.pop()
        if phrase is None and len(entries) > 1 and all(entry.match for entry in entries):
            is_of_several = True
        if is_of_several:  # the table has the messages
            phrase = self._of_several(entries)
        chosen = phrase or plain
        more = (self._flags(entries), _after(first))
        longer = [f"{chosen}_{each}" for each in more if each]
        if phrase is not None:
            yield chosen
        if is_of_several:
            yield f"refuses_with_{plain.removeprefix('raises_')}"
        yield from longer
        yield chosen

    def _phrase(self, entry: Entry) -> str | None:
        found = None
        if entry.raised_at is not None:
            found = self.reasons.refusals.get(entry.raised_at)
        if found is None:
            clause = warned(self.reasons.document(entry.callee), entry.exception or "")
            clause = clause or self._by_python(entry)
            found = None if clause is None else f"{raising(entry.exception or '')}_{clause}"
        several = (found, _said(entry), by_class(entry.exception or ""), self._by_input(entry))
        told = next((each for each in several if each and is_sentence(each)), None)
        if told is not None and _VAGUE.search(told) and several[-1] is not None:
            return several[-1]
        return told

    def _by_input(self, entry: Entry) -> str | None:
        """What is wrong with what was given, where that is one thing: refuses an empty title."""
        found = [told for name, value in self._given(entry) if (told := _wrong(name, value))]
        return f"refuses_{found[0]}" if len(found) == 1 else None

    def _of_several(self, entries: Sequence[Entry]) -> str:
        """What is refused for different reasons: refuses a wrong date, where all else is alike."""
        given = [{name: unparse(each) for name, each in self._given(one)} for one in entries]
        unlike = [name for name in given[0] if len({each.get(name) for each in given}) > 1]
        word = snake(unlike[0]) if len(unlike) == 1 else ""
        if len(word) < _LEAST_NAME:
            return "refuses_wrong_arguments"
        return f"refuses_{'a_' if article(word) else ''}wrong_{word}"

    def _given(self, entry: Entry) -> list[tuple[str, ast.expr]]:
        """What the last call of the callee is given, by the names of its parameters."""
        if not entry.own_calls:
            return []
        call, name_of = entry.own_calls[-1], self.parameters.name_of
        given = [(name_of(call, at) or "", each) for at, each in enumerate(call.args)]
        return [*given, *((each.arg or "", each.value) for each in call.keywords)]

    def _by_python(self, entry: Entry) -> str | None:
        """What Python itself objects to, where it always objects to the same."""
        if entry.raised_at in self.reasons.raising or not entry.arguments:
            return None  # the module objects, and does not say to what; or nothing was given
        name = (entry.exception or "").rpartition(".")[2]
        if name == "ValueError" and entry.raised_at in self.reasons.converting:
            return "for_what_is_no_number"
        return _OBJECTIONS.get(name)

    def _flags(self, entries: Sequence[Entry]) -> str:
        """What all of them are given by name: `when_reserved`, `with_format_and_strict`."""
        given = [entry.flags(self.parameters) for entry in entries]
        common = [name for name in given[0] if all(name in each for each in given)]
        told = []
        for name in common[:2]:
            values = {unparse(each[name]): each[name] for each in given}
            told.append(_flag(name, next(iter(values.values())) if len(values) == 1 else None))
        return _together(told)

    def _promise(self, entry: Entry) -> Iterator[str]:
        """`is_none_when_nobody_waits`, as the docstring says it."""
        expected = entry.expected
        if isinstance(expected, ast.Constant | ast.List | ast.Dict | ast.UnaryOp):
            source = unparse(expected)
            clause = promised(self.reasons.document(entry.callee), source)
            word = _WORDS.get(source, source)
            if clause is not None:
                yield f"is_{word.lower()}_{clause}"

    def _ways(self, entries: Sequence[Entry], others: Sequence[Sequence[Entry]]) -> Iterator[str]:
        """A condition that all of them meet and no other does; what was done before."""
        first = entries[0]
        if all(len(entry.own_calls) == 1 for entry in entries):
            mine = [self.reasons.met(entry.callee, entry.arcs) for entry in entries]
            met = frozenset.intersection(*mine)
            for some in others:
                for entry in some:
                    met -= self.reasons.met(entry.callee, entry.arcs)
            for clause in sorted(met, key=lambda each: (each.count("_"), each))[:1]:
                yield f"when_{clause}"
        after = _after(first)
        if after and all(_after(some[0]) != after for some in others):
            yield after


def _said(entry: Entry) -> str | None:
    """What the message itself says, where it repeats nothing of the input."""
    said = re.sub(r"\\(.)", r"\1", entry.match.strip("^$"))
    own = (each for call in _made(entry) for each in call.args)
    shown = [each.value for each in map(_constant, (*entry.arguments, *own)) if each is not None]
    is_filled = any(repr(each) in said or (str(each) and str(each) in said) for each in shown)
    is_torn = not entry.match.startswith("^") and not is_begun(said)
    if not said or is_filled or is_torn:
        return None
    return refusal(said)


_EMPTY = {"''": "text", "b''": "value", "[]": "list", "()": "tuple", "{}": "dict"}
_LEAST_NAME = 3


def _wrong(name: str, value: ast.expr) -> str | None:
    """`an_empty_title`, `a_negative_width`, `a_width_of_0`; None for what may be right."""
    shown, word = unparse(value), snake(name)
    if shown in _EMPTY:
        word = word if len(word) >= _LEAST_NAME else _EMPTY[shown]
        return f"an_empty_{word}"
    if len(word) < _LEAST_NAME:
        return None
    match value:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return f"{article('negative')}negative_{word}"
        case ast.Constant(value=int(number)) if number == 0 and not isinstance(number, bool):
            return f"{article(word)}{word}_of_0"
    return None


def _made(entry: Entry) -> Iterator[ast.Call]:
    """The objects that the lines of an entry make: a message may show them."""
    for statement in entry.body:
        for each in ast.walk(statement):
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name):
                yield each


def _constant(node: ast.expr) -> ast.Constant | None:
    return node if isinstance(node, ast.Constant) else None


def _after(entry: Entry) -> str:
    earlier = entry.earlier if entry.is_story else []
    return f"after_{'_and_'.join(earlier[-2:])}" if earlier else ""


def _flag(name: str, value: ast.expr | None) -> str:
    """`is_reserved=True`: when reserved. `strict=False`: without strict. `mode="left"`: …"""
    match value:
        case ast.Dict(keys=[ast.Constant(str(key))], values=[ast.Constant() as held]):
            if key.isidentifier() and _OPTIONS.search(
                name
            ):  # `options={"strict": False}`: without strict
                return _flag(key, held)
    plain = snake(name)
    asking = _ASKING.match(plain)
    word = plain[asking.end() :] if asking is not None else plain
    constant = value.value if isinstance(value, ast.Constant) else ...
    if asking is not None and asking[1] != "has" and isinstance(constant, bool):
        if _ADJECTIVE.search(word):
            return f"when_{word}" if constant else f"when_not_{word}"
        return f"for_{article(word)}{word}" if constant else f"when_not_{word}"
    if constant is False or constant is None:
        return f"without_{word}"
    if isinstance(constant, str) and re.fullmatch(r"[A-Za-z]{2,12}", constant):
        return f"with_{word}_{constant.lower()}"
    return f"with_{word}"


def _together(told: Sequence[str]) -> str:
    """`with_a` and `with_b`: `with_a_and_b`."""
    if len(told) == 2 and told[0].partition("_")[0] == told[1].partition("_")[0]:
        return f"{told[0]}_and_{told[1].partition('_')[2]}"
    return "_".join(told)


def _part(entry: Entry) -> str:
    """`length`, `base_version`: unless the function is called so."""
    part, name = entry.part, entry.callee.rpartition(".")[2]
    if name == part or (part == "item" and name == "__getitem__"):
        return ""
    return {"__len__": "length", "__repr__": "repr", "__hash__": "hash"}.get(part, snake(part))
