"""What a slot says while it comes up, and what of it is believed."""

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from reverie.errors import IsolationUnavailable, PolicyError, SandboxLost
from reverie.model.execution import Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends import boot_message, cage
from reverie.sandbox.inside import kernel, seccomp
from reverie.sandbox.profile import Profile

OURS = Profile(IsolationTier.NAMESPACES, Policy(), 1)
FOREIGN = Profile(IsolationTier.NAMESPACES, Policy(python="/some/python"), 1)
Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    ours.settimeout(0.01)
    with ours, theirs:
        yield ours, theirs


def test_a_word_comes_with_its_sender(pair: Pair) -> None:
    pair[1].send(b'{"closed_in": true, "posture": {"proc": true}}')
    word = boot_message.hear(pair[0], OURS, "closed_in")
    assert word.pid == os.getpid()
    assert boot_message.posture(word, OURS.tier)["proc"] is True


def test_silence_ends(pair: Pair) -> None:
    with pytest.raises(SandboxLost, match="sent no word"):
        boot_message.hear(pair[0], OURS, "booted")


@pytest.mark.parametrize(
    "word",
    [b"\xff", b"[]", b"null", b"[" * 50_000, b"{", b"{}", b'{"booted": 1}', b'{"booted": "yes"}',
     b'{"refused": {"a": 1}}', b'{"error": 7}'],
)  # fmt: skip
def test_a_word_of_another_shape_is_a_lost_slot(pair: Pair, word: bytes) -> None:
    pair[1].send(word)
    with pytest.raises(SandboxLost):
        boot_message.hear(pair[0], OURS, "booted")


@pytest.mark.parametrize("word", [b"\xff", b"{}", b'{"error": "it is broken"}', b""])
def test_a_foreign_interpreter_cannot_make_a_tier_look_unusable(pair: Pair, word: bytes) -> None:
    if word:
        pair[1].send(word)
    pair[1].close()
    with pytest.raises(PolicyError, match="/some/python"):
        boot_message.hear(pair[0], FOREIGN, "booted")


def test_our_own_failure_is_the_tier_s(pair: Pair) -> None:
    pair[1].send(b'{"error": "no such thing"}')
    with pytest.raises(IsolationUnavailable, match="no such thing"):
        boot_message.hear(pair[0], FOREIGN, "closed_in")


def test_control_characters_do_not_get_through(pair: Pair) -> None:
    pair[1].send(b'{"refused": "\\u001b[31mred\\u202e"}')
    with pytest.raises(PolicyError) as caught:
        boot_message.hear(pair[0], OURS, "booted")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("posture", ["", '"posture": []', '"posture": {"proc": 1}'])
def test_a_posture_of_another_shape_is_a_lost_slot(pair: Pair, posture: str) -> None:
    pair[1].send(f'{{"closed_in": true{posture and ", "}{posture}}}'.encode())
    word = boot_message.hear(pair[0], OURS, "closed_in")
    with pytest.raises(SandboxLost):
        boot_message.posture(word, OURS.tier)


def test_a_process_that_is_not_closed_in_is_seen_from_outside() -> None:
    with pytest.raises(IsolationUnavailable, match="no system call filter"):
        cage.check(os.getpid(), OURS, (os.getuid(),))


@pytest.mark.parametrize("is_powerless", [False, True])
def test_a_filter_alone_is_not_enough(is_powerless: bool) -> None:
    with filtered_process(is_powerless) as pid:
        has_power = os.geteuid() == 0 and not is_powerless
        words = "capabilities are left" if has_power else "namespace is the host's"
        with pytest.raises(IsolationUnavailable, match=words):
            cage.check(pid, OURS, (os.getuid(),))
        with pytest.raises(IsolationUnavailable, match=r"capabilities|uid"):
            cage.check(pid, OURS, (os.getuid() + 1,))


@contextmanager
def filtered_process(is_powerless: bool) -> Iterator[int]:
    """A process with a filter but without a namespace of its own."""
    ready, done = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            if is_powerless:
                kernel.drop_capabilities()
            seccomp.install(seccomp.build(seccomp.Rules()))
            os.write(done, b".")
            signal.pause()
        finally:
            os._exit(1)
    try:
        os.close(done)
        assert os.read(ready, 1) == b"."
        yield pid
    finally:
        os.close(ready)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_a_process_that_cannot_be_looked_at_is_not_trusted() -> None:
    with pytest.raises(IsolationUnavailable, match="cannot be looked at"):
        cage.check(2**22 + 1, OURS, (os.getuid(),))
