"""Types concluded from traces: annotations as source, with their records and protocols.

Docstrings state types, too, in the numpy, Google and Sphinx manners.
"""

import keyword
import re
from dataclasses import dataclass, field

from reverie.inputs.evidence.trace import Trace
from reverie.inputs.literals import type_for

_DEEPEST = 4
_TEXTUAL = ("str", "bytes", "path", "json")
_KINDS = {"number": "float", "sized": "list", "sequence": "list", "container": "list",
          "path": "str", "json": "str", "range": "range", "complex": "complex"}  # fmt: skip
_COMPANY = ("str", "int", "float", "bytes", "number")
_HOLDERS = ("list", "tuple", "set", "dict", "sequence", "container", "sized", "deque",
            "collections.deque", "List", "Sequence", "Iterable", "AsyncIterator")  # fmt: skip


@dataclass
class Conclusions:
    """Types concluded so far; `classes` is the source of those that had to be invented."""

    classes: list[str] = field(default_factory=list)

    def annotation(self, trace: Trace, name: str, depth: int = 0) -> str:
        """The most likely type of what left this trace."""
        if depth > _DEEPEST:
            return "int"
        kind = _winner(trace)
        if trace.fields and kind in ("", "dict", "sequence", "container", "str"):
            return self._record(trace, name, depth)
        if kind == "callable" or trace.arity is not None:
            return self._callable(trace, depth)
        if depth and trace.constants and kind in ("str", "int"):
            return _one_of(trace, kind)
        if kind and kind not in _HOLDERS:
            return _number(trace, name) if kind == "number" else _KINDS.get(kind, kind)
        if kind == "dict":
            key = self.annotation(trace.key, "key", depth + 1)
            return f"dict[{key}, {self._item(trace, name, depth)}]"
        if trace.parts:
            return self._tuple(trace, depth)
        if trace.attributes or trace.methods:
            return self._protocol(trace, name, depth)
        held = self._held(trace, kind, name, depth)
        return held or self._by_company(trace, name, depth)

    def _held(self, trace: Trace, kind: str, name: str, depth: int) -> str | None:
        """Something with items: what kind of thing is told by how they are reached."""
        if not (kind or trace.has_element or trace.is_sized or trace.is_iterated):
            return None
        named = type_for(name) if depth == 0 else None
        if named is not None and kind in ("", "sized", "sequence", "container"):
            is_plain = trace.has_element is False or not says_something(trace.element)
            if is_plain and ("[" in named or named in _TEXTUAL):
                return named
        item = self._item(trace, name, depth)
        if kind in ("set", "AsyncIterator", "collections.deque", "tuple"):
            return f"{kind}[{item}, ...]" if kind == "tuple" else f"{kind}[{item}]"
        only_iterated = trace.is_iterated and not (trace.is_indexed or trace.is_sized or kind)
        return f"Iterable[{item}]" if only_iterated else f"list[{item}]"

    def _item(self, trace: Trace, name: str, depth: int) -> str:
        singular = name.removesuffix("s") if name.endswith("s") else "item"
        inner = trace.element if trace.has_element else Trace()
        if inner.parts and not inner.votes:
            return self._tuple(inner, depth + 1)
        return self.annotation(inner, singular, depth + 1)

    def _tuple(self, trace: Trace, depth: int) -> str:
        parts = (self.annotation(each, "part", depth + 1) for each in trace.parts)
        return f"tuple[{', '.join(parts)}]"

    def _by_company(self, trace: Trace, name: str, depth: int) -> str:
        """By the values it is used together with, by its name, or a number: the commonest."""
        for other in trace.likes:
            kind = _winner(other)
            if kind in _COMPANY:
                return _number(trace, name) if kind == "number" else kind
        return type_for(name) or ("bool" if trace.is_tested else "int")

    def _callable(self, trace: Trace, depth: int) -> str:
        arguments = ", ".join(["Any"] * (1 if trace.arity is None else trace.arity))
        has_result = says_something(trace.result)
        result = self.annotation(trace.result, "result", depth + 1) if has_result else "Any"
        return f"Callable[[{arguments}], {result}]"

    def _record(self, trace: Trace, name: str, depth: int) -> str:
        known = [
            each for each in trace.fields if each.isidentifier() and not keyword.iskeyword(each)
        ]
        pairs = [(each, self._field(trace, each, depth)) for each in trace.fields]
        called = self._name(name)
        if len(known) == len(pairs):
            body = "".join(f"    {each}: {kind}\n" for each, kind in pairs)
            self.classes.append(f"class {called}(TypedDict):\n{body}")
        else:
            shown = ", ".join(f"{each!a}: {kind}" for each, kind in pairs)
            self.classes.append(f"{called} = TypedDict({called!a}, {{{shown}}})\n")
        return called

    def _field(self, trace: Trace, name: str, depth: int) -> str:
        written = self.annotation(trace.fields[name], name, depth + 1)
        return f"NotRequired[{written}]" if name in trace.optional_fields else written

    def _protocol(self, trace: Trace, name: str, depth: int) -> str:
        lines = [
            f"    {each}: {self.annotation(inner, each, depth + 1)}\n"
            for each, inner in trace.attributes.items()
            if each not in trace.methods
        ]
        lines += [
            f"    def {each}(self) -> {self.annotation(inner, each, depth + 1)}: ...\n"
            for each, inner in trace.methods.items()
        ]
        called = self._name(name)
        self.classes.append(f"class {called}(Protocol):\n{''.join(lines)}")
        return called

    def _name(self, name: str) -> str:
        return f"{name.strip('_').title().replace('_', '')}Like{len(self.classes) or ''}"


def _one_of(trace: Trace, kind: str) -> str:
    """A part that the code holds against constants: mostly one of them."""
    fitting = dict.fromkeys(each for each in trace.constants if type(each).__name__ == kind)
    if not fitting:
        return kind
    exact = f"Literal[{', '.join(ascii(each) for each in fitting)}]"
    return exact if trace.is_exact else f"{exact} | {kind}"


def _winner(trace: Trace) -> str:
    """The type with most votes; an explicit one before a vague one."""
    if not trace.votes:
        return ""
    best = max(trace.votes.values())
    ahead = [kind for kind, count in trace.votes.items() if count == best]
    exact = [kind for kind in ahead if kind not in ("number", "sequence", "container")]
    if trace.votes.keys() <= {"int", "float", "number"} and "float" in trace.votes:
        return "float"
    return (exact or ahead)[0]


def _number(trace: Trace, name: str) -> str:
    named = type_for(name)
    return named if named in ("int", "float") else "int"


def says_something(trace: Trace) -> bool:
    """Whether a trace holds any evidence but comparisons with other values."""
    return bool(trace.votes or trace.fields or trace.parts or trace.attributes or trace.methods
                or trace.has_element)  # fmt: skip


def is_guess(trace: Trace, name: str) -> bool:
    """Whether neither a trace nor a name says anything: the type is the commonest one."""
    is_used = says_something(trace) or trace.is_sized or trace.is_iterated or trace.is_indexed
    is_known = is_used or trace.arity is not None or bool(trace.constants)
    has_company = any(_winner(each) in _COMPANY for each in trace.likes)
    return not is_known and not has_company and type_for(name) is None


_NUMPY = r"^\s*(?:\w+\s*,\s*)*{name}(?:\s*,\s*\w+)*\s+?:\s*(?P<type>[^\n]+)$"
_GOOGLE = r"^\s*\*{{0,2}}{name}\s*\((?P<type>[^)\n]+(?:\([^)]*\)[^)\n]*)?)\)\s*:"
_SPHINX = r":type\s+{name}\s*:\s*(?P<type>[^\n]+)$"
_SPHINX_INLINE = r":param\s+(?P<type>[\w.\[\], |]+?)\s+{name}\s*:"
_WORDS = {
    "string": "str", "strings": "str", "text": "str", "integer": "int", "integers": "int",
    "ints": "int", "floats": "float", "strs": "str", "boolean": "bool", "bools": "bool",
    "number": "float", "numbers": "float", "numeric": "float", "scalar": "float",
    "dictionary": "dict", "function": "Callable", "callable": "Callable", "iterable": "Iterable",
    "sequence": "Sequence", "mapping": "Mapping", "iterator": "Iterator", "array": "list[float]",
    "array_like": "list[float]", "array-like": "list[float]", "ndarray": "numpy.ndarray",
    "np.ndarray": "numpy.ndarray", "datetime": "datetime.datetime", "date": "datetime.date",
    "path": "str", "path-like": "str", "file": "TextIO", "file-like": "TextIO", "none": "None",
    "object": "Any", "anything": "Any", "decimal": "decimal.Decimal", "bytes": "bytes",
    "timedelta": "datetime.timedelta", "uuid": "uuid.UUID", "lists": "list", "tuples": "tuple",
    "dicts": "dict", "char": "str", "character": "str",
}  # fmt: skip
_KNOWN = frozenset(("int", "float", "str", "bool", "bytes", "list", "dict", "set", "tuple",
                    "complex", "frozenset", "None", "Any", "Callable", "Iterable", "Sequence",
                    "Mapping", "Iterator", "range"))  # fmt: skip
_STATED_HOLDERS = frozenset(
    ("list", "set", "tuple", "Iterable", "Sequence", "Iterator", "frozenset")
)
_FILLERS = re.compile(r"\b(?:an?|the|of type|optional|default\b.*|instance|object|like)\b|[`:~]")


def stated_type(docstring: str | None, name: str) -> str | None:
    """The type of a parameter as its docstring has it; None when it says nothing readable."""
    if not docstring:
        return None
    for form in (_SPHINX, _SPHINX_INLINE, _GOOGLE, _NUMPY):
        found = re.search(form.format(name=re.escape(name)), docstring, re.MULTILINE)
        if found is not None:
            return readable(found["type"])
    return None


def readable(text: str) -> str | None:
    """A type in words as an annotation: `list of int` is `list[int]`."""
    choice = re.fullmatch(r"\s*\{(.+?)\}.*", text)
    if choice is not None:
        options = [each.strip() for each in choice[1].split(",")]
        quoted = all(re.fullmatch(r"(['\"])[^'\"]*\1|-?\d+", each) for each in options)
        return f"Literal[{', '.join(options)}]" if quoted else None
    cleaned = re.sub(r",\s*$", "", re.sub(r"\s+", " ", _FILLERS.sub(" ", text)).strip(" .,"))
    alternatives = [_single(each.strip(" ,")) for each in re.split(r"\bor\b|\|", cleaned)]
    known = [each for each in alternatives if each is not None]
    return " | ".join(dict.fromkeys(known)) if known and len(known) == len(alternatives) else None


def _single(text: str) -> str | None:
    held = re.fullmatch(r"([\w.-]+)s? of \(?(.+?)\)?", text)
    if held is not None:
        return _held(held[1], held[2])
    bracketed = re.fullmatch(r"(\w+)\[(.+)\]", text)
    if bracketed is not None:
        return text if _word(bracketed[1]) is not None else None
    return _word(text)


def _held(holder: str, items: str) -> str | None:
    outer = _word(holder)
    if outer == "dict":
        return "dict"
    if outer not in _STATED_HOLDERS:
        return None
    parts = [_single(each.strip()) for each in items.split(",")]
    if None in parts:
        return outer
    if outer == "tuple":
        return f"tuple[{', '.join(filter(None, parts))}{', ...' if len(parts) == 1 else ''}]"
    inner = " | ".join(filter(None, parts))
    return f"{outer}[{inner}]"


def _word(text: str) -> str | None:
    if text in _KNOWN:
        return text
    return _WORDS.get(text.lower())
