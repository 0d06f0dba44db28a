"""Survivors that a person has looked at, with the reason why no test can notice them."""

LOOKED_AT: dict[str, str] = {}
"""By the beginning of a mutant's id."""


def reason_for(mutant: str) -> str | None:
    return next((why for start, why in LOOKED_AT.items() if mutant.startswith(start)), None)
