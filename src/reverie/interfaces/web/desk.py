"""What every page works with: the repository, its journal, how to answer, and who signs a form.

Whoever has shown the token on this machine acts for the user who runs the server, as they would
on the command line. No key is sent: it is read from where ssh keeps it, used once, and forgotten.
"""

import getpass
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse

from reverie import __version__
from reverie.bootstrap.deciding import Person
from reverie.errors import Refused, UsageError
from reverie.interfaces.web.admission import Keys
from reverie.interfaces.web.rendering import make_environment
from reverie.promotion.bundle.keys import config_folder, own_key, read_signing_key
from reverie.store import Journal

if TYPE_CHECKING:
    from reverie.settings import Loaded

THEMES = ("light", "dark")
MENU = (
    ("", "Overview"),
    ("approvals", "Waiting"),
    ("dreams", "Changes"),
    ("findings", "Findings"),
    ("modules", "Modules"),
    ("cycles", "Cycles"),
)
"""What the menu leads to; with `More` seven entries."""
MORE = (
    ("figures", "Trends"),
    ("experiments", "Time and yield"),
    ("map", "Map"),
    ("workflows", "Workflows"),
    ("synergy", "Pairs of changes"),
    ("patterns", "Failures"),
    ("executions", "Runs in the sandbox"),
)
"""What is looked for less often."""


class NoJournal(UsageError):
    """Nothing was recorded in this repository yet."""


@dataclass(slots=True)
class Desk:
    """One repository, looked at."""

    loaded: "Loaded"
    environ: Mapping[str, str]
    keys: Keys
    is_read_only: bool
    can_sign: bool = True
    """Whether people may decide here: only on this very machine."""
    templates: Environment = field(default_factory=make_environment)
    _journal: Journal | None = None
    _opening: threading.Lock = field(default_factory=threading.Lock)

    @property
    def journal(self) -> Journal:
        """The journal; `NoJournal` until there is one."""
        with self._opening:
            if self._journal is None:
                url = self.loaded.journal_url
                found = None if url is None else Journal.find(url)
                self._journal = None if found is None else found.pooled()
            if self._journal is None:
                raise NoJournal(f"nothing was recorded in {self.loaded.repository} yet")
            return self._journal

    def answer(
        self, request: Request, template: str, status: int = 200, **context: Any
    ) -> HTMLResponse:
        """A page."""
        theme = request.cookies.get("reverie_theme")
        section = _section(request.url.path)
        page = self.templates.get_template(template).render(
            name=self.loaded.repository.name,
            menu=MENU,
            more=MORE,
            section=section,
            theme=theme if theme in THEMES else None,
            version=__version__,
            asked=dict(request.query_params),
            again=partial(_again, request),
            can_decide=not self.is_read_only and self.can_sign,
            is_read_only=self.is_read_only,
            **context,
        )
        return HTMLResponse(page, status)

    def close(self) -> None:
        """Give the journal back."""
        with self._opening:
            if self._journal is not None:
                self._journal.close()
                self._journal = None


def _section(path: str) -> str:
    """The entry of the menu that a page belongs to."""
    parts = path.strip("/").split("/")
    inside = parts[2] if len(parts) > 2 and parts[0] == "cycles" else ""
    place = inside if inside in ("dreams", "findings") else parts[0]
    return "modules" if place == "map" else place


def _again(request: Request, **changed: object) -> str:
    """The address of the page that is shown, with something else asked for."""
    asked = {**request.query_params, **changed}
    kept = {name: value for name, value in asked.items() if value not in (None, "")}
    path = quote(request.url.path)
    return f"{path}?{urlencode(kept)}" if kept else path


def desk_of(request: Request) -> Desk:
    """The desk that a request came to."""
    desk: Desk = request.app.state.desk
    return desk


def asked_for(request: Request, name: str, most: int = 200) -> str | None:
    """What an address asks for by a name; None when it does not, or says nothing."""
    value = request.query_params.get(name, "").strip()
    if len(value) > most:
        raise UsageError(f"{name} is longer than {most} characters")
    return value or None


_NOT_OURS = "that form is not from this server: open the link that `reverie serve` printed, again"
USUAL_KEY = ".ssh/id_ed25519"


@dataclass(frozen=True, slots=True)
class Signer:
    """Who signs here: the name and the key of the account that runs the server."""

    name: str
    key_file: Path | None
    """None: there is no key of ssh's, and Reverie's own is used, which approves nothing."""


def signer_of(desk: Desk) -> Signer:
    """The account that runs the server."""
    home = desk.environ.get("HOME")
    usual = Path(home or "~").expanduser() / USUAL_KEY
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return Signer(name, usual if usual.is_file() else None)


def person_of(desk: Desk, form: Mapping[str, str]) -> Person:
    """Who decides: by the name in the form, with the key of this account."""
    signer = signer_of(desk)
    if signer.key_file is None:
        key = own_key(config_folder(desk.environ))
    else:
        key = read_signing_key(signer.key_file)
    return Person(form.get("name", "").strip() or signer.name, key, form.get("why", ""))


async def signed_form(request: Request) -> Mapping[str, str]:
    """The fields of a form that may change something; `Refused` when it may not."""
    desk = desk_of(request)
    if desk.is_read_only:
        raise Refused("this dashboard is read-only")
    if not desk.can_sign:
        raise Refused("nothing is decided over a network: use the command line")
    async with request.form(max_files=0, max_fields=8) as form:
        fields = {name: str(value) for name, value in form.items()}
    if (
        not desk.keys.is_form_word(fields.get("word", ""))
        and not request.scope["reverie.is_program"]
    ):
        raise Refused(_NOT_OURS)
    return fields
