"""The survivors as one page that opens from disk: no script, nothing fetched."""

from collections.abc import Mapping
from html import escape
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #d1242f; --good: #1a7f37; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child { text-align: left; }
details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; }
summary { cursor: pointer; padding: .5rem .8rem; }
pre { margin: 0; padding: .6rem .8rem; overflow-x: auto; border-top: 1px solid var(--line); }
.del { color: var(--bad); } .add { color: var(--good); } .dim { opacity: .65; }
"""


def mutation_page(document: Mapping[str, Any]) -> str:
    """A page with the figures, a row per file and a difference per survivor."""
    shown = _percent(document["score"])
    survivors = "\n".join(_survivor(each) for each in document["survivors"])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mutation: {shown}</title>
<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>
<h1>Mutation score {shown}</h1>
<p>{document["mutants"]} mutants, {document["killed"]} killed, {document["timeout"]} timed out,
{document["survived"]} survived, {document["not_covered"]} not covered;
{document["equivalent"]} more are equivalent.{_sampled(document["sampled_of"])}
{len(document["agreement"]["disagreements"])} of {document["agreement"]["checked"]} verdicts came
out otherwise in fresh processes.</p>
{_table(document["files"])}
<h2>Survivors</h2>
{survivors or "<p>None.</p>"}
</body></html>
"""


def _sampled(of: int | None) -> str:
    return "" if of is None else f" This is a sample: there are {of} mutants in all."


def _table(files: list[Mapping[str, Any]]) -> str:
    rows = "\n".join(
        f"<tr><td>{escape(each['file'])}</td><td>{each['mutants']}</td><td>{each['killed']}</td>"
        f"<td>{each['survived']}</td><td>{each['timeout']}</td><td>{each['not_covered']}</td>"
        f"<td>{_percent(each['score'])}</td></tr>"
        for each in files
    )
    return (
        "<table><tr><th>file</th><th>mutants</th><th>killed</th><th>survived</th><th>timeout</th>"
        f"<th>not covered</th><th>score</th></tr>\n{rows}</table>"
    )


def _survivor(each: Mapping[str, Any]) -> str:
    lines = "\n".join(_line(line) for line in each["diff"].splitlines()[2:])
    name = f"{each['file']}:{each['line']}"
    return (
        f"<details open><summary>{escape(name)} <span class='dim'>{escape(each['operator'])} · "
        f"{escape(each['id'])}</span></summary><pre>{lines}</pre></details>"
    )


def _line(line: str) -> str:
    kind = {"-": "del", "+": "add", "@": "dim"}.get(line[:1])
    return escape(line) if kind is None else f"<span class='{kind}'>{escape(line)}</span>"


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f} %"
