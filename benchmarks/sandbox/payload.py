"""The one payload of every contender: JSON arguments, a function, a JSON result, checked."""

import json
import random
from typing import Any

ENTRY = "summarise"
CODE = '''
def summarise(values, scale):
    """Something to compute that depends on every argument."""
    ordered = sorted(values)
    return {
        "total": sum(values) * scale,
        "middle": ordered[len(ordered) // 2],
        "words": {str(value): value % 7 for value in ordered[:8]},
    }
'''
PROGRAM = (
    "import json,sys; r=json.loads(sys.argv[1] if len(sys.argv)>1 else sys.stdin.read()); "
    "s={}; exec(compile(r['code'],'<dream>','exec'),s); "
    "print(json.dumps(s[r['entry']](**r['params'])))"
)
"""What a contender without a channel of its own runs: reads the request, prints the result."""


class WrongResult(Exception):
    """A contender returned something else than the function does: no timing counts."""


def make_params(chance: random.Random) -> dict[str, Any]:
    """Arguments that no earlier execution can have answered."""
    return {
        "values": [chance.randrange(10_000) for _ in range(20)],
        "scale": chance.randrange(1, 1000),
    }


def request_text(params: dict[str, Any]) -> str:
    """The request as `PROGRAM` reads it."""
    return json.dumps({"code": CODE, "entry": ENTRY, "params": params})


def check(contender: str, params: dict[str, Any], result: Any) -> None:
    """Compare with the same function, called here."""
    scope: dict[str, Any] = {}
    exec(compile(CODE, "<payload>", "exec"), scope)  # noqa: S102  our own constant
    expected = scope[ENTRY](**params)
    if result != expected:
        raise WrongResult(f"{contender}: {result!r:.200} instead of {expected!r:.200}")
