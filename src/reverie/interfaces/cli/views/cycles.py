"""A cycle on the terminal: as it runs, its result, one change of it, and its pull request.

While it runs, stderr shows the current step, the findings and the time left. The result begins
with what a person does next and ends with the cost. A pull request (`reverie run --open-pr`) is
opened only where that is asked.
"""

import re
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from reverie.cycle.glance import DONE, Glance
from reverie.cycle.report.figures import (
    Figures,
    asked_of_people,
    better,
    few,
    in_a_line,
    kept_probability,
    measures_of,
    objection,
    objections,
    passed_over,
    proof,
    ready_and_merged,
    taking_back,
    would_help,
)
from reverie.cycle.report.plots import duration
from reverie.cycle.report.profile import profile_lines
from reverie.errors import UsageError
from reverie.gates.remedies import gravest_first
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_line, emit_table, printable, warn, write_text
from reverie.interfaces.cli.progress import is_watched, told_now_and_then
from reverie.interfaces.cli.views.judgements import NOTHING_RUN
from reverie.model.dream import Stage
from reverie.model.outcome import counted

if TYPE_CHECKING:
    from reverie.promotion.git import Git

_REFRESHES_PER_SECOND = 4


class Night:
    """A picture that moves on a terminal; elsewhere a line per phase, and one now and then."""

    def __init__(self) -> None:
        self._live: Any = None
        self._stack = ExitStack()
        self._glance = Glance("starting")
        self._seen_at = time.monotonic()
        self._began = time.monotonic()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        if not is_watched():
            self._stack.enter_context(told_now_and_then(self._line))
        else:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                get_renderable=self._picture,
                console=Console(stderr=True),
                refresh_per_second=_REFRESHES_PER_SECOND,
                transient=True,
            )
            self._live.start()
        return self

    def show(self, glance: Glance) -> None:
        """What the cycle looks like now."""
        is_new = glance.phase != self._glance.phase
        self._glance, self._seen_at = glance, time.monotonic()
        if is_new and self._live is None:
            click.echo(f"{self._spent()}: {self._line()}", err=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()
        if self._live is not None:
            self._live.stop()

    def _line(self) -> str:
        """All of it but the time that was spent, for who reads it later."""
        glance = self._glance
        parts = [glance.phase, *self._modules(), *glance.under_way[:2], _counts(glance)]
        return printable("; ".join([*parts, *self._left()]))

    def _picture(self) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        glance = self._glance
        table = Table.grid(padding=(0, 2))
        table.add_column(justify="right", style="dim")
        table.add_column()
        table.add_row("now", Text(glance.phase, "bold"))
        if glance.steps:
            over = min(glance.over + glance.skipped, glance.steps)
            bar = ProgressBar(total=glance.steps, completed=over, width=40)
            table.add_row(*self._modules(), bar)
        for line in glance.under_way:
            table.add_row("", Text(f"· {printable(line)}", "cyan"))
        table.add_row("so far", Text(_counts(glance)))
        if glance.best is not None:
            table.add_row("best", Text(printable(glance.best), "green"))
        times = ", ".join([self._spent(), *self._left()])
        table.add_row("time", Text(f"{times}; Ctrl-C ends it with what is proven"))
        return table

    def _modules(self) -> list[str]:
        glance = self._glance
        if not glance.steps:
            return []
        over = min(glance.over, glance.steps)
        skipped = f", {glance.skipped} skipped" if glance.skipped else ""
        return [f"{over} of {counted(glance.steps, 'module')}{skipped}"]

    def _spent(self) -> str:
        return f"{time.monotonic() - self._began:.0f} s"

    def _left(self) -> list[str]:
        left = self._glance.seconds_left
        if left is None or self._glance.phase == DONE:
            return []
        left -= time.monotonic() - self._seen_at
        is_over = left <= 0
        return [
            "the budget is spent: what has begun is finished" if is_over else f"{left:.0f} s left"
        ]


def _counts(glance: Glance) -> str:
    findings = counted(glance.sightings, "finding")
    waiting = f"{glance.waiting} waiting, " if glance.waiting else ""
    return f"{glance.promoted} ready to merge, {waiting}{glance.rejected} refused, {findings}"


Document = Mapping[str, Any]
_LISTED = 10
_LIKELY = "likely to be kept: as that run estimated it, from what became of similar changes here"


def show_report(document: Document, page: Path | None, earlier: Sequence[str] = ()) -> None:
    """The summary: found, ready, waiting, refused, passed over; what it cost and where to look.

    What `earlier` runs left to be done stands with what this one leaves.
    """
    figures = Figures(document)
    click.echo(click.style(printable(f"{figures.headline}."), bold=True))
    for title, lines in (
        _found(document),
        _ready(document, figures),
        _merged(document, figures),
        _waiting(document["waiting"]),
        ("Since earlier runs", list(earlier)),
        _refused([each for each in document["refused"] if each["trial"] is not None]),
        _untried([each for each in document["refused"] if each["trial"] is None]),
        _passed_over(document["modules"]),
        _authors(document["authors"]),
    ):
        if lines:
            click.echo(f"\n{click.style(title, bold=True)}")
        for line in lines:
            emit_line(f"  {line}")
    click.echo()
    for line in _closing(document, page):
        click.echo(printable(line))


def show_profile(profile: Document) -> None:
    """Where the time of a night went, the longest first."""
    click.echo(f"\n{click.style('Where the time went', bold=True)}")
    for line in profile_lines(profile):
        emit_line(f"  {line}")


def _authors(authors: list[Document]) -> tuple[str, list[str]]:
    """What models, agents and programs were asked, and what became of it."""
    lines = []
    for each in authors:
        told = (
            f"{each['author']}, {Stage(each['stage']).word}: {counted(each['tasks'], 'task')}, "
            f"{counted(each['proposals'], 'proposal')}, {each['proven']} proven; "
            f"{counted(each['calls'], 'call')}, {each['tokens']} tokens, {each['seconds']:.0f} s"
        )
        lines += [told, *(f"    {problem}" for problem in each["problems"])]
    return "Authors", lines


def existing_page(app: App, cycle_id: str) -> Path | None:
    """The page that `reverie run` wrote of a cycle, if it is still there."""
    page: Path = app.loaded.data_dir / "reports" / f"{cycle_id}.html"
    return page if page.is_file() else None


def write_page(path: Path, document: Document) -> None:
    """The report as one page."""
    from reverie.cycle.report.page import report_page

    try:
        path.write_text(report_page(document), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _ready(document: Document, figures: Figures) -> tuple[str, list[str]]:
    ready, _ = ready_and_merged(document)
    lines = []
    for each in ready:
        lines.append(f"{each['dream_id']}  {in_a_line(each, figures)}")
        lines.append(f"    {', '.join(each['files'])}; {proof(each)}")
    if any(kept_probability(each) is not None for each in ready):
        lines.append(_LIKELY)
    if ready:
        lines += _taking(document)
    return f"Ready to merge: {counted(len(ready), 'change')}", lines


def _merged(document: Document, figures: Figures) -> tuple[str, list[str]]:
    """What the branch that is checked out has by now, with the one line that takes it back."""
    _, found = ready_and_merged(document)
    lines = [f"{each['dream_id']}  {in_a_line(each, figures)}" for each in found]
    if found:
        lines.append(f"take back:  {taking_back(document['cycle_id'], document['branch'])}")
    return f"Merged: {counted(len(found), 'change')}", lines


def _taking(document: Document) -> list[str]:
    branch, cycle = document["branch"], document["cycle_id"]
    if branch is None:
        places = {str(Path(each["patch"]).parent) for each in document["promotions"]}
        return [f"patches: {', '.join(sorted(places))}"]
    counts = Counter(each["branch"] for each in document["promotions"] if each["branch"])
    here = [f"look:       git log -p HEAD..{branch}", f"take:       git merge {branch}"]
    return [
        *(here if counts[branch] or not counts else ()),
        *(f"take:       git merge {name} ({counted(many, 'change')} of an earlier run)"
          for name, many in counts.items() if name != branch),
        f"take back:  reverie rollback {cycle}",
    ]  # fmt: skip


def _waiting(waiting: Sequence[Document]) -> tuple[str, list[str]]:
    lines = []
    for each in waiting:
        lines.append(f"{each['dream']}  {in_a_line(each)}")
        if proof(each):
            lines.append(f"    {proof(each)}")
        lines.append(f"    needs {asked_of_people(each['needs'])}")
        lines.append(f"    approve:     {each['command']}")
        lines.append(f"    or by hand:  reverie show {each['dream']} --patch | git apply")
    return f"Waiting for approval: {counted(len(waiting), 'change')}", lines


def _found(document: Document) -> tuple[str, list[str]]:
    found, settled = document["found"], document.get("settled", 0)
    lines = []
    for each in found[:_LISTED]:
        lines.append(f"{each['id']}  {each['module']}: {each['title']}")
        if each.get("mending"):
            lines.append(f"    an edit mends it: reverie show {each['id']} --patch | git apply")
    if len(found) > _LISTED:
        lines.append(f"and {len(found) - _LISTED} more: reverie finding")
    if found:
        lines.append("see one:    reverie show ID")
        lines.append("judge one:  reverie finding ID bug|feature|ignore")
    if settled:
        lines.append(f"left out:   {settled} that you settled since (reverie finding --all)")
    return f"Found, for you to judge: {counted(len(found), 'finding')}", lines


def _refused(refused: Sequence[Document]) -> tuple[str, list[str]]:
    lines = []
    for each in refused[:_LISTED]:
        lines.append(f"{each['dream_id']}  {each['title']}: {objections(each)}")
        lines += [f"    would help: {remedy}" for remedy in would_help(each)]
    if len(refused) > _LISTED:
        lines.append(f"and {len(refused) - _LISTED} more in the report")
    if refused:
        lines.append("why, in full:  reverie show ID")
    return f"Refused: {counted(len(refused), 'change')}", lines


def _untried(left: Sequence[Document]) -> tuple[str, list[str]]:
    lines = [f"{each['dream_id']}  {each['title']}" for each in left[:_LISTED]]
    if left:
        lines.append("another run tries them, with more time: --budget")
    return f"Not tried, the time was up: {counted(len(left), 'change')}", lines


def _passed_over(modules: Sequence[Document]) -> tuple[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    told = passed_over(modules)
    for name, reason in told.items():
        reasons.setdefault(reason, []).append(name)
    lines = [f"{few(names)}: {reason}" for reason, names in reasons.items()]
    return f"Skipped: {counted(len(told), 'module')}", lines


def _closing(document: Document, page: Path | None) -> Iterator[str]:
    spent, asked = duration(document["seconds"]), document["budget"]["seconds"]
    budget = "" if asked is None else f" ({duration(asked)} asked for)"
    runs = counted(document["executions"], "run")
    done = len({each["module"] for each in document["modules"] if each["state"] == "done"})
    yield f"cost: {spent}{budget}, {runs} in the sandbox, {counted(done, 'module')} looked at"
    if document["taken_back"]:
        yield f"taken back: {counted(len(document['taken_back']), 'change')}"
    for note in document["environment"].get("notes") or ():
        yield f"note: {note}"
    state = "" if document["state"] == "finished" else f" ({document['state']})"
    yield f"cycle: {document['cycle_id']}{state}"
    if document["error"]:
        yield f"failed: {document['error']}"
    if document["state"] in ("interrupted", "running"):
        yield "go on with it: reverie run --recover"
    if page is not None:
        yield f"report: {page}"


_STANDINGS = {
    "promoted": "ready to merge",
    "tested": "proven, waits for approval",
    "rejected": "refused",
    "borderline": "not proven enough: for a person to decide",
    "rolled_back": "taken back",
    "archived": "put aside: other changes were taken instead",
    "pending_test": "not tried yet",
}
_SETTING = re.compile(r"`(guard\.\w+)`")
_ANSWERS = {"pass": "passed", "fail": "failed", "hold": "not proven"}
_STYLES = {"passed": "green", "failed": "red", "not proven": "yellow"}


def show_change(
    document: Document,
    *,
    is_made: bool = False,
    is_merged: bool = False,
    in_force: Callable[[str], tuple[object, str]] | None = None,
) -> None:
    """The change with every check, its difference and the commands that go on from here.

    `in_force` answers with the value of a setting and where it was written.
    """
    words = "merged" if is_merged else _standing(document)
    standing = f"{words}{'; your files have it' if is_made else ''}"
    click.echo(printable(f"{document['dream_id']}  {document['title']}"))
    click.echo(printable(f"  {standing}; cycle {document['cycle_id']}"))
    brings = better(document)
    if not brings.endswith(f": {document['title']}"):
        click.echo(printable(f"  {brings}"))
    if proof(document):
        click.echo(printable(f"  {proof(document)}"))
    if document["needs"]:
        click.echo(printable(f"  needs {asked_of_people(document['needs'])}"))
    trial = document["trial"]
    if trial is not None:
        rows = [
            (_ANSWERS.get(each["verdict"], each["verdict"]), each["gate"], _why(each))
            for each in gravest_first(trial["rulings"])
        ]
        click.echo()
        emit_table(("result", "check", "why"), rows, _STYLES)
        _show_remedies(would_help(document), in_force, _bars(trial["rulings"]))
        if document["status"] == "rejected" and "suite.tests" not in measures_of(document):
            click.echo(f"\n{NOTHING_RUN}")
    click.echo("\n" + printable(document["diff"].rstrip("\n"), multiline=True) + "\n")
    for line in () if is_made and document["status"] == "tested" else _next(document, is_merged):
        click.echo(printable(line))


def _bars(rulings: Sequence[Document]) -> Set[object]:
    """What was required where a check did not pass."""
    return {each["required"] for each in rulings if each["verdict"] != "pass"} - {None}


def _show_remedies(
    lines: Sequence[str],
    in_force: Callable[[str], tuple[object, str]] | None,
    bars: Set[object] = frozenset(),
) -> None:
    """Lines, and what the settings are that they name; told where a run had another value."""
    if lines:
        click.echo("\nwhat would help:")
    for line in lines:
        click.echo(f"  {line}")
    if in_force is None:
        return
    for name in dict.fromkeys(name for line in lines for name in _SETTING.findall(line)):
        value, origin = in_force(name)
        place = "in your own config.toml" if origin == "default" else "there"
        once = f"REVERIE_{name.upper().replace('.', '_')}=VALUE reverie run"
        then = f", it was {next(iter(bars))} in that run" if len(bars - {value}) == 1 else ""
        told = (
            f"  {name} is {value} ({origin}){then}: another value {place}, or for one run: {once}"
        )
        click.echo(printable(told))


def _why(ruling: Document) -> str:
    """The reason of a check, with the figure of one that did not pass."""
    return str(ruling["reason"]) if ruling["verdict"] == "pass" else objection(ruling)


def _standing(document: Document) -> str:
    """Where a change stands, in words."""
    if document["status"] == "archived" and document["trial"] is None:
        return "not tried: the time of its run was up; another run tries it"
    return _STANDINGS.get(document["status"], str(document["status"]))


def _next(document: Document, is_merged: bool) -> Iterator[str]:
    name, promotion = document["dream_id"], document["promotion"]
    if document["status"] == "tested":
        yield f"approve:       reverie approve {name} --as NAME --key FILE"
        yield f"then:          reverie promote {name}"
        yield f"put aside:     reverie reject {name} --as NAME --key FILE"
    if document["status"] == "promoted" and promotion is not None:
        if promotion["branch"] is not None and not is_merged:
            yield f"take:          git merge {promotion['branch']}"
        undo = taking_back(name, promotion["branch"]) if is_merged else f"reverie rollback {name}"
        yield f"take back:     {undo}"
        yield f"prove again:   reverie verify {name}"
        return
    word = "by hand:     " if document["status"] == "tested" else "take it anyway:"
    yield f"{word}  reverie show {name} --patch | git apply"


_RequestDocument = dict[str, Any]


def require_remote(app: App, remote: str) -> None:
    """Before a night is spent: there is a remote that can be pushed to."""
    from reverie.promotion.forge import address_of

    address_of(_git(app), remote)


def offer_request(
    app: App, document: _RequestDocument, remote: str | None
) -> _RequestDocument | None:
    """Write the text; with a remote, push the branch and open the request where gh or glab is."""
    from reverie.cycle.report.request import request_text, request_title

    if not document["promoted"]:
        warn("no pull request: nothing was promoted")
        return None
    file = Path(app.loaded.data_dir) / "requests" / f"{document['cycle_id']}.md"
    made: _RequestDocument = {"title": request_title(document), "file": str(file)}
    text = request_text(document)
    write_text(file, text)
    made |= {"pushed_to": None, "request": None}
    if remote is not None and document["branch"] is not None:
        made |= _open(app, document["branch"], remote, made["title"], text)
    return made


def show_request(made: _RequestDocument, branch: str | None) -> None:
    """Where the text is, and what is left to do."""
    click.echo(printable(f"pull request: {made['file']}"))
    if made["request"] is not None:
        click.echo(printable(f"opened: {made['request']}"))
    elif branch is not None:
        remote = made["pushed_to"] or "origin"
        push = "" if made["pushed_to"] else f"git push {shlex.quote(remote)} {branch} && "
        opening = f"gh pr create --head {branch} --title {shlex.quote(made['title'])}"
        click.echo(
            printable(f"  open it:  {push}{opening} --body-file {shlex.quote(made['file'])}")
        )


def _open(app: App, branch: str, remote: str, title: str, text: str) -> _RequestDocument:
    from reverie.promotion.forge import open_request, push

    git = _git(app)
    told: _RequestDocument = {"pushed_to": push(git, branch, remote)}
    try:
        told["request"] = open_request(git, branch, remote, title, text)
    except UsageError as error:
        warn(f"pushed, but not opened: {error}")
    return told


def _git(app: App) -> "Git":
    from reverie.promotion.git import Git

    git = Git.find(app.repository.path)
    if git is None:
        raise UsageError("--push needs a git repository")
    return git
