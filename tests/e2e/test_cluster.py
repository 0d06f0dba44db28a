"""A real cluster: the same verdicts as here, also when workers are killed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.mark.soak
def test_a_cluster_comes_to_the_same_and_loses_nothing(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "figures.json"
    line = ["-m", "benchmarks.scale", "--kills", "2", "--executions", "80", "--json", str(target)]
    ran = subprocess.run(
        [sys.executable, *line], cwd=root, env=dict(os.environ), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    figures = json.loads(target.read_text())
    assert figures["kills"] >= 1
    assert figures["here"]["trials"] >= 1


@pytest.mark.parametrize(
    "given", ["ray://x:1", "dask://", "dask://host", "dask://a b:1", "dask://u@h:1"]
)
def test_no_such_executor(cli: Callable, repository: Path, given: str) -> None:
    ran = cli("run", str(repository), "--executor", given)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1


def test_a_file_of_the_repository_cannot_name_a_cluster(cli: Callable, repository: Path) -> None:
    (repository / "pyproject.toml").write_text('[tool.reverie.cycle]\nexecutor = "dask://evil:1"\n')
    ran = cli("config", "--json", "--repo", str(repository))
    assert ran.document["settings"]["cycle.executor"]["value"] == "local"
    assert "warning: ignored: cycle.executor (pyproject.toml" in ran.err
