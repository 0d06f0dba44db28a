"""The page says of every question and every key what there is."""

import inspect
import re
from pathlib import Path

from reverie.dreamers.rewriting.questions import QUESTIONS
from reverie.syntax.patterns.reading import KEYS

PAGE = (Path(__file__).parents[4] / "docs" / "rewrites.md").read_text("utf-8")


def test_every_question_stands_on_the_page_with_its_answer() -> None:
    table = PAGE.partition("<!-- questions -->\n")[2].partition("<!-- /questions -->")[0]
    wanted = []
    for name, ask in QUESTIONS.items():
        given = list(inspect.signature(ask).parameters.values())[1:]
        shown = ", ".join(
            ("*" if each.kind is each.VAR_POSITIONAL else "") + each.name for each in given
        )
        wanted.append(f"| `{name}({shown})` | {(inspect.getdoc(ask) or '').splitlines()[0]} |")
    assert sorted(table.splitlines()[2:]) == sorted(wanted)


def test_every_key_stands_on_the_page() -> None:
    table = PAGE.partition("## Keys\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name.split(".")[0] for row in rows for name in re.findall(r"`([\w.]+)`", row)}
    assert named | {"code", "needed"} == KEYS
