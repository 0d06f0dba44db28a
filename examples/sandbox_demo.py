"""What the sandbox does with good, broken and hostile code. `make demo` runs it.

Every line is a real execution on the bundled sample repository; the program exits with 1 if
one of them does not come out as it should.
"""

import hashlib
import secrets
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from reverie import Call, Execution, IsolationTier, Limits, Policy, Request, Sandbox, TestOutcome
from reverie.errors import ReverieError
from reverie.interfaces.cli.output import printable

SAMPLE = Path(__file__).resolve().parent / "sample_repo"
SOURCE = str(SAMPLE / "src")
SHOWN = Policy(readonly=(SOURCE,), import_paths=(SOURCE,))
QUICK = Limits(wall_seconds=5, memory_bytes=128 << 20)
WARM_RUNS = 200
WIDE = 145

COMMON_WORDS = "from lendery.catalogue import most_common_words"
CRASH = "import ctypes\ndef crash(): ctypes.string_at(0)"
ENDLESS = "def wait():\n    while True: pass"
MEMORY_BOMB = "def swell():\n    kept = []\n    while True: kept.append(bytearray(1 << 20))"
FORK_BOMB = "import os\ndef multiply():\n    while True: os.fork()"
THIEF = "def steal(path):\n    return open(path).read()"
CALLER = (
    "import socket\n"
    "def call_home(port):\n"
    "    socket.create_connection(('127.0.0.1', port), timeout=2).sendall(b'secrets')"
)
MEDDLER = (
    "from pathlib import Path\n"
    "def meddle(folder):\n"
    "    here = Path(folder)\n"
    "    (here / 'README.md').write_text('mine now')\n"
    "    (here / 'src/lendery/new.py').write_text('x = 1')\n"
    "    (here / 'src/lendery/barcode.py').unlink()\n"
)


@dataclass(frozen=True, slots=True)
class Scene:
    """One execution, and whether it came out as it should."""

    title: str
    request: Request
    is_right: Callable[[Execution], bool]
    remark: Callable[[Execution], str]


def main() -> int:
    """Run every scene, print the table, and say whether all was as expected."""
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDE)
    began = time.perf_counter()
    with Sandbox() as sandbox, temptations() as (secret, server):
        tier = sandbox.tier
        console.print(f"\n[bold]Reverie sandbox[/]  tier in force: [bold cyan]{tier}[/]")
        console.print(f"[dim]sample repository: {SAMPLE.relative_to(SAMPLE.parent.parent)}[/]\n")
        table = new_table(console)
        verdicts = [play(sandbox, each, table) for each in scenes(tier, secret, server)]
        verdicts.append(warm_runs(sandbox, table))
    console.print(table)
    return close(console, tier, verdicts, time.perf_counter() - began)


def new_table(console: Console) -> Table:
    """An empty table; remarks only where there is room for them."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    columns = ["", "what", "outcome", "category", "ms"]
    for column in [*columns, "what came of it"] if console.width >= WIDE else columns:
        table.add_column(column, justify="right" if column == "ms" else "left", no_wrap=True)
    return table


def add_line(table: Table, is_right: bool | None, *cells: str) -> None:
    """One line, cut to the columns there are; what code under test said is shown harmless."""
    shown = cells[: len(table.columns) - 1]
    mark = {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}[is_right]
    table.add_row(mark, *(Text(printable(cell)) for cell in shown))


def scenes(tier: IsolationTier, secret: Path, server: socket.socket) -> Iterator[Scene]:
    """Everything but the warm runs, in the order of the table."""
    yield from broken_code()
    yield from bombs(tier)
    yield temptation_to_read(secret)
    yield temptation_to_call(server)
    if tier is IsolationTier.NAMESPACES:
        yield private_copy()


def broken_code() -> Iterator[Scene]:
    """The sample repository as it should be called, as it should not, and a crash."""
    titles = {"titles": ["Chemical Physics", "Celestial Physics"], "count": 1}
    yield Scene(
        "a function of the repository",
        Request(Call(COMMON_WORDS, "most_common_words", titles), QUICK, SHOWN),
        lambda seen: seen.succeeded and seen.output == [["physics", 2]],
        lambda seen: f"returned {seen.output}",
    )
    yield failing(
        "the same with a wrong type",
        Request(Call(COMMON_WORDS, "most_common_words", {"titles": 5}), QUICK, SHOWN),
        TestOutcome.TYPE_ERROR,
    )
    yield failing(
        "a crash in native code",
        Request(Call(CRASH, "crash"), QUICK),
        TestOutcome.RUNTIME_ERROR,
    )


def bombs(tier: IsolationTier) -> Iterator[Scene]:
    """Code that takes all it can get."""
    yield failing(
        "an endless loop",
        Request(Call(ENDLESS, "wait"), replace(QUICK, wall_seconds=0.5)),
        TestOutcome.TIMEOUT,
    )
    yield failing(
        "a memory bomb",
        Request(Call(MEMORY_BOMB, "swell"), QUICK),
        TestOutcome.RESOURCE_EXHAUSTION,
    )
    forks = {TestOutcome.RESOURCE_EXHAUSTION}
    if tier is not IsolationTier.NAMESPACES:
        forks.add(TestOutcome.RUNTIME_ERROR)  # no process may be started at all there
    yield failing("a fork bomb", Request(Call(FORK_BOMB, "multiply"), QUICK), *forks)


def failing(title: str, request: Request, *outcomes: TestOutcome) -> Scene:
    """A scene that has to end with one of these outcomes."""
    return Scene(title, request, lambda seen: seen.outcome in outcomes, error_of)


def temptation_to_read(secret: Path) -> Scene:
    """A file of the host that must not be readable."""
    text = secret.read_text()
    return Scene(
        "reading a secret of the host",
        Request(Call(THIEF, "steal", {"path": str(secret)}), QUICK),
        lambda seen: not seen.succeeded and text not in repr(seen),
        error_of,
    )


def temptation_to_call(server: socket.socket) -> Scene:
    """A listener on the host that must not be reachable."""
    port = server.getsockname()[1]
    return Scene(
        "phoning home",
        Request(Call(CALLER, "call_home", {"port": port}), QUICK),
        lambda seen: not seen.succeeded and not was_called(server),
        error_of,
    )


def private_copy() -> Scene:
    """The sample repository to meddle with; the original must not change."""
    policy = Policy(enable_filesystem=True, private_copies=(str(SAMPLE),))
    before = fingerprint(SAMPLE)
    return Scene(
        "meddling with a private copy",
        Request(Call(MEDDLER, "meddle", {"folder": str(SAMPLE)}), QUICK, policy),
        lambda seen: seen.succeeded and len(seen.changes) == 3 and fingerprint(SAMPLE) == before,
        lambda seen: f"{len(seen.changes)} changes, none of them in the original",
    )


def play(sandbox: Sandbox, scene: Scene, table: Table) -> bool:
    """Run a scene and add its line."""
    execution = sandbox.run(scene.request)
    is_right = scene.is_right(execution)
    category = execution.error_category or ""
    milliseconds = f"{execution.duration_ms:.1f}"
    remark = scene.remark(execution)
    add_line(table, is_right, scene.title, execution.outcome, category, milliseconds, remark)
    for change in execution.changes:
        add_line(table, None, f"  {change.kind} {Path(change.path).relative_to(SAMPLE)}")
    return is_right


def warm_runs(sandbox: Sandbox, table: Table) -> bool:
    """Many small executions one after another, each in a process of its own."""
    code = "from lendery.isbn import to_isbn13"
    policy = replace(SHOWN, preload=("lendery.isbn",))
    request = Request(Call(code, "to_isbn13", {"text": "0306406152"}), QUICK, policy)
    sandbox.warm(policy)
    times, right = [], 0
    for _ in range(WARM_RUNS):
        began = time.perf_counter()
        right += sandbox.run(request).output == "9780306406157"
        times.append((time.perf_counter() - began) * 1000)
    slow = sorted(times)[int(0.95 * WARM_RUNS)]
    words = f"median; 95 % within {slow:.1f} ms; {right} right, each in a fresh process"
    median = f"{statistics.median(times):.1f}"
    is_right = right == WARM_RUNS
    add_line(table, is_right, f"{WARM_RUNS} warm executions", "success", "", median, words)
    return is_right


def close(console: Console, tier: IsolationTier, verdicts: list[bool], seconds: float) -> int:
    """The last line, and the exit code."""
    if tier is not IsolationTier.NAMESPACES:
        console.print("\n[yellow]private copies need tier namespaces: not shown[/]")
    right, total = sum(verdicts), len(verdicts)
    style = "bold green" if right == total else "bold red"
    console.print(f"\n[{style}]{right} of {total} as expected[/] in {seconds:.1f} s\n")
    return 0 if right == total else 1


def error_of(execution: Execution) -> str:
    """What an execution says went wrong, on one short line."""
    text = "no error" if execution.error is None else execution.error.message
    line = " ".join(text.split())
    return line if len(line) <= 64 else line[:63] + "…"


@contextmanager
def temptations() -> Iterator[tuple[Path, socket.socket]]:
    """A secret file and a listening socket on the host."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        secret = Path(folder) / "secret.txt"
        secret.write_text(secrets.token_hex(16))
        yield secret, server


def was_called(server: socket.socket) -> bool:
    """Whether somebody has connected."""
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def fingerprint(folder: Path) -> str:
    """A hash over every name and content below a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        digest.update(str(path).encode())
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ReverieError as problem:
        sys.exit(f"error: {problem}")
