"""One callable made faster: imagine variants, race them, try the best, keep what is proven."""

import ast
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from reverie.dreamers.optimise.race import Course, Finish, run_race
from reverie.dreamers.optimise.scaling import MAKER, make_inputs_for
from reverie.dreamers.optimise.variants import imagine_variants, reached_functions
from reverie.errors import UsageError
from reverie.instruments.benchmark.target import CallableTarget, Inputs, parse_target
from reverie.model.optimisation import Optimisation, OptimisationTrial
from reverie.sandbox.engine import Sandbox
from reverie.trials.optimisation import Question, Spending, try_variant

Progress = Callable[[str], None]
_MOST_TRIALS = 4
_TIMED_SIZE = 1000
_SHARE = 0.4
"""Of what is left of the budget: what one trial may spend on each of its two halves."""


def optimise_callable(
    sandbox: Sandbox,
    target: CallableTarget,
    maker: CallableTarget | None,
    budget_seconds: float,
    seed: int = 0,
    progress: Progress = lambda text: None,
) -> Optimisation:
    """Everything worth trying on one callable, within the budget."""
    began = time.monotonic()
    source = _read(target.file)
    named = f"{target.file}:{target.attribute}"
    if not reached_functions(ast.parse(source), target.attribute):
        raise UsageError(f"{target.file!r} has no function {target.attribute!r}")
    progress("imagining variants")
    variants = imagine_variants(source, target.attribute)
    if not variants:
        return Optimisation(named, (), 0, time.monotonic() - began, "no known pattern fits")
    with tempfile.TemporaryDirectory(prefix="reverie-inputs-") as folder:
        maker = maker or _generated(target, source, Path(folder))
        progress(f"racing {len(variants)} variants")
        ranked = run_race(sandbox, _course(target, maker, seed), source, variants)
        question = Question(target, source, Inputs(maker), _TIMED_SIZE, seed)
        trials = _try_best(sandbox, question, ranked, began + budget_seconds, progress)
    note = None if trials else "no variant gives the same answers in less time"
    return Optimisation(named, tuple(trials), len(variants), time.monotonic() - began, note)


def _try_best(
    sandbox: Sandbox, question: Question, ranked: list[Finish], deadline: float, progress: Progress
) -> list[OptimisationTrial]:
    """Best first, until one passes or the time is over."""
    trials: list[OptimisationTrial] = []
    for finish in ranked[:_MOST_TRIALS]:
        left = deadline - time.monotonic()
        if trials and (left <= 1.0 or trials[-1].is_promoted):
            break
        progress(f"trying {finish.variant.pattern}")
        share = max(2.0, left * _SHARE)
        variant = finish.variant
        trials.append(
            try_variant(
                sandbox,
                question,
                variant.source,
                variant.pattern,
                variant.changed,
                Spending(share, share),
            )
        )
    return trials


def _course(target: CallableTarget, maker: CallableTarget, seed: int) -> Course:
    is_own = maker.file == target.file
    return Course(
        target.file,
        target.module,
        (target.root,),
        target.attribute,
        maker.attribute,
        None if is_own else _read(maker.file),
        seed,
    )


def _generated(target: CallableTarget, source: str, folder: Path) -> CallableTarget:
    """Inputs from annotations, when nobody gave any."""
    function = reached_functions(ast.parse(source), target.attribute)[target.attribute]
    text = make_inputs_for(function)
    if text is None:
        raise UsageError(
            f"no inputs for {target.attribute!r}: its annotations do not say enough; give --inputs"
        )
    file = folder / "reverie_inputs.py"
    file.write_text(text, "utf-8")
    return parse_target(f"{file}:{MAKER}")


def _read(path: str) -> str:
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path!r}: {error}") from error
