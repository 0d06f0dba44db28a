"""A pull request for what a cycle promoted, as Markdown: for a maintainer who has not seen Reverie.

First what the change is good for and what it does not touch, then how each part was proven, what a
person should look at, and how to check it or take it back. Everything is from the report document;
names and titles come from the repository and are shown, never obeyed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from reverie.cycle.report.figures import Figures, better, proof
from reverie.cycle.report.inert import inert_markdown
from reverie.model.outcome import counted

Document = Mapping[str, Any]
_FINDINGS = 10
_TITLE_CHARACTERS = 100
_TOUCHES = {
    "test": "only test files, no production code",
    "refactor": "clearer code that does the same as before",
    "optimisation": "faster code that does the same as before",
    "generated": "functions that were declared and not written, by their examples",
    "integration": "modules that nothing used, now imported and tested",
}


def request_title(document: Document) -> str:
    """One line that says what is in it."""
    ready = document["promoted"]
    if len(ready) == 1:
        return str(ready[0]["title"])[:_TITLE_CHARACTERS]
    modules = sorted({str(each["module"]) for each in ready})
    shown = ", ".join(modules[:3]) + (" and others" if len(modules) > 3 else "")
    tests = sum(int(_measure(each, "tests.new") or 0) for each in ready)
    what = counted(tests, "test") if tests else counted(len(ready), "change")
    return f"{what} for {shown}"[:_TITLE_CHARACTERS]


def request_text(document: Document) -> str:
    """The body: what it brings, how it was proven, what to look at, how to check it."""
    parts = (_opening, _changes, _proofs, _findings, _checking)
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part(document)))) + "\n"


def _opening(document: Document) -> Iterator[str]:
    figures = Figures(document)
    kinds = Counter(str(each["kind"]) for each in document["promoted"])
    told = [f"{counted(n, 'commit')}: {_TOUCHES.get(kind, kind)}" for kind, n in kinds.items()]
    yield f"{'; '.join(told)}. Made and proven by Reverie; please read it before you merge."
    shares = [
        f"{said} {before} → {after}"
        for name, said in (("line_coverage", "lines run"), ("branch_coverage", "branches run"))
        for before, after in [figures.overall(name) or (None, "")]
        if before is not None and before != after
    ]
    if shares:
        yield f"The whole suite, before and after: {', '.join(shares)}."


def _changes(document: Document) -> Iterator[str]:
    figures = Figures(document)
    yield "| commit | what is better | files |"
    yield "|---|---|---|"
    for each in document["promoted"]:
        files = ", ".join(inert_markdown(name) for name in each["files"])
        title, gain = inert_markdown(each["title"]), inert_markdown(better(each, figures))
        yield f"| {title} | {gain} | {files} |"
    if len(document["promoted"]) > 1:
        yield ""
        yield "Each row is one commit: take all of them, or `git cherry-pick` some."


def _proofs(document: Document) -> Iterator[str]:
    yield "### How it was proven"
    yield ""
    for each in document["promoted"]:
        yield f"- {inert_markdown(each['title'])}: {inert_markdown(proof(each))}"
    if any(each["kind"] == "test" for each in document["promoted"]):
        yield ""
        yield (
            "The tests record what the code does today. Each notices planted faults; together they "
            "notice faults, or run branches, that no test did before. Please read whether the "
            "behaviour is the one you want."
        )


def _findings(document: Document) -> Iterator[str]:
    found = document["found"]
    if not found:
        return
    yield "### Please look at"
    yield ""
    yield "Behaviour that looks like a fault. It is not part of this change:"
    yield ""
    for each in found[:_FINDINGS]:
        module, title = inert_markdown(each["module"]), inert_markdown(each["title"])
        yield f"- {module}: {title} (`{each['id']}`)"
    if len(found) > _FINDINGS:
        yield f"- and {len(found) - _FINDINGS} more: `reverie finding`"


def _checking(document: Document) -> Iterator[str]:
    first = document["promoted"][0]["dream_id"]
    yield "### Check it, or take it back"
    yield ""
    yield "```console"
    yield f"$ reverie verify {first}        # run the proof of one change again"
    yield f"$ reverie show {first}          # every check with what was measured"
    yield f"$ reverie rollback {document['cycle_id']}"
    yield "```"


def _measure(change: Document, name: str) -> Any:
    trial = change.get("trial")
    return None if trial is None else trial["measures"].get(name)
