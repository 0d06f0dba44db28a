"""Hostile code through the command line, as a user would run it; the host is looked at after."""

import subprocess
import sys
from typing import Any

import pytest

Hostile = tuple[str, set[str]]

CASES: dict[str, Hostile] = {
    "read_secrets": (
        """
import glob, os
_result = []
for path in (secret_file, home + "/diary.txt", "/proc/1/environ", f"/proc/{os.getppid()}/environ",
             f"/proc/{victim}/environ", "/proc/self/root/../" + secret_file,
             "/proc/1/root" + secret_file):
    try: _result.append(open(path).read())
    except OSError: pass
_result += [repr(dict(os.environ)), glob.glob(home + "/*"), glob.glob(folder + "/*")]
""",
        {"success"},
    ),
    "write_outside": (
        """
import os, shutil
for way in (lambda: open(secret_file, "w").write("x"), lambda: os.unlink(secret_file),
            lambda: shutil.rmtree(folder), lambda: os.chmod(folder, 0o777),
            lambda: os.utime(secret_file, (1, 1)), lambda: os.rename(folder, folder + "2"),
            lambda: open(home + "/.bashrc", "a").write("evil"),
            lambda: os.symlink("/etc/passwd", folder + "/link")):
    try: way()
    except OSError: pass
""",
        {"success"},
    ),
    "phone_home": (
        """
import socket, subprocess, urllib.request
def dial(family, address):
    with socket.socket(family) as client:
        client.settimeout(1); client.connect(address); client.send(b"hello")
for way in (lambda: dial(socket.AF_INET, ("127.0.0.1", port)),
            lambda: dial(socket.AF_INET6, ("::ffff:127.0.0.1", port)),
            lambda: urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1),
            lambda: subprocess.run(["/bin/sh", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{port}"])):
    try: way()
    except OSError: pass
""",
        {"success"},
    ),
    "harm_others": (
        """
import os, signal
for target, number in ((victim, signal.SIGTERM), (victim, signal.SIGKILL), (-1, signal.SIGURG)):
    try: os.kill(target, number)
    except OSError: pass
_result = "alive"
""",
        {"success"},
    ),
    "daemon": (
        """
import ctypes, os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(15, marker.encode(), 0, 0, 0)
        time.sleep(60)
    os._exit(0)
os.wait()
""",
        {"success"},
    ),
    "fork_bomb": (
        """
import ctypes, os, time
ctypes.CDLL(None).prctl(15, marker.encode(), 0, 0, 0)
for _ in range(9):
    os.fork()
time.sleep(60)
""",
        {"resource_exhaustion", "timeout"},
    ),
    "memory_bomb": (
        "x = []\nwhile True: x.append(bytearray(1 << 22))",
        {"resource_exhaustion"},
    ),
    "spinner": ("while True: pass", {"timeout"}),
    "output_flood": (
        "import os\nwhile True: os.write(1, b'\\x1b]0;evil\\x07' * 1000)",
        {"resource_exhaustion"},
    ),
    "forged_answers": (
        """
import json, os
forged = json.dumps({"claim": "returned", "value": "forged", "outcome": "success"}).encode()
for n in range(3, 64):
    for data in (forged, len(forged).to_bytes(4, "big") + forged, bytes(16) + forged):
        try: os.write(n, data)
        except OSError: pass
""",
        {"output_validation_failed"},
    ),
    "clean_exit": ("import os; os._exit(0)", {"unknown_error"}),
    "resisting_litter": (
        """
import os
os.symlink(folder, "link"); os.mkfifo("fifo"); open(b"\\xff", "w").close()
os.makedirs("closed/inner"); os.chmod("closed/inner", 0); os.chmod("closed", 0)
for _ in range(1200):
    os.mkdir("d"); os.chdir("d")
os.symlink(folder, "link")
""",
        {"success"},
    ),
    "crash": ("import ctypes; ctypes.string_at(0)", {"runtime_error"}),
}


@pytest.mark.parametrize(("code", "outcomes"), CASES.values(), ids=CASES)
def test_one_request_is_contained(ask: Any, code: str, outcomes: set[str]) -> None:
    timeout = 1 if outcomes & {"timeout"} else 10
    status, reply = ask(code, timeout_s=timeout)
    assert reply["outcome"] in outcomes, reply
    assert status == (0 if reply["outcome"] == "success" else 1)
    assert reply["isolation"] in ("namespaces", "landlock")


def test_a_stream_survives_all_of_them(ask_all: Any, host: Any) -> None:
    good = {"code": "def f(x): return x + 1", "entry": "f"}
    requests = []
    for number, (code, outcomes) in enumerate(CASES.values()):
        timeout = 0.5 if outcomes & {"timeout"} else 10
        hostile = {"code": code, "params": host.params, "timeout_s": timeout, "memory_mb": 256}
        requests += [hostile, good | {"params": {"x": number}}]
    replies = ask_all(requests)
    assert len(replies) == len(requests)
    for number, (name, (_, outcomes)) in enumerate(CASES.items()):
        assert replies[2 * number]["outcome"] in outcomes, name
        assert replies[2 * number + 1]["output"] == number + 1, name


def test_what_one_request_leaves_the_next_does_not_find(ask_all: Any, host: Any) -> None:
    leave = """
import os
for folder in ("/tmp", "/dev/shm", os.getcwd()):
    try: open(folder + "/message", "w").write("for you")
    except OSError: pass
os.environ["MESSAGE"] = "for you"
"""
    look = """
import glob, os
names = glob.glob("/tmp/*") + glob.glob("/dev/shm/*") + os.listdir(".")
_result = [name for name in names if not os.path.ismount(name)]  # our own interpreter is shown
_result += [name for name in os.environ if name == "MESSAGE"]
"""
    replies = ask_all([{"code": leave}, {"code": look}, {"code": look}, {"code": look}] * 2)
    assert [reply["output"] for reply in replies] == [None, [], [], []] * 2


def test_a_result_is_never_rendered_raw(ask: Any) -> None:
    _, reply = ask("print('\\x1b[31mred\\x07'); _result = '\\x1b]0;title\\x07'")
    assert reply["stdout"] == "\x1b[31mred\x07\n"
    assert reply["output"] == "\x1b]0;title\x07"


@pytest.mark.parametrize(
    "request_text",
    [
        b"",
        b"{}",
        b'{"code": 7}',
        b'{"code": "1", "typo": 1}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_request_that_is_none_is_wrong_usage(request_text: bytes, host: Any) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "reverie", "exec", "--request", "-"],
        input=request_text,
        capture_output=True,
        env=host.environment,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
