"""Output that is too long, cut where people can see it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The first lines of a text; when it was cut, its last line says how much is missing."""

    text: str
    is_cut: bool


def first_lines(text: str, most: int) -> Excerpt:
    """At most `most` lines, and one more that names how many there were besides."""
    lines = text.split("\n")
    missing = len(lines) - most - (lines[-1] == "")
    if missing <= 0:
        return Excerpt(text, is_cut=False)
    return Excerpt("\n".join(lines[:most]) + f"\n[{missing} more lines]\n", is_cut=True)
