"""Check digits of ISBN-10 and ISBN-13."""


def normalise(text: str) -> str:
    """The digits of an ISBN, without hyphens and spaces."""
    return text.replace("-", "").replace(" ", "").upper()


def is_valid_isbn10(text: str) -> bool:
    """Whether the check digit of an ISBN-10 fits."""
    digits = normalise(text)
    if len(digits) != 10 or not digits[:9].isdigit():
        return False
    total = 0
    for position, char in enumerate(digits):
        if char == "X":
            value = 10
        elif char.isdigit():
            value = int(char)
        else:
            return False
        total += (10 - position) * value
    return total % 11 == 0


def is_valid_isbn13(text: str) -> bool:
    """Whether the check digit of an ISBN-13 fits."""
    digits = normalise(text)
    if len(digits) != 13 or not digits.isdigit():
        return False
    total = sum(int(char) * (1 if index % 2 == 0 else 3) for index, char in enumerate(digits))
    return total % 10 == 0


def to_isbn13(text: str) -> str:
    """The ISBN-13 of a book known by its ISBN-10."""
    digits = normalise(text)
    if not is_valid_isbn10(digits):
        raise ValueError(f"not an ISBN-10: {text!r}")
    body = "978" + digits[:9]
    total = sum(int(char) * (1 if index % 2 == 0 else 3) for index, char in enumerate(body))
    return body + str((10 - total % 10) % 10)
