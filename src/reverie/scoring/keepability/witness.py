"""Which of several witnesses a reader would rather meet: for choosing, before a test is written."""

import ast
from collections.abc import Iterable

from reverie.scoring.keepability.known import Known
from reverie.scoring.keepability.reading import read_test
from reverie.scoring.keepability.score import facts_of
from reverie.scoring.keepability.weights import WEIGHTS

_OF_WITNESSES = (
    "noisiest_input", "noisy_inputs", "fragments", "muddle", "odd_kind", "wrong_type", "flags",
    "private", "foreign", "unchanged", "says_nothing", "error", "expectation",
)  # fmt: skip
"""What is settled before a test has its name and its company."""


def witness_cost(lines: Iterable[str], known: Known) -> float:
    """What the lines of a scenario take from the odds of being kept; 0 for nothing to object to.

    `lines` are statements as they would stand in a test: calls, and checks as `assert`.
    """
    body = "\n".join(f"    {line}" for each in lines for line in each.splitlines())
    source = f"def test_witness():\n{body}\n"
    (node,) = ast.parse(source).body
    if not isinstance(node, ast.FunctionDef):
        raise ValueError(f"not the lines of a test: {body!r}")
    facts = facts_of(read_test(node, source), known)
    return sum(WEIGHTS[name] * facts[name] for name in _OF_WITNESSES)
