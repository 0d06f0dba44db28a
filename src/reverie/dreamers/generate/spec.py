"""A specification: a sentence, a signature, examples, perhaps a body; read with suspicion."""

import ast
import doctest
import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import UsageError
from reverie.syntax.nodes import is_stub
from reverie.syntax.parsing import NOT_PYTHON, parse_expression, parse_module
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class Shown:
    """A call of a docstring and its result."""

    name: str
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    result: Any


def examples_in(docstring: str) -> Iterator[Shown]:
    """Every example; `UsageError` for one that is not a plain call with a plain result."""
    for each in _parts(docstring):
        if isinstance(each, doctest.Example):
            yield _shown(each.source.strip(), each.want.strip())


def without_examples(docstring: str) -> str:
    """What a docstring says besides its examples."""
    said = "".join(each for each in _parts(docstring) if isinstance(each, str))
    return "\n".join(line.strip() for line in said.strip().splitlines() if line.strip())


def _parts(docstring: str) -> list[str | doctest.Example]:
    try:
        return doctest.DocTestParser().parse(docstring)
    except ValueError as error:
        raise UsageError(f"docstring: {error}") from error


def _shown(source: str, wanted: str) -> Shown:
    try:
        match parse_expression(source):
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                named = {str(each.arg): ast.literal_eval(each.value) for each in keywords}
                values = tuple(ast.literal_eval(each) for each in args)
                return Shown(name, values, named, ast.literal_eval(wanted) if wanted else None)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise UsageError(f"docstring: {source!r:.60} gives {wanted!r:.60}: {error}") from error
    raise UsageError(f"docstring: {source!r:.60} is no plain call")


_KEYS = ("sentence", "signature", "examples", "docstring", "body", "name")
_LABELS = ("id", "difficulty")
"""What collections of specifications put beside them; read over."""
WORD = re.compile(r"[a-z]+")
_AS_IT_IS = re.compile(r"\b(in|keep|keeping) (the |their |its )?(original |same )?order\b(?! of)")
_MOST_EXAMPLES = 200
_MOST_TEXT = 200_000


@dataclass(frozen=True, slots=True)
class Example:
    """One call and its result, as JSON values."""

    args: tuple[Any, ...]
    result: Any


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's name and parameters, and its `def` line without the colon."""

    name: str
    parameters: tuple[str, ...]
    line: str


@dataclass(frozen=True, slots=True)
class Spec:
    """What is wanted."""

    sentence: str
    signature: Signature | None = None
    examples: tuple[Example, ...] = ()
    body: str | None = None

    @property
    def name(self) -> str | None:
        """What the function is to be called, if that was said."""
        return None if self.signature is None else self.signature.name

    @property
    def parameters(self) -> tuple[str, ...]:
        """What its parameters are called; made up when only examples say how many there are."""
        if self.signature is not None:
            return self.signature.parameters
        count = len(self.examples[0].args) if self.examples else 0
        return tuple(f"value_{number}" for number in range(1, count + 1))

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence and of the name, in lower case."""
        named = re.sub(r"([a-z])([A-Z])", r"\1 \2", self.name or "").replace("_", " ")
        return tuple(WORD.findall(f"{named} {self.plain_sentence}"))

    @property
    def plain_sentence(self) -> str:
        """The sentence in lower case, without the assurance that an order is kept."""
        return _AS_IT_IS.sub("", self.sentence.lower())


def read_spec(document: Any) -> Spec:
    """A specification from its document; `UsageError` names what is wrong with one."""
    if isinstance(document, str):
        document = {"sentence": document}
    if not isinstance(document, Mapping):
        raise UsageError("a specification is an object with sentence, signature and examples")
    unknown = sorted(str(key) for key in document if key not in (*_KEYS, *_LABELS))
    if unknown:
        raise UsageError(f"a specification has no {unknown[0]!r:.60}; it has {', '.join(_KEYS)}")
    docstring = _text(document, "docstring") or ""
    sentence = _text(document, "sentence") or ""
    shown = [*examples_in(docstring), *examples_in(sentence)]
    said = without_examples(sentence).strip() or without_examples(docstring).strip()
    if not said:
        raise UsageError("sentence: say in a sentence what is wanted")
    signature = _read_signature(_text(document, "signature"), _text(document, "name"))
    examples = [
        *_read_examples(document.get("examples"), signature),
        *_from_docstring(shown, signature),
    ]
    _check_counts(examples)
    return Spec(said, signature, tuple(examples), _text(document, "body"))


def read_stub(text: str) -> Spec:
    """A specification from a function that has a docstring, and perhaps a body to be held to it."""
    try:
        tree = parse_module(text)
    except NOT_PYTHON as error:
        raise UsageError(f"not a specification: {error}") from error
    match tree.body:
        case [ast.FunctionDef() as function]:
            spec = read_spec(
                {
                    "signature": unparse(replace_body(function)).removesuffix("\n    ..."),
                    "docstring": ast.get_docstring(function) or "",
                }
            )
            rest = function.body[1:]
            is_empty = is_stub(function) or all(isinstance(each, ast.Pass) for each in rest)
            body = None if is_empty else "\n".join(unparse(each) for each in rest)
            return replace(spec, body=body)
    raise UsageError("not a specification: expected one function with a docstring")


def replace_body(function: ast.FunctionDef) -> ast.FunctionDef:
    """A function's head over a body that says nothing."""
    dots = ast.Expr(ast.Constant(...))
    return ast.FunctionDef(
        function.name, function.args, [dots], [], function.returns, None, lineno=1
    )


def _text(document: Mapping[str, Any], key: str) -> str | None:
    given = document.get(key)
    if given is not None and not isinstance(given, str):
        raise UsageError(f"{key}: expected text, not {given!r:.60}")
    if given is not None and len(given) > _MOST_TEXT:
        raise UsageError(f"{key}: {len(given)} characters; {_MOST_TEXT} are the most")
    return textwrap.dedent(given) if key == "body" and given is not None else given


def _read_signature(given: str | None, name: str | None) -> Signature | None:
    if given is None:
        if name is not None:
            raise UsageError(f"name: {name!r:.60} needs a signature beside it")
        return None
    text = given.strip().removesuffix("...").rstrip().removesuffix(":")
    try:
        tree = parse_module(f"{text if text.startswith('def ') else f'def {text}'}: ...")
    except NOT_PYTHON as error:
        raise UsageError(f"signature: {given!r:.80} is none ({error})") from error
    match tree.body:
        case [ast.FunctionDef(args=args) as function] if not (args.vararg or args.kwarg):
            every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
            if name is not None and name != function.name:
                raise UsageError(f"name: {name!r:.60} is not the signature's {function.name!r:.60}")
            if function.name.startswith("test"):
                raise UsageError(f"signature: {function.name!r:.60} would be taken for a test")
            line = unparse(replace_body(function)).partition("\n")[0].removesuffix(":")
            return Signature(function.name, tuple(each.arg for each in every), line)
    raise UsageError(f"signature: {given!r:.80} is no plain function")


def _read_examples(given: Any, signature: Signature | None) -> list[Example]:
    if given is None:
        return []
    if not isinstance(given, list):
        raise UsageError(f"examples: expected a list, not {given!r:.60}")
    found = []
    for number, each in enumerate(given):
        where = f"examples[{number}]"
        if not isinstance(each, Mapping) or set(each) != {"args", "result"}:
            raise UsageError(f"{where}: expected args and result, not {each!r:.60}")
        args = each["args"]
        if isinstance(args, Mapping):
            args = _in_order(dict(args), signature, where)
        if not isinstance(args, list):
            raise UsageError(f"{where}.args: expected a list, not {args!r:.60}")
        found.append(_example(args, each["result"], signature, where))
    return found


def _from_docstring(shown: list[Shown], signature: Signature | None) -> list[Example]:
    found = []
    for number, each in enumerate(shown):
        where = f"docstring example {number + 1}"
        if signature is not None and each.name != signature.name:
            raise UsageError(f"{where} calls {each.name!r:.60}, not {signature.name!r}")
        args = [*each.args]
        if each.keywords:
            named = dict(zip(signature.parameters if signature else (), each.args, strict=False))
            args = _in_order(named | each.keywords, signature, where)
        found.append(_example(args, each.result, signature, where))
    return found


def _in_order(named: dict[str, Any], signature: Signature | None, where: str) -> list[Any]:
    if signature is None or set(named) != set(signature.parameters):
        raise UsageError(f"{where}: arguments by name need a signature that has exactly these")
    return [named[each] for each in signature.parameters]


def _example(args: list[Any], result: Any, signature: Signature | None, where: str) -> Example:
    if signature is not None and len(args) != len(signature.parameters):
        raise UsageError(f"{where}.args: {len(signature.parameters)} are wanted, not {len(args)}")
    try:
        json.dumps([args, result], allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"{where}: only JSON values can be compared ({error})") from error
    return Example(tuple(args), result)


def _check_counts(examples: list[Example]) -> None:
    if len(examples) > _MOST_EXAMPLES:
        raise UsageError(f"examples: {len(examples)}; {_MOST_EXAMPLES} are the most")
    if len({len(each.args) for each in examples}) > 1:
        raise UsageError("examples: they have different numbers of arguments")
    results: dict[str, Any] = {}
    for each in examples:
        key = json.dumps(each.args)
        if json.dumps(results.setdefault(key, each.result)) != json.dumps(each.result):
            raise UsageError(f"examples: {key:.60} has two different results")


_YAML = re.compile(r"---|(sentence|signature|examples|docstring|body|id|name)\s*:(\s|$)")


def parse_spec(text: str) -> Spec:
    """A specification; what kind of text it is shows in how it begins."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith(("{", "[")):
        return read_spec(_json(start))
    if start.startswith(("def ", "import ", "from ", '"""')) and "def " in start:
        return read_stub(start)
    if _YAML.match(start):
        return read_spec(_yaml(start))
    return read_spec(start.strip())


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not a specification: {error}") from error


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise UsageError(
            "a specification in YAML needs PyYAML: pip install 'reverie[yaml]', or write it as JSON"
        ) from error
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        told = " ".join(str(error).split())
        raise UsageError(f"not a specification: {told:.160}") from error
