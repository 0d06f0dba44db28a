"""Executions that must go as an ordinary program would, whatever ran before them.

Each result depends on a random input and is compared here. Most of them also look around for
what a neighbour may have left: files, processes, descriptors, modules, limits.
"""

import random
from collections.abc import Callable
from typing import Any

from benchmarks.soak.job import Job
from reverie.model.execution import Call, Execution, Expression, Limits, Request, Script, Target
from reverie.model.outcome import ErrorCategory, TestOutcome

LIMITS = Limits(wall_seconds=60.0)
_LOOK_AROUND = '''
import os, sys

def look_around(number):
    """Whatever is not ours was left by somebody else."""
    left = [name for name in os.listdir(".") if not os.path.ismount(name)]  # mounted: shown
    try:
        left += os.listdir("/dev/shm")
    except OSError:
        pass
    try:
        others = [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) > 1]
    except OSError:
        others = [str(os.getpid())]
    return {
        "number": number * 3 + 1,
        "left": left,
        "others": len(others) - 1,
        "descriptors": sorted(set(range(16)) & set(_open_descriptors())),
        "marked": hasattr(sys, "_marked") or "_marked" in os.environ,
        "umask": os.umask(0o022),
    }

def _open_descriptors():
    for number in range(16):
        try:
            os.fstat(number)
        except OSError:
            continue
        yield number
'''
_FILES = """
import os, tempfile

def write_and_read(lines):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "lines.txt")
        with open(path, "w") as file:
            file.writelines(line + "\\n" for line in lines)
        with open(path) as file:
            return [line.strip() for line in file][::-1]
"""
_LEAVER = """
import os, sys

def leave(name, size):
    sys._marked = True
    os.environ["_marked"] = "yes"
    os.umask(0o077)
    with open(name, "wb") as file:
        file.write(b"x" * size)
    return os.stat(name).st_size
"""
_PROCESSES = """
import os

def in_a_child(number):
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writing, str(number * number).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(pid, 0)
    return int(os.read(reading, 100))
"""
_THREADS = """
import threading

def in_threads(numbers):
    found = {}
    threads = [threading.Thread(target=lambda n=n: found.__setitem__(n, n + 1)) for n in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(found.values())
"""


def make_good(chance: random.Random, can_fork: bool) -> Job:
    """One of the kinds, at random."""
    kinds = [kind for kind in _KINDS if can_fork or kind is not _child]
    return chance.choices(kinds, [_KINDS[kind] for kind in kinds])[0](chance)


def _job(
    kind: str,
    target: Target,
    wrong: Callable[[Execution], str | None],
    outcome: TestOutcome = TestOutcome.SUCCESS,
    limits: Limits = LIMITS,
) -> Job:
    def objection(execution: Execution) -> str | None:
        if execution.outcome is not outcome:
            message = execution.error.message if execution.error else ""
            return f"{execution.outcome} instead of {outcome}: {message}"
        return wrong(execution)

    return Job(kind, False, Request(target, limits), objection)


def _equals(expected: Any) -> Callable[[Execution], str | None]:
    def wrong(execution: Execution) -> str | None:
        if execution.output == expected:
            return None
        return f"{execution.output!r:.200} instead of {expected!r:.200}"

    return wrong


def _sum(chance: random.Random) -> Job:
    numbers = [chance.randrange(1 << 40) for _ in range(chance.randrange(1, 30))]
    code = "def total(numbers):\n    return {'sum': sum(numbers), 'top': max(numbers)}\n"
    target = Call(code, "total", {"numbers": numbers})
    return _job("sum", target, _equals({"sum": sum(numbers), "top": max(numbers)}))


def _look(chance: random.Random) -> Job:
    number = chance.randrange(1 << 30)

    def wrong(execution: Execution) -> str | None:
        seen = execution.output
        if seen["number"] != number * 3 + 1:
            return f"another one's answer: {seen}"
        is_marked = seen["marked"] or seen["umask"] != 0o022
        if seen["left"] or seen["others"] or is_marked or seen["descriptors"] != [0, 1, 2, 3]:
            return f"saw what another one left: {seen}"
        return None

    return _job("look around", Call(_LOOK_AROUND, "look_around", {"number": number}), wrong)


def _leave(chance: random.Random) -> Job:
    name, size = f"left-{chance.randrange(1 << 30)}", chance.randrange(1 << 16)
    return _job("leave a file", Call(_LEAVER, "leave", {"name": name, "size": size}), _equals(size))


def _files(chance: random.Random) -> Job:
    lines = [f"línea {chance.randrange(1 << 30)}" for _ in range(20)]
    target = Call(_FILES, "write_and_read", {"lines": lines})
    return _job("files", target, _equals(lines[::-1]))


def _child(chance: random.Random) -> Job:
    number = chance.randrange(1 << 20)
    target = Call(_PROCESSES, "in_a_child", {"number": number})
    return _job("child process", target, _equals(number * number))


def _threads(chance: random.Random) -> Job:
    numbers = chance.sample(range(1 << 20), 5)
    target = Call(_THREADS, "in_threads", {"numbers": numbers})
    return _job("threads", target, _equals(sum(numbers) + 5))


def _expression(chance: random.Random) -> Job:
    first, second = chance.randrange(1 << 60), chance.randrange(1, 1 << 20)
    target = Expression(f"[{first} // {second}, {first} % {second}]")
    return _job("expression", target, _equals(list(divmod(first, second))))


def _script(chance: random.Random) -> Job:
    number = chance.randrange(1 << 30)
    code = "import sys\nprint('got', number)\nprint('err', file=sys.stderr)\n_result = number ^ 5\n"

    def wrong(execution: Execution) -> str | None:
        streams = execution.stdout, execution.stderr
        if execution.output != number ^ 5 or streams != (f"got {number}\n", "err\n"):
            return f"{execution.output!r} with {streams!r:.200}"
        return None

    return _job("script", Script(code, params={"number": number}), wrong)


def _raises(chance: random.Random) -> Job:
    word = f"w{chance.randrange(1 << 30)}"
    code = "def fail(word):\n    return {}[word]\n"
    return _job(
        "raises",
        Call(code, "fail", {"word": word}),
        lambda execution: _lacks(execution, word, ErrorCategory.RUNTIME),
        TestOutcome.RUNTIME_ERROR,
    )


def _type_error(chance: random.Random) -> Job:
    code = "def fail(number):\n    return number + 'x'\n"
    target = Call(code, "fail", {"number": chance.randrange(1 << 30)})
    return _job(
        "type error",
        target,
        lambda execution: _lacks(execution, "unsupported", ErrorCategory.TYPE),
        TestOutcome.TYPE_ERROR,
    )


def _syntax_error(chance: random.Random) -> Job:
    target = Expression(f"{chance.randrange(1 << 30)} +")
    return _job(
        "syntax error",
        target,
        lambda execution: _lacks(execution, "syntax", ErrorCategory.SYNTAX),
        TestOutcome.SYNTAX_ERROR,
    )


def _large(chance: random.Random) -> Job:
    size, seed = chance.randrange(1000, 50_000), chance.randrange(100)
    code = "def large(size, seed):\n    return [i * seed % 1000 for i in range(size)]\n"
    expected = [i * seed % 1000 for i in range(size)]
    return _job(
        "large result", Call(code, "large", {"size": size, "seed": seed}), _equals(expected)
    )


def _little_output(chance: random.Random) -> Job:
    """Another amount of output needs another spare: the one that waits is sent home."""
    text = "é" * chance.randrange(100)
    limits = Limits(wall_seconds=60.0, output_bytes=chance.choice((4096, 8192)))
    code = "def say(text):\n    print(text, end='')\n    return len(text)\n"

    def wrong(execution: Execution) -> str | None:
        is_right = execution.output == len(text) and execution.stdout == text
        return None if is_right else f"{execution.output!r} with {execution.stdout!r:.200}"

    return _job("little output", Call(code, "say", {"text": text}), wrong, limits=limits)


def _lacks(execution: Execution, word: str, category: ErrorCategory) -> str | None:
    message = execution.error.message if execution.error else ""
    if word in message and execution.error_category is category:
        return None
    return f"{execution.error_category} {message!r:.200} without {word!r}"


_KINDS: dict[Callable[[random.Random], Job], int] = {
    _sum: 30,
    _look: 20,
    _leave: 8,
    _files: 8,
    _expression: 8,
    _script: 8,
    _raises: 5,
    _type_error: 3,
    _syntax_error: 2,
    _threads: 3,
    _child: 3,
    _large: 1,
    _little_output: 1,
}
