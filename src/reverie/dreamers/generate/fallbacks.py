"""What a sentence says of the case that no example shows: "or 0 when the list is empty".

Examples rarely show it, and an expression that fits them all may not know of it. So it has to be
shown, or to be tried: where neither can be done, nobody knows what the function does there.
"""

import re
from typing import Any

from reverie.dreamers.generate.candidates import Candidate
from reverie.dreamers.generate.program import ask
from reverie.dreamers.generate.spec import Spec
from reverie.sandbox.engine import Sandbox

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
