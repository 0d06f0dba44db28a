"""A dashboard over a journal that tests write, asked in process."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from reverie.interfaces.web.admission import Keys
from reverie.interfaces.web.application import build_application
from reverie.interfaces.web.desk import Desk
from reverie.settings import load_settings

TOKEN = "a-token-of-the-tests-1234"
HOST = "127.0.0.1:8378"


class Door:
    """What comes in by the front door, with and without a token."""

    def __init__(self, folder: Path, *, is_read_only: bool = False, can_sign: bool = True) -> None:
        loaded = load_settings(folder, {}, {})
        environ = {**os.environ, "HOME": str(folder.parent)}
        self.desk = Desk(loaded, environ, Keys(TOKEN, 8378), is_read_only, can_sign)
        self.app = build_application(self.desk, [HOST, "localhost:8378"])

    def stranger(self) -> TestClient:
        return TestClient(self.app, f"http://{HOST}", follow_redirects=False)

    def browser(self) -> TestClient:
        """One that has opened the link."""
        found = self.stranger()
        assert found.get("/", params={"token": TOKEN}).status_code == 303
        found.headers.update({"origin": f"http://{HOST}", "sec-fetch-site": "same-origin"})
        return found

    def word(self) -> str:
        return self.desk.keys.form_word


@pytest.fixture
def open_door() -> Iterator[Callable[..., Door]]:
    made: list[Door] = []

    def open_it(folder: Path, **options: bool) -> Door:
        made.append(Door(folder, **options))
        return made[-1]

    yield open_it
    for door in made:
        door.desk.close()
