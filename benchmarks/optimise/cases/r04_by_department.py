# entry: by_department
"""Staff list by department."""

import random


def by_department(staff: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Names of every department, departments and names in the order of the list."""
    departments: list[str] = []
    for _, department in staff:
        if department not in departments:
            departments.append(department)
    groups: dict[str, list[str]] = {}
    for department in departments:
        groups[department] = [name for name, place in staff if place == department]
    return groups


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([(f"n{i}", f"d{r.randrange(n // 4 + 1)}") for i in range(n)],), {}
