"""What the host may ask for: a search, or a replay of what was found."""

from typing import Any

from .loading import Unimportable
from .replaying import replay
from .searching import search


def answer(request: "dict[str, Any]") -> "dict[str, Any]":
    """The answer as plain values."""
    try:
        return {"search": search, "replay": replay}[request["mode"]](request)
    except Unimportable as error:
        return {"unimportable": str(error)}
