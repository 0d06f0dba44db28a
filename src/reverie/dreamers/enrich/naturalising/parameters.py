"""Parameters of a package's callables, and typical values for them by type and by name."""

import ast
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from reverie.errors import UsageError
from reverie.inputs.evidence import evidence_of_items, is_guessed, refined
from reverie.inputs.literals import catalogue_texts, range_for, texts_for
from reverie.inputs.scope import Scope, parse
from reverie.inputs.signature import ParameterShape, shape_of
from reverie.inputs.values.catalogue import CATALOGUE
from reverie.model.repository.code import ParameterKind
from reverie.syntax.nodes import Function, dotted_name
from reverie.syntax.parsing import parse_expression, parse_module
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class Slot:
    """One parameter."""

    name: str
    annotation: str = ""
    """As written, or as the code suggests; empty where nothing does."""
    default: ast.expr | None = None
    is_required: bool = True
    is_inferred: bool = False
    """Whether the code suggests the annotation, and nobody wrote it."""
    is_named: bool = False
    """Whether it can only be given by name."""
    is_rest: bool = False
    """Whether it takes all that is given by place and has none of its own."""

    @property
    def is_described(self) -> bool:
        """Whether somebody wrote down of what type it is."""
        return bool(self.annotation) and not self.is_inferred


@dataclass(frozen=True, slots=True)
class Signature:
    """One callable, by the last part of its name."""

    callee: str
    qualname: str
    slots: tuple[Slot, ...]
    node: Function | ast.ClassDef
    document: str = ""
    is_own: bool = True
    """Whether the module under test defines it, not another of its package."""

    @property
    def is_method(self) -> bool:
        """Whether it is called on an object."""
        return "." in self.qualname

    def bound(self, call: ast.Call) -> Iterator[tuple[Slot, ast.expr]]:
        """The arguments of a call with what each is for."""
        placed = [each for each in self.slots if not each.is_named]
        rest = placed[-1:] if placed and placed[-1].is_rest else []
        places = itertools.chain(placed, itertools.cycle(rest)) if rest else iter(placed)
        for slot, value in zip(places, call.args, strict=False):
            if isinstance(value, ast.Starred):
                return
            yield slot, value
        named = {each.name: each for each in self.slots}
        for keyword in call.keywords:
            if keyword.arg in named:
                yield named[keyword.arg], keyword.value


@dataclass(frozen=True, slots=True)
class Signatures:
    """The callables of a package: those of the module under test go before the others."""

    by_name: Mapping[str, Signature]
    methods: Mapping[str, Signature] = field(default_factory=dict)
    """Those whose name a function or a class has as well."""
    modules: frozenset[str] = frozenset()
    """Names that stand for the package."""

    def of(self, call: ast.Call, modules: frozenset[str] = frozenset()) -> Signature | None:
        """What a call calls; `modules` are names that stand for modules where it is written.

        `text.encode("ascii")` is no call of the module's function `encode`.
        """
        match call.func:
            case ast.Name(id=name):
                found = self.by_name.get(name)
                return None if found is None or found.is_method else found
            case ast.Attribute(value=held, attr=name):
                root = (dotted_name(held) or "").partition(".")[0]
                if root in (*self.modules, *modules):
                    return self.by_name.get(name)
                if isinstance(held, ast.Constant | ast.JoinedStr):
                    return None  # a method of Python's own
                found = self.methods.get(name) or self.by_name.get(name)
                return found if found is not None and found.is_method else None
        return None

    @property
    def own(self) -> list[Signature]:
        """Those of the module under test."""
        return [each for each in self.by_name.values() if each.is_own]


def signatures_of(
    source: str,
    others: Sequence[str] = (),
    helpers: frozenset[str] = frozenset(),
    modules: frozenset[str] = frozenset(),
) -> Signatures:
    """The callables of a module, and those of other modules of its package that it imports."""
    found: dict[str, Signature] = {}
    methods: dict[str, Signature] = {}
    for number, text in enumerate((source, *others)):
        if number and not any(f" {name}" in text for name in helpers):
            continue
        try:
            tree = parse_module(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for each in _callables(tree, text, is_own=number == 0):
            if number == 0 or each.qualname.partition(".")[0] in helpers:
                known = found.setdefault(each.callee, each)
                if each.is_method and not known.is_method:
                    methods.setdefault(each.callee, each)
                elif known.is_method and not each.is_method:
                    methods.setdefault(each.callee, known)
                    found[each.callee] = each
        if number == 0:
            found |= _aliases(tree, found)
    return Signatures(found, methods, modules)


def _aliases(tree: ast.Module, found: Mapping[str, Signature]) -> dict[str, Signature]:
    """Other names that a module gives to its callables."""
    return {
        name: replace(found[other], callee=name)
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Name)
        for name, other in [(node.targets[0].id, node.value.id)]
        if other in found and name not in found
    }


def _callables(tree: ast.Module, source: str, *, is_own: bool) -> Iterator[Signature]:
    classes = {node.name: node for node in _defined(tree.body) if isinstance(node, ast.ClassDef)}
    for node in _defined(tree.body):
        document = ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef):
            maker = _maker(node, classes)
            yield from _of_class(node, maker, document, source, is_own=is_own)
        else:
            slots = _slots(node, node.name, source, is_own=is_own)
            yield Signature(node.name, node.name, slots, node, document, is_own)


def _maker(
    node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]
) -> tuple[ast.ClassDef, Function] | None:
    """What makes a class's objects, with the class of the module that has it."""
    line = [node]
    for each in line:
        made = {method.name: method for method in each.body if isinstance(method, Function)}
        start = made.get("__init__") or made.get("__new__")
        if start is not None:
            return each, start
        bases = [classes[name] for name in map(unparse, each.bases) if name in classes]
        line += [base for base in bases if base not in line]
    return None


def _of_class(
    node: ast.ClassDef,
    maker: tuple[ast.ClassDef, Function] | None,
    document: str,
    source: str,
    *,
    is_own: bool,
) -> Iterator[Signature]:
    methods = {
        each.name: each for each in _defined(node.body) if not isinstance(each, ast.ClassDef)
    }
    if maker is not None:
        owner, start = maker
        qualname = f"{owner.name}.{start.name}"
        said = f"{ast.get_docstring(owner) or ''}\n{document}"
        slots = _slots(start, qualname, source, is_own=is_own, skipped=1, document=said)
    else:
        slots = tuple(_fields(node))
    yield Signature(node.name, node.name, slots, node, document, is_own)
    for name, method in methods.items():
        is_static = any(unparse(each) == "staticmethod" for each in method.decorator_list)
        qualname = f"{node.name}.{name}"
        slots = _slots(method, qualname, source, is_own=is_own, skipped=0 if is_static else 1)
        said = ast.get_docstring(method) or ""
        made = Signature(name, qualname, slots, method, said, is_own)
        yield made
        for other in _other_names(node, name):
            yield replace(made, callee=other, qualname=f"{node.name}.{other}")


def _other_names(node: ast.ClassDef, method: str) -> Iterator[str]:
    """What a class calls a method besides: `get = resolve`."""
    for each in node.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=held)):
                if held == method:
                    yield name


def _defined(body: Sequence[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            yield node
        elif isinstance(node, ast.If | ast.Try):
            yield from _defined([*node.body, *node.orelse])


def _fields(node: ast.ClassDef) -> Iterator[Slot]:
    """Of a dataclass or a named tuple."""
    for base in node.bases:
        match base:
            case ast.Call(func=made, args=[_, names]) if unparse(made).endswith("namedtuple"):
                yield from (Slot(each) for each in _names_in(names))
    for each in node.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            yield Slot(each.target.id, unparse(each.annotation), each.value, each.value is None)


def _names_in(node: ast.expr) -> list[str]:
    """Names that stand in one text, or in several."""
    several = getattr(node, "elts", [node])
    texts = [each.value for each in several if isinstance(each, ast.Constant)]
    return [name for text in texts for name in str(text).replace(",", " ").split()]


def _slots(
    node: Function,
    qualname: str,
    source: str,
    *,
    is_own: bool,
    skipped: int = 0,
    document: str = "",
) -> tuple[Slot, ...]:
    """The parameters of a function; `document` is what its class says of them."""
    given = [*node.args.posonlyargs, *node.args.args]
    defaults: list[ast.expr | None] = [None] * (len(given) - len(node.args.defaults))
    pairs = [*zip(given, (*defaults, *node.args.defaults), strict=True)][skipped:]
    pairs += [*zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)]
    inferred = (
        _inferred(source, qualname) if is_own and not all(a.annotation for a, _ in pairs) else {}
    )
    documented = _documented(f"{document}\n{ast.get_docstring(node) or ''}")
    found = [
        Slot(
            each.arg,
            unparse(each.annotation)
            if each.annotation
            else documented.get(each.arg) or inferred.get(each.arg, ""),
            default,
            default is None,
            is_inferred=each.annotation is None and each.arg not in documented,
            is_named=each in node.args.kwonlyargs,
        )
        for each, default in pairs
    ]
    if node.args.vararg is not None:
        rest = node.args.vararg
        told = unparse(rest.annotation) if rest.annotation else inferred.get(rest.arg, "")
        is_told = rest.annotation is not None
        found.append(
            Slot(rest.arg, told, None, is_required=False, is_inferred=not is_told, is_rest=True)
        )
    more = dict.fromkeys(_taken_by_name(node)) if node.args.kwarg is not None else {}
    found += [Slot(each, is_required=False, is_named=True) for each in more]
    return tuple(found)


_PARAMETER = re.compile(r":(?:param|type) (?:[\w.]+ )?\*{0,2}(\w+):\s*([^\n]*(?:\n\s+[^\n:]*)?)")
_SAID = {
    "bytes": re.compile(r"\bbyte ?string|\bbytes\b", re.IGNORECASE),
    "datetime.timedelta": re.compile(r"\btimedelta\b"),
    "datetime.datetime": re.compile(r"\bdatetime\b(?!\.)|\bdatetime\.datetime\b"),
    "datetime.tzinfo": re.compile(r"\btzinfo\b"),
}
"""What a docstring calls the types that no value of another type can stand for."""


def _documented(document: str) -> dict[str, str]:
    """Types of parameters as `:param name:` says them, where only one is named."""
    found: dict[str, str] = {}
    for name, said in _PARAMETER.findall(document):
        kinds = [kind for kind, pattern in _SAID.items() if pattern.search(said)]
        is_text = re.search(r"\bstr\b|[Uu]nicode|\btext\b", said) is not None
        if len(kinds) == 1 and not is_text:
            found[name] = kinds[0]
    return found


def _taken_by_name(node: Function) -> Iterator[str]:
    """The keywords that a function takes from its `**kwargs`: `kwargs.pop("key", None)`."""
    given = node.args.kwarg.arg if node.args.kwarg is not None else ""
    for each in ast.walk(node):
        match each:
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="get" | "pop" | "setdefault"),
                    args=[ast.Constant(value=str(key)), *_],
                )
                | ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))
            ):
                if name == given:
                    yield key


def _inferred(source: str, qualname: str) -> dict[str, str]:
    """Types of parameters that have no annotation, as far as the code shows them."""
    try:
        scope = _scope(source)
        node = scope.function(qualname)
        return {} if node is None else dict(_told(shape_of(node, qualname, scope).parameters))
    except (UsageError, RecursionError, ValueError):
        return {}


@lru_cache(maxsize=1)
def _scope(source: str) -> Scope:
    """The names of a module, which is asked about function by function."""
    return Scope(parse(source))


def _told(parameters: Sequence[ParameterShape]) -> Iterator[tuple[str, str]]:
    for each in parameters:
        if each.kind is ParameterKind.VAR_POSITIONAL:
            items = evidence_of_items(each)
            if items is not None:
                yield each.name, unparse(items.node)
        elif not is_guessed(each):
            yield each.name, unparse(refined(each).node)


_TEXTS = ("spam", "eggs", "hello world", "The quick brown fox", "Ada Lovelace", "2024-02-29", "42")
_ITEMS = ("apple", "pear", "plum")
_PLAIN = {
    "str": tuple(map(repr, _TEXTS)),
    "int": ("1", "2", "3", "0", "5", "10", "100", "1000", "999", "1000000"),
    "float": ("1.5", "2.0", "0.5", "0.0", "10.0", "100.0"),
    "bool": ("True", "False"),
    "bytes": ("b'hello world'", "b'spam'"),
    "None": ("None",),
}
_LISTS = ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Container")
_DICTS = ("dict", "Dict", "Mapping", "MutableMapping")
_SETS = {
    "set": "{{{}}}",
    "Set": "{{{}}}",
    "frozenset": "frozenset({{{}}})",
    "AbstractSet": "{{{}}}",
}
_MODULES = ("datetime", "decimal", "fractions", "pathlib", "uuid", "re", "io", "collections")
_DEEPEST = 3


def everyday_texts() -> frozenset[str]:
    """Texts that stand for any other: the catalogue's, and those of plain types."""
    return catalogue_texts() | {*_TEXTS, *_ITEMS}


def typical_values(annotation: str, name: str) -> list[str]:
    """Sources of values for an annotation as it is written; none where that says nothing."""
    try:
        node = parse_expression(annotation) if annotation else None
    except SyntaxError:
        return []
    return list(dict.fromkeys(_values(node, name, 0))) if node is not None else []


def _values(node: ast.expr, name: str, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from _values(left, name, depth)
            yield from _values(right, name, depth)
        case ast.Subscript(value=held, slice=inner):
            several = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            yield from _of_generic(_last(held), several, name, depth)
        case ast.Constant(value=None):
            yield "None"
        case ast.Constant(value=str(text)):
            yield from typical_values(text, name)
        case ast.Name() | ast.Attribute():
            yield from _of_name(_last(node), name, depth)


def _of_name(kind: str, name: str, depth: int) -> Iterator[str]:
    if kind == "int" and (limits := range_for(name)) is not None:
        first, last = limits
        yield from (str(each) for each in (max(first, 1), 2, 3, (first + last) // 2, last, 0))
        return
    if kind == "str":
        yield from (repr(each) for each in texts_for(name) or (_ITEMS if depth else ()))
        if texts_for(name):
            return
    yield from _PLAIN.get(kind, ())
    if kind in (*_LISTS, *_DICTS):
        inner = [ast.Name("str"), ast.Name("int")] if kind in _DICTS else [ast.Name("int")]
        yield from _of_generic(kind, inner, name, depth)
    for module in _MODULES:
        entry = CATALOGUE.get(f"{module}.{kind}")
        yield from entry.typical if entry is not None else ()


def _of_generic(kind: str, inner: Sequence[ast.expr], name: str, depth: int) -> Iterator[str]:
    if kind == "Optional":
        yield from _values(inner[0], name, depth)
        yield "None"
    elif kind == "Union":
        for each in inner:
            yield from _values(each, name, depth)
    elif kind in _LISTS or kind in _SETS:
        form = _SETS.get(kind, "[{}]")
        items = [*dict.fromkeys(_values(inner[0], name.removesuffix("s"), depth + 1))]
        for many in (3, 2, 1):
            if len(items) >= many:
                yield form.format(", ".join(items[:many]))
        if form == "[{}]":
            yield "[]"
    elif kind in _DICTS and len(inner) > 1:
        keys = [*dict.fromkeys(_values(inner[0], "", depth + 1))]
        values = [*dict.fromkeys(_values(inner[1], "", depth + 1))]
        pairs = [f"{key}: {value}" for key, value in zip(keys[:2], values[:2], strict=False)]
        if pairs:
            yield f"{{{', '.join(pairs)}}}"
            yield f"{{{pairs[0]}}}"
        yield "{}"
    elif kind in ("tuple", "Tuple"):
        is_open = len(inner) == 2 and isinstance(inner[1], ast.Constant)
        several = [inner[0]] * 2 if is_open else inner
        parts = [next(_values(each, name, depth + 1), None) for each in several]
        if None not in parts:
            yield f"({', '.join(map(str, parts))},)"


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
