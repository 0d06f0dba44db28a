"""A supervisor that is going to be killed: busy in the way it was asked to, until it dies.

It says on stdout when it starts, when its slots are warm, when it closes, and which executions
are flushed to the journal. The one who kills it reads that.
"""

import argparse
import random
import sys
import threading
from contextlib import ExitStack
from itertools import count
from typing import Protocol

from benchmarks.soak.good import make_good
from benchmarks.soak.hostile import ATTACKS, attack_job
from benchmarks.soak.job import Job
from reverie.errors import MachineryError
from reverie.model.sections import SandboxSection, TierChoice
from reverie.sandbox.engine import Sandbox
from reverie.store import ExecutionRecorder, Journal

SCENES = ("boot", "busy", "recycling", "fork bomb", "close", "flush")
_BATCH = 20


class _Recorder(Protocol):
    def flush(self) -> None: ...


def main() -> None:
    """Never ends by itself, except after closing."""
    options = _parse_options()
    chance = random.Random(options.seed)
    section = SandboxSection(
        tier=TierChoice(options.tier),
        slots=2,
        recycle_after=2 if options.scene == "recycling" else 1000,
    )
    with ExitStack() as stack:
        journal = stack.enter_context(Journal.open(options.journal))
        recorder = stack.enter_context(ExecutionRecorder(journal))
        _say("starting")
        sandbox = stack.enter_context(Sandbox(section, recorder))
        sandbox.warm()
        _say("warm")
        if options.scene == "close":
            _call_batch(sandbox, options.scene, chance, recorder)
            _say("closing")
            sandbox.close()
            return
        _stay_busy(sandbox, options.scene, chance, recorder)


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--journal", required=True)
    parser.add_argument("--scene", choices=SCENES, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--tier", default="auto")
    return parser.parse_args()


def _say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def _stay_busy(sandbox: Sandbox, scene: str, chance: random.Random, recorder: _Recorder) -> None:
    """Batches from here, single runs from another thread."""
    threading.Thread(
        target=_call_run, args=(sandbox, scene, random.Random(chance.random())), daemon=True
    ).start()
    for _ in count():
        _call_batch(sandbox, scene, chance, recorder)


def _call_batch(sandbox: Sandbox, scene: str, chance: random.Random, recorder: _Recorder) -> None:
    jobs = [_make_job(sandbox, scene, chance) for _ in range(_BATCH)]
    finished = []
    try:
        for execution in sandbox.run_batch(job.request for job in jobs):
            finished.append(execution.id)
            if scene == "flush" or len(finished) == _BATCH:
                recorder.flush()
                _say("flushed", *finished)
                finished.clear()
    except MachineryError as error:
        _say("machinery", str(error))


def _call_run(sandbox: Sandbox, scene: str, chance: random.Random) -> None:
    while True:
        try:
            sandbox.run(_make_job(sandbox, scene, chance).request)
        except MachineryError as error:
            _say("machinery", str(error))


def _make_job(sandbox: Sandbox, scene: str, chance: random.Random) -> Job:
    can_fork = sandbox.tier == "namespaces"
    if scene == "fork bomb":
        bombs = [attack for attack in ATTACKS if attack.forks]
        return attack_job(chance.choice(bombs), chance, can_fork)
    if chance.random() < 0.1:
        return attack_job(chance.choice(ATTACKS), chance, can_fork)
    return make_good(chance, can_fork)


if __name__ == "__main__":
    main()
