"""`reverie evolve` from the text of a slow function to a proven patch; with an author, too."""

import base64
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reverie.dreamers.evolve.author import question_for
from reverie.dreamers.evolve.population import Population
from reverie.dreamers.models.exchange import SPEECHES, Asking
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


@pytest.fixture
def evolve(cli: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs `reverie evolve` in the folder of the test."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, **environ: cli("evolve", *arguments, environ=environ)


def test_a_quadratic_function_is_bred_linear_proven_drawn_and_taken_up_again(
    evolve: Callable[..., Any],
    tmp_path: Path,
) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW)
    line = ("slow.py:distinct", "--state", "state.json", "--json", "--budget")
    done = evolve(*line, "24s", "--svg", "lineage.svg")
    assert done.code == 0, done.out + done.err
    found = done.document
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

    again = evolve(*line, "12s").document
    assert again["resumed"] > 0
    assert again["best"] is not None


def test_an_author_writes_what_no_rewrite_knows_and_is_proven_like_everybody(
    evolve: Callable[..., Any],
    tmp_path: Path,
) -> None:
    (tmp_path / "slow.py").write_text(PLAIN)
    original = Population.begin(PLAIN, "total", 0).original
    posted = SPEECHES[ModelProtocol.OPENAI].request(
        question_for("total", original, []), Asking("m", ModelsSection().reply_tokens)
    )
    content = f"```python\n{BETTER}```\n"
    body = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}], "usage": {}}
    answer = base64.b64encode(json.dumps(body).encode()).decode()
    tape = {"request": fingerprint(posted), "status": 200, "body": answer, "retry_seconds": None}
    (tmp_path / "tape.jsonl").write_text(json.dumps(tape) + "\n")
    done = evolve(
        "slow.py:total", "--budget", "40s", "--model", "--json",
        REVERIE_MODELS_PROTOCOL="openai", REVERIE_MODELS_NAME="m",
        REVERIE_MODELS_REPLAY=str(tmp_path / "tape.jsonl"),
    )  # fmt: skip
    found = done.document
    assert found["authored"] >= 1, done.err
    assert done.code == 0, done.out
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
    evolve: Callable[..., Any], tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "bad.json").write_text("[]")
    done = evolve(*arguments)
    assert done.code == 2, done.out + done.err
    (line,) = done.err.strip().splitlines()[-1:]
    assert named in line
    assert "Traceback" not in done.err


def test_nothing_to_gain_is_a_no(
    evolve: Callable[..., Any],
    tmp_path: Path,
) -> None:
    (tmp_path / "quick.py").write_text(
        "def add(one: int, other: int) -> int:\n    return one + other\n"
    )
    done = evolve("quick.py:add", "--budget", "2s", "--json")
    assert done.code == 1, done.out + done.err
    found = done.document
    assert (found["best"], found["source"]) == (None, None)
    assert found["note"]


def test_without_a_model_nobody_is_asked(
    evolve: Callable[..., Any],
    tmp_path: Path,
) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    done = evolve("slow.py:distinct", "--model")
    assert done.code == 1
    assert "models.protocol is off" in done.err
