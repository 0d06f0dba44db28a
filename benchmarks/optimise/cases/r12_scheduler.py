# entry: run_order
"""Order in which jobs run when each may start another one."""

import random


def run_order(jobs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """(priority, job) as they run; a job with an even number leaves one of half its size."""
    waiting = list(jobs)
    done: list[tuple[int, int]] = []
    while waiting:
        waiting.sort()
        priority, job = waiting.pop(0)
        done.append((priority, job))
        if job and job % 2 == 0:
            waiting.append((priority + 1, job // 2))
    return done


def make_input(n: int, seed: int):
    r = random.Random(seed)
    return ([(r.randrange(50), r.randrange(1, 1000)) for _ in range(n)],), {}
