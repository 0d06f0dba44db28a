"""Reader cards as Code 39 text: written for a printer that was never bought."""

_SYMBOLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%"


def checksum(text: str) -> str:
    """The modulo-43 check symbol of a Code 39 text."""
    return _SYMBOLS[sum(_SYMBOLS.index(char) for char in text.upper()) % 43]


def encode(card: str) -> str:
    """A reader card's number with start, check and stop symbols."""
    unknown = sorted(set(card.upper()) - set(_SYMBOLS))
    if unknown:
        raise ValueError(f"cannot be printed: {''.join(unknown)!r}")
    return f"*{card.upper()}{checksum(card)}*"


def decode(code: str) -> str:
    """The card's number of a scanned code."""
    if len(code) < 3 or code[0] != "*" or code[-1] != "*":
        raise ValueError("start or stop symbol is missing")
    card, check = code[1:-2], code[-2]
    if checksum(card) != check:
        raise ValueError("check symbol does not fit")
    return card
