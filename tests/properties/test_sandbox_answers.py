"""Whatever comes over the channel: a ruling or a lost sandbox, and success only for an answer."""

import itertools
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import SandboxLost
from reverie.model.execution import Call, Expression, Module, Policy, Pytest, Request, Script
from reverie.model.outcome import TestOutcome
from reverie.sandbox.classify import Ruling, classify, judge_claim
from reverie.sandbox.observation import Ending, Observation
from reverie.testing.peers import FakePeer

texts = st.text(st.characters(codec=None), max_size=30)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
CLAIMS = ("returned", "raised", "not_compiled", "not_plain", "too_large", "died")
FIELDS = ("type", "ancestors", "message", "errno", "frames", "at_call")
errors = anything | st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS, anything))
frames = st.lists(st.tuples(texts, st.integers(), texts).map(list), max_size=3)
good_errors = st.fixed_dictionaries(
    {
        "type": texts,
        "ancestors": st.lists(st.sampled_from(["TypeError", "OSError", "MemoryError", "X"])),
        "message": texts,
        "errno": st.none() | st.integers(-5, 200),
        "frames": frames,
        "at_call": st.booleans(),
    }
)
claims = st.dictionaries(texts, anything, max_size=4) | st.fixed_dictionaries(
    {"claim": st.sampled_from(CLAIMS) | anything},
    optional={
        "value": anything,
        "type": anything,
        "error": errors | good_errors,
        "exit_code": anything,
        "status": anything,
        "index": anything,
        "position": anything,
    },
)
targets = st.sampled_from(
    [Expression("1"), Call("", "f"), Script("", path="x.py"), Module("m"), Pytest()]
)
requests = st.builds(
    Request,
    targets,
    policy=st.sampled_from([Policy(), Policy(import_paths=("/a",))]),
    expected_output_type=st.sampled_from([None, "int", "list[int | None]", "dict[str, Any]"]),
)
observations = st.builds(
    Observation,
    st.sampled_from(Ending),
    st.floats(0, 10),
    claim=st.none() | claims,
    garble=st.none() | texts,
    wait_status=st.none() | st.integers(0, 0xFFFF),
    cpu_seconds=st.none() | st.floats(0, 1000),
    memory_exceeded=st.booleans(),
    oom_killed=st.booleans(),
    output_full=st.booleans(),
)


def is_sound(ruling: Ruling) -> bool:
    """A ruling that everybody downstream can write, store and count."""
    json.dumps(ruling.output, allow_nan=False).encode()
    if ruling.outcome is TestOutcome.SUCCESS:
        return ruling.error is None and ruling.category is None
    if ruling.error is None or ruling.category is None or ruling.output is not None:
        return False
    told = (ruling.error.message, ruling.error.type_name, ruling.error.location)
    for text in told:
        (text or "").encode()
    return bool(ruling.error.message)


@given(requests, observations)
def test_everything_seen_has_a_ruling(request: Request, seen: Observation) -> None:
    ruling = classify(request, seen)
    assert is_sound(ruling)
    if ruling.outcome is TestOutcome.SUCCESS:
        assert seen.ending is Ending.ANSWERED
        assert seen.claim is not None
        assert seen.claim["claim"] == "returned"
        assert not seen.memory_exceeded
        assert not seen.oom_killed


@given(requests, claims, observations)
def test_every_claim_has_a_ruling(
    request: Request, claim: dict[str, Any], seen: Observation
) -> None:
    ruling = judge_claim(request, claim, seen)
    assert is_sound(ruling)
    if ruling.outcome is TestOutcome.SUCCESS:
        assert claim["claim"] == "returned"


@given(observations)
def test_the_same_observation_has_the_same_ruling(seen: Observation) -> None:
    request = Request(Expression("1"))
    first, second = classify(request, seen), classify(request, seen)
    assert repr(first) == repr(second)


chunks = st.lists(st.binary(max_size=64), max_size=8)
endings = st.sampled_from(["buried", "hangs up", "expires", "zygote gone"])


def conclude(peer: FakePeer, ending: str) -> None:
    """Bring an exchange to its end as a real one would come to it."""
    if ending == "hangs up":
        peer.hang_up()
    elif ending == "expires":
        peer.exchange.attempt(peer.exchange.expire)
    elif ending == "zygote gone" and not peer.exchange.is_over:
        peer.slot.zygote.close()
        peer.pump()
        return
    peer.bury(status=9)


@given(chunks, endings)
def test_junk_never_succeeds_and_never_breaks_us(junk: list[bytes], ending: str) -> None:
    with FakePeer() as peer:
        peer.hello()
        for chunk in junk:
            peer.write(chunk)
        conclude(peer, ending)
        assert peer.exchange.is_over
        if peer.exchange.failure is not None:
            assert isinstance(peer.exchange.failure, SandboxLost)
            return
        assert peer.exchange.seen.ending is not Ending.ANSWERED
        assert classify(Request(Expression("1")), peer.exchange.seen).outcome != "success"


@given(st.binary(max_size=200), st.integers(0, 2**32 - 1), chunks, endings)
def test_a_stolen_nonce_gives_a_claim_at_most(
    body: bytes, length: int, more: list[bytes], ending: str
) -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(peer.exchange.nonce + length.to_bytes(4, "big") + body)
        for chunk in more:
            peer.write(chunk)
        conclude(peer, ending)
        assert peer.exchange.is_over
        if peer.exchange.failure is None:
            assert is_sound(classify(Request(Expression("1")), peer.exchange.seen))


@given(claims, st.lists(st.integers(0, 400), max_size=6), endings)
def test_a_claim_may_be_split_anywhere(claim: dict[str, Any], cuts: list[int], ending: str) -> None:
    with FakePeer() as peer:
        peer.hello()
        data = peer.framed(json.dumps(claim).encode())
        places = sorted({min(cut, len(data)) for cut in cuts} | {0, len(data)})
        for start, end in itertools.pairwise(places):
            peer.write(data[start:end])
        conclude(peer, ending)
        seen = peer.exchange.seen if peer.exchange.failure is None else None
        if seen is not None:
            assert is_sound(classify(Request(Expression("1")), seen))


@given(st.lists(st.binary(max_size=40) | claims.map(lambda c: json.dumps(c).encode()), max_size=4))
def test_a_zygote_that_says_anything_is_lost_or_understood(messages: list[bytes]) -> None:
    with FakePeer() as peer:
        peer.hello()
        for message in messages:
            peer.tell(message)
        peer.bury()
        assert peer.exchange.is_over
