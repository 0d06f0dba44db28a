"""What a room costs, in cents."""


def discount(hours: int, member: bool) -> int:
    """Percent off: by length, and five more for members, never above thirty."""
    percent = 0
    if hours >= 8:
        percent = 20
    elif hours >= 4:
        percent = 10
    if member:
        percent += 5
    return min(percent, 30)


def price_of(cents_per_hour: int, hours: int, member: bool = False) -> int:
    """The whole price, rounded half up to a cent."""
    if hours <= 0:
        raise ValueError("hours must be positive")
    full = cents_per_hour * hours
    return (full * (100 - discount(hours, member)) + 50) // 100


def share_out(cents: int, weights: list[int]) -> list[int]:
    """An amount in proportion to weights; what rounding leaves goes to the first ones."""
    total = sum(weights)
    if total <= 0:
        raise ValueError("weights must sum to more than zero")
    parts = [cents * weight // total for weight in weights]
    for index in range(cents - sum(parts)):
        parts[index] += 1
    return parts


def lookup(codes: list[str], table: list[tuple[str, int]]) -> list[int]:
    """The price of each code, -1 where the table has none; the first entry of a code counts."""
    found = []
    for code in codes:
        price = -1
        for name, cents in table:
            if name == code:
                price = cents
                break
        found.append(price)
    return found
