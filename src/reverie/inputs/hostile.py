"""Calls that mean harm, and calls by people who have not read the manual.

    attack = Hostility.LOW
    hostile_calls(calls, attack, seed=1)   # the same calls, 30 % of them with a hostile value
    misused_calls(calls, attack, seed=1)   # 20 % with a wrong type, a missing or an extra argument

Each changed call says what was done to it, so that a scenario can count what really fired.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from reverie.inputs.dice import Dice
from reverie.inputs.neighbours import with_expression
from reverie.model.call import Call, Expression


class Hostility(StrEnum):
    """How much of it."""

    LOW = "low"
    HIGH = "high"


HOSTILE_SHARE = {Hostility.LOW: 0.30, Hostility.HIGH: 0.50}
MISUSE_SHARE = {Hostility.LOW: 0.20, Hostility.HIGH: 0.30}

HOSTILE: dict[str, tuple[str, ...]] = {
    "injection": (
        '"\'; DROP TABLE users; --"', '"1 OR 1=1"', '"<script>alert(1)</script>"', '"$(id)"',
        '"; cat /etc/passwd"', '"{{7*7}}"', '"${jndi:ldap://localhost/a}"', '"%s%s%n"',
        '"__import__(\'os\').getcwd()"', '"=1+1"', '"a\\r\\nX-Injected: 1"',
    ),
    "traversal": (
        '"../../../etc/passwd"', '"..\\\\..\\\\windows\\\\win.ini"', '"/dev/null"',
        '"~/.ssh/id_rsa"', '"file:///etc/passwd"', '"....//....//etc/hosts"',
        '"%2e%2e%2fetc%2fpasswd"',
    ),
    "long": ('"A" * 10_000', '"A" * 1_000_000', '"(" * 10_000', '"\\u00e9" * 100_000',
             '"a" * 30 + "!"'),
    "broken_json": (
        '\'{"a": \'', '"[1, 2,]"', '"{\'a\': 1}"', '"[" * 2000', '"NaN"', '"\\ufeff{}"',
    ),
    "nul": ('"a\\x00b"', '"\\x00"', 'b"\\x00\\xff"', '"\\ud800"', '"\\u202e"'),
    "number": ('float("nan")', 'float("inf")', 'float("-inf")', "2**31", "-(2**31) - 1", "2**63",
               "10**400", "5e-324"),
    "none": ("None",),
}  # fmt: skip
"""Payloads by kind, as source."""

WRONG_TYPES = ("object()", "None", "'text'", "-1", "1.5", "[]", "{}", "b'bytes'", "(lambda: None)",
               "True", "[[[]]]", "{'a': None}", "type")  # fmt: skip
FORBIDDEN_FILES = ("'/etc/shadow'", "'/root/.bashrc'", "'/proc/1/mem'", "'/sys/kernel/debug'")


@dataclass(frozen=True, slots=True)
class ChangedCall:
    """A call and what was done to it; `change` is None for one that was left alone."""

    call: Call
    change: str | None = None


def hostile_calls(
    calls: Iterable[Call], hostility: Hostility, seed: int | str = 42
) -> Iterator[ChangedCall]:
    """The calls, in a share of which one argument is a payload."""
    for index, call in enumerate(calls):
        dice = Dice(f"hostile:{seed}:{index}")
        places = len(call.args) + len(call.kwargs)
        if not places or not dice.chance(HOSTILE_SHARE[hostility]):
            yield ChangedCall(call)
            continue
        kind = dice.pick(tuple(HOSTILE))
        payload = Expression(dice.pick(HOSTILE[kind]))
        place = dice.below(places) + (call.receiver is not None)
        yield ChangedCall(with_expression(call, place, payload), kind)


def misused_calls(
    calls: Iterable[Call], hostility: Hostility, seed: int | str = 42
) -> Iterator[ChangedCall]:
    """The calls, in a share of which a type is wrong, an argument missing or one too many."""
    for index, call in enumerate(calls):
        dice = Dice(f"misuse:{seed}:{index}")
        if dice.chance(MISUSE_SHARE[hostility]):
            yield _misused(call, dice)
        else:
            yield ChangedCall(call)


def _misused(call: Call, dice: Dice) -> ChangedCall:
    places = len(call.args) + len(call.kwargs)
    kinds = ["extra_argument", "unknown_keyword"]
    kinds += ["wrong_type", "missing_argument", "forbidden_file"] if places else []
    kind = dice.pick(kinds)
    place = dice.below(max(places, 1)) + (call.receiver is not None)
    match kind:
        case "extra_argument":
            changed = replace(call, args=(*call.args, Expression("None")))
        case "unknown_keyword":
            changed = replace(call, kwargs=(*call.kwargs, ("no_such_parameter", Expression("1"))))
        case "missing_argument" if call.args:
            changed = replace(call, args=call.args[:-1])
        case "missing_argument":
            changed = replace(call, kwargs=call.kwargs[:-1])
        case "wrong_type":
            changed = with_expression(call, place, Expression(dice.pick(WRONG_TYPES)))
        case _:
            changed = with_expression(call, place, Expression(dice.pick(FORBIDDEN_FILES)))
    return ChangedCall(changed, kind)
