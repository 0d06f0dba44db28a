"""Judge the answers of `answers.jsonl` from a tape: honest ones promoted, wrong ones refused.

python -m benchmarks.authors CHECKOUTS [ID…]     # CHECKOUTS/idna is a checkout of the package
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from reverie.dreamers.models.tasks import Task
from reverie.model.dream import Stage

ANSWERS = Path(__file__).with_name("answers.jsonl")


def main(arguments: list[str]) -> int:
    """A line for each answer, and the sums."""
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
            told = (each["id"], each["stage"], kind, document["verdict"], document["seconds"])
            print(*told, *reasons, flush=True)
    for is_honest, name in ((True, "honest"), (False, "wrong")):
        verdicts = [verdict for honest, verdict in found if honest is is_honest]
        print(f"{name}: {verdicts.count('promote')} of {len(verdicts)} promoted")
    return 0


def judged(repository: Path, each: dict[str, Any], scratch: Path) -> dict[str, Any]:
    """What `reverie propose` says when the tape answers."""
    source = (repository / each["path"]).read_text("utf-8")
    task = Task(Stage(each["stage"]), each["path"], "", source, wish=each["id"])
    choice = {"message": {"role": "assistant", "content": each["answer"]}, "finish_reason": "stop"}
    body = base64.b64encode(json.dumps({"choices": [choice]}).encode()).decode("ascii")
    line = {"request": task.key(0), "status": 200, "body": body, "retry_seconds": None}
    tape = scratch / "tape.jsonl"
    tape.write_text(json.dumps(line) + "\n", "utf-8")
    variables = {
        "REVERIE_MODELS_PROTOCOL": "openai",
        "REVERIE_MODELS_NAME": "tape",
        "REVERIE_MODELS_REPLAY": str(tape),
        "REVERIE_MODELS_ROUNDS": "1",
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


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
