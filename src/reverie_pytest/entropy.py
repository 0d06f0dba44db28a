"""Chance that is the same in every run: one stream per test, fixture and thread.

A stream depends on the seed and on the id of the test, not on what ran before, so that a test
alone sees what it sees in the suite. Replaced are the sources themselves: `os.urandom` feeds
`uuid4`, `secrets`, `SystemRandom` and numpy's `default_rng`; a `random.Random` without a seed
asks the stream; the global generators of `random`, numpy and torch are seeded.
"""

import itertools
import os
import random
import sys
import threading
from _random import Random as Stream
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

_NODE = 0x0242AC110002  # of `uuid1`, instead of this machine's network card


class Entropy:
    """The source of chance of this process, once it is installed."""

    def __init__(self) -> None:
        self._real: dict[str, Any] = {}
        self._seed = 0
        self._base = self._base_of_fork = 0
        self._streams: dict[str, Stream] = {}
        self._forks = itertools.count()
        self._hypothesis_seed: int | None = None

    def __reduce__(self) -> str:
        return "entropy"

    def install(self, seed: int) -> None:
        """Replace the sources of chance."""
        self._seed = seed
        self._real = {
            "urandom": os.urandom,
            "getrandom": os.getrandom,
            "_urandom": random._urandom,  # type: ignore[attr-defined]
            "Random.seed": random.Random.seed,
            "seed": random.seed,
        }
        real_seed, entropy = random.Random.seed, self

        def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
            real_seed(self, entropy.number() if a is None else a, version)

        os.urandom = random._urandom = self.urandom  # type: ignore[attr-defined]
        os.getrandom = self.getrandom
        random.Random.seed = seeded  # type: ignore[method-assign]
        random.seed = random._inst.seed
        self.begin("")

    def uninstall(self) -> None:
        """Take everything back; the global generators get real chance again."""
        os.urandom = self._real["urandom"]
        os.getrandom = self._real["getrandom"]
        random._urandom = self._real["_urandom"]  # type: ignore[attr-defined]
        random.Random.seed = self._real["Random.seed"]  # type: ignore[method-assign]
        random.seed = self._real["seed"]
        self._real = {}
        random.seed()
        self._seed_hypothesis(None)
        if (uuid := _loaded("uuid")) is not None:
            library = _loaded("_uuid")
            uuid._generate_time_safe = getattr(library, "generate_time_safe", None)
            uuid._node = None

    def urandom(self, size: int, /) -> bytes:
        """Bytes of the stream of this test and thread."""
        return self._stream().getrandbits(size * 8).to_bytes(size, "little")

    def getrandom(self, size: int, flags: int = 0) -> bytes:
        """As `urandom`."""
        return self.urandom(size)

    def number(self) -> int:
        """A seed for a generator that was given none."""
        return self._stream().getrandbits(128)

    def begin(self, key: str) -> None:
        """Start the streams of a test, or of whatever else has an id."""
        number = self._number_of(key)
        self._base, self._streams, self._forks = number, {}, itertools.count()
        self._real["Random.seed"](random._inst, number)
        if (numpy := _loaded("numpy.random")) is not None:
            numpy.seed(number & 0xFFFFFFFF)
        if (torch := _loaded("torch")) is not None:
            torch.manual_seed(number)
        self._seed_hypothesis(number)
        _forget_names()

    @contextmanager
    def aside(self, key: str) -> Iterator[None]:
        """Streams of their own for a fixture that many tests share, whichever asks first."""
        before = (self._base, self._streams, random.getstate(), _library_states())
        self.begin(key)
        yield
        self._base, self._streams, state, libraries = before
        random.setstate(state)
        for restore, each in libraries:
            restore(each)

    def begin_fork(self) -> None:
        """Streams of their own for a forked child: two children share no uuid."""
        self._base_of_fork = self._number_of(f"{self._base} fork {next(self._forks)}")

    def enter_child(self) -> None:
        """Use them, in the child."""
        if self._real:
            self._base, self._streams = self._base_of_fork, {}
            self._real["Random.seed"](random._inst, self._base)

    def _stream(self) -> Stream:
        name = threading.current_thread().name
        stream = self._streams.get(name)
        if stream is None:
            stream = self._streams[name] = Stream(self._number_of(f"{self._base} {name}"))
        return stream

    def _number_of(self, key: str) -> int:
        text = f"{self._seed} {key}".encode("utf-8", "surrogatepass")
        return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")

    def _seed_hypothesis(self, number: int | None) -> None:
        """As its `--hypothesis-seed` does, unless that was given."""
        core = _loaded("hypothesis.core")
        if core is not None and getattr(core, "global_force_seed", 0) in (
            None,
            self._hypothesis_seed,
        ):
            core.global_force_seed = self._hypothesis_seed = number


def _loaded(name: str) -> Any:
    """A module if somebody has imported it; nothing is imported for the sake of seeding it."""
    return sys.modules.get(name)


def _forget_names() -> None:
    """Names that are counted or drawn start again: temporary files, threads, time-based ids."""
    if (tempfile := _loaded("tempfile")) is not None:
        tempfile._name_sequence = None
    if (uuid := _loaded("uuid")) is not None:
        uuid._generate_time_safe = uuid._last_timestamp = None
        uuid._node = _NODE
    threading._counter = itertools.count(1).__next__  # type: ignore[attr-defined]


def _library_states() -> list[tuple[Any, Any]]:
    """How to restore each library's global generator, and to what."""
    states = []
    if (numpy := _loaded("numpy.random")) is not None:
        states.append((numpy.set_state, numpy.get_state()))
    if (torch := _loaded("torch")) is not None:
        states.append((torch.set_rng_state, torch.get_rng_state()))
    return states


entropy = Entropy()
os.register_at_fork(before=entropy.begin_fork, after_in_child=entropy.enter_child)
