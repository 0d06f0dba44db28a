"""A specification: a sentence, a signature, examples; read with suspicion."""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reverie.errors import UsageError

_KEYS = frozenset({"sentence", "signature", "examples", "body", "id", "name"})
_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Example:
    """One call and its result, as JSON values."""

    args: tuple[Any, ...]
    result: Any

    def document(self) -> dict[str, Any]:
        """As the program in the sandbox reads it."""
        return {"args": list(self.args), "result": self.result}


@dataclass(frozen=True, slots=True)
class Spec:
    """What is wanted."""

    sentence: str
    name: str | None
    parameters: tuple[str, ...]
    signature: str | None
    examples: tuple[Example, ...]
    body: str | None = None

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the sentence and of the name, in lower case."""
        named = re.sub(r"([a-z])([A-Z])", r"\1 \2", self.name or "").replace("_", " ")
        return tuple(_WORD.findall(f"{named} {self.sentence}".lower()))


def read_spec(document: Any) -> Spec:
    """A specification from its JSON document; `UsageError` names what is wrong with one."""
    if isinstance(document, str):
        document = {"sentence": document}
    if not isinstance(document, Mapping):
        raise UsageError("a specification is an object with sentence, signature and examples")
    unknown = sorted(set(document) - _KEYS)
    if unknown:
        raise UsageError(f"a specification has no {unknown[0]!r}")
    sentence = document.get("sentence", "")
    if not isinstance(sentence, str) or not sentence.strip():
        raise UsageError("sentence: say in a sentence what is wanted")
    name, parameters, signature = _read_signature(document.get("signature"))
    examples = tuple(_read_examples(document.get("examples", []), parameters))
    body = document.get("body")
    if body is not None and not isinstance(body, str):
        raise UsageError("body: expected the text of a function's body")
    return Spec(sentence.strip(), name, parameters, signature, examples, body)


def parse_spec(text: str) -> Spec:
    """A specification from text: JSON, or else a plain sentence."""
    if not text.lstrip().startswith("{"):
        return read_spec(text.strip())
    try:
        return read_spec(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"not a specification: {error}") from error


def _read_signature(given: Any) -> tuple[str | None, tuple[str, ...], str | None]:
    if given is None:
        return None, (), None
    if not isinstance(given, str):
        raise UsageError(
            f"signature: expected 'def name(parameter: type) -> type', not {given!r:.60}"
        )
    text = given.strip().removesuffix(":").removesuffix(": ...")
    try:
        tree = ast.parse(f"{text if text.startswith('def ') else f'def {text}'}: ...")
    except (SyntaxError, ValueError, RecursionError) as error:
        raise UsageError(f"signature: {given!r:.80} is none ({error})") from error
    match tree.body:
        case [ast.FunctionDef(name=name, args=args) as function] if not (args.vararg or args.kwarg):
            every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
            shown = ast.unparse(function).partition("\n")[0].removesuffix(":")
            return name, tuple(each.arg for each in every), shown
    raise UsageError(f"signature: {given!r:.80} is no plain function")


def _read_examples(given: Any, parameters: tuple[str, ...]) -> list[Example]:
    if not isinstance(given, list):
        raise UsageError("examples: expected a list")
    found = []
    for number, each in enumerate(given):
        if not isinstance(each, Mapping) or not {"args", "result"} <= set(each):
            raise UsageError(f"examples[{number}]: expected args and result")
        if not isinstance(each["args"], list):
            raise UsageError(f"examples[{number}].args: expected a list")
        if parameters and len(each["args"]) != len(parameters):
            raise UsageError(f"examples[{number}].args: {len(parameters)} are wanted")
        found.append(Example(tuple(each["args"]), each["result"]))
    return found
