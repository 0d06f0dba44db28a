"""Asks a server for every page, and notes what each answer took."""

import http.client
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.dashboard.addresses import addresses
from benchmarks.dashboard.server import served
from benchmarks.dashboard.size import Size


@dataclass(slots=True)
class Answers:
    """What the answers of one address took, in milliseconds."""

    server: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def server_ms(self, share: float) -> float:
        """As the server counted, at a share of all answers."""
        return _ranked(self.server, share)

    def cpu_ms(self, share: float) -> float:
        """Processor time, likewise."""
        return _ranked(self.cpu, share)


def _ranked(values: list[float], share: float) -> float:
    """Nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(
    repository: Path, url: str, size: Size, rounds: int, watched: int | None
) -> dict[str, Answers]:
    """By page; the first answer of each, with cold caches, is among them."""
    found = {name: Answers() for name in addresses(size)}
    with served(repository, url) as (host, port, token, process):
        connection = http.client.HTTPConnection(host, port, timeout=120)
        for _ in range(rounds):
            for name, path in addresses(size).items():
                before = _cpu_ms(process, watched)
                connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
                answer = connection.getresponse()
                body = answer.read()
                assert answer.status in (200, 303), (path, answer.status, body[:300])
                found[name].cpu.append(_cpu_ms(process, watched) - before)
                timing = answer.headers["Server-Timing"]
                found[name].server.append(float(timing.rpartition("=")[2]))
    return found


def _cpu_ms(process: int, watched: int | None) -> float:
    """Of all threads of a process, and of the children of another."""
    spent = sum(_on_cpu(task) for task in Path(f"/proc/{process}/task").iterdir())
    if watched is not None:
        children = Path(f"/proc/{watched}/task/{watched}/children").read_text().split()
        spent += sum(_on_cpu(Path(f"/proc/{child}")) for child in children)
    return spent / 1e6


def _on_cpu(place: Path) -> int:
    try:
        return int((place / "schedstat").read_text().split()[0])
    except FileNotFoundError:
        return 0  # it has ended
