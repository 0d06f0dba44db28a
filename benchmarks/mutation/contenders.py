"""Ours, mutmut 3 and cosmic-ray on the same files and tests, each in a copy of the project."""

import ast
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.mutation.projects import PEERS, Project

if TYPE_CHECKING:
    from reverie.instruments.mutation.inside.sites import Site

Key = tuple[str, str]
"""A function and its mutated text: what two tools have to share to be compared."""


@dataclass(slots=True)
class Outcome:
    """What a tool said of a project, and what it spent."""

    tool: str
    project: str
    tested: int = 0
    killed: int = 0
    survived: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    verdicts: dict[Key, bool] = field(default_factory=dict)
    """Whether a mutant was detected."""
    checked: int = 0
    disagreements: int = 0
    problem: str | None = None

    @property
    def per_cpu_second(self) -> float:
        return self.tested / self.cpu_seconds if self.cpu_seconds else 0.0


def run_ours(project: Project, python: Path, verify: float, sample: int | None = None) -> Outcome:
    command = [
        sys.executable, "-m", "reverie", "mutate", "--repo", str(project.folder),
        str(project.source_path), "--tests", str(project.folder / project.tests), "--python",
        str(python), "--verify", str(verify), "--json", "--no-cache",
        *(() if sample is None else ("--sample", str(sample))),
    ]  # fmt: skip
    outcome = Outcome("reverie", project.name)
    done = _measured(outcome, command, project.folder, 1200)
    if done.returncode != 0:
        outcome.problem = done.stderr.strip().splitlines()[-1][:200] if done.stderr else "failed"
        return outcome
    found = json.loads(done.stdout)
    own = outcome.cpu_seconds
    outcome.cpu_seconds = max(own, found["cpu_seconds"])
    outcome.killed = found["killed"] + found["timeout"]
    outcome.survived = found["survived"]
    outcome.tested = outcome.killed + outcome.survived
    outcome.checked = found["agreement"]["checked"]
    outcome.disagreements = len(found["agreement"]["disagreements"])
    outcome.verdicts = _our_verdicts(found, project)
    return outcome


def run_ours_at_call(project: Project, python: Path) -> Outcome:
    """The same, of function bodies alone: what mutmut mutates."""
    from reverie import Sandbox
    from reverie.instruments.mutation.campaign import Campaign, Wishes
    from reverie.instruments.mutation.project import find_project
    from reverie.instruments.mutation.sandbox_side import FarSide

    tests = [str(project.folder / project.tests)]
    found = find_project(project.folder, str(project.source_path), tests, str(python))
    lines = {file: _body_lines(project.folder / file) for file in found.files}
    outcome, before = Outcome("in functions", project.name), time.process_time()
    with Sandbox() as sandbox:
        far = FarSide(sandbox, found, exhaustive=False, baseline_seconds=120.0)
        report = Campaign(far, Wishes(only_lines=lines, verified_share=0)).run()
    outcome.tested = report.tested
    outcome.survived = sum(each.verdict.value == "survived" for each in report.judged)
    outcome.killed = outcome.tested - outcome.survived
    outcome.wall_seconds = report.wall_seconds
    outcome.cpu_seconds = report.cpu_seconds + time.process_time() - before
    return outcome


def _body_lines(path: Path) -> frozenset[int]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        line
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, functions)
        for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
    )


def _our_verdicts(found: dict, project: Project) -> dict[Key, bool]:
    """By function and mutated text; mutants of what runs at import have no function."""
    from reverie.instruments.mutation.inside.sites import Survey, read_source

    said = {each["id"]: each["verdict"] for each in found["verdicts"]}
    verdicts: dict[Key, bool] = {}
    for file in {each["file"] for each in found["verdicts"]}:
        seen: dict[Key, int] = {}
        for site in Survey(read_source(str(project.folder / file))).sites:
            key = (site.scope, site.operator)
            seen[key] = seen.get(key, 0) + 1
            verdict = said.get(f"{file}::{site.scope}::{site.operator}::{seen[key]}")
            if site.unit is None or verdict not in ("killed", "timeout", "survived"):
                continue
            site.apply()
            verdicts[site.unit.qualname, _body(site.unit.node)] = verdict != "survived"
            _undo(site)
    return verdicts


def _undo(site: "Site") -> None:
    if site.place is None:
        setattr(site.parent, site.slot, site.node)
    else:
        getattr(site.parent, site.slot)[site.place] = site.node


def run_mutmut(project: Project, python: Path) -> Outcome:
    outcome = Outcome("mutmut 3", project.name)
    copy = _copied(project, "mutmut")
    (copy / "setup.cfg").write_text(
        f"[mutmut]\npaths_to_mutate={project.source}\nsource_paths={project.source}\n"
        f"tests_dir={project.tests}\npytest_add_cli_args_test_selection={project.tests}\n"
        "also_copy=\n    .\n"
    )
    command = [str(python), "-m", "mutmut", "run", "--max-children", "2"]
    done = _measured(outcome, command, copy, 900)
    metas = list((copy / "mutants").rglob("*.meta"))
    codes: dict[str, int | None] = {}
    for meta in metas:
        codes |= json.loads(meta.read_text()).get("exit_code_by_key", {})
    ran = {key: code for key, code in codes.items() if code is not None and code not in (33, 5, 34)}
    outcome.survived = sum(code == 0 for code in ran.values())
    outcome.killed = len(ran) - outcome.survived
    outcome.tested = len(ran)
    if not ran:
        text = (done.stdout + done.stderr).strip().splitlines()
        outcome.problem = text[-1][:200] if text else f"exit code {done.returncode}"
    outcome.verdicts = _mutmut_verdicts(copy, ran)
    return outcome


def _mutmut_verdicts(copy: Path, ran: dict[str, int]) -> dict[Key, bool]:
    """mutmut writes each mutant as a function of its own beside the original."""
    verdicts: dict[Key, bool] = {}
    by_name = {key.rpartition(".")[2]: code for key, code in ran.items()}
    for path in (copy / "mutants").rglob("*.py"):
        text = path.read_text("utf-8", "replace")
        if "__mutmut_" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in by_name:
                qualname = _mutmut_name(node.name)
                verdicts[qualname, _body(node)] = by_name[node.name] != 0
    return verdicts


def _mutmut_name(name: str) -> str:
    plain = re.sub(r"__mutmut_\d+$", "", name)
    if plain.startswith("xǁ"):
        return ".".join(plain[2:].split("ǁ"))
    return plain.removeprefix("x_")


def run_cosmic_ray(project: Project, python: Path, budget_seconds: float) -> Outcome:
    """As many of its mutants as fit into the time, in its own random order."""
    outcome = Outcome("cosmic-ray", project.name)
    copy = _copied(project, "cosmic-ray")
    (copy / "cr.toml").write_text(
        f'[cosmic-ray]\nmodule-path = "{project.source}"\ntimeout = 20.0\nexcluded-modules = []\n'
        f'test-command = "{python} -m pytest -x -q -p no:cacheprovider {project.tests}"\n'
        '[cosmic-ray.distributor]\nname = "local"\n'
    )
    tool = [str(python), "-m", "cosmic_ray.cli"]
    _measured(Outcome("", ""), [*tool, "init", "cr.toml", "cr.sqlite"], copy, 200)
    try:
        _thin_out(copy / "cr.sqlite", 400)
    except sqlite3.Error as error:
        outcome.problem = f"no session: {error}"
        return outcome
    _measured(outcome, [*tool, "exec", "cr.toml", "cr.sqlite"], copy, budget_seconds)
    rows = _cosmic_rows(copy / "cr.sqlite")
    outcome.tested = len(rows)
    outcome.killed = sum("kill" in row.lower() for row in rows)
    outcome.survived = outcome.tested - outcome.killed
    if not rows:
        outcome.problem = "no results"
    return outcome


def _thin_out(database: Path, keep: int) -> None:
    """cosmic-ray works its list off from the front: let the front be spread over the file."""
    with sqlite3.connect(database) as connection:
        jobs = [row[0] for row in connection.execute("select job_id from work_items")]
        kept = set(jobs[:: max(1, len(jobs) // keep)])
        gone = [(job,) for job in jobs if job not in kept]
        connection.executemany("delete from mutation_specs where job_id = ?", gone)
        connection.executemany("delete from work_items where job_id = ?", gone)


def _cosmic_rows(database: Path) -> Sequence[str]:
    with sqlite3.connect(database) as connection:
        found = connection.execute("select test_outcome from work_results").fetchall()
    return [str(row[0]) for row in found if row[0] is not None]


def _body(node: ast.AST) -> str:
    """A function without its name, decorators and annotations, as text."""
    lines = [ast.unparse(statement) for statement in node.body]  # type: ignore[attr-defined]
    return "\n".join(lines)


def _copied(project: Project, tool: str) -> Path:
    copy = PEERS / "work" / f"{tool}-{project.name}"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(project.folder, copy)
    for name in ("tox.ini", "pytest.ini", "setup.cfg"):
        (copy / name).unlink(missing_ok=True)
    return copy


def _measured(
    outcome: Outcome, command: Sequence[str], folder: Path, seconds: float
) -> "subprocess.CompletedProcess[str]":
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": ""}
    process = subprocess.Popen(
        command, cwd=folder, env=environ, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 15)
        out, err = process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    outcome.wall_seconds = time.monotonic() - began
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    outcome.cpu_seconds = spent
    return subprocess.CompletedProcess(list(command), process.returncode, out, err)
