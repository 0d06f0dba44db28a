"""Code that wants to stay, to starve its neighbours, or to be taken for something else.

Runs inside the sandbox only. Limits are small, so that each one is over within a second.
"""

import random
from dataclasses import dataclass, replace

from benchmarks.soak.job import Job
from reverie.model.execution import MIB, Execution, Limits, Request, Script
from reverie.model.outcome import TestOutcome

SUCCESS = TestOutcome.SUCCESS
RUNTIME = TestOutcome.RUNTIME_ERROR
TIMEOUT = TestOutcome.TIMEOUT
EXHAUSTED = TestOutcome.RESOURCE_EXHAUSTION
INVALID = TestOutcome.OUTPUT_VALIDATION_FAILED
UNKNOWN = TestOutcome.UNKNOWN_ERROR

_ENDED_BY_LIMIT = frozenset({TIMEOUT, EXHAUSTED})


@dataclass(frozen=True, slots=True)
class Attack:
    """One piece of hostile code, and what a fair judge may call its end."""

    name: str
    code: str
    plausible: frozenset[TestOutcome]
    wall_seconds: float = 0.6
    forks: bool = False
    """Needs a second process: without a pid namespace that is refused, a `runtime_error`."""
    slow: bool = False
    """Does a bounded amount of work, which a loaded machine may not finish in time."""


def _any(*outcomes: TestOutcome) -> frozenset[TestOutcome]:
    return frozenset(outcomes)


ATTACKS = (
    Attack("fork bomb", "import os\nwhile True:\n    os.fork()\n", _ENDED_BY_LIMIT, forks=True),
    Attack(
        "fork bomb, errors ignored",
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n",
        _ENDED_BY_LIMIT,
        forks=True,
    ),
    Attack(
        "fork chain",
        "import os\nif os.fork():\n    os._exit(0)\n"
        "while True:\n    try:\n        if os.fork():\n            os._exit(0)\n"
        "    except OSError:\n        pass\n    os.setsid()\n",
        _any(UNKNOWN, TIMEOUT),
        forks=True,
    ),
    Attack(
        "thread bomb",
        "import threading, time\nwhile True:\n"
        "    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n",
        _ENDED_BY_LIMIT,
    ),
    Attack(
        "memory, one process",
        "kept = []\nwhile True:\n    kept.append(bytearray(1 << 20))\n",
        _ENDED_BY_LIMIT,
        wall_seconds=1.0,
    ),
    Attack("memory, at once", "kept = bytearray(1 << 40)\n", _any(EXHAUSTED)),
    Attack(
        "memory, many children",
        "import os, time\nfor _ in range(12):\n    if os.fork() == 0:\n"
        "        kept = bytearray(40 << 20)\n        kept[::4096] = b'x' * len(kept[::4096])\n"
        "        time.sleep(60)\ntime.sleep(60)\n",
        _ENDED_BY_LIMIT,
        wall_seconds=1.0,
        forks=True,
    ),
    Attack(
        "memory, memfd",
        "import os\nkept = []\nwhile True:\n    kept.append(os.memfd_create('m'))\n"
        "    for _ in range(32):\n        os.write(kept[-1], bytes(1 << 20))\n",
        _any(EXHAUSTED, TIMEOUT, RUNTIME),
        wall_seconds=1.0,
    ),
    Attack(
        "memory, shared mapping",
        "import mmap\nkept = []\nwhile True:\n    part = mmap.mmap(-1, 8 << 20)\n"
        "    for start in range(0, len(part), 4096):\n        part[start] = 1\n"
        "    kept.append(part)\n",
        _ENDED_BY_LIMIT,
        wall_seconds=1.0,
    ),
    Attack("spinner", "while True:\n    pass\n", _any(TIMEOUT)),
    Attack("spinner in C", "print(len(str(7 ** (1 << 28))))\n", _ENDED_BY_LIMIT),
    Attack(
        "spinner that catches signals",
        "import signal\nfor number in range(1, 65):\n    try:\n"
        "        signal.signal(number, signal.SIG_IGN)\n    except (OSError, ValueError):\n"
        "        pass\nwhile True:\n    pass\n",
        _any(TIMEOUT),
    ),
    Attack(
        "stops itself", "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n", _any(TIMEOUT)
    ),
    Attack(
        "daemon",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(60)\n    os._exit(0)\n_result = 'daemon started'\n",
        _any(SUCCESS),
        forks=True,
        slow=True,
    ),
    Attack(
        "daemon that holds every descriptor and spins",
        "import os\nif os.fork() == 0:\n    os.setsid()\n    while True:\n        pass\n"
        "_result = 1\n",
        _any(SUCCESS),
        forks=True,
        slow=True,
    ),
    Attack(
        "daemon left by a silent parent",
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\nos._exit(0)\n",
        _any(UNKNOWN),
        forks=True,
        slow=True,
    ),
    Attack(
        "daemons started at exit",
        "import atexit, os, time\n"
        "atexit.register(lambda: os.fork() == 0 and time.sleep(60))\n_result = 1\n",
        _any(SUCCESS, UNKNOWN),
        forks=True,
        slow=True,
    ),
    Attack("output flood", "while True:\n    print('flood' * 1000)\n", _ENDED_BY_LIMIT),
    Attack(
        "output flood, errors ignored",
        "import os\nwhile True:\n    try:\n        os.write(2, b'x' * 65536)\n"
        "    except OSError:\n        pass\n",
        _ENDED_BY_LIMIT,
    ),
    Attack("result flood", "_result = 'x' * (6 << 20)\n", _any(INVALID), slow=True),
    Attack(
        "result nested deeply",
        "_result = []\nfor _ in range(100_000):\n    _result = [_result]\n",
        _any(INVALID, RUNTIME),
        slow=True,
    ),
    Attack(
        "folders without permissions",
        "import os\nfor number in range(50):\n    os.makedirs(f'{number}/a/b')\n"
        "    open(f'{number}/a/b/c', 'w').close()\n    os.chmod(f'{number}/a', 0)\n"
        "    os.chmod(f'{number}', 0)\ntry:\n    os.chmod('.', 0)\n"
        "except OSError:\n    pass\n_result = 1\n",
        _any(SUCCESS),
        slow=True,
    ),
    Attack(
        "tree deeper than a path",
        "import os\nfor _ in range(1200):\n    os.mkdir('d' * 20)\n"
        "    os.chdir('d' * 20)\nopen('end', 'w').close()\n_result = 1\n",
        _any(SUCCESS),
        slow=True,
    ),
    Attack(
        "thousands of files",
        "import os\nfor number in range(3000):\n"
        "    os.close(os.open(f'{number}', os.O_CREAT | os.O_WRONLY))\n_result = 1\n",
        _any(SUCCESS),
        slow=True,
    ),
    Attack(
        "more files than anybody wants to remove",
        "import os\ntry:\n    for number in range(20_000):\n        os.mkdir(f'{number}')\n"
        "except OSError:\n    pass\n_result = 1\n",
        _any(SUCCESS),
        slow=True,
    ),
    Attack(
        "fifos, links, names that are no text",
        "import os\nfor number in range(30):\n"
        "    os.mkfifo(b'\\xff\\xfe%d' % number)\n    os.symlink('/', f'link{number}')\n"
        "    os.mkdir(b'\\n\\x80%d' % number, 0o000)\n    os.link(b'\\xff\\xfe%d' % number,"
        " f'hard{number}')\nos.symlink('.', 'self')\n_result = 1\n",
        _any(SUCCESS, RUNTIME),
        slow=True,
    ),
    Attack(
        "full disk",
        "number = 0\nwhile True:\n    number += 1\n    with open(f'{number}', 'wb') as file:\n"
        "        for _ in range(32):\n            file.write(bytes(1 << 20))\n",
        _ENDED_BY_LIMIT,
        wall_seconds=1.0,
    ),
    Attack(
        "file held open after its removal, shared memory full",
        "import os\nwhile True:\n    file = os.open('/dev/shm/x', os.O_CREAT | os.O_RDWR)\n"
        "    os.unlink('/dev/shm/x')\n    for _ in range(16):\n"
        "        os.write(file, bytes(1 << 20))\n",
        _any(EXHAUSTED, TIMEOUT, RUNTIME),
        wall_seconds=1.0,
    ),
    Attack(
        "all descriptors",
        "kept = []\nwhile True:\n    kept.append(open('/dev/null'))\n",
        _any(EXHAUSTED),
        slow=True,
    ),
    Attack("leaves with 0", "import os\nos._exit(0)\n", _any(UNKNOWN)),
    Attack("leaves with 77", "import os\nos._exit(77)\n", _any(UNKNOWN)),
    Attack("segmentation fault", "import ctypes\nctypes.string_at(0)\n", _any(RUNTIME), slow=True),
    Attack("abort", "import os\nos.abort()\n", _any(RUNTIME)),
    Attack(
        "kills itself", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", _any(UNKNOWN)
    ),
    Attack("kills its group", "import os, signal\nos.killpg(0, signal.SIGKILL)\n", _any(UNKNOWN)),
    Attack(
        "kills everybody, its parent first",
        "import os, signal\nfor pid in (1, os.getppid(), -1):\n    try:\n"
        "        os.kill(pid, signal.SIGKILL)\n    except OSError:\n        pass\n_result = 1\n",
        _any(SUCCESS, UNKNOWN),
    ),
    Attack("junk on the channel", "import os\nos.write(3, b'junk' * 100)\n", _any(INVALID)),
    Attack(
        "endless junk on the channel",
        "import os\nwhile True:\n    os.write(3, b'\\xff' * 65536)\n",
        _any(INVALID, RUNTIME),
    ),
    Attack(
        "a frame of its own",
        "import json, os, struct\nbody = json.dumps({'claim': 'returned', 'value': 42,"
        " 'type': 'int'}).encode()\n"
        "os.write(3, b'\\0' * 16 + struct.pack('!I', len(body)) + body)\n",
        _any(INVALID),
    ),
    Attack(
        "closes the channel",
        "import os, time\nos.close(3)\ntime.sleep(0.05)\n_result = 1\n",
        _any(UNKNOWN),
    ),
    Attack(
        "recursion without end",
        "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f():\n    return f()\nf()\n",
        _any(RUNTIME, EXHAUSTED, TIMEOUT, UNKNOWN),
        wall_seconds=1.0,
    ),
)


def make_hostile(chance: random.Random, can_fork: bool) -> Job:
    """One attack, under limits that end it soon."""
    return attack_job(chance.choice(ATTACKS), chance, can_fork)


def attack_job(attack: Attack, chance: random.Random, can_fork: bool) -> Job:
    """The job of one attack."""
    limits = Limits(
        wall_seconds=attack.wall_seconds,
        memory_bytes=chance.choice((64, 96, 128)) * MIB,
        processes=chance.choice((16, 32, 64)),
    )
    plausible = attack.plausible
    if attack.slow:
        limits = replace(limits, wall_seconds=4 * attack.wall_seconds)
        plausible |= {TIMEOUT}
    if not can_fork:
        plausible |= {RUNTIME}

    def objection(execution: Execution) -> str | None:
        if execution.outcome in plausible:
            return None
        message = execution.error.message if execution.error else ""
        return f"{execution.outcome}: {message:.200}"

    return Job(attack.name, True, Request(Script(attack.code), limits), objection)
