"""What sets a test apart from the others of its function, in words for its name."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reverie.dreamers.enrich.writing.entries import Entry
from reverie.dreamers.enrich.writing.invariants import law_name
from reverie.dreamers.enrich.writing.naming import quality_of, raising, snake
from reverie.dreamers.enrich.writing.phrases import article, promised, warned
from reverie.dreamers.enrich.writing.reasons import Reasons
from reverie.dreamers.enrich.writing.shapes import Parameters

_ADJECTIVE = re.compile(r"(ed|able|ible|ing|ive|al|ic|en|less|ful|ous|open|late|empty|valid)$")
_WORDS = {"''": "empty", "[]": "empty", "{}": "empty", "-1": "minus_1"}
_OBJECTIONS = {
    "KeyError": "for_an_unknown_key", "IndexError": "beyond_the_end",
    "ZeroDivisionError": "when_dividing_by_zero", "StopIteration": "when_nothing_is_left",
    "UnicodeDecodeError": "for_bytes_that_are_no_text",
    "RecursionError": "when_nested_too_deeply",
}  # fmt: skip
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
        told += [*self._ways(entries, others), *_values(first), *_result(first)]
        return list(dict.fromkeys(told))

    def _refusal(self, entries: Sequence[Entry]) -> Iterator[str]:
        """The message's own words, where all say the same; then what was done before."""
        phrases = {self._phrase(entry) for entry in entries}
        first = entries[0]
        plain = raising(first.exception or "")
        phrase = phrases.pop() if len(phrases) == 1 else "refuses"
        chosen = phrase or plain
        edges = _values(first, "on") if len(entries) == 1 else ()
        usual = [each for each in edges if not each.endswith("_of_one")]
        more = (self._flags(entries), _after(first), *usual)
        longer = [f"{chosen}_{each}" for each in more if each]
        if phrase is not None:
            yield chosen
        if phrase == "refuses":
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
        return found

    def _by_python(self, entry: Entry) -> str | None:
        """What Python itself objects to, where it always objects to the same."""
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
            values = {ast.unparse(each[name]): each[name] for each in given}
            told.append(_flag(name, next(iter(values.values())) if len(values) == 1 else None))
        return _together(told)

    def _promise(self, entry: Entry) -> Iterator[str]:
        """`is_none_when_nobody_waits`, as the docstring says it."""
        expected = entry.expected
        if isinstance(expected, ast.Constant | ast.List | ast.Dict | ast.UnaryOp):
            source = ast.unparse(expected)
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
        if after:
            yield after
        is_method = first.callee.rpartition(".")[2][:1].islower()
        if first.is_story and is_method and len(first.own_calls) > 1:
            yield "several_times"


def _after(entry: Entry) -> str:
    earlier = entry.earlier if entry.is_story else []
    return f"after_{'_and_'.join(earlier[-2:])}" if earlier else ""


def _flag(name: str, value: ast.expr | None) -> str:
    """`is_reserved=True`: when reserved. `strict=False`: without strict. `mode="left"`: …"""
    plain = snake(name)
    asking = _ASKING.match(plain)
    word = plain[asking.end() :] if asking is not None else plain
    constant = value.value if isinstance(value, ast.Constant) else ...
    if asking is not None and asking[1] != "has" and isinstance(constant, bool):
        if _ADJECTIVE.search(word):
            return f"when_{word}" if constant else f"when_not_{word}"
        return f"for_{article(word)}{word}" if constant else f"for_no_{word}"
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


def _is_denied(entry: Entry) -> bool:
    last = entry.body[-1]
    test = last.test if isinstance(last, ast.Assert) else None
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _values(entry: Entry, word: str = "of") -> Iterator[str]:
    """A value that is an edge by itself: empty, zero, negative, none."""
    for each in entry.arguments[:3]:
        quality = quality_of(each)
        if quality:
            yield f"{word}_{quality}"


def _result(entry: Entry) -> Iterator[str]:
    expected = entry.expected
    if isinstance(expected, ast.Constant) and expected.value in (None, True, False):
        yield f"is_{str(expected.value).lower()}"
    elif _is_denied(entry):
        yield "is_false"
    elif expected is not None and ast.unparse(expected) in ("[]", "{}", "''", "()"):
        yield "is_empty"
