# entry: register_all
"""One of a second set that was written before the rewrites it asks for."""

import random

class Registry:
    def __init__(self) -> None:
        self.names: list[str] = []

    def add(self, name: str) -> bool:
        if name in self.names:
            return False
        self.names.append(name)
        return True


def register_all(names: list[str]) -> list[bool]:
    registry = Registry()
    return [registry.add(name) for name in names]


def make_input(n, seed):
    r = random.Random(seed)
    return ([f"n{r.randrange(2*n+1)}" for _ in range(n)],), {}
