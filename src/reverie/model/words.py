"""Numbers with their nouns, as people read them."""


def counted(number: float, noun: str) -> str:
    """A number with its noun: `1 file`, `2 files`, `0 branches`."""
    if number == 1:
        return f"{number:g} {noun}"
    plural = f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
    return f"{number:g} {plural}"
