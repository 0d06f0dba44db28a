"""Text from untrusted code, made fit for every database.

SQLite cannot take lone surrogates and PostgreSQL cannot take NUL. Both become U+FFFD, on
both backends, so that a journal reads the same wherever it lives.
"""

import re

SOURCE_CHARACTERS = 1 << 20

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The text with every character that a database would refuse replaced by U+FFFD."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSTORABLE.sub("\ufffd", text)


def one_line(text: object) -> str:
    """The text on one line, for an error message."""
    return " ".join(str(text).split())
