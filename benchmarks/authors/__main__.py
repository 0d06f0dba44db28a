"""Judge the answers of `answers.jsonl` from a tape: honest ones promoted, wrong ones refused.

python -m benchmarks.authors CHECKOUTS [ID…]     # CHECKOUTS/idna is a checkout of the package
python -m benchmarks.authors model FOLDER URL REPOSITORY…     # a real model, night after night

An answer with a `repair` is asked for a second time when it is refused, and answers with that.
"""

import base64
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.authors import model
from reverie.dreamers.models.tasks import Task
from reverie.model.dream import Stage

ANSWERS = Path(__file__).with_name("answers.jsonl")


def main(arguments: list[str]) -> int:
    """A line for each answer, and the sums."""
    if arguments[0] == "model":
        return model.main(arguments[1:])
    checkouts, chosen = Path(arguments[0]), set(arguments[1:])
    answers = [json.loads(line) for line in ANSWERS.read_text("utf-8").splitlines()]
    found: list[tuple[bool, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for each in answers:
            if chosen and each["id"] not in chosen:
                continue
            document = judged(checkouts / each["package"], each, Path(scratch))
            reasons = [r["reason_code"] for r in document["rulings"] if r["verdict"] != "pass"]
            found.append((each["is_honest"], document["verdict"]))
            kind = "honest" if each["is_honest"] else "wrong"
            told = (each["id"], each["stage"], kind, document["verdict"], round(cpu_seconds(), 1))
            print(*told, *reasons, flush=True)
    for is_honest, name in ((True, "honest"), (False, "wrong")):
        verdicts = [verdict for honest, verdict in found if honest is is_honest]
        print(f"{name}: {verdicts.count('promote')} of {len(verdicts)} promoted")
    print(f"{cpu_seconds():.0f} s of CPU time")
    return 0


def cpu_seconds() -> float:
    """Of all that was started so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judged(repository: Path, each: dict[str, Any], scratch: Path) -> dict[str, Any]:
    """What `reverie propose` says when the tape answers."""
    source = (repository / each["path"]).read_text("utf-8")
    task = Task(Stage(each["stage"]), each["path"], "", source, wish=each["id"])
    answers = [each[key] for key in ("answer", "repair") if key in each]
    tape = scratch / "tape.jsonl"
    tape.write_text("".join(map(on_tape, map(task.key, range(2)), answers)), "utf-8")
    variables = {
        "REVERIE_MODELS_PROTOCOL": "openai",
        "REVERIE_MODELS_NAME": "tape",
        "REVERIE_MODELS_REPLAY": str(tape),
        "REVERIE_MODELS_ROUNDS": str(len(answers)),
    }
    command = [
        *(sys.executable, "-m", "reverie", "propose", each["path"], "--stage", each["stage"]),
        *("--wish", each["id"], "--no-evidence", "--json", "--yes", "--repo", str(repository)),
    ]
    ran = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)
    if not ran.stdout:
        return {
            "verdict": "none",
            "seconds": 0.0,
            "rulings": [{"reason_code": ran.stderr.strip()[-300:], "verdict": "fail"}],
        }
    document: dict[str, Any] = json.loads(ran.stdout)
    return document


def on_tape(key: str, answer: str) -> str:
    """An exchange, as it stands on a tape."""
    choice = {"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
    body = base64.b64encode(json.dumps({"choices": [choice]}).encode()).decode("ascii")
    line = {"request": key, "status": 200, "body": body, "retry_seconds": None}
    return json.dumps(line) + "\n"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
