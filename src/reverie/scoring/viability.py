"""How likely a dream works when nobody evaluates it: the record of the rule that made it."""

_PER_FINDING = 0.5
_MOST_FOR_SIZE = 0.2


def viability(passed: int, looked_at: int, findings: int, growth: float) -> float:
    """In [0, 1]: the posterior mean with a Beta(1, 1) prior, halved by every static finding.

    `growth` is what the procedure gained in syntax as a share of its base; it costs at most a
    fifth.
    """
    mean = (passed + 1) / (looked_at + 2)
    size = 1 - _MOST_FOR_SIZE * min(1.0, max(0.0, growth))
    return float(mean * _PER_FINDING**findings * size)
