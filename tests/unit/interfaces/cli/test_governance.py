"""`reverie governance` and `reverie weights`, on a journal with tried dreams."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.unit.interfaces.cli.test_promotion_commands import OLD, journaled

from reverie.cycle.governing import GATE
from reverie.model.cycle import Proven
from reverie.model.ruling import Answer, Judgement, Ruling
from reverie.promotion.bundle.keys import own_key
from reverie.promotion.trial_tree import read_source
from reverie.store import Journal, journal_url
from reverie.store.cycles.measures import ForesightMemory, record_decision
from reverie.testing.fakes import new_file, proven_dream

RULES = """
[[rule]]
name = "small steps"
when = "lines > 40 or raroi < 0"
verdict = "pilot"
reason = "little_worth"
"""


@pytest.fixture
def shop(scripted: Callable):  # type: ignore[no-untyped-def]
    repository = scripted("shop")
    repository.commit("One", {"cart.py": OLD, ".gitignore": ".reverie/\n"})
    return repository


def held_back(proven: Proven) -> Proven:
    """As a cycle journals what governance held."""
    ruling = Ruling(GATE, Answer.HOLD, "wait", "hold: wait", "hold")
    return replace(proven, judgement=Judgement((*proven.judgement.rulings, ruling)))


@pytest.fixture
def tests_for_cart(shop) -> Proven:  # type: ignore[no-untyped-def]
    change = new_file("tests/test_cart.py", "def test_total():\n    assert 1 + 1 == 2\n")
    return proven_dream(change, read_source(shop.folder))


def settings(shop, tmp_path: Path, rules: str = RULES) -> str:  # type: ignore[no-untyped-def]
    key = own_key(tmp_path / "ada").public.fingerprint
    (shop.folder / "governance.toml").write_text(rules)
    (shop.folder / "pyproject.toml").write_text(
        '[tool.reverie.governance]\nrules = "governance.toml"\n'
        f'[tool.reverie.promotion]\napprovers = ["Ada={key}"]\n'
    )
    return str(tmp_path / "ada" / "key.pem")


def test_the_rules_in_force_are_shown(cli: Callable, shop, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    where = ("--repo", str(shop.folder))
    assert cli("governance", "rules", *where, "--json").document == {"file": None, "rules": []}
    assert "no rules" in cli("governance", "rules", *where).out
    settings(shop, tmp_path)
    (rule,) = cli("governance", "rules", *where, "--json").document["rules"]
    assert rule == {
        "name": "small steps",
        "when": "lines > 40 or raroi < 0",
        "verdict": "pilot",
        "reason": "little_worth",
    }
    assert "small steps" in cli("governance", "rules", *where).out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[rule]]\nname = 1\n", "expected exactly name, reason, verdict, when"),
        (RULES.replace("lines > 40", "open('x')"), "Call is not part of the language"),
        (RULES.replace("pilot", "maybe"), "verdict 'maybe' is none of"),
        ("= 1", "not valid TOML"),
    ],
)
def test_a_file_that_is_no_rules_is_an_error_of_one_line(
    cli: Callable,
    shop,
    tmp_path: Path,
    text: str,
    said: str,  # type: ignore[no-untyped-def]
) -> None:
    settings(shop, tmp_path, text)
    ran = cli("governance", "rules", "--repo", str(shop.folder))
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_dream_is_decided_on_and_a_signed_word_counts(  # type: ignore[no-untyped-def]
    cli: Callable, shop, tmp_path: Path, tests_for_cart: Proven
) -> None:
    key = settings(shop, tmp_path, RULES.replace("lines > 40", "files == 1"))
    journaled(shop.folder, held_back(tests_for_cart))
    dream, where = tests_for_cart.dream.id, ("--repo", str(shop.folder))
    ran = cli("governance", "evaluate", dream[:8], *where, "--json")
    assert (ran.code, ran.document["verdict"]) == (1, "pilot")
    assert ran.document["subject"] == dream
    assert "little_worth" in ran.document["reason_codes"]
    assert ran.document["figures"]["files"] == 1
    refused = cli("promote", dream, *where)
    assert refused.code == 1
    signed = ("governance", "override", dream[:8], "--as", "Ada", "--key", key, "--why", "I looked")
    ran = cli(*signed, "--verdict", "promote", *where, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert (ran.document["subject"], ran.document["verdict"]) == (dream, "promote")
    ran = cli("governance", "evaluate", dream, *where)
    assert ran.code == 0
    assert "promote, by the word of Ada" in ran.out
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "HOME": str(tmp_path)}
    offered = cli("promote", dream, *where, "--json", environ=environ)
    assert (offered.code, offered.err) == (0, "")
    assert offered.document["status"] == "offered"


def test_a_word_never_mends_a_proof_that_failed(  # type: ignore[no-untyped-def]
    cli: Callable, shop, tmp_path: Path, tests_for_cart: Proven
) -> None:
    key = settings(shop, tmp_path)
    bad = Ruling("gain", Answer.FAIL, "no_gain", "nothing is gained")
    failed = replace(tests_for_cart, judgement=Judgement((bad,)))
    journaled(shop.folder, held_back(failed))
    dream, where = failed.dream.id, ("--repo", str(shop.folder))
    signed = ("governance", "override", dream, "--as", "Ada", "--key", key, "--why", "please")
    assert cli(*signed, "--verdict", "promote", *where).code == 0
    ran = cli("promote", dream, *where)
    assert ran.code == 1
    assert "no_gain" in ran.err or "nothing is gained" in ran.err or "reject" in ran.err


def test_a_word_that_would_not_count_is_refused(  # type: ignore[no-untyped-def]
    cli: Callable, shop, tmp_path: Path, tests_for_cart: Proven
) -> None:
    settings(shop, tmp_path)
    journaled(shop.folder, tests_for_cart)
    own_key(tmp_path / "mallory")
    other = str(tmp_path / "mallory" / "key.pem")
    line = ("governance", "override", "cart", "--as", "Ada", "--key", other, "--why", "x")
    where = ("--repo", str(shop.folder))
    ran = cli(*line, "--verdict", "promote", *where)
    assert (ran.code, ran.err) == (
        1,
        "error: 'Ada' with that key is not among promotion.approvers\n",
    )
    ran = cli(*line, "--verdict", "yes", *where)
    assert ran.code == 2
    assert "--verdict 'yes'" in ran.err
    assert cli(*line, "--verdict", "hold", "--days", "0", *where).code == 2


def test_the_log_is_shown_newest_first(cli: Callable, shop, tests_for_cart: Proven) -> None:  # type: ignore[no-untyped-def]
    journaled(shop.folder, tests_for_cart)
    where = ("--repo", str(shop.folder))
    with Journal.open(journal_url(shop.folder)) as journal:
        for name in ("one", "two\x1b[31m"):
            decision = {"verdict": "hold", "reason_codes": ["unknown"], "figures": {},
                        "overridden_by": None}  # fmt: skip
            record_decision(journal, name, decision)
    ran = cli("governance", "log", *where, "--json")
    assert [each["subject"] for each in ran.document["decisions"]] == ["two\x1b[31m", "one"]
    assert (
        len(cli("governance", "log", "--limit", "1", *where, "--json").document["decisions"]) == 1
    )
    text = cli("governance", "log", *where).out
    assert "\x1b" not in text
    assert "unknown" in text


def test_the_queue_shows_what_waits(cli: Callable, shop) -> None:  # type: ignore[no-untyped-def]
    from reverie.home.own_folder import make_own_folder
    from reverie.learning.deployment_governance import BorderlineBucket, PilotResult

    make_own_folder(shop.folder / ".reverie")
    bucket = BorderlineBucket(shop.folder / ".reverie" / "borderline_bucket.jsonl")
    bucket.enqueue("waits", 2.0, 0.4)
    bucket.enqueue("went", 3.0, 0.4)
    bucket.decide("went", PilotResult(4.0, 0.9), 0.0, 0.5)
    where = ("--repo", str(shop.folder))
    found = cli("governance", "queue", *where, "--json").document
    assert found["mode"] == "queue"
    assert [each["subject"] for each in found["candidates"]] == ["waits"]
    every = cli("governance", "queue", "--all", *where, "--json").document["candidates"]
    assert [each["status"] for each in every] == ["candidate", "promoted"]
    assert "+2.0" in cli("governance", "queue", *where).out


def test_a_module_is_decided_on_by_its_recorded_cycles(  # type: ignore[no-untyped-def]
    cli: Callable, shop, tests_for_cart: Proven
) -> None:
    from reverie import ForesightTracker

    journaled(shop.folder, tests_for_cart)
    with Journal.open(journal_url(shop.folder)) as journal:
        tracker = ForesightTracker(ForesightMemory(journal, shop.folder))
        for worth in (20, 18, 16, 14, 12, 10, 8, 6, 4, 2):
            tracker.record_cycle_metrics("cart", {"roi_delta": worth})
    ran = cli("governance", "evaluate", "cart", "--repo", str(shop.folder), "--json")
    assert (ran.code, ran.document["verdict"]) == (1, "demote")
    assert "roi_collapse_risk" in ran.document["reason_codes"]
    missing = cli("governance", "evaluate", "nobody", "--repo", str(shop.folder))
    assert missing.code == 2


def test_without_outcomes_nothing_is_learned(  # type: ignore[no-untyped-def]
    cli: Callable, shop, tmp_path: Path, tests_for_cart: Proven
) -> None:
    journaled(shop.folder, tests_for_cart)
    where = ("--repo", str(shop.folder))
    progress, weights = tmp_path / "progress.json", tmp_path / "weights.json"
    ran = cli("weights", "train", "--run-once", "--progress", str(progress),
              "--weights-file", str(weights), *where, "--json")  # fmt: skip
    assert ran.code == 1
    assert (ran.document["replaced"], ran.document["reason"]) == (False, "no new outcomes")
    assert json.loads(progress.read_text()) == {"iterations": 0, "last_id": 0}
    assert json.loads(weights.read_text()) == {}
    shown = cli("weights", "show", *where, "--json").document
    assert shown == {"weights": {}, "used": True, "trainings": []}
    assert "nothing was learned" in cli("weights", "show", *where).out
    wrong = cli("weights", "train", "--learner", "oracle", *where)
    assert wrong.code == 2
    assert "'oracle' is no learner" in wrong.err
    bad = cli("weights", "train", "--progress", str(tmp_path / "no" / "x"), *where)
    assert (bad.code, bad.err.count("\n")) == (2, 1)


def test_what_was_rolled_back_is_an_outcome(  # type: ignore[no-untyped-def]
    cli: Callable, shop, tmp_path: Path, tests_for_cart: Proven
) -> None:
    measures = {**tests_for_cart.evidence.measures, "conditions.protected": 2.0}
    evidence = replace(tests_for_cart.evidence, measures=measures)
    journaled(shop.folder, replace(tests_for_cart, evidence=evidence))
    where = ("--repo", str(shop.folder), "--json")
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "HOME": str(tmp_path)}
    dream = tests_for_cart.dream.id
    assert cli("promote", dream, *where, environ=environ).code == 0
    offered = cli("weights", "train", *where).document
    assert offered["n"] == 0, "nobody has taken it, and nobody has taken it back"
    assert cli("rollback", dream, *where, environ=environ).code == 0
    trained = cli("weights", "train", *where).document
    assert (trained["n"], trained["reason"]) == (1, "insufficient data")
    assert (trained["replaced"], trained["weights"]) == (False, {})
    assert cli("weights", "train", *where).document["reason"] == "no new outcomes"
    (training,) = cli("weights", "show", *where).document["trainings"]
    assert (training["n"], training["learner"]) == (1, "logistic")
