"""What every page works with: the repository, its journal, and how to answer."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from jinja2 import Environment
from starlette.requests import Request
from starlette.responses import HTMLResponse

from reverie import __version__
from reverie.errors import UsageError
from reverie.interfaces.web.admission import Keys
from reverie.interfaces.web.rendering import make_environment
from reverie.store import Journal

if TYPE_CHECKING:
    from reverie.settings import Loaded

THEMES = ("light", "dark")
PAGES = (
    ("", "Night"),
    ("cycles", "Cycles"),
    ("dreams", "Dreams"),
    ("approvals", "Approvals"),
    ("figures", "Figures"),
    ("modules", "Modules"),
    ("map", "Map"),
    ("workflows", "Workflows"),
    ("synergy", "Synergy"),
    ("findings", "Findings"),
    ("patterns", "Failures"),
    ("executions", "Executions"),
)
"""What the menu leads to."""


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
    """Whether a private key may be handed over: only on this very machine."""
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
        section = request.url.path.strip("/").partition("/")[0]
        page = self.templates.get_template(template).render(
            name=self.loaded.repository.name,
            pages=PAGES,
            section=section,
            theme=theme if theme in THEMES else None,
            version=__version__,
            asked=dict(request.query_params),
            again=partial(_again, request),
            form_word=self.keys.form_word,
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
