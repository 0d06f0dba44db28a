"""What an evaluator answers about a dream: one JSON object, read strictly.

    {"dream_id": 7, "viability": 0.82, "tier": 1, "reasoning": "Same results, one pass less."}

The reply is that object and nothing else, bare or in one code fence. `tier` is its number or its
word, and has to be the one that the viability falls into. A reply is somebody else's text: whatever
does not validate is refused whole, with the reason, and what `reasoning` says is never obeyed.
"""

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NoReturn

from reverie.errors import UsageError
from reverie.model.codec import Like, Malformed, Within, parse, read
from reverie.model.procedure import DreamTier

REPLY_CHARACTERS = 64 * 1024
REASONING_CHARACTERS = 4000
_LARGEST_ID = (1 << 63) - 1
_FENCE = re.compile(r"```(?:json)?[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL | re.IGNORECASE)
_SAYS_SOMETHING = Like(re.compile(r"(?=.*\S)[^\x00\ud800-\udfff]*", re.DOTALL), "a text of words")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An opinion about one dream. It decides what is tested, never what is promoted."""

    dream_id: int
    viability: float
    tier: DreamTier
    reasoning: str


@dataclass(frozen=True, slots=True)
class _Reply:
    """An evaluation as an evaluator writes it."""

    dream_id: Annotated[int, Within(1, _LARGEST_ID)]
    viability: Annotated[float, Within(0, 1)]
    tier: Literal[1, 2, 3, "viable", "speculative", "archive"]
    reasoning: Annotated[str, _SAYS_SOMETHING, Within(1, REASONING_CHARACTERS)]


def read_evaluation(reply: str, dream_id: int | None = None) -> Evaluation:
    """The evaluation that a reply is; `UsageError` with the reason when it is none.

    With `dream_id` it has to be about that dream.
    """
    try:
        told = read(_Reply, _document(reply))
    except Malformed as error:
        _refuse(str(error))
    if dream_id is not None and told.dream_id != dream_id:
        _refuse(f"dream_id must be {dream_id}, the dream asked about, not {told.dream_id}")
    due = DreamTier.of(told.viability)
    if told.tier not in (due.number, due.value):
        contradicted = f"viability {told.viability}, which is tier {due.number}"
        _refuse(f"tier {told.tier} contradicts {contradicted}")
    return Evaluation(told.dream_id, float(told.viability), due, told.reasoning)


def _document(reply: str) -> Any:
    if len(reply) > REPLY_CHARACTERS:
        _refuse(f"the reply has {len(reply)} characters, more than {REPLY_CHARACTERS}")
    text = reply.strip()
    if not text:
        _refuse("the reply is empty")
    fenced = _FENCE.fullmatch(text)
    return parse(text if fenced is None else fenced.group(1))


def _refuse(reason: str) -> NoReturn:
    raise UsageError(f"not an evaluation: {reason}")
