"""JSON that has one spelling only: a value is always the same bytes, and others are refused."""

import json
import math
from typing import Any

from reverie.errors import BundleRefused


def encode(value: object) -> bytes:
    """The one spelling of a value: keys sorted, no blanks, pure ASCII, a newline at the end."""
    text = json.dumps(
        value, allow_nan=False, sort_keys=True, separators=(",", ":"), ensure_ascii=True
    )
    return text.encode("ascii") + b"\n"


def decode(content: bytes, name: str) -> Any:
    """The value that was spelled; `BundleRefused` for any other spelling of it."""
    try:
        value = json.loads(content.decode("ascii"))
        is_canonical = encode(value) == content
    except (ValueError, RecursionError) as error:
        raise BundleRefused("malformed", f"{name} is not JSON as Reverie writes it") from error
    if not is_canonical:
        raise BundleRefused("malformed", f"{name} is not spelled as Reverie spells it")
    return value


def number(value: float) -> float | str:
    """A number as JSON can hold it: one that is not finite is its name."""
    return value if math.isfinite(value) else str(float(value))
