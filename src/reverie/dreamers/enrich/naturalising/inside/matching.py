"""Texts that a regular expression matches and that a person can read."""

import random
import re

from reverie.dreamers.enrich.search.inside.patterns import matching_texts

_DRAWN, _MOST = 30, 4
_LONGEST = 60
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_WORD, _NUMBER = "spameggs", "1234567890"


def readable_texts(pattern: str) -> "list[str]":
    """A few texts, their letters those of a word and their digits in order, if that matches."""
    try:
        compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return []
    found: dict[str, None] = {}
    for text in matching_texts(pattern, random.Random(0), _DRAWN):
        plain = _LETTERS.sub(_worded, _DIGITS.sub(_numbered, text)).strip()
        for each in (plain, text):
            if 1 < len(each) <= _LONGEST and _is_readable(each) and compiled.search(each):
                found.setdefault(each)
                break
    return sorted(found, key=len, reverse=True)[:_MOST]


def _is_readable(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _worded(found: "re.Match[str]") -> str:
    word = (_WORD * (1 + len(found[0]) // len(_WORD)))[: len(found[0])]
    return word.upper() if found[0].isupper() else word


def _numbered(found: "re.Match[str]") -> str:
    return (_NUMBER * (1 + len(found[0]) // len(_NUMBER)))[: len(found[0])]
