"""What an evaluator answers about a dream: one JSON object, read strictly.

    {"dream_id": 7, "viability": 0.82, "tier": 1, "reasoning": "Same results, one pass less."}

The reply is that object and nothing else, bare or in one code fence. `tier` is its number or its
word, and has to be the one that the viability falls into. A reply is somebody else's text: whatever
does not validate is refused whole, with the reason, and what `reasoning` says is never obeyed.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from reverie.errors import UsageError
from reverie.model.procedure import DreamTier

REPLY_CHARACTERS = 64 * 1024
REASONING_CHARACTERS = 4000
_KEYS = ("dream_id", "viability", "tier", "reasoning")
_LARGEST_ID = (1 << 63) - 1
_SHOWN = 60
_FENCE = re.compile(r"```(?:json)?[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An opinion about one dream. It decides what is tested, never what is promoted."""

    dream_id: int
    viability: float
    tier: DreamTier
    reasoning: str


def read_evaluation(reply: str, dream_id: int | None = None) -> Evaluation:
    """The evaluation that a reply is; `UsageError` with the reason when it is none.

    With `dream_id` it has to be about that dream.
    """
    document = _document(reply)
    _check_keys(document)
    about = _dream_id(document["dream_id"], dream_id)
    viability = _viability(document["viability"])
    tier = _tier(document["tier"], viability)
    return Evaluation(about, viability, tier, _reasoning(document["reasoning"]))


def _document(reply: str) -> dict[str, Any]:
    if len(reply) > REPLY_CHARACTERS:
        _refuse(f"the reply has {len(reply)} characters, more than {REPLY_CHARACTERS}")
    text = reply.strip()
    if not text:
        _refuse("the reply is empty")
    fenced = _FENCE.fullmatch(text)
    body = text if fenced is None else fenced.group(1)
    try:
        document = json.loads(body, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except RecursionError:
        _refuse("the reply is nested too deeply")
    except ValueError as error:
        _refuse(f"the reply is not one JSON object and nothing else: {error}")
    if not isinstance(document, dict):
        _refuse(f"the reply is not an object but {_kind(document)}")
    return document


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        _refuse(f"the key {_shown(twice)} is there twice")
    return dict(pairs)


def _no_constant(word: str) -> NoReturn:
    _refuse(f"{word} is not JSON")


def _check_keys(document: dict[str, Any]) -> None:
    missing = [name for name in _KEYS if name not in document]
    if missing:
        _refuse(f"the key {missing[0]!r} is missing")
    unknown = [name for name in document if name not in _KEYS]
    if unknown:
        _refuse(f"the key {_shown(unknown[0])} is unknown")


def _dream_id(value: Any, expected: int | None) -> int:
    if type(value) is not int or not 0 < value <= _LARGEST_ID:
        _refuse(f"dream_id must be a positive integer, not {_shown(value)}")
    if expected is not None and value != expected:
        _refuse(f"dream_id must be {expected}, the dream that was asked about, not {value}")
    return value


def _viability(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= 1:
        _refuse(f"viability must be a number from 0 to 1, not {_shown(value)}")
    return float(value)


def _tier(value: Any, viability: float) -> DreamTier:
    by_number = {tier.number: tier for tier in DreamTier}
    if type(value) is int and value in by_number:
        tier = by_number[value]
    elif type(value) is str and value in list(DreamTier):
        tier = DreamTier(value)
    else:
        _refuse(f"tier must be 1, 2, 3 or {', '.join(DreamTier)}, not {_shown(value)}")
    due = DreamTier.of(viability)
    if tier is not due:
        _refuse(
            f"tier {_shown(value)} contradicts viability {viability}, which is tier {due.number}"
        )
    return tier


def _reasoning(value: Any) -> str:
    if type(value) is not str or not value.strip():
        _refuse(f"reasoning must be a text that says something, not {_shown(value)}")
    if len(value) > REASONING_CHARACTERS:
        _refuse(f"reasoning has {len(value)} characters, more than {REASONING_CHARACTERS}")
    if "\x00" in value or _SURROGATE.search(value):
        _refuse("reasoning holds characters that are no text")
    return value


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _refuse(reason: str) -> NoReturn:
    raise UsageError(f"not an evaluation: {reason}")
