"""Choice between several functions, if one is clearly meant: those that differ are rivals.

All of them give every example's result. Where two differ elsewhere the sentence has to decide,
and where it does not, none is chosen.

Examples rarely show the case that a sentence falls back on ("or 0 when the list is empty"), and an
expression that fits them all may not know of it. So it has to be shown, or to be tried: where
neither can be done, nobody knows what the function does there.
"""

import ast
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reverie.dreamers.generate.candidates import Candidate, Origin, name_words, speaks_of, stems
from reverie.dreamers.generate.candidates import recipes as recipes_of_library
from reverie.dreamers.generate.doubt import is_earned, taken
from reverie.dreamers.generate.inside.operations import _HINTS as HINTS
from reverie.dreamers.generate.inside.operations import _marks as marks
from reverie.dreamers.generate.program import ask
from reverie.dreamers.generate.spec import WORD, Spec
from reverie.inputs import calls_for, mutate_call, read
from reverie.model.call import Call, Expression
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import names_in
from reverie.syntax.parsing import parse_module

_CLAUSE = re.compile(
    r"(?:\bor|\band|[;,:]|\bgives?|\breturns?|\bit is)\s+(?:the (?:number|value) )?"
    r"(?P<value>-?\d+|zero|minus one|none|null|nothing|false|true|yes|no"
    r"|an empty (?:text|string|list|dictionary|dict|word|line))"
    r"\s+(?:when|if|for|where|without|unless|otherwise|in case)\b(?P<case>[^.;]*)"
)
_EMPTY = re.compile(
    r"\bempty\b|\bno (?:word|item|number|value|name|letter|entr|element)|\bnothing\b"
)
_VALUES: dict[str, Any] = {
    "zero": 0, "minus one": -1, "none": None, "null": None, "nothing": None, "false": False,
    "true": True, "yes": True, "no": False,
}  # fmt: skip
_EMPTIES: dict[str, Any] = {"list": [], "dictionary": {}, "dict": {}}
_SECONDS = 12.0


def keeps_fallback(sandbox: Sandbox, spec: Spec, made: Candidate) -> bool:
    """Whether a function does what the sentence says of the odd case, as far as it says."""
    for clause in _CLAUSE.finditer(spec.plain_sentence):
        value = _value(clause["value"])
        if any(_is_same(each.result, value) for each in spec.examples):
            continue
        if not _EMPTY.search(clause["case"]) or not _gives(sandbox, spec, made, value):
            return False
    return True


def _value(said: str) -> Any:
    if said.startswith("an empty "):
        return _EMPTIES.get(said.rpartition(" ")[2], "")
    return _VALUES[said] if said in _VALUES else int(said)


def _is_same(result: Any, value: Any) -> bool:
    return type(result) is type(value) and bool(result == value)


def _gives(sandbox: Sandbox, spec: Spec, made: Candidate, value: Any) -> bool:
    """Whether it gives the value when its first list, text or dictionary is empty."""
    args = list(spec.examples[0].args)
    for at, each in enumerate(args):
        if isinstance(each, list | str | dict):
            args[at] = type(each)()
            break
    else:
        return False
    wanted = [{"args": args, "result": value}]
    params = {"source": made.source, "name": made.name, "examples": wanted}
    execution = ask(sandbox, "_try_source", params, _SECONDS)
    return execution.succeeded and execution.output is None


_SEED = 7
_DRAWN = 40
_NEIGHBOURS = 4
_MOST_CHARACTERS = 120


def probes(source: str, name: str, examples: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Arguments, as JSON values, each set once; what is too long to be read is left out."""
    found: dict[str, list[Any]] = {}
    for args in (*map(list, examples), *_drawn(source, name), *_neighbours(examples)):
        try:
            key = json.dumps(args, allow_nan=False)
        except (TypeError, ValueError):
            continue
        if len(key) <= _MOST_CHARACTERS and _is_alike(args, examples):
            found.setdefault(key, args)
    return list(found.values())


def _drawn(source: str, name: str) -> Iterator[list[Any]]:
    for call in calls_for(read(source, name), seed=_SEED, count=_DRAWN):
        if not call.kwargs:
            yield from _values(call)


def _neighbours(examples: list[tuple[Any, ...]]) -> Iterator[list[Any]]:
    dice = random.Random(_SEED)
    for args in examples:
        call = Call(tuple(Expression(ascii(each)) for each in args))
        for _ in range(_NEIGHBOURS):
            call = mutate_call(call, dice)
            yield from _values(call)
        for at, each in enumerate(args):
            for text in _written_otherwise(each) if isinstance(each, str) else ():
                yield [*args[:at], text, *args[at + 1 :]]


def _written_otherwise(text: str) -> Iterator[str]:
    """A text as people also write one: in other case, with gaps at its ends, within marks."""
    yield from (text.upper(), text.swapcase(), f" {text} ", f"-{text}_", text * 2)
    yield from (f"{text}ABCdef", text.replace(" ", "  "), f"<!-- <i>{text}</i> -->")


def _values(call: Call) -> Iterator[list[Any]]:
    try:
        yield [ast.literal_eval(each.source) for each in call.args]
    except (ValueError, SyntaxError, TypeError):
        return  # `float('inf')` and the like have no place in a plain test


def _is_alike(args: list[Any], examples: list[tuple[Any, ...]]) -> bool:
    """Whether no argument holds anything of a type that no example has in its place."""
    if not examples:
        return True
    if len(args) != len(examples[0]):
        return False
    return all(
        set(_types(each)) <= {kind for example in examples for kind in _types(example[at])}
        for at, each in enumerate(args)
    )


def _types(value: Any, depth: int = 0) -> Iterator[tuple[int, str]]:
    """The type of a value and those of all that it holds, with their depth."""
    yield depth, type(value).__name__
    inner = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    for each in inner:
        yield from _types(each, depth + 1)


_CLOSE = 0.12
_CLEARLY = 0.3
_MARGIN = 0.1
_PLAIN_COST = 2
_RIVAL_BITS = 3.0
_WORD_BITS = 2.0
"""For each word that nothing in a source answers for."""
_TELLING = (
    "longer", "shorter", "greater", "larger", "smaller", "less", "above", "below", "odd", "even",
    "positiv", "negativ", "uniq", "distinct", "duplic", "repeat", "sort", "ascend", "descend",
    "revers", "largest", "smallest", "maxim", "minim", "longest", "shortest", "averag", "median",
    "product", "ignor", "upper", "lower", "except", "without", "middle", "second", "third",
    "consecutiv", "adjacent", "common", "prime", "divis", "square", "round", "frequent", "often",
    "popular", "rare", "alphabet", "closest", "nearest", "newest", "oldest", "overlap", "merge",
    "binary", "weight", "compound", "rank", "leap", "median", "missing", "cumulat", "rotat", "nest",
    "differ", "unlike", "chang", "unless", "never", "otherwise", "once",
)  # fmt: skip
"""What an expression has to have an operation for, if the sentence says it."""
_INSISTING = (
    "without", "except", "ignor", "unless", "never", "otherwise", "alphabet", "frequent", "revers",
    "descend", "uniq", "distinct", "duplic", "largest", "smallest", "highest", "lowest", "longest",
    "shortest", "biggest", "maxim", "minim", "once",
)  # fmt: skip
"""What also a recipe has to do something about, or to tell of."""
_ASSURED = re.compile(
    r"\b(are|is) (all )?(unique|distinct)\b|\b(list|dictionary|set|lists) of (unique|distinct)\b"
)
"""What is said of the arguments, and asks for nothing."""
_TIE = re.compile(
    r"\b(ties?|tied|equally)\b|\b(of|with|have|has|having|are|is) (the )?(same|equal)\b"
    r"|\b(then|otherwise) by\b|\bequal ones\b"
)
"""What speaks of items that an order does not tell apart."""
_NO_EMPTY = re.compile(
    r"\bempty (ones|parts|fields|lines|words|items|entries|values|strings|texts)\b"
    r"|\b(without|skip\w*|ignor\w*|drop\w*|remov\w*|exclud\w*|out) (the |any |all )?(empty|blank)\b"
)
"""What wants empty things to be left out."""
_PROBE_SECONDS = 10.0


def choose(
    sandbox: Sandbox, spec: Spec, made: Sequence[Candidate], recipes: Sequence[Candidate]
) -> Candidate | None:
    """The function that is meant, of expressions and recipes in order; None when in doubt."""
    chosen = _chosen(sandbox, spec, made, recipes)
    if chosen is None or keeps_fallback(sandbox, spec, chosen):
        return chosen
    return None


def _chosen(
    sandbox: Sandbox, spec: Spec, made: Sequence[Candidate], recipes: Sequence[Candidate]
) -> Candidate | None:
    close = [each for each in recipes if each.closeness >= _CLOSE and not _is_mute(spec, each)]
    every = [*made, *close]
    if not every:
        return None
    groups = _alike(sandbox, spec, every)
    expression = _expression(spec, made, groups)
    recipe = _recipe(close, groups)
    if expression is None or recipe is None:
        return expression or recipe
    if groups[expression.source] == groups[recipe.source]:
        return expression
    if unexplained(spec, _written(expression)):
        return None
    is_plain = expression.cost <= _PLAIN_COST or recipe.closeness < _CLEARLY
    return expression if is_plain else None


def _expression(spec: Spec, made: Sequence[Candidate], groups: dict[str, int]) -> Candidate | None:
    """The one that takes least to write, unless one that differs takes hardly more."""
    made = [
        each
        for each in made
        if is_earned(spec, each.known_as)
        and _uses_all(spec, each)
        and not _is_silent(spec, each)
        and not _is_absurd(each.source)
    ]
    if not made:
        return None
    weights = {
        each.source: taken(spec, each.known_as)
        + _WORD_BITS * len(unexplained(spec, _written(each)))
        for each in made
    }
    best = min(made, key=lambda each: (weights[each.source], len(each.source)))
    limit = weights[best.source] + _RIVAL_BITS
    rivals = [each for each in made if weights[each.source] <= limit]
    return best if len({groups[each.source] for each in rivals}) == 1 else None


def _written(made: Candidate) -> str:
    """A source with its operations as the library has them."""
    return made.known_as if made.origin is Origin.SYNTHESIS else made.source


def _uses_all(spec: Spec, made: Candidate) -> bool:
    """Whether nothing that is handed over is left aside: examples rarely show what it is for."""
    return set(spec.parameters) <= names_in(parse_module(made.source).body[-1])


def _drops_some(source: str) -> bool:
    """Whether a source leaves out what is empty: by a condition, or as splitting at spaces does."""
    body = source.rpartition('"""')[2]
    return any(mark in body for mark in (" if ", ".split()", "filter("))


def _is_mute(spec: Spec, recipe: Candidate) -> bool:
    """Whether a recipe neither does nor tells of something that the sentence insists on."""
    if _NO_EMPTY.search(spec.plain_sentence) and not _drops_some(recipe.source):
        return True
    told = next((each.words for each in recipes_of_library() if each.name == recipe.known_as), None)
    if told is not None and not speaks_of(spec.words, told):
        return True
    answered = _stems_of(recipe.source)
    sentence = _ASSURED.sub("", spec.plain_sentence)
    asked = [word for word in WORD.findall(sentence) if word.startswith(_INSISTING)]
    return any(
        not word.startswith(answered) and not set(stems(word)) & (told or frozenset())
        for word in asked
    )


def _is_absurd(source: str) -> bool:
    """Whether a yes or no is looked for or reckoned with, or a thing is compared with itself."""
    truths = (ast.Compare, ast.BoolOp)
    for node in ast.walk(parse_module(source)):
        match node:
            case ast.BinOp(left=left, right=right):
                if isinstance(left, truths) or isinstance(right, truths):
                    return True
            case ast.Compare(left=left, ops=[kind], comparators=[right]):
                if isinstance(kind, ast.In | ast.NotIn) and isinstance(left, truths):
                    return True
                if ast.dump(left) == ast.dump(right):
                    return True
    return False


def _is_silent(spec: Spec, made: Candidate) -> bool:
    """Whether an expression does nothing about a word that asks for something."""
    if _TIE.search(spec.plain_sentence) and "key=" in made.source:
        return True  # it orders by one thing, and the sentence by two
    if _NO_EMPTY.search(spec.plain_sentence) and not _drops_some(made.source):
        return True
    answered = _stems_of(_written(made))
    asked = [word for word in spec.words if word.startswith(_TELLING)]
    if spec.examples and all(isinstance(each, str) for each in spec.examples[0].args):
        asked += [word for word in spec.words if word == "words" and word not in spec.parameters]
    return any(not word.startswith(answered) for word in asked) or _is_lopsided(spec, made)


def _is_lopsided(spec: Spec, made: Candidate) -> bool:
    """Whether case is to be ignored, but only some of several texts are brought to one."""
    if "case" not in spec.words or not spec.examples:
        return False
    pairs = zip(spec.parameters, spec.examples[0].args, strict=True)
    texts = [name for name, value in pairs if isinstance(value, str)]
    body = made.source.rpartition('"""')[2]
    return len(texts) > 1 and not all(f"{name}.lower()" in body for name in texts)


def _stems_of(source: str) -> tuple[str, ...]:
    """The beginnings of all words that the operations of a source stand for."""
    body = source.rpartition('"""')[2]
    every = [*marks(body), *marks(f"{body}\npass")]  # as idioms, and bit by bit
    return tuple(stem for mark in dict.fromkeys(every) for stem in HINTS[mark].split())


def _recipe(close: Sequence[Candidate], groups: dict[str, int]) -> Candidate | None:
    """The recipe that is most spoken of, unless another is as much and differs."""
    if not close:
        return None
    best = close[0]
    rivals = [each for each in close if each.closeness > best.closeness - _MARGIN]
    return best if len({groups[each.source] for each in rivals}) == 1 else None


def unexplained(spec: Spec, source: str) -> list[str]:
    """Words of a sentence that stand for something, but for nothing in a source."""
    answered = _stems_of(source)
    return [
        word
        for word in dict.fromkeys(WORD.findall(spec.plain_sentence))
        if name_words() & set(stems(word))
        and not word.startswith(answered)
        and word not in spec.parameters
    ]


def _alike(sandbox: Sandbox, spec: Spec, every: Iterable[Candidate]) -> dict[str, int]:
    """The number of a group for each source: those of one group never differ where they answer."""
    sources = {each.source: each for each in every}
    functions = [[source, each.name] for source, each in sources.items()]
    first = next(iter(sources.values()))
    calls = probes(first.source, first.name, [each.args for each in spec.examples])
    params = {"functions": functions, "calls": calls}
    execution = ask(sandbox, "_behaviours", params, _PROBE_SECONDS)
    if not execution.succeeded:
        return {source: number for number, source in enumerate(sources)}
    groups: dict[str, int] = {}
    kept: list[list[str | None]] = []
    for source, answers in zip(sources, execution.output, strict=True):
        number = next((at for at, each in enumerate(kept) if _agree(each, answers)), len(kept))
        if number == len(kept):
            kept.append(answers)
        groups[source] = number
    return groups


def _agree(one: Sequence[str | None], two: Sequence[str | None]) -> bool:
    return all(a == b for a, b in zip(one, two, strict=True) if a is not None and b is not None)
