"""Text from anywhere, made harmless on a page: it is shown, and never obeyed.

Names, code and output come from repositories that nobody trusts. Markup is escaped, what a
browser would act on unseen (controls, direction overrides, invisible characters) is spelt out,
and what would make a page unusable by its length is cut, with a note of how much.
"""

import re
import unicodedata
from html import escape

LINE_CHARACTERS = 2000
LINES = 1500
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS_IN_A_ROW = 8
_TICKED = re.compile(r"`([^`]+)`")
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~-])")


def inert(text: object, limit: int = LINE_CHARACTERS) -> str:
    """One line of text, as HTML."""
    told = str(text)
    cut = told if len(told) <= limit else f"{told[:limit]}… ({len(told) - limit} more characters)"
    return escape(_spelt_out(cut), quote=True)


def inert_words(text: object, limit: int = LINE_CHARACTERS) -> str:
    """One line of prose, as HTML; what stands between two backticks is code."""
    return _TICKED.sub(r"<code>\1</code>", inert(text, limit))


def inert_markdown(text: object, limit: int = LINE_CHARACTERS) -> str:
    """One line of text in Markdown: no markup, no mention, no second cell of a table."""
    told = " ".join(str(text)[:limit].split())
    # A code host looks for mentions after it has read the escapes, but not in code.
    return _MARKDOWN.sub(r"\\\1", _spelt_out(told)).replace("@", "`@`")


def inert_lines(text: str) -> list[str]:
    """Lines of text, each as HTML. A form feed and the like end no line."""
    lines = text.split("\n")
    shown = [inert(line.expandtabs(8) if len(line) < LINE_CHARACTERS else line) for line in lines]
    if len(lines) > LINES:
        shown = [*shown[:LINES], f"… ({len(lines) - LINES} more lines)"]
    return shown


def _spelt_out(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    kept = []
    marks = 0
    for char in text:
        category = unicodedata.category(char)
        marks = marks + 1 if category[0] == "M" else 0
        is_shown = category not in _INVISIBLE and marks <= _MARKS_IN_A_ROW
        kept.append(char if is_shown else char.encode("unicode_escape").decode("ascii"))
    return "".join(kept)
