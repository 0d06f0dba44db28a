"""One execution: a forked process that reads one request, runs it and answers.

It is forked ahead of its request and warms the code path it is about to use, so that the
copy-on-write faults are paid while nobody waits.
"""

import _signal  # type: ignore[import-not-found]  # the C module: no enums, few page faults
import fcntl
import gc
import json
import os
import random
import resource
import select
import sys
from typing import Any

from . import filters, frames, imports, kernel, many, perform, report

CHANNEL = 3
_LIMITS = ("cpu_seconds", "memory_bytes", "processes", "open_files", "file_bytes", "result_bytes")
_FIRST_STEPS = {
    "kind": "call",
    "code": "def f(a, b):\n    return {'k': [a, b, str(a)]}\n",
    "entry": "f",
    "params": {"a": 1.5, "b": "x"},
    "limits": dict.fromkeys(_LIMITS, 1 << 20),
}
_BIT_OF_EVERYTHING = {
    **_FIRST_STEPS,
    "kind": "call",
    "code": '''
import math
LIMIT = 8
def rehearse(values, names=("a", "b"), scale=2):
    """What code under test is made of, but for what would leave a trace."""
    sizes = {name: len(name) for name in names if name not in ("", None)}
    total = sum(values) * scale - max(values) // 3 % 7
    ordered = sorted(values, key=lambda value: -value)
    for index, value in enumerate(ordered[:LIMIT]):
        try:
            sizes[names[index]] += value * math.sqrt(scale)
        except (IndexError, KeyError) as error:
            total += len(str(error))
        if value > total and not index:
            break
    while total > 1_000_000 or total < -10:
        total //= 2
    return {
        "total": total,
        "text": f"{total:>5} of {len(sizes)}".strip().split(" "),
        "middle": ordered[len(ordered) // 2],
        "sizes": [(name, round(size, 2)) for name, size in sizes.items()],
        "flags": [True, None, {str(value): value for value in values[:4]}],
    }
''',
    "entry": "rehearse",
    "params": {"values": [*range(0, 40, 3), 2.5], "names": ["x", "yy"], "scale": 3},
}
_FRAMES = [
    frames.request_frame(bytes(frames.NONCE_BYTES), json.dumps(each).encode())
    for each in (_FIRST_STEPS, _BIT_OF_EVERYTHING)
]
_PATIENCE_MS = {True: 1, False: 10}
"""After so long without a request there is time for a rehearsal; in a hurry it takes longer to
be sure that nobody is."""
_COUNTED = ("namespaces", "srt")
"""Tiers with a user namespace, in which the kernel counts our processes and nobody else's."""
_REPORT_HEADROOM_BYTES = 16 << 20


class Runner:
    """One execution, as far as it can be made before the fork: what is not made there is not
    copied, and nothing foreign has run that could have changed what it is made of."""

    def __init__(self, config: "dict[str, Any]", target: imports.Imports) -> None:
        self._config = config
        self._target = target
        self._filter = filters.of_own(config)
        self._reply = _Reply()
        self._channel = select.poll()
        self._channel.register(CHANNEL, select.POLLIN)

    def serve(self, descriptors: "tuple[int, ...]", rehearsed: bool) -> None:
        """Become the execution on these descriptors: channel, output, errors. Never returns."""
        status = 1
        try:
            _take_descriptors(*descriptors)
            _become_ordinary(self._config)
            if self._filter is not None:
                self._filter.install(os.getpid())
            sys.meta_path = self._target.finders
            if not self._target.is_plain:
                self._target.enter()
                _forget_output()
            self._get_ready(rehearsed)
            self._answer(*frames.read_request(CHANNEL))
        except EOFError:
            status = 0  # the supervisor had no request for us
        finally:
            os._exit(status)

    def _get_ready(self, rehearsed: bool) -> None:
        self._reply.adopt()
        if rehearsed:
            _rehearse(_FRAMES[0], self._reply)
        frames.write_all(CHANNEL, b"H")
        if not self._channel.poll(_PATIENCE_MS[rehearsed]):
            if not rehearsed:
                _rehearse(_FRAMES[0], self._reply)
            _rehearse(_FRAMES[1], self._reply)
        gc.enable()

    def _answer(self, nonce: bytes, request: "dict[str, Any]") -> None:
        """Run and answer; what is needed afterwards was captured before anything foreign runs."""
        limits, reply = request["limits"], self._reply
        for kind, soft, hard in _rlimits(limits, self._config["tier"] in _COUNTED):
            resource.setrlimit(kind, (soft, hard))
        _reseed(request.get("seed"))
        home, whoami, pause = os.getpid(), os.getpid, _signal.pause
        reply.bind(nonce, limits["result_bytes"])
        if request["kind"] == "many":
            many.run(request, reply)
        else:
            reply.send(perform.perform(request))
        while whoami() == home:  # a fork of the code under test ends when it comes back here
            pause()  # the supervisor reads what we used, then we are killed


def _take_descriptors(channel: int, output: int, errors: int) -> None:
    if min(channel, output, errors) <= CHANNEL:  # or one could be overwritten, or be its own target
        above = CHANNEL + 1
        channel, output, errors = (
            fcntl.fcntl(number, fcntl.F_DUPFD, above) for number in (channel, output, errors)
        )
    os.dup2(output, 1)
    os.dup2(errors, 2)
    os.dup2(channel, CHANNEL, inheritable=False)
    kernel.close_from(CHANNEL + 1)
    os.close(0)
    os.open("/dev/null", os.O_RDWR)  # the zygote's would carry its flags to the next execution


def _forget_output() -> None:
    """What modules said while they were loaded is not the request's."""
    sys.stdout.flush()
    sys.stderr.flush()
    for descriptor in (1, 2):
        os.lseek(descriptor, 0, os.SEEK_SET)


def _become_ordinary(config: "dict[str, Any]") -> None:
    """An ordinary program's signals, session and folder."""
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    os.setsid()
    os.chdir(config["working_directory"])
    if config["watch_memory"]:
        kernel.prctl(kernel.PR_SET_DUMPABLE, 1)  # the zygote has to be able to look at us


def rehearse() -> None:
    """Go the way of a request before there is one: what is touched now is there later."""
    reply = _Reply()
    for frame in _FRAMES:
        _rehearse(frame, reply)


def _rehearse(harmless: bytes, reply: "_Reply") -> None:
    """Take a request along the whole way that a real one goes, but for the last step."""
    reading, writing = os.pipe()
    frames.write_all(writing, harmless)
    nonce, request = frames.read_request(reading)
    os.close(reading)
    os.close(writing)
    limits = request["limits"]
    _rlimits(limits, count_processes=True)
    resource.setrlimit(resource.RLIMIT_CORE, resource.getrlimit(resource.RLIMIT_CORE))
    reply.bind(nonce, limits["result_bytes"])
    reply.frame(perform.perform(request))
    sys.modules.pop("dream", None)


def _rlimits(limits: "dict[str, int]", count_processes: bool) -> "list[tuple[int, int, int]]":
    """Kind, soft and hard limit of each.

    Without a user namespace the kernel would count the user's other processes as well.
    """
    cpu, memory, files = limits["cpu_seconds"], limits["memory_bytes"], limits["open_files"]
    found = [
        (resource.RLIMIT_CPU, cpu, cpu + 1),
        (resource.RLIMIT_DATA, memory, memory + _REPORT_HEADROOM_BYTES),
        (resource.RLIMIT_NOFILE, files, files),
        (resource.RLIMIT_FSIZE, limits["file_bytes"], limits["file_bytes"]),
    ]
    if count_processes:
        found.append((resource.RLIMIT_NPROC, limits["processes"], limits["processes"]))
    return found


def _reseed(seed: "int | None") -> None:
    if seed is not None:
        random.seed(seed)  # otherwise `random` has seeded itself afresh after the fork
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed if seed is None else seed % 2**32)


class _Reply:
    """Writes claims to the channel with functions captured before foreign code ran."""

    def __init__(self) -> None:
        nonce, limit = bytes(frames.NONCE_BYTES), 1 << 20
        encode = frames.make_encoder(allow_nan=False)
        getpid = os.getpid
        home = [getpid()]
        streams = (sys.stdout, sys.stderr)
        pack, write_all = frames.HEADER.pack, frames.write_all
        setrlimit, getrlimit = resource.setrlimit, resource.getrlimit

        def send(claim: "dict[str, Any]", /) -> None:
            if getpid() != home[0]:
                return  # a fork of the code under test came back here: not ours to answer
            hard = getrlimit(resource.RLIMIT_DATA)[1]
            setrlimit(resource.RLIMIT_DATA, (hard, hard))
            write_all(CHANNEL, frame(claim))

        def frame(claim: "dict[str, Any]") -> bytes:
            for stream in streams:
                _flush(stream, claim)
            body = _encode(claim)
            return nonce + pack(len(body)) + body

        def _encode(claim: "dict[str, Any]") -> bytes:
            place: dict[str, Any] = {k: claim[k] for k in ("index", "position") if k in claim}
            try:
                body = encode(claim).encode()
            except (MemoryError, TypeError, ValueError, RecursionError) as error:
                failed = {**place, "claim": "not_plain", "error": report.describe(error)}
                return encode(failed).encode()
            if len(body) > limit:
                body = encode({**place, "claim": "too_large"}).encode()
            return body

        def bind(to: bytes, at_most: int) -> None:
            nonlocal nonce, limit
            nonce, limit = to, at_most

        def adopt() -> None:
            home[0] = getpid()

        self.bind = bind
        self.send = send
        self.frame = frame
        self.adopt = adopt  # called by a fork that is meant to answer


def _flush(stream: Any, claim: "dict[str, Any]") -> None:
    try:
        stream.flush()
    except (OSError, ValueError) as error:
        claim["flush"] = report.describe(error)
