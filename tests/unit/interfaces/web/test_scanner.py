"""A scanner of our own: what a hostile neighbour would try, at every address there is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.routing import Route
from tests.unit.interfaces.web.conftest import HOST, TOKEN, Door

from reverie.store import Journal, journal_url

XSS = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}\u202e\x1b[31m"
TRAVERSALS = (
    "/static/../desk.py",
    "/static/..%2fdesk.py",
    "/static/%2e%2e/%2e%2e/desk.py",
    "/static//etc/passwd",
    "/static/....//desk.py",
    "/static/..%5cdesk.py",
    "/static/%00",
    "/static/dashboard.css%00.py",
    "//etc/passwd",
    "/..%2f..%2f..%2fetc/passwd",
    "/cycles/..%2f..%2fetc%2fpasswd",
    "/modules/../../etc/passwd",
    "/executions/%2e%2e%2f",
)


@pytest.fixture
def door(repository: Path, open_door: Callable[..., Door]) -> Door:
    (repository / ".reverie").mkdir()
    Journal.open(journal_url(repository)).close()
    return open_door(repository)


def addresses(door: Door) -> list[tuple[str, str]]:
    """Every method and address, with something in place of each name."""
    found = []
    for route in door.app.routes:
        assert isinstance(route, Route)
        path = route.path
        for name in ("cycle", "dream", "finding", "execution", "module:path", "signature", "name"):
            path = path.replace(f"{{{name}}}", "x")
        found += [(method, path) for method in sorted(route.methods or ())]
    return found


def test_nobody_sees_anything_without_the_token(door: Door) -> None:
    stranger = door.stranger()
    for method, path in addresses(door):
        if path.startswith(("/static", "/login", "/health", "/ready")):
            continue
        answer = stranger.request(method, path)
        assert answer.status_code in (401, 403), (method, path)
        page = stranger.request(method, path, headers={"accept": "text/html"})
        assert page.status_code in (303, 401, 403)
        assert "/login" in page.headers.get("location", "/login")
        assert "reverie_8378" not in page.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer "},
        {"authorization": "Bearer nearly" + TOKEN},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": TOKEN},
        {"cookie": f"reverie_8378={TOKEN}"},
        {"cookie": "reverie_8378="},
        {"cookie": "reverie_8378=" + "0" * 64},
        {"x-forwarded-for": "127.0.0.1"},
        {"x-original-url": "/login"},
    ],
)
def test_a_wrong_token_is_none(door: Door, headers: dict[str, str]) -> None:
    stranger = door.stranger()
    for path in ("/", "/dreams", "/live", "/executions", "/login/../dreams", "//login/", "/LOGIN"):
        assert stranger.get(path, headers=headers).status_code in (401, 404), path
    for wrong in ("", "x", TOKEN[:-1], TOKEN + "x", "é"):
        assert stranger.get("/", params={"token": wrong}).status_code == 401
        assert stranger.post("/login", data={"token": wrong}).status_code == 403


def test_the_cookie_is_not_the_token_and_no_script_reads_it(door: Door) -> None:
    answer = door.stranger().get("/dreams", params={"token": TOKEN, "status": "promoted"})
    place, _, word = answer.headers["location"].partition("#word=")
    assert (place, word) == ("/dreams?status=promoted", door.word())
    cookie = answer.headers["set-cookie"]
    assert TOKEN not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:80", "localhost.evil:8378"]
)
def test_another_name_for_this_server_is_refused(door: Door, host: str) -> None:
    bearer = {"authorization": f"Bearer {TOKEN}", "host": host}
    assert door.stranger().get("/", headers=bearer).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example", "sec-fetch-site": "cross-site"},
        {"origin": "null", "sec-fetch-site": "same-origin"},
        {"origin": f"http://{HOST}.evil.example", "sec-fetch-site": "same-origin"},
        {"origin": f"http://{HOST}", "sec-fetch-site": "cross-site"},
        {"origin": f"http://{HOST}", "sec-fetch-site": "same-site"},
        {"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site"},
    ],
)
def test_a_form_of_another_page_does_nothing(door: Door, headers: dict[str, str]) -> None:
    browser = door.browser()
    for method, path in addresses(door):
        if method == "POST":
            answer = browser.request(method, path, headers=headers, data={"word": door.word()})
            assert answer.status_code == 403, path


def test_a_form_without_our_word_does_nothing(door: Door) -> None:
    browser = door.browser()
    places = [path for method, path in addresses(door) if method == "POST" and path != "/login"]
    assert len(places) == 4
    for path in places:
        for word in ("", "x", TOKEN, door.desk.keys.session):
            answer = browser.post(path, data={"word": word})
            assert answer.status_code == 409, path
            assert "not from this server" in answer.text


def test_no_cookie_and_no_origin_is_no_way_in(door: Door) -> None:
    browser = door.browser()
    del browser.headers["origin"], browser.headers["sec-fetch-site"]
    assert browser.post("/cycles/x/dreams/y/approve").status_code == 403


@pytest.mark.parametrize("path", TRAVERSALS)
def test_there_is_no_way_out_of_the_folder(door: Door, path: str) -> None:
    answer = door.browser().get(path)
    assert answer.status_code in (400, 404), path
    assert "root:" not in answer.text
    assert "class Desk" not in answer.text


@pytest.mark.parametrize(
    "name",
    [
        "q",
        "status",
        "kind",
        "module",
        "cycle",
        "after",
        "outcome",
        "isolation",
        "since",
        "until",
        "signature",
        "code",
        "state",
        "category",
        "order",
        "figure",
        "view",
        "back",
        "token",
    ],
)
def test_nothing_that_is_asked_for_becomes_markup(door: Door, name: str) -> None:
    browser = door.browser()
    for method, path in addresses(door):
        if method != "GET" or path == "/live":
            continue
        answer = browser.get(path, params={name: XSS})
        assert answer.status_code in (200, 303, 404), (path, answer.text[:200])
        assert "<script>alert" not in answer.text
        assert "<img" not in answer.text
        assert "\u202e" not in answer.text
        assert "\x1b" not in answer.text
        assert answer.headers.get("location", "/").startswith("/")


def test_nothing_in_an_address_becomes_markup(door: Door) -> None:
    from urllib.parse import quote

    browser = door.browser()
    for path in (
        "/cycles/{}",
        "/cycles/{}/dreams/{}",
        "/executions/{}",
        "/modules/{}",
        "/patterns/{}",
        "/{}",
    ):
        for tried in (
            XSS,
            "%s%n",
            "\x00",
            "\udcff".encode("utf-8", "surrogatepass").decode("latin-1"),
            "A" * 3000,
            "' OR 1=1 --",
        ):
            answer = browser.get(path.replace("{}", quote(tried, safe="")))
            assert answer.status_code in (200, 400, 404), (path, tried[:20], answer.status_code)
            assert "<script>alert" not in answer.text
            assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/\r\nSet-Cookie: a=b",
        "///evil",
    ],
)
def test_the_login_leads_nowhere_else(door: Door, back: str) -> None:
    browser = door.stranger()
    answer = browser.post(
        "/login", params={"back": back}, data={"token": TOKEN}, headers={"origin": f"http://{HOST}"}
    )
    assert answer.status_code == 303
    assert answer.headers["location"].partition("#")[0] == "/"


def test_what_is_too_large_is_refused(door: Door) -> None:
    browser = door.browser()
    large = b"x" * (1 << 18)
    assert browser.post("/login", content=large).status_code == 413
    assert browser.request("GET", "/", content=large).status_code == 413

    def pieces():  # type: ignore[no-untyped-def]
        for _ in range(64):
            yield b"x" * 8192

    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert browser.post("/login", content=pieces(), headers=kind).status_code == 413
    assert browser.get("/?" + "a" * 9000).status_code == 414
    wrong = {"content-length": "-1"}
    assert browser.get("/", headers=wrong).status_code == 413


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "X"])
def test_other_methods_are_refused(door: Door, method: str) -> None:
    assert door.browser().request(method, "/dreams").status_code == 405


def test_every_answer_carries_the_policy(door: Door) -> None:
    browser = door.browser()
    for path in ("/", "/dreams", "/static/dashboard.js", "/nowhere", "/login"):
        headers = browser.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers


def test_no_template_has_a_script_or_a_style_of_its_own(root: Path) -> None:
    import re

    folder = root / "src/reverie/interfaces/web/templates"
    for path in folder.glob("*.html"):
        text = path.read_text("utf-8")
        assert not re.search(r"\son\w+=|\sstyle=|<style|javascript:|\|\s*safe\b", text), path
        scripts = re.findall(r"<script[^>]*>", text)
        assert all("src=" in script for script in scripts), path
