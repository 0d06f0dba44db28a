# entry: nth
"""One of a second set that was written before the rewrites it asks for."""

import random

class Rabbits:
    def pairs(self, month: int) -> int:
        if month < 2:
            return 1
        return self.pairs(month - 1) + self.pairs(month - 2)


def nth(month: int) -> int:
    return Rabbits().pairs(month)


def make_input(n, seed):
    return (min(n, 20),), {}
