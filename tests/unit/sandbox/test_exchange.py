"""The exchange against a far side that is in the test's hands."""

import json
import os
from typing import Any

import pytest

from reverie.errors import SandboxLost
from reverie.model.execution import Limits, Policy
from reverie.sandbox.backends.exchange import drive
from reverie.sandbox.classify import classify
from reverie.sandbox.observation import Ending
from reverie.testing.fakes import finished
from reverie.testing.peers import FakePeer

REQUEST = finished()[0]
RETURNED = {"claim": "returned", "value": 7, "type": "int"}


def ending_of(peer: FakePeer) -> Ending:
    return peer.exchange.seen.ending


def test_an_answer_ends_it() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(peer.framed(RETURNED))
        assert ending_of(peer) is Ending.ANSWERED
        assert peer.exchange.seen.claim == RETURNED
        assert peer.slot.limits == [peer.exchange.limits]


def test_an_answer_may_come_byte_by_byte() -> None:
    with FakePeer() as peer:
        peer.hello()
        for byte in peer.framed(RETURNED):
            peer.write(bytes([byte]))
        assert ending_of(peer) is Ending.ANSWERED


def test_an_answer_is_found_after_the_death_of_its_author() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.slot.peer.send(peer.framed(RETURNED))
        peer.slot.zygote.send(json.dumps({"serial": 1, "status": 0}).encode())
        peer.exchange.attempt(peer.exchange.advance, peer.slot.control.fileno())
        assert ending_of(peer) is Ending.ANSWERED


def test_with_private_copies_the_changes_are_waited_for() -> None:
    with FakePeer(policy=Policy(enable_filesystem=True, private_copies=("/x",))) as peer:
        peer.hello()
        peer.write(peer.framed(RETURNED))
        assert not peer.exchange.is_over
        assert peer.slot.kills == 1
        peer.bury(changes=[["created", "/x/a"], ["odd"], 7, [1, 2]])
        assert ending_of(peer) is Ending.ANSWERED
        assert peer.exchange.seen.changes == (("created", "/x/a"),)
        assert not peer.exchange.seen.changes_complete


def test_a_list_of_changes_is_complete_only_when_that_is_said() -> None:
    for said, is_complete in (({"changes_complete": True}, True), ({}, False)):
        with FakePeer(policy=Policy(enable_filesystem=True, private_copies=("/x",))) as peer:
            peer.hello()
            peer.write(peer.framed(RETURNED))
            peer.bury(changes=[], **said)
            assert peer.exchange.seen.changes_complete is is_complete


@pytest.mark.parametrize(
    "data",
    [b"\0" * 20, b"\0" * 5000, b"H" * 16, b'{"claim":"returned","value":1}', bytes(range(64))],
)
def test_bytes_without_the_nonce_are_no_answer(data: bytes) -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(data)
        assert peer.slot.kills == 1
        peer.bury(status=9)
        assert ending_of(peer) is Ending.GARBLED
        assert classify(REQUEST, peer.exchange.seen).outcome == "output_validation_failed"


def test_the_first_wrong_byte_is_enough() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(bytes([peer.exchange.nonce[0] ^ 1]))
        assert peer.slot.kills == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        b"7",
        b"{",
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"claim":"\xff"}',
        b"9" * 5000,
        b'{"a":' + b"9" * 5000 + b"}",
    ],
)
def test_an_answer_that_is_no_json_object_is_none(body: bytes) -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(peer.framed(body))
        peer.bury()
        assert ending_of(peer) is Ending.GARBLED


@pytest.mark.parametrize("length", [1 << 31, 0xFFFFFFFF, 1001 + 4096])
def test_a_length_that_nobody_will_wait_for(length: int) -> None:
    with FakePeer(Limits(result_bytes=1000)) as peer:
        peer.hello()
        peer.write(peer.exchange.nonce + length.to_bytes(4, "big"))
        peer.bury()
        assert ending_of(peer) is Ending.GARBLED
        assert str(length) in str(peer.exchange.seen.garble)


def test_two_answers_are_none() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(peer.framed(RETURNED) * 2)
        peer.bury()
        assert ending_of(peer) is Ending.GARBLED


def test_many_inputs_have_as_many_answers() -> None:
    with FakePeer(answers=3) as peer:
        peer.hello()
        for index in range(3):
            assert not peer.exchange.is_over
            peer.write(peer.framed({**RETURNED, "index": index}))
        assert ending_of(peer) is Ending.ANSWERED
        assert [claim["index"] for claim in peer.exchange.claims] == [0, 1, 2]


def test_all_answers_that_a_dead_execution_left_are_read() -> None:
    with FakePeer(Limits(result_bytes=1 << 20), answers=3) as peer:
        peer.hello()
        large = {**RETURNED, "value": "x" * 60_000}
        peer.slot.peer.send(peer.framed(large) + peer.framed(large))
        peer.slot.peer.close()
        peer.slot.zygote.send(json.dumps({"serial": 1, "status": 9}).encode())
        peer.exchange.attempt(peer.exchange.advance, peer.slot.control.fileno())
        assert ending_of(peer) is Ending.SILENT
        assert len(peer.exchange.claims) == 2


def test_silence_waits_for_the_end_or_the_wall() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.hang_up()
        assert not peer.exchange.is_over
        assert [fd for fd, _ in peer.exchange.interests()] == [peer.slot.control.fileno()]
        peer.bury(status=7 << 8)
        assert (ending_of(peer), peer.exchange.seen.wait_status) == (Ending.SILENT, 7 << 8)


def test_the_wall() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(peer.framed(RETURNED)[:-1])
        peer.exchange.attempt(peer.exchange.expire)
        assert (peer.slot.kills, peer.exchange.is_over) == (1, False)
        peer.bury(status=9)
        assert ending_of(peer) is Ending.WALL


def test_a_wall_of_no_time_is_kept_by_the_driver() -> None:
    with FakePeer(Limits(wall_seconds=0.001)) as peer:
        peer.hello()
        while not peer.slot.kills:
            if peer.exchange.seconds_left() <= 0:
                peer.exchange.attempt(peer.exchange.expire)
        peer.bury(status=9)
        assert drive([peer.exchange]) is peer.exchange
        assert ending_of(peer) is Ending.WALL


def lost(peer: FakePeer) -> str:
    assert isinstance(peer.exchange.failure, SandboxLost)
    with pytest.raises(SandboxLost):
        _ = peer.exchange.seen
    return peer.exchange.failure.detail


def test_an_execution_that_cannot_be_buried_loses_the_slot() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.write(b"junk" * 10)
        peer.exchange.attempt(peer.exchange.expire)
        assert "buried" in lost(peer)


def test_a_spare_that_never_comes_up_loses_the_slot() -> None:
    with FakePeer() as peer:
        peer.exchange.attempt(peer.exchange.expire)
        assert "did not come up" in lost(peer)


def test_a_spare_that_hangs_up_loses_the_slot() -> None:
    with FakePeer() as peer:
        peer.hang_up()
        assert "before its request" in lost(peer)


def test_a_spare_that_dies_loses_the_slot() -> None:
    with FakePeer() as peer:
        peer.bury(status=9)
        assert "before its request" in lost(peer)


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"junk",
        b"[]",
        b"{}",
        b'{"status":null}',
        b'{"status":"0"}',
        b'{"status":true}',
        b'{"status":-1,"serial":1}',
        b'{"status":65536,"serial":1}',
        b'{"status":1e300,"serial":1}',
        b'{"status":' + b"9" * 400 + b"}",
        b'{"doubt":"files left"}',
        b'{"doubt":7,"status":0}',
        b"[" * 50_000,
        b"\xff\xfe",
    ],
)
def test_a_zygote_that_does_not_make_sense_loses_the_slot(message: bytes) -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.tell(message)
        assert lost(peer)


def test_a_zygote_that_ends_loses_the_slot() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.slot.zygote.close()
        peer.pump()
        assert "zygote ended" in lost(peer)


def test_the_burial_of_an_earlier_execution_is_not_ours() -> None:
    with FakePeer() as peer:
        peer.bury(serial=0)
        peer.hello()
        peer.bury(serial=0)
        assert not peer.exchange.is_over
        peer.write(peer.framed(RETURNED))
        assert ending_of(peer) is Ending.ANSWERED


@pytest.mark.parametrize("facts", [{"cpu": "x"}, {"cpu": None, "peak_kib": []}, {"changes": {}}])
def test_facts_of_the_wrong_kind_are_absent(facts: dict[str, Any]) -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.bury(**facts)
        seen = peer.exchange.seen
        for name, value in (("cpu", seen.cpu_seconds), ("peak_kib", seen.peak_rss_bytes)):
            assert (value is None) is (name in facts)
        assert seen.changes == ()


def test_memory_kills_are_taken_from_the_slot() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.slot.oom_kills = 2
        peer.write(peer.framed(RETURNED))
        assert peer.exchange.seen.oom_killed


def test_a_zygote_killed_for_memory_is_the_doing_of_what_ran() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.slot.oom_kills = 2
        peer.slot.zygote.close()
        peer.exchange.attempt(peer.exchange.advance, peer.slot.control.fileno())
        assert classify(REQUEST, peer.exchange.seen).outcome == "resource_exhaustion"


def test_a_zygote_that_ended_for_no_known_reason_is_our_failure() -> None:
    with FakePeer() as peer:
        peer.hello()
        peer.slot.zygote.close()
        peer.exchange.attempt(peer.exchange.advance, peer.slot.control.fileno())
        assert isinstance(peer.exchange.failure, SandboxLost)


def test_output_is_read_up_to_where_it_was_written() -> None:
    with FakePeer() as peer:
        assert peer.slot.arms is not None
        os.write(peer.slot.arms.output, b"printed")
        os.lseek(peer.slot.arms.errors, 1 << 40, os.SEEK_SET)
        peer.hello()
        peer.write(peer.framed(RETURNED))
        seen = peer.exchange.seen
        assert (seen.stdout, seen.stderr, seen.output_full) == (b"printed", b"", True)
