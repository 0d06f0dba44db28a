"""Names of rooms and people."""


def slug(title: str) -> str:
    """'Big Room (2)' -> 'big-room-2'."""
    out = ""
    for char in title.lower():
        if char.isalnum():
            out += char
        elif out and not out.endswith("-"):
            out += "-"
    return out.rstrip("-")


def initials(name: str) -> str:
    """First letters of all words, upper case; an empty name has none."""
    letters = []
    for word in name.split():
        letters.append(word[0].upper())
    return "".join(letters)


def shorten(text: str, width: int) -> str:
    """At most `width` characters, the last of which is '…' when something was cut."""
    if width < 1:
        raise ValueError("width must be positive")
    if len(text) <= width:
        return text
    return text[: width - 1] + "…"
