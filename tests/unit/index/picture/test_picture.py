"""The picture: circles that do not overlap, and names that nobody obeys."""

import json
import math
import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.index.module_map import map_modules
from reverie.index.picture import Scene, compose_scene, render_page
from reverie.index.picture.scene import enclosing_radius, pack
from reverie.model.repository.standing import ModuleSignals, ModuleStanding
from reverie.model.sections import MapSection

HOSTILE = "</script><script>alert(1)</script>&\u2028'\"@SCRIPT@<img src=x onerror=alert(1)>"


@pytest.fixture
def scene(indexed: Callable) -> Callable[..., Scene]:
    def compose(files: dict[str, str], title: str = "sample", signals: dict | None = None) -> Scene:
        index = indexed(files)
        marked = ModuleStanding("b", "b.py", True, False, False, False, 0.9, (HOSTILE,), ())
        return compose_scene(
            index, map_modules(index, MapSection()), [marked], signals or {}, title
        )

    return compose


def embedded(page: str) -> dict:
    text = re.search(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    assert text is not None
    document: dict = json.loads(text[1])
    return document


class Elements(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@given(st.lists(st.floats(3, 60), min_size=1, max_size=25))
def test_packed_circles_keep_apart(radii: list[float]) -> None:
    circles = pack(radii, gap=1.0)
    assert [circle.radius for circle in circles] == radii
    for at, a in enumerate(circles):
        for b in circles[:at]:
            assert math.hypot(a.x - b.x, a.y - b.y) >= a.radius + b.radius + 1.0 - 1e-6
    assert enclosing_radius(circles) >= max(radii)


def test_modules_lie_in_their_groups_and_groups_apart(scene: Callable) -> None:
    files = {f"p{k}/m{n}.py": "X = 1\n" * (n + 1) for k in range(3) for n in range(12)}
    files |= {f"p{k}/__init__.py": "" for k in range(3)} | {"b.py": "import p0.m1\n"}
    drawn = scene(files)
    for dot in drawn.dots:
        ring = drawn.rings[dot.group].circle
        apart = math.hypot(dot.circle.x - ring.x, dot.circle.y - ring.y)
        assert apart + dot.circle.radius <= ring.radius + 1e-6
    for at, a in enumerate(drawn.rings):
        for b in drawn.rings[:at]:
            apart = math.hypot(a.circle.x - b.circle.x, a.circle.y - b.circle.y)
            assert apart >= a.circle.radius + b.circle.radius
    assert {drawn.dots[a].name for a, _ in drawn.edges} == {"b"}


def test_a_longer_module_is_larger(scene: Callable) -> None:
    drawn = scene({"a.py": "X = 1\n" * 400, "b.py": "X = 1\n"})
    size = {dot.path: dot.circle.radius for dot in drawn.dots}
    assert size["a.py"] > size["b.py"]


def test_the_page_says_what_is_known_and_what_is_not(scene: Callable) -> None:
    measured = {"a.py": ModuleSignals(coverage=0.25, hotness=None)}
    modules = embedded(render_page(scene({"a.py": "import b\n", "b.py": ""}, signals=measured)))[
        "modules"
    ]
    by_path = {each["path"]: each for each in modules}
    assert (by_path["a.py"]["coverage"], by_path["a.py"]["hotness"]) == (0.25, None)
    assert by_path["b.py"]["coverage"] is None
    assert by_path["b.py"]["marks"] == ["orphan"]


def test_hostile_names_stay_text(scene: Callable) -> None:
    files = {"a.py": "", "b.py": "", "<img src=x onerror=alert(1)>/c.py": ""}
    page = render_page(scene(files, title=HOSTILE))
    elements = Elements(page).found
    scripts = [attributes for tag, attributes in elements if tag == "script"]
    assert len(scripts) == 2
    assert not any(tag == "img" for tag, _ in elements)
    assert not any(name.startswith("on") for _, attributes in elements for name in attributes)
    document = embedded(page)
    assert document["title"] == HOSTILE
    assert HOSTILE in [reason for each in document["modules"] for reason in each["reasons"]]


def test_the_page_allows_its_own_script_only_and_fetches_nothing(scene: Callable) -> None:
    page = render_page(scene({"a.py": "", "b.py": ""}))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    elements = Elements(page).found
    assert not any({"src", "href"} & set(attributes) for _, attributes in elements)
    assert "http://www.w3.org/2000/svg" in page
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", page) == []


def test_the_same_index_gives_the_same_page(scene: Callable) -> None:
    files = {"a.py": "import b\n", "b.py": "X = 1\n"}
    assert render_page(scene(files)) == render_page(scene(files))


def test_an_empty_repository_has_a_page_too(scene: Callable) -> None:
    assert embedded(render_page(scene({})))["modules"] == []
