"""How much of what maintainers gained does `optimise` gain, from where they began?

Each callable is given as it was before they made it faster: to single shots, to a population, or to
a population with an author whose tape holds what they wrote. What is offered is timed once more
with the case's own input, and the repository's own tests for it are run.
"""

import base64
import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from benchmarks.history.cases import Made, run
from reverie.dreamers.evolve.author import ModelAuthor, question_for
from reverie.dreamers.evolve.population import Population
from reverie.dreamers.models import ModelClient
from reverie.dreamers.models.exchange import SPEECHES, Asking
from reverie.dreamers.models.transport import fingerprint
from reverie.dreamers.optimise.variants import reached_functions
from reverie.dreamers.rewriting.source import Source
from reverie.errors import MachineryError, UsageError
from reverie.instruments.benchmark.target import CallableTarget, parse_target
from reverie.instruments.self_check import Proofs
from reverie.model.measurements.attempts import Optimisation
from reverie.model.ruling import Answer
from reverie.model.settings.cycle import ModelProtocol, ModelsSection
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.stages.evolving import Wish, evolve_callable
from reverie.stages.hotspots import optimise_callable

WAYS = ("single", "population", "author")
_PART = 0.5
"""Of the time that the maintainers saved."""
_SUITE_SECONDS = 900.0
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


_FED: Mapping[str, tuple[str, str]] = {
    "C-networkx-6722d11e": (
        "edge_boundary",
        "def make_input(n, seed):\n    import networkx as nx\n"
        "    return (nx.path_graph(n), list(range(n // 2))), {}\n",
    ),
    "C-networkx-a5652a9d": (
        "_tree_edges",
        "def make_input(n, seed):\n    return (n, 3), {}\n",
    ),
    "C-toolz-18947fee": (
        "join",
        "def make_input(n, seed):\n    same = lambda each: each\n"
        "    return (same, list(range(n)), same, list(range(n, 2 * n))), {'left_default': None}\n",
    ),
    "C-boltons-bba729bf": (
        "MultiReplace.sub",
        "def make_input(n, seed):\n    from boltons.strutils import MultiReplace\n"
        "    pairs = {'k%dx' % each: str(each) for each in range(min(n, 90))}\n"
        "    words = ['k%dx' % (each % 90) for each in range(n)]\n"
        "    return (MultiReplace(pairs), ' '.join(words)), {}\n",
    ),
}
"""Where a case times something around its callable: what is made faster, and calls of it."""


def gain(made: Made, budget: float, way: str) -> dict[str, Any]:
    """What is offered, and how its gain compares."""
    case = made.case
    name, maker = _target(made)
    target = parse_target(f"{made.tree}/{case['module']}:{name}")
    try:
        with Sandbox() as own:
            sandbox = own.with_python(made.python)
            for each in ("equivalence", "benchmark"):
                Proofs(sandbox).require(each)
            found = _offered(sandbox, target, maker, made, budget, way)
    except (MachineryError, UsageError) as error:
        return {"verdict": "no answer", "is_right": False, "reasons": [str(error)]}
    if found.best is None:
        return _not_offered(made, found)
    ratio, passes = _measured(made, found.best.source)
    # half of the time that was saved, not half of the factor
    wanted = 1 / (1 - _PART * (1 - 1 / case["ratio"]))
    is_reached = passes and ratio >= wanted
    verdict = "reached" if is_reached else "less" if passes else "WRONG"
    said = f"{found.best.pattern}: {ratio:.2f}x, theirs {case['ratio']}x"
    return {"verdict": verdict, "is_right": is_reached, "ratio": ratio, "reasons": [said]}


def _target(made: Made) -> tuple[str, CallableTarget | None]:
    """What is to be faster, and what makes its calls: the case's input where it is for that."""
    case = made.case
    name, maker = _FED.get(case["id"], (case["function"], None))
    plain = case["timed_callable"]
    if maker is None and plain.startswith("__import__") and plain.endswith(f").{name}"):
        maker = f"{case['input_maker']}\n\ndef make_input(n, seed):\n    return make(n), {{}}\n"
    if maker is None:
        return name, None
    file = made.scratch / "inputs.py"
    file.write_text(maker, "utf-8")
    return name, parse_target(f"{file}:make_input")


def _offered(
    sandbox: Sandbox,
    target: CallableTarget,
    maker: CallableTarget | None,
    made: Made,
    budget: float,
    way: str,
) -> Optimisation:
    if way == "single":
        return optimise_callable(sandbox, target, maker, budget, GuardSection())
    author = _author(made, target.attribute) if way == "author" else None
    wish = Wish(budget, author=author)
    return evolve_callable(sandbox, target, maker, wish, GuardSection()).optimisation


def _author(made: Made, entry: str) -> ModelAuthor:
    """An author who answers the first question with what the maintainers wrote."""
    path = made.case["module"]
    before, after = (made.text(branch, path) for branch in made.branches)
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
        protocol=ModelProtocol.OPENAI, name="maintainers", replay=str(made.scratch / "tape.jsonl")
    )
    prompt = question_for(entry, Population.begin(before, entry, 0).original, [])
    asking = Asking(section.name, section.reply_tokens, section.temperature)
    posted = SPEECHES[ModelProtocol.OPENAI].request(prompt, asking)
    body = {"choices": [{"message": {"content": answer}, "finish_reason": "stop"}], "usage": {}}
    line = {
        "request": fingerprint(posted),
        "status": 200,
        "body": base64.b64encode(json.dumps(body).encode()).decode(),
        "retry_seconds": None,
    }
    (made.scratch / "tape.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    return ModelAuthor(ModelClient(section, {}))


def _not_offered(made: Made, found: Optimisation) -> dict[str, Any]:
    why = found.note or "; ".join(
        f"{each.pattern}: {ruling.reason}"
        for each in found.trials
        for ruling in each.judgement.rulings
        if ruling.verdict is not Answer.PASS
    )
    codes = {
        ruling.reason_code
        for each in found.trials
        for ruling in each.judgement.rulings
        if ruling.verdict is not Answer.PASS
    }
    answer: dict[str, Any] = {"verdict": "nothing", "is_right": False, "codes": sorted(codes)}
    if found.trials:
        ratio, passes = _measured(made, found.trials[0].source)
        why = f"not proven: {ratio:.2f}x, its tests {'pass' if passes else 'FAIL'}: {why}"
        answer = {**answer, "verdict": "not proven", "ratio": ratio}
    return {**answer, "reasons": [" ".join(why.split())]}


def _measured(made: Made, source: str) -> tuple[float, bool]:
    """How much faster the case's own call is, and whether its tests pass."""
    file = made.tree / made.case["module"]
    before = file.read_text("utf-8")
    old = _seconds(made)
    try:
        file.write_text(source, "utf-8")
        return old / _seconds(made), _passes(made)
    finally:
        file.write_text(before, "utf-8")


def _seconds(made: Made) -> float:
    case = made.case
    times = max(1, int(0.02 / case["seconds_before"]))
    call, maker = case["timed_callable"], case["input_maker"]
    code = _TIMED.format(maker=maker, call=call, n=case["n"], times=times)
    done = run([made.python, "-c", code], made.tree, _SUITE_SECONDS, PYTHONPATH=made.import_path)
    return float(done.stdout)


def _passes(made: Made) -> bool:
    """Whether the tests of the case that pass on both of its sides pass here."""
    line = [made.python, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    line += ["-W", "ignore", "-o", "addopts="]
    line += [f"--deselect={each}" for each in made.case.get("failing_on_both", ())]
    line += made.case["test_files"]
    try:
        done = run(line, made.tree, _SUITE_SECONDS, PYTHONPATH=made.import_path)
    except subprocess.TimeoutExpired:
        return False
    if done.returncode:
        print(done.stdout[-600:], file=sys.stderr)
    return done.returncode == 0
