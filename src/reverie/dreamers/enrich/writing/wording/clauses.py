"""Clauses for the name of a test: what a condition asks, and what a docstring says of a result."""

import ast
import re

from reverie.dreamers.enrich.writing.wording.phrases import article, be, joined, words_of
from reverie.syntax.unparsing import unparse

_MOST_WORDS = 11
_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("is_below", "is_at_least"), ast.LtE: ("is_at_most", "is_above"),
    ast.Gt: ("is_above", "is_at_most"), ast.GtE: ("is_at_least", "is_below"),
    ast.Eq: ("is", "is_not"), ast.NotEq: ("is_not", "is"), ast.In: ("is_in", "is_not_in"),
    ast.NotIn: ("is_not_in", "is_in"), ast.Is: ("is", "is_not"), ast.IsNot: ("is_not", "is"),
}  # fmt: skip
_ASKING = re.compile(r"^(is|has|was|can|should)_(?=[a-z])")
_METHODS = {"startswith": "starts_with", "endswith": "ends_with", "isdigit": "is_a_number",
            "isspace": "is_blank", "isalpha": "is_of_letters", "isupper": "is_upper_case",
            "islower": "is_lower_case"}  # fmt: skip


def condition(test: ast.expr, *, holds: bool) -> str | None:
    """A condition as a clause, `late is at most grace days`; None for what is no short sentence."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return condition(test.operand, holds=not holds)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(test, holds=holds)
    if isinstance(test, ast.Call):
        return _asked(test, holds=holds)
    if isinstance(test, ast.Name | ast.Attribute):
        return _flag(test, holds=holds)
    return None


_LENGTHS = {"NotEq": "of_the_wrong_length", "Lt": "that_is_too_short", "Gt": "that_is_too_long"}


def of_length(test: ast.expr, *, holds: bool) -> str | None:
    """`len(row) != size`, of what is given: a row of the wrong length."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not holds:
        return None
    sides = (test.left, test.comparators[0])
    kind = type(test.ops[0]).__name__
    for place, side in enumerate(sides):
        match side:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as held]):
                thing = operand(held)
                if place:
                    kind = {"Lt": "Gt", "Gt": "Lt"}.get(kind, kind)
                told = _LENGTHS.get(kind)
                if kind == "Lt" and unparse(sides[1 - place]) == "1":
                    return None if thing is None else f"an_empty_{thing}"
                return None if told is None or thing is None else f"{article(thing)}{thing}_{told}"
    return None


def _compared(test: ast.Compare, *, holds: bool) -> str | None:
    left, right = operand(test.left), operand(test.comparators[0])
    relation = _COMPARED.get(type(test.ops[0]))
    if left is None or right is None or relation is None or isinstance(test.left, ast.Constant):
        return None
    verb = relation[0 if holds else 1]
    if right == "none":
        return f"{left}_is_none" if verb == "is" else f"{left}_is_given"
    if right == "0" and left.startswith("length_of_") and verb in ("is", "is_not"):
        thing = left.removeprefix("length_of_")
        return f"{thing}_is_empty" if verb == "is" else f"{thing}_is_not_empty"
    if not article(left) and not left.startswith("length_of_"):
        verb = verb.replace("is", "are", 1)
    return f"{left}_{verb}_{right}" if left != right else None


def _asked(test: ast.Call, *, holds: bool) -> str | None:
    if isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2:
        thing, kind = operand(test.args[0]), operand(test.args[1])
        if thing is None or kind is None:
            return None
        return f"{thing}_is_{article(kind)}{kind}" if holds else f"{thing}_is_no_{kind}"
    if isinstance(test.func, ast.Attribute) and test.func.attr in _METHODS:
        thing, verb = operand(test.func.value), _METHODS[test.func.attr]
        given = operand(test.args[0]) if test.args else ""
        if thing is None or given is None or not holds:
            return None
        return "_".join(filter(None, (thing, verb, given)))
    return None


def _flag(test: ast.expr, *, holds: bool) -> str | None:
    name = operand(test)
    if name is None or len(name) < 3:
        return None
    asking = _ASKING.match(name)
    if asking is not None:
        return name[asking.end() :] if holds else f"not_{name[asking.end() :]}"
    return f"there_{be(name)}_{article(name)}{name}" if holds else f"there_{be(name)}_no_{name}"


def operand(node: ast.expr) -> str | None:
    """A side of a comparison in words: names, plain numbers, single words."""
    match node:
        case ast.Name(name):
            return _word(name)
        case ast.Attribute(attr=name):
            return _word(name)
        case ast.Constant(bool() | None as value):
            return str(value).lower()
        case ast.Constant(int(value)) if 0 <= value < 10_000:
            return str(value)
        case ast.Constant(str(value)) if re.fullmatch(r"[A-Za-z]{1,15}", value):
            return value.lower()
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))) if value < 10_000:
            return f"minus_{value}"
        case ast.Call(ast.Name("len"), [inner], []):
            held = operand(inner)
            return None if held is None else f"length_of_{held}"
        case ast.Call(ast.Attribute(attr=name), _, []) if len(name) > 3:
            return _word(name)
        case ast.Subscript(value=inner, slice=ast.Constant(str(key))) if key.isidentifier():
            return _word(key)
    return None


def _word(name: str) -> str | None:
    word = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name).lower().strip("_")
    if name.startswith("__"):
        return None
    return word if len(word) > 1 and re.fullmatch(r"[a-z0-9_]+", word) else None


# -- docstrings ---------------------------------------------------------------------------------

_RESULTS = r"None|True|False|0|1|-1|an? empty \w+|nothing"


def promised(document: str, result: str) -> str | None:
    """`None when nobody waits`, where a docstring says so of this result: when nobody waits."""
    text = _sentences(document)
    wanted = {"''": "an? empty (?:string|text)", "[]": "an? empty list", "{}": "an? empty dict"}
    told = wanted.get(result, re.escape(result))
    if not re.fullmatch(_RESULTS, result) and result not in wanted:
        return None
    found = re.search(rf"\b(?<![\w.-])(?:{told})\b,? (when|if|unless|where) ([^.;:,()]+)", text)
    return None if found is None else _clause(found[1], found[2])


def warned(document: str, exception: str) -> str | None:
    """`KeyError if the name is unknown`, where a docstring says so: if the name is unknown."""
    text = _sentences(document)
    name = re.escape(exception.rpartition(".")[2])
    found = re.search(rf"\b{name}\b[,:]? (?:is raised )?(when|if|unless) ([^.;:,()]+)", text)
    return None if found is None else _clause(found[1], found[2])


def _sentences(document: str) -> str:
    """A docstring on one line: a blank line, a field and an example end a sentence."""
    parted = re.sub(r"\n\s*\n|\n\s*(?=:|>>>|-|\*)", ". ", document.replace("`", ""))
    return " ".join(parted.split())


def _clause(word: str, rest: str) -> str | None:
    words = [each for each in words_of(rest) if each not in ("the", "otherwise", "else")]
    is_plain = all(len(each) > 1 or each in ("a", "0", "1") for each in words)  # no `x`
    return f"{word.lower()}_{joined(words)}" if is_plain and 1 < len(words) <= _MOST_WORDS else None
