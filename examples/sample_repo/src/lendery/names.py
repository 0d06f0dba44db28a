"""Names of authors: how they are filed, cited and told apart."""

PARTICLES = frozenset({"da", "de", "del", "della", "di", "du", "la", "le", "van", "von", "zu"})
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})


def split_name(name: str) -> tuple[str, str]:
    """Surname, with its particles and suffix, and the given names."""
    if "," in name:
        last, _, first = name.partition(",")
        return " ".join(last.split()), " ".join(first.split())
    words = name.split()
    if len(words) < 2:
        return name.strip(), ""
    end = len(words) - 1
    if words[end].rstrip(".").lower() in SUFFIXES and end > 1:
        end -= 1
    while end > 1 and words[end - 1].lower() in PARTICLES:
        end -= 1
    return " ".join(words[end:]), " ".join(words[:end])


def filing_key(name: str) -> str:
    """What a name is sorted by: particles and punctuation do not count."""
    last, first = split_name(name)
    kept = [word for word in last.lower().split() if word not in PARTICLES]
    text = " ".join(kept or [last.lower()])
    letters = "".join(char for char in text if char.isalnum() or char == " ")
    return f"{letters}, {first.lower()}" if first else letters


def cite(names: list[str], most: int = 3) -> str:
    """Names as they stand in a citation: `Ada, B. and Cole, D.`, and `et al.` for many."""
    if not names:
        return "Anonymous"
    short = [_initials(name) for name in names]
    if len(short) > most:
        return f"{short[0]} et al."
    if len(short) == 1:
        return short[0]
    return ", ".join(short[:-1]) + " and " + short[-1]


def _initials(name: str) -> str:
    last, first = split_name(name)
    initials = " ".join(f"{word[0].upper()}." for word in first.split())
    return f"{last}, {initials}" if initials else last
