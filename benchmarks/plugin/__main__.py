"""`python -m benchmarks.plugin`: CPU time per test of a suite of trivial tests, with and without.

The contenders take turns, so that a busy moment hits each of them; each run is compared with the
plain run of its own round. CPU time is that of the whole process, its start (and the plugin's one
restart for the hash seed) included.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machine import describe_machine, load

PEERS = Path(__file__).parents[1] / ".peers" / "plugin"
TARGET_MS = 0.3
_MODULE = "\n\n".join(
    f"def test_{number}() -> None:\n    assert {number} + 1" for number in range(100)
)


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to run the same suite."""

    name: str
    arguments: tuple[str, ...]
    environ: tuple[tuple[str, str], ...] = ()


CONTENDERS = (
    Contender("plain", ("-p", "no:reverie_pytest")),
    Contender("Reverie, off", ()),
    Contender("Reverie, on", ("--reverie",)),
    Contender("Reverie, on, hash seed given", ("--reverie",), (("PYTHONHASHSEED", "0"),)),
)
PEER_CONTENDERS = (
    Contender("pytest-randomly", ("-p", "no:reverie_pytest", "-p", "randomly")),
    Contender(
        "pytest-socket", ("-p", "no:reverie_pytest", "-p", "pytest_socket", "--disable-socket")
    ),
)


def cpu_seconds(contender: Contender, folder: Path) -> float:
    """CPU time of one run."""
    line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *contender.arguments]
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONHASHSEED"}
    environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "", "PYTHONPATH": str(PEERS)}
    if contender in PEER_CONTENDERS:
        environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    else:
        del environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"], environ["PYTHONPATH"]
    environ |= dict(contender.environ)
    child = os.fork()
    if not child:
        os.chdir(folder)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.execve(line[0], line, environ)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"{contender.name}: pytest ended with status {status}")
    return usage.ru_utime + usage.ru_stime


def install_peers() -> None:
    """Lay the peers into a folder of their own."""
    if not PEERS.is_dir():
        line = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        line += ["--target", str(PEERS), "pytest-randomly", "pytest-socket"]
        subprocess.run(line, check=True)


def write_suite(folder: Path, tests: int) -> None:
    """A suite of trivial tests, a hundred to a file."""
    for number in range(tests // 100):
        (folder / f"test_{number}.py").write_text(_MODULE + "\n", encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")


def measure(rounds: int, tests: int, *, with_peers: bool) -> dict[str, list[float]]:
    """CPU seconds of every contender in every round; the first round warms caches only."""
    contenders = [*CONTENDERS, *(PEER_CONTENDERS if with_peers else ())]
    seen: dict[str, list[float]] = {each.name: [] for each in contenders}
    with tempfile.TemporaryDirectory() as name:
        write_suite(Path(name), tests)
        for number in range(rounds + 1):
            turn = number % len(contenders)
            for contender in (*contenders[turn:], *contenders[:turn]):
                spent = cpu_seconds(contender, Path(name))
                if number:
                    seen[contender.name].append(spent)
    return seen


def main() -> int:
    """Print the table; with `--check`, exit 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--tests", type=int, default=2000)
    parser.add_argument("--check", action="store_true", help="exit 1 when the target is missed")
    parser.add_argument("--peers", action="store_true", help="beside pytest-randomly and -socket")
    given = parser.parse_args()
    if given.peers:
        install_peers()
    print(f"{describe_machine()}, load {load():.1f}")
    seen = measure(given.rounds, given.tests, with_peers=given.peers)
    print(f"{given.tests} trivial tests, {given.rounds} rounds, CPU time\n")
    print(
        "| contender | CPU s, median | ms per test over plain, median | least |\n|---|---|---|---|"
    )
    extra = {}
    for name, values in seen.items():
        pairs = zip(values, seen["plain"], strict=True)
        each = [(spent - plain) / given.tests * 1000 for spent, plain in pairs]
        extra[name] = statistics.median(each)
        print(f"| {name} | {statistics.median(values):.2f} | {extra[name]:.3f} | {min(each):.3f} |")
    met = extra["Reverie, on"] <= TARGET_MS
    print(f"\ntarget {TARGET_MS} ms per test: {'met' if met else 'missed'}")
    return 0 if met or not given.check else 1


if __name__ == "__main__":
    sys.exit(main())
