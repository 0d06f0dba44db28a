"""`python -m benchmarks.optimise.history CASES --mirror ROOT`: maintainers' speed-ups, again.

CASES is the folder with `cases.jsonl` and `materialise.py`, ROOT has the bare repositories. Each
callable is given as it was before its maintainers made it faster: to single shots, to a population,
and to a population with an author whose tape holds what the maintainers wrote. What is offered is
timed once more with the case's own input, and the repository's own tests for it are run.
"""

import argparse
import base64
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.machine import describe_machine, load
from reverie.dreamers.evolve.author import ModelAuthor, question_for
from reverie.dreamers.evolve.population import Population
from reverie.dreamers.models import ModelClient
from reverie.dreamers.models.exchange import SPEECHES
from reverie.dreamers.models.transport import fingerprint
from reverie.dreamers.optimise.variants import reached_functions
from reverie.dreamers.rewriting.source import Source
from reverie.instruments.benchmark.target import parse_target
from reverie.instruments.proof import Proofs
from reverie.model.measurements.attempts import Optimisation
from reverie.model.ruling import Answer
from reverie.model.settings.cycle import ModelProtocol, ModelsSection
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.stages.evolving import Wish, evolve_callable
from reverie.stages.optimisations import optimise_callable

_TIMED = """
import sys, time
{maker}
call = {call}
best = 1e9
for _ in range(7):
    given = make({n})
    began = time.process_time()
    for _ in range({times}):
        call(*given)
    best = min(best, time.process_time() - began)
print(best)
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A callable of a case, and its inputs by size."""

    id: str
    target: str
    maker: str
    helpers: tuple[str, ...] = ()
    """What else of the module the maintainers changed with it."""


CASES = (
    Case(
        "C-networkx-6722d11e",
        "networkx/algorithms/boundary.py:edge_boundary",
        "def make_input(n, seed):\n    import networkx as nx\n"
        "    return (nx.path_graph(n), list(range(n // 2))), {}\n",
    ),
    Case(
        "C-networkx-a5652a9d",
        "networkx/generators/classic.py:_tree_edges",
        "def make_input(n, seed):\n    return (n, 3), {}\n",
    ),
    Case(
        "C-toolz-18947fee",
        "toolz/itertoolz.py:join",
        "def make_input(n, seed):\n    same = lambda each: each\n"
        "    return (same, list(range(n)), same, list(range(n, 2 * n))), {'left_default': None}\n",
    ),
    Case(
        "C-boltons-bba729bf",
        "boltons/strutils.py:MultiReplace.sub",
        "def make_input(n, seed):\n    from boltons.strutils import MultiReplace\n"
        "    pairs = {'k%dx' % each: str(each) for each in range(min(n, 90))}\n"
        "    words = ['k%dx' % (each % 90) for each in range(n)]\n"
        "    return (MultiReplace(pairs), ' '.join(words)), {}\n",
    ),
    Case(
        "C-networkx-e11046fd",
        "networkx/algorithms/cluster.py:transitivity",
        "def make_input(n, seed):\n    import networkx as nx\n"
        "    return (nx.gnp_random_graph(n, 0.2, seed=seed),), {}\n",
    ),
    Case(
        "C-sqlparse-012c9f10",
        "sqlparse/utils.py:imt",
        "def make_input(n, seed):\n    from sqlparse import sql, tokens as T\n"
        "    token = sql.Token(T.Name, 'x' * n)\n"
        "    return (token, None, (T.Keyword, 'SELECT'), (T.Keyword,)), {}\n",
    ),
)


def main() -> int:
    """Print a row for each case and way; exit 1 when anything offered fails the case's tests."""
    asked = _arguments()
    print(f"{describe_machine()}; load {load():.1f}", file=sys.stderr)
    lines = (asked.cases / "cases.jsonl").read_text("utf-8").splitlines()
    known = {each["id"]: each for each in map(json.loads, lines)}
    wrong = 0
    with Sandbox() as own:
        sandbox = own.with_python(asked.python)
        for name in ("equivalence", "benchmark"):
            Proofs(sandbox).require(name)
        for case in CASES:
            if asked.only in case.id:
                with tempfile.TemporaryDirectory() as scratch:
                    wrong += _tried(sandbox, asked, case, known[case.id], Path(scratch))
    return int(bool(wrong))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", type=Path)
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--only", default="", help="part of a case's id")
    parser.add_argument("--ways", default="single,population,author")
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--python", default=sys.executable, help="has what the packages need")
    return parser.parse_args()


def _tried(
    sandbox: Sandbox, asked: argparse.Namespace, case: Case, about: dict[str, Any], scratch: Path
) -> int:
    tree, wrong = scratch / "tree", 0
    line = [sys.executable, str(asked.cases / "materialise.py"), case.id, str(tree)]
    subprocess.run([*line, "--mirror", str(asked.mirror)], check=True, capture_output=True)
    maker_file = scratch / "inputs.py"
    maker_file.write_text(case.maker, "utf-8")
    target, maker = parse_target(f"{tree}/{case.target}"), parse_target(f"{maker_file}:make_input")
    for way in asked.ways.split(","):
        if way == "single":
            found = optimise_callable(sandbox, target, maker, asked.budget, GuardSection())
        else:
            author = _author(case, about, tree, scratch) if way == "author" else None
            wish = Wish(asked.budget, author=author)
            found = evolve_callable(sandbox, target, maker, wish, GuardSection()).optimisation
        said, is_right = _judged(case, {**about, "python": asked.python}, tree, found)
        wrong += not is_right
        named = case.target.rpartition(":")[2]
        print(f"{case.id:22} {named:18} {way:10} {said} ({found.seconds:.0f} s)", flush=True)
    return wrong


def _author(case: Case, about: dict[str, Any], tree: Path, scratch: Path) -> ModelAuthor:
    """An author who answers the first question with what the maintainers wrote."""
    path, _, entry = case.target.partition(":")
    before = (tree / path).read_text("utf-8")
    shown = subprocess.run(
        ["git", "-C", str(tree), "show", f"after:{path}"], check=True, capture_output=True
    )
    after = shown.stdout.decode("utf-8")
    old, new = Source(before), Source(after)
    wanted = reached_functions(new.tree, entry)
    tops = {name.partition(".")[0] for name in wanted}
    changed = [
        new.of(node)
        for node in new.tree.body
        if (getattr(node, "name", None) in tops and new.of(node) not in old.text)
        or getattr(node, "name", None) == entry.partition(".")[0]
    ]
    answer = "```python\n" + "\n\n\n".join(changed) + "\n```\n"
    section = ModelsSection(
        protocol=ModelProtocol.OPENAI, name="maintainers", replay=str(scratch / "tape.jsonl")
    )
    prompt = question_for(entry, Population.begin(before, entry, 0).original, [])
    posted = SPEECHES[ModelProtocol.OPENAI].request(prompt, section.name, section.reply_tokens)
    body = {"choices": [{"message": {"content": answer}, "finish_reason": "stop"}], "usage": {}}
    line = {
        "request": fingerprint(posted),
        "status": 200,
        "body": base64.b64encode(json.dumps(body).encode()).decode(),
        "retry_seconds": None,
    }
    (scratch / "tape.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    return ModelAuthor(ModelClient(section, {}))


def _judged(case: Case, about: dict[str, Any], tree: Path, found: Optimisation) -> tuple[str, bool]:
    best = found.best
    if best is None:
        why = found.note or "; ".join(
            f"{each.pattern}: {ruling.reason}"
            for each in found.trials
            for ruling in each.judgement.rulings
            if ruling.verdict is not Answer.PASS
        )
        if not found.trials:
            return f"- {' '.join(why.split())[:170]}", True
        ratio, is_right = _measured(case, about, tree, found.trials[0].source)
        told = f"not proven: {ratio:.2f}x, its tests {'pass' if is_right else 'FAIL'}"
        return f"{told}: {' '.join(why.split())[:170]}", True
    ratio, is_right = _measured(case, about, tree, best.source)
    mark = "its tests pass" if is_right else "WRONG"
    theirs = f"theirs {about['ratio']}x"
    return f"{ratio:.2f}x ({theirs}) {best.pattern}, {mark}", is_right


def _measured(case: Case, about: dict[str, Any], tree: Path, source: str) -> tuple[float, bool]:
    """How much faster the case's own call is, and whether its tests pass."""
    file = tree / case.target.partition(":")[0]
    before = file.read_text("utf-8")
    old = _seconds(about, tree)
    try:
        file.write_text(source, "utf-8")
        return old / _seconds(about, tree), _passes(about, tree)
    finally:
        file.write_text(before, "utf-8")


def _seconds(about: dict[str, Any], tree: Path) -> float:
    times = max(1, int(0.02 / about["seconds_before"]))
    call, maker = about["timed_callable"], about["input_maker"]
    code = _TIMED.format(maker=maker, call=call, n=about["n"], times=times)
    done = subprocess.run(
        [about["python"], "-c", code],
        env={"PYTHONPATH": f"{tree}/src:{tree}"},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def _passes(about: dict[str, Any], tree: Path) -> bool:
    """Whether the tests of the case that pass on both of its sides pass here."""
    line = [about["python"], "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    line += ["-W", "ignore", "-o", "addopts="]
    line += [f"--deselect={each}" for each in about.get("failing_on_both", ())]
    environment = {"PYTHONPATH": f"{tree}/src:{tree}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [*line, *about["test_files"]], cwd=tree, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        print(done.stdout[-600:], file=sys.stderr)
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
