"""Dreams of procedures in the real sandbox: imagined, told apart, tested, learnt from."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie.cycle.dreams.generating import Wishes, generate
from reverie.cycle.dreams.runner import DreamTestRunner, learn
from reverie.dreamers.procedures.imagining import Fate, Imagination, Lineup
from reverie.dreamers.procedures.procedure import Procedure, procedures_in
from reverie.dreamers.procedures.relaxing import RelaxingDreamer
from reverie.dreamers.procedures.variant import Strategy
from reverie.errors import UsageError
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.instruments.self_check import Proofs
from reverie.model.call import Call, Expression
from reverie.model.dream import DreamStatus
from reverie.model.measurements.equivalence import Subject
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import DreamTier, DreamType, Evaluation
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, Journal, history, journal_url
from reverie.testing.cycles import procedure

SHOP = '''
def clamp(value: int, low: int = 0, high: int = 10) -> int:
    """Within bounds."""
    if value < low:
        return low
    return min(value, high)


def slug(text: str) -> str:
    return text.strip().lower().replace(" ", "-")
'''
ELSEWHERE = """
import re


def make_slug(value: str) -> str:
    return re.sub("[^a-z0-9]+", "-", value.lower()).strip("-")
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as engine:
        yield engine


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DreamStore]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield DreamStore(journal)


def shop(repository: str = "here") -> list[Procedure]:
    return list(procedures_in(SHOP, "shop", repository=repository))


def test_the_instrument_sees_what_is_planted(sandbox: Sandbox) -> None:
    assert Proofs(sandbox).require("behaviour").passed


def test_stored_variants_differ_from_base_and_siblings_in_other_processes(
    sandbox: Sandbox, store: DreamStore
) -> None:
    base = shop()[0]
    wishes = Wishes(Strategy.LIGHT)
    made = asyncio.run(generate(store, sandbox, [base], wishes=wishes))
    dreams = asyncio.run(store.list_dreams())
    assert len(dreams) == len(made.dream_ids) >= 8
    assert {each.dream_type for each in dreams} >= {
        DreamType.PARAMETER_EXPLORATION,
        DreamType.CONDITIONAL_VARIANT,
    }
    assert made.run.dropped["same_as_base"] > 0
    behaviours = Behaviours(sandbox, 10.0, is_isolated=False, counts_steps=True)
    calls = Imagination(behaviours, ()).calls(base)
    seen = [behaviours.look(base.subject, calls)]
    seen += [behaviours.look(Subject(each.code, each.entry), calls) for each in dreams]
    profiles = [tuple(each.behaviour for each in one) for one in seen]
    assert len(set(profiles)) == len(profiles)
    assert all(each.novelty_score is not None and each.details["witness"] for each in dreams)
    again = asyncio.run(generate(store, sandbox, [base], wishes=wishes))
    known = {each.code for each in dreams}
    assert not known & {
        asyncio.run(store.get_dream(number)).code
        for number in again.dream_ids
        if number not in made.dream_ids
    }


def test_a_variant_that_does_something_else_each_time_is_not_kept(sandbox: Sandbox) -> None:
    (base,) = procedures_in("def f(n: int) -> int:\n    return n\n", "steady")
    behaviours = Behaviours(sandbox, 5.0, is_isolated=False)
    calls = [Call((Expression(str(number)),)) for number in range(3)]
    wavering = Subject("import time\ndef f(n):\n    return time.time_ns()\n", "f")
    other = Subject("def f(n):\n    return -n\n", "f")
    found = Lineup.of(behaviours, base, calls).judge([wavering, other])
    assert [each.fate for each in found] == [Fate.WAVERS, Fate.KEPT]


def test_waiting_less_counts_as_cheaper(sandbox: Sandbox) -> None:
    source = (
        "import time\ndef both(a: bool) -> int:\n    one = wait(a)\n    two = wait(not a)\n"
        "    return one + two\ndef wait(x):\n    time.sleep(0.3)\n    return x\n"
    )
    (base,) = [each for each in procedures_in(source, "slow") if each.name == "both"]
    imagination = Imagination(
        Behaviours(sandbox, 60.0, is_isolated=False, counts_steps=True),
        [RelaxingDreamer()],
        Strategy.LIGHT,
    )
    found = imagination.imagine(base)
    assert "relaxing/parallel" in {each.dreamer for each in found.dreams}


def test_a_function_that_hangs_is_not_waited_for_on_every_call(sandbox: Sandbox) -> None:
    calls = [Call((Expression(str(number)),)) for number in range(40)]
    behaviours = Behaviours(sandbox, 0.3)
    seen = behaviours.look(Subject("def f(n):\n    while n >= 0: pass\n", "f"), calls)
    assert [each.outcome for each in seen] == [TestOutcome.TIMEOUT] * 40
    assert sum(each.is_made for each in seen) == 4
    late = behaviours.look(Subject("def f(n):\n    while n > 37: pass\n    return n\n", "f"), calls)
    assert [each.is_conclusive for each in late] == [True] * 38 + [False] * 2
    at_once = behaviours.look(Subject("while True: pass\ndef f(n): return n\n", "f"), calls)
    assert sum(each.is_made for each in at_once) == 4


def test_an_unsteady_base_tells_nothing(sandbox: Sandbox) -> None:
    source = "import os\ndef token(n: int) -> str:\n    return os.urandom(4).hex() + str(n)\n"
    (base,) = procedures_in(source, "tokens")
    found = Imagination(Behaviours(sandbox, is_isolated=False), [RelaxingDreamer()]).imagine(base)
    assert found.dreams == []
    assert found.dropped == {"base_never_returns": 1}


def test_procedures_of_another_repository_are_combined(sandbox: Sandbox, store: DreamStore) -> None:
    others = list(procedures_in(ELSEWHERE, "web", repository="there"))
    base = shop()[1]
    asyncio.run(generate(store, sandbox, [base], others, Wishes(Strategy.LIGHT)))
    found = asyncio.run(store.get_by_type(DreamType.CROSS_PROJECT_SYNTHESIS))
    assert [each.dreamer for each in found][:1] == ["synthesis/replacement"]
    assert found[0].details["with"] == "web:make_slug"
    assert all(each.cross_project_matches in (0, 1) for each in asyncio.run(store.list_dreams()))


async def _viable(store: DreamStore, **changed: object) -> int:
    base = {"base_code": "def double(x: int) -> int:\n    return 2 * x\n", "import_roots": ()}
    number = await store.store_dream(procedure(**{**base, **changed}))
    await store.evaluate(Evaluation(number, 0.9, DreamTier.VIABLE, "likely"), "a person")
    return number


def test_a_test_says_how_a_dream_stands_beside_its_base(
    sandbox: Sandbox, store: DreamStore
) -> None:
    slow = "def total(n: int) -> int:\n    found = 0\n    for each in range(abs(n) % 3000 + 3000):\n        found += each\n    return found\n"  # noqa: E501
    quick = "def total(n: int) -> int:\n    n = abs(n) % 3000 + 3000\n    return n * (n - 1) // 2\n"
    half = "def half(x: int) -> float:\n    return 10 / x\n"
    dreams = [
        {"code": quick, "base_code": slow, "entry": "total"},
        {"code": "def half(x: int) -> float:\n    return 10 / x if x else 0.0\n",
         "base_code": half, "entry": "half"},
        {"code": "def double(x: int) -> int:\n    return 2 * x + 1\n"},
        {"code": "def double(x: int) -> int:\n    return str(x)\n"},
        {"code": "def double(x: int) -> int:\n    while True: pass\n"},
        {"code": "def double(x: int) -> int:\n    return (\n"},
        {"code": "def lonely(x: int) -> int:\n    return x\n", "entry": "lonely",
         "base_code": None},
    ]  # fmt: skip
    for each in dreams:
        asyncio.run(_viable(store, **each))
    with DreamTestRunner(store.journal, 0.5, 12, sandbox=sandbox) as runner:
        result = asyncio.run(runner.test_tier1_dreams())
    told = result["tested_dreams_details"]
    assert [each["outcome"] for each in told] == [
        "success", "success", "success", "output_validation_failed", "timeout", "syntax_error",
        "success",
    ]  # fmt: skip
    words = [each["compared"] for each in told]
    assert words[0] == ["same", "faster"]
    assert "more_robust" in words[1]
    assert "different" in words[2]
    assert "less_robust" in words[4]
    assert words[6] == []
    assert told[0]["effectiveness"] == 1.0
    assert told[4]["effectiveness"] == 0.0
    assert result["statistics"]["total_tests"] == sum(each["inputs"] for each in told)
    journaled = history(store.journal, limit=1000)
    assert len(journaled) == result["statistics"]["total_tests"]
    assert {each.status for each in asyncio.run(store.list_dreams())} == {DreamStatus.TESTED}


def test_a_dream_whose_base_dies_is_not_blamed_for_it(sandbox: Sandbox, store: DreamStore) -> None:
    base = "import os\ndef f(x: int) -> int:\n    if x % 2: os._exit(3)\n    return x\n"
    dream = base.replace("return x", "return x + 0")
    number = asyncio.run(_viable(store, code=dream, base_code=base, entry="f"))
    with DreamTestRunner(store.journal, 5, 12, sandbox=sandbox) as runner:
        found = asyncio.run(runner.test_dream(asyncio.run(store.get_dream(number))))
    assert found["outcome"] == TestOutcome.SUCCESS
    assert found["less_robust"] == 0
    assert 0 < found["succeeded"] < found["inputs"]


def test_wrong_numbers_are_usage_errors(store: DreamStore, sandbox: Sandbox) -> None:
    with pytest.raises(UsageError, match="tests_per_dream"):
        DreamTestRunner(store.journal, 1, 0)
    with pytest.raises(UsageError, match="sandbox_timeout_seconds"):
        DreamTestRunner(store.journal, 0, 1)
    runner = DreamTestRunner(store.journal, 1, 5, sandbox=sandbox)
    with pytest.raises(UsageError, match="from 0 to 4, not 5"):
        asyncio.run(runner.test_dream(procedure(), variant_indices=[5]))
    runner.close()
    with pytest.raises(UsageError, match="closed"):
        asyncio.run(runner.test_dream(procedure()))


def test_learning_tightens_what_fails_and_can_be_taken_back(
    sandbox: Sandbox, store: DreamStore
) -> None:
    base = "def share(x: int) -> int:\n    return x // 3\n"
    for number in range(4):
        code = f"def share(x: int) -> int:\n    return x // 0 + {number}\n"
        asyncio.run(_viable(store, code=code, base_code=base, entry="share"))
    with DreamTestRunner(store.journal, 5, 5, sandbox=sandbox) as runner:
        asyncio.run(runner.test_tier1_dreams())
    (tight,) = asyncio.run(learn(store))
    assert (tight.dreamer, tight.constraint) == ("parameters/integer", "no_zero")
    assert asyncio.run(learn(store)) == []
    (each,) = procedures_in("def step(x: int) -> int:\n    return x - 1\n", "s")
    held = asyncio.run(generate(store, sandbox, [each], wishes=Wishes(Strategy.LIGHT)))
    free = Wishes(Strategy.LIGHT, is_tightened=False)
    unheld = asyncio.run(generate(store, sandbox, [each], wishes=free))
    assert held.run.dropped["restrained"] > 0
    assert "restrained" not in unheld.run.dropped
    asyncio.run(store.lift_tightening(1))
    assert asyncio.run(store.get_tightenings()) == []


def test_the_whole_way_at_the_command_line(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "own.py").write_text(SHOP.replace("high)", "high + 1)"))
    at = ("--repo", str(tmp_path), "--json")
    assert cli("dream", "new", *at).code == 2
    assert cli("init", *at).code == 0
    made = cli("dream", "new", "shop:clamp", "--strategy", "light", *at)
    assert made.code == 0
    numbers = [each["id"] for each in made.document["dreams"]]
    added = cli("dream", "add", str(tmp_path / "own.py:clamp"), "--base", "shop:clamp", *at)
    assert added.document["dream_type"] == "contributed"
    mine = added.document["id"]
    reply = {"dream_id": mine, "viability": 0.8, "tier": 1, "reasoning": "one more"}
    said = tmp_path / "reply.json"
    said.write_text(json.dumps({**reply, "tier": 2}))
    refused = cli("dream", "evaluate", "--reply", str(said), *at)
    assert refused.code == 2
    assert "contradicts" in refused.err
    said.write_text(json.dumps(reply))
    (told,) = cli("dream", "evaluate", "--reply", str(said), *at).document["evaluated"]
    assert (told["status"], told["tier"]) == ("pending_test", 1)
    rest = cli("dream", "evaluate", *at).document["evaluated"]
    assert [each["id"] for each in rest] == numbers
    tested = cli("dream", "test", "--inputs", "9", *at)
    assert tested.code in (0, 1)
    waiting = 1 + sum(each["status"] == "pending_test" for each in rest)
    assert tested.document["tested_dreams"] == waiting
    shown = cli("dream", "show", str(mine), *at).document
    assert (shown["status"], len(shown["tests"])) == ("tested", 1)
    listed = cli("dream", "list", "--status", "tested", *at).document["dreams"]
    assert len(listed) == waiting
    assert cli("dream", "report", *at).document["total_dreams_tested"] == waiting
    health = cli("dream", "health", *at)
    assert health.code == (0 if health.document["is_healthy"] else 1)
    assert health.document["tier1_test_count"] == waiting
    (day,) = cli("dream", "journal", *at).document["days"]
    assert (day["dreamt"], day["tested"]) == (len(numbers) + 1, waiting)
    assert cli("dream", "show", "999", *at).code == 2
    assert cli("dream", "new", "shop:nobody", *at).code == 2
