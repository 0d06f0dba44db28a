"""Arguments that grow with n, from annotations: what a callable is timed with when nobody says.

Where annotations do not say enough, the examples of its docstring may.

They are expressions for `instruments.benchmark`: `n`, `random` (seeded) and the names of the
callable's own module may be used. Dense values collide often, sparse ones hardly ever.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reverie.gates.production.state import changed_attributes
from reverie.gates.python import functions
from reverie.instruments.benchmark.inferred import annotate
from reverie.instruments.benchmark.kinds import CROWDED, DENSE, JOINED, SPARSE, Kinds, Variant
from reverie.instruments.benchmark.shown import shown_growing_calls, varied_growing_calls
from reverie.instruments.benchmark.wording import wordings
from reverie.instruments.equivalence.contract import Contract

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


def growing_calls(source: str, qualname: str) -> tuple[str, ...]:
    """Calls of `_given` for a function; none when neither annotations nor examples say enough."""
    return annotated_calls(source, qualname) or shown_growing_calls(source, qualname)[:1]


def annotated_calls(source: str, qualname: str) -> tuple[str, ...]:
    """Those of a function that annotations tell."""
    return () if "." in qualname else _annotated(ast.parse(source), qualname, _PLAIN)


def possible_calls(
    source: str, qualname: str, tests: Iterable[str] = (), imported: Iterable[str] = ()
) -> tuple[str, ...]:
    """All that the callable may take, the likeliest first: a run has to tell which ones it does.

    `tests` are texts of test modules: what they call it with, grown. `imported` are those of
    modules that it takes names from: classes and aliases.
    """
    tree = ast.parse(source)
    node = dict(functions(tree)).get(qualname)
    if node is None:
        return ()
    annotate(source, qualname, node)
    others = [each for text in imported for each in ast.parse(text).body]
    kinds = (ast.ClassDef, ast.Assign, ast.AnnAssign)
    tree.body[:0] = [each for each in others if isinstance(each, kinds)]
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


def _arguments(
    node: ast.FunctionDef | ast.AsyncFunctionDef, kinds: Kinds, has_receiver: bool
) -> list[str] | None:
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


def _receivers(
    node: ast.FunctionDef | ast.AsyncFunctionDef, qualname: str, kinds: Kinds
) -> Iterator[list[str]]:
    """Objects to call a method on, whose fields or whose own methods have filled them."""
    owner = qualname.rpartition(".")[0]
    marks = {ast.unparse(each) for each in node.decorator_list}
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
