"""`reverie evolve` from the text of a slow function to a proven patch; with an author, too."""

import base64
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from reverie.dreamers.evolve.author import question_for
from reverie.dreamers.evolve.population import Population
from reverie.dreamers.models.exchange import SPEECHES
from reverie.dreamers.models.transport import fingerprint
from reverie.model.settings.cycle import ModelProtocol, ModelsSection

SLOW = '''\
def distinct(names: list[str]) -> list[str]:
    """The names without repeats, first ones kept."""
    kept = []
    for name in names:
        if name not in kept:
            kept.append(name)
    return kept
'''
PLAIN = '''\
def total(numbers: list[int]) -> int:
    """Twice the sum."""
    result = 0
    for number in numbers:
        for _ in (1, 2):
            result = result + number
    return result
'''
BETTER = "def total(numbers: list[int]) -> int:\n    return 2 * sum(numbers)\n"


def evolve(folder: Path, *arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "reverie", "evolve", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environ}
    )


def test_a_quadratic_function_is_bred_linear_proven_drawn_and_taken_up_again(
    tmp_path: Path,
) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    line = ("slow.py:distinct", "--state", "state.json", "--json", "--budget")
    done = evolve(tmp_path, *line, "20s", "--svg", "lineage.svg")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    best = next(each for each in found["dreams"] if each["id"] == found["best"])
    assert best["verdict"] == "promote"
    assert best["equivalence"]["verdict"] == "equivalent"
    assert best["speedup"]["p50"] > 2
    lineage = {each["id"]: each for each in found["lineage"]}
    assert lineage[found["best"]]["fate"] == "proven"
    assert all(set(each["parents"]) <= set(lineage) for each in lineage.values())
    assert "set()" in found["source"] or "dict.fromkeys" in found["source"]
    assert file.read_text() == SLOW
    picture = ET.parse(tmp_path / "lineage.svg").getroot()
    assert len(picture.findall("{http://www.w3.org/2000/svg}g")) == len(lineage)

    again = json.loads(evolve(tmp_path, *line, "5s").stdout)
    assert again["resumed"] > 0
    assert again["best"] is not None


def test_an_author_writes_what_no_rewrite_knows_and_is_proven_like_everybody(
    tmp_path: Path,
) -> None:
    (tmp_path / "slow.py").write_text(PLAIN)
    original = Population.begin(PLAIN, "total", 0).original
    posted = SPEECHES[ModelProtocol.OPENAI].request(
        question_for("total", original, []), "m", ModelsSection().reply_tokens
    )
    content = f"```python\n{BETTER}```\n"
    body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}], "usage": {}}
    answer = base64.b64encode(json.dumps(body).encode()).decode()
    tape = {"request": fingerprint(posted), "status": 200, "body": answer, "retry_seconds": None}
    (tmp_path / "tape.jsonl").write_text(json.dumps(tape) + "\n")
    done = evolve(
        tmp_path, "slow.py:total", "--budget", "20s", "--model", "--json",
        REVERIE_MODELS_PROTOCOL="openai", REVERIE_MODELS_NAME="m",
        REVERIE_MODELS_REPLAY=str(tmp_path / "tape.jsonl"),
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["authored"] >= 1, done.stderr
    assert done.returncode == 0, done.stdout
    assert "2 * sum(numbers)" in found["source"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("nothing.py:f",), "nothing.py"),
        (("slow.py",), "slow.py"),
        (("slow.py:absent",), "absent"),
        (("slow.py:distinct", "--budget", "soon"), "soon"),
        (("slow.py:distinct", "--inputs", "slow.py"), "slow.py"),
        (("slow.py:distinct", "--state", "bad.json"), "bad.json"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "bad.json").write_text("[]")
    done = evolve(tmp_path, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    (line,) = done.stderr.strip().splitlines()[-1:]
    assert named in line
    assert "Traceback" not in done.stderr


def test_nothing_to_gain_is_a_no(tmp_path: Path) -> None:
    (tmp_path / "quick.py").write_text(
        "def add(one: int, other: int) -> int:\n    return one + other\n"
    )
    done = evolve(tmp_path, "quick.py:add", "--budget", "2s", "--json")
    assert done.returncode == 1, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert (found["best"], found["source"]) == (None, None)
    assert found["note"]


def test_without_a_model_nobody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    done = evolve(tmp_path, "slow.py:distinct", "--model")
    assert done.returncode == 1
    assert "models.protocol is off" in done.stderr
