# entry: with_managers
"""Staff with the names of their managers."""

import random


def with_managers(staff: list[dict]) -> list[tuple[str, str]]:
    """(name, name of the manager); a manager who is not listed is shown as -."""
    shown = []
    for person in staff:
        manager = next((each for each in staff if each["id"] == person["manager"]), None)
        shown.append((person["name"], manager["name"] if manager else "-"))
    return shown


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return (
        [{"id": i, "name": f"n{i}", "manager": r.randrange(n + 2)} for i in range(n)],
    ), {}
