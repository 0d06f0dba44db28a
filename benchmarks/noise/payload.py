"""The callables: the same loop, and one that takes a quarter more."""

SLOW = """
def work(start, rounds):
    total = 0
    for i in range(start, start + rounds + rounds // 4):
        total += i * i
    return rounds
"""
FAST = """
def work(start, rounds):
    total = 0
    for i in range(start, start + rounds):
        total += i * i
    return rounds
"""
INPUTS = """
def make_input(n, seed):
    return (seed % 997, n), {}
"""
SIZE = 2000
