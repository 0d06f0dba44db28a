"""Arguments that grow with n, from annotations: what a callable is timed with when nobody says.

Where annotations do not say enough, the examples of its docstring may; parameters that have none
get one by what the code does with them (`reverie.inputs` makes values from that; the kind that most
of them have is written down). Texts are made of words that the function's code reads: signs that it
compares and splits by, texts that its regular expressions match, and what texts commonly hold.

Arguments are expressions for `instruments.benchmark`: `n`, `random` (seeded) and the names of the
callable's own module may be used. Dense values collide often, sparse ones hardly ever. Whether
the function takes them, only a run tells.
"""

import ast
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from reverie.gates.production.state import changed_attributes
from reverie.inputs import calls_for, read
from reverie.instruments.benchmark.kinds import CROWDED, DENSE, JOINED, SPARSE, Kinds, Variant
from reverie.instruments.benchmark.shown import shown_growing_calls, varied_growing_calls
from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.patterns import matching_texts
from reverie.syntax.nodes import Function, functions, names_in
from reverie.syntax.parsing import fresh_expression, fresh_module
from reverie.syntax.unparsing import unparse

_CALLS = 40
_PLAIN_TYPES = (bool, int, float, str, bytes)


def annotate(source: str, qualname: str, node: Function) -> None:
    """Give every parameter of a parsed function that has no annotation the likeliest one."""
    given = [*node.args.posonlyargs, *node.args.args]
    bare = [each for each in given if each.annotation is None and each.arg not in ("self", "cls")]
    if not bare:
        return
    try:
        calls = calls_for(read(source, qualname), seed=0, count=_CALLS, edges=False)
    except ValueError:
        return
    first = int("." in qualname and given[0].arg in ("self", "cls"))
    for place, each in enumerate(given[first:]):
        if each in bare:
            texts = [call.args[place].source for call in calls if len(call.args) > place]
            kinds = Counter(kind for text in texts if (kind := _kind_of(text)) is not None)
            if kinds:
                each.annotation = fresh_expression(kinds.most_common(1)[0][0])


def _kind_of(text: str) -> str | None:
    try:
        return _kind(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return None


def _kind(value: Any) -> str | None:
    """The annotation of a value; of an empty container there is none."""
    if isinstance(value, _PLAIN_TYPES):
        return type(value).__name__
    if isinstance(value, dict):
        parts = [_common(value), _common(value.values())]
    elif isinstance(value, tuple):
        parts = [_kind(each) for each in value]
    elif isinstance(value, list | set | frozenset):
        parts = [_common(value)]
    else:
        return None
    if not parts or None in parts:
        return None
    return f"{type(value).__name__}[{', '.join(each for each in parts if each)}]"


def _common(values: Any) -> str | None:
    kinds = Counter(kind for each in values if (kind := _kind(each)) is not None)
    return kinds.most_common(1)[0][0] if kinds else None


_SPLITTING = ("split", "rsplit", "partition", "rpartition", "startswith", "endswith", "find",
              "index", "removeprefix", "removesuffix", "count", "strip", "get")  # fmt: skip
_WORD = "f'w{random.randrange(n + 5)}'"
_NUMBER = "str(random.randrange(2 * n + 9))"
_DATE = "__import__('datetime').date.fromordinal(738_000 + random.randrange(n + 9)).isoformat()"
_MATCHES = 64
_MOST_PATTERNS = 3
_MOST_SIGNS = 24
_LONGEST_SIGN = 3


def wordings(tree: ast.Module, node: ast.AST) -> Iterator[tuple[str, str]]:
    """A word, as an expression, and what stands between two; the likeliest first."""
    read = [node, *_constants(tree, node)]
    for pattern in list(dict.fromkeys(_patterns(read)))[:_MOST_PATTERNS]:
        texts = matching_texts(pattern, random.Random(pattern), _MATCHES)
        texts = [each for each in texts if len(each.splitlines()) == 1] or texts
        if any(texts):
            word = f"random.choice({texts!r})"
            yield from ((word, "\n"), (word, " "))
    signs = list(dict.fromkeys(_signs(read)))[:_MOST_SIGNS]
    if signs:
        yield f"random.choice({signs!r})", ""
        yield f"random.choice([{_WORD}, {_NUMBER}, *{signs!r}])", ""
    for sign in [each for each in signs if len(each) <= _LONGEST_SIGN and not each.isalnum()][:3]:
        yield f"{_WORD} + {sign!r} + {_NUMBER}", "\n"
    yield _NUMBER, "\n"
    yield _NUMBER, " "
    yield _DATE, "\n"


def _constants(tree: ast.Module, node: ast.AST) -> list[ast.AST]:
    """Values of the module's names, and bodies of its functions, that a function uses."""
    used = names_in(node)
    found: list[ast.AST] = []
    for each in tree.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in used:
                found.append(each.value)
            case ast.FunctionDef(name=name) if name in used and each is not node:
                found.append(each)
    return found


def _patterns(read: list[ast.AST]) -> Iterator[str]:
    for each in (inner for outer in read for inner in ast.walk(outer)):
        match each:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re")),
                args=[ast.Constant(value=str(text)), *_],
            ):
                yield text


def _signs(read: list[ast.AST]) -> Iterator[str]:
    for each in (inner for outer in read for inner in ast.walk(outer)):
        match each:
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()], comparators=[ast.Constant(value=str(text))]
            ):
                yield from text
            case ast.Compare(left=left, comparators=[*others]):
                yield from _texts([left, *others])
            case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _SPLITTING:
                yield from _texts(args)
            case ast.Dict(keys=keys, values=values):
                yield from _texts([key for key in keys if key] + values)
            case ast.Set(elts=items) | ast.Tuple(elts=items) | ast.List(elts=items):
                yield from _texts(items)
            case ast.MatchValue(value=value):
                yield from _texts([value])


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    for each in nodes:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value:
            yield each.value


_TEXT = "{between!r}.join({word} for _ in range(n))"
_LARGE_NUMBER = "n + random.randrange(n + 9)"
_PLAIN = tuple(
    Variant(plain, _TEXT.format(between=" ", word=plain["str"])) for plain in (DENSE, SPARSE)
)
_TOGETHER = (
    Variant(JOINED, number="random.randrange(n)", is_joined=True),
    Variant(
        CROWDED,
        number=CROWDED["int"],
        is_joined=True,
        is_ascending=False,
    ),
)
_MOST_CALLS = 24
_MOST_FILLERS = 3


def growing_calls(source: str, qualname: str, imported: Iterable[str] = ()) -> tuple[str, ...]:
    """Calls of `_given` for a function; none when neither annotations nor examples say enough."""
    return annotated_calls(source, qualname, imported) or shown_growing_calls(source, qualname)[:1]


def annotated_calls(source: str, qualname: str, imported: Iterable[str] = ()) -> tuple[str, ...]:
    """Those of a function that annotations tell, by classes of the modules that it imports too."""
    if "." in qualname:
        return ()
    tree = fresh_module(source)
    return _annotated(tree, qualname, _PLAIN) or _annotated(
        _with_kinds(tree, imported), qualname, _PLAIN
    )


def _with_kinds(tree: ast.Module, imported: Iterable[str]) -> ast.Module:
    """A module with the classes and aliases of those that it takes names from."""
    others = [each for text in imported for each in fresh_module(text).body]
    kinds = (ast.ClassDef, ast.Assign, ast.AnnAssign)
    tree.body[:0] = [each for each in others if isinstance(each, kinds)]
    return tree


def possible_calls(
    source: str, qualname: str, tests: Iterable[str] = (), imported: Iterable[str] = ()
) -> tuple[str, ...]:
    """All that the callable may take, the likeliest first: a run has to tell which ones it does.

    `tests` are texts of test modules: what they call it with, grown. `imported` are those of
    modules that it takes names from: classes and aliases.
    """
    tree = fresh_module(source)
    node = dict(functions(tree)).get(qualname)
    if node is None:
        return ()
    annotate(source, qualname, node)
    _with_kinds(tree, imported)
    found = _annotated(tree, qualname, (*_PLAIN, *_TOGETHER))
    found += varied_growing_calls(source, qualname, tests) + shown_growing_calls(source, qualname)
    wordy = [
        Variant(DENSE | {"str": word}, _TEXT.format(between=between, word=word))
        for word, between in wordings(tree, node)
    ]
    found += _annotated(tree, qualname, wordy)
    return tuple(dict.fromkeys(found))[:_MOST_CALLS]


def _annotated(tree: ast.Module, qualname: str, variants: Sequence[Variant]) -> tuple[str, ...]:
    node = dict(functions(tree)).get(qualname)
    if node is None or node.args.vararg or node.args.kwarg:
        return ()
    names = tuple(each.arg for each in node.args.args)
    demanded = Contract.read_strictly(ast.get_docstring(node), names)
    found: dict[str, None] = {}
    for variant in variants:
        kinds = Kinds(tree, replace(variant, is_sorted=demanded.wants_sorted))
        for receiver in _receivers(node, qualname, kinds):
            given = _arguments(node, kinds, bool(receiver))
            if given is None:
                continue
            found[f"_given({', '.join([*receiver, *given])})"] = None
    return tuple(found)


def _arguments(node: Function, kinds: Kinds, has_receiver: bool) -> list[str] | None:
    """Expressions of every argument that is needed; a lone number is what grows."""
    given = [*node.args.posonlyargs, *node.args.args]
    needed = given[int(has_receiver) : len(given) - len(node.args.defaults)]
    named = [
        each
        for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is None
    ]
    made = [kinds.value(each.annotation, outer=True) for each in (*needed, *named)]
    texts = [each for each in made if each is not None]
    if len(texts) < len(made):
        return None
    if not has_receiver and not any("range(n)" in each for each in texts):
        texts = [_LARGE_NUMBER if each == kinds.variant.number else each for each in texts]
    keys = [""] * len(needed) + [f"{each.arg}=" for each in named]
    return [key + text for key, text in zip(keys, texts, strict=True)]


def _receivers(node: Function, qualname: str, kinds: Kinds) -> Iterator[list[str]]:
    """Objects to call a method on, whose fields or whose own methods have filled them."""
    owner = qualname.rpartition(".")[0]
    marks = {unparse(each) for each in node.decorator_list}
    if not owner or "staticmethod" in marks or "classmethod" in marks:
        yield []
        return
    if owner not in kinds.classes or "property" in marks:
        return
    made = kinds.instance(owner, outer=True)
    if made is None:
        return
    if "range(" in made:
        yield [made]
    methods = [each for each in kinds.classes[owner].body if isinstance(each, ast.FunctionDef)]
    fillers = [m for m in methods if not m.name.startswith("_") and m.name != node.name]
    for filler in [each for each in fillers if changed_attributes(each)][:_MOST_FILLERS]:
        small = [kinds.value(each.annotation, outer=False) for each in filler.args.args[1:]]
        if small and None not in small:
            told = ", ".join(each for each in small if each)
            yield [f"(lambda _o: [[_o.{filler.name}({told}) for _ in range(n)], _o][-1])({made})"]
