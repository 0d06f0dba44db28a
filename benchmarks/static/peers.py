"""Run bandit and ruff's security rules over pieces of code."""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_NAME = "case_{:05}.py"


def run_bandit(codes: Sequence[str]) -> list[list[str]] | None:
    """bandit's test ids for each piece of code; None when it is not installed."""
    command = [sys.executable, "-m", "bandit", "-r", "-f", "json", "-q"]
    answer = _run(command, codes)
    if answer is None:
        return None
    found = json.loads(answer)
    hits = [(item["filename"], item["test_id"]) for item in found["results"]]
    hits += [(item["filename"], "error") for item in found["errors"]]
    return _collect(hits, len(codes))


def run_ruff(codes: Sequence[str]) -> list[list[str]] | None:
    """The codes of ruff's S rules for each piece of code; None when it is not installed."""
    options = ["--isolated", "--no-cache", "--select", "S", "--output-format", "json"]
    answer = _run([sys.executable, "-m", "ruff", "check", *options], codes)
    if answer is None:
        return None
    hits = [(item["filename"], item["code"] or "error") for item in json.loads(answer)]
    return _collect(hits, len(codes))


def _run(command: list[str], codes: Sequence[str]) -> str | None:
    with tempfile.TemporaryDirectory() as folder:
        for number, code in enumerate(codes):
            path = Path(folder, _NAME.format(number))
            path.write_text(code, encoding="utf-8", errors="surrogatepass")
        done = subprocess.run([*command, folder], capture_output=True, text=True, check=False)
    return done.stdout if done.stdout.lstrip().startswith(("{", "[")) else None


def _collect(hits: list[tuple[str, str]], count: int) -> list[list[str]]:
    answers: list[set[str]] = [set() for _ in range(count)]
    for filename, code in hits:
        answers[int(Path(filename).stem.rpartition("_")[2])].add(code)
    return [sorted(answer) for answer in answers]
