"""The picture as one file that opens from a disk: nothing is fetched, no name is obeyed.

Names come from a repository that nobody vouches for. They stand in a JSON block in which `<`, `>`
and `&` are escaped, and the script shows them as text only. The page's own policy allows exactly
this script and this style, by their hashes, and no connection at all.
"""

import base64
import hashlib
import html
import json
from importlib import resources
from typing import Any

from reverie.index.picture.scene import Scene

_HERE = "reverie.index.picture"


def render_page(scene: Scene) -> str:
    """The whole page."""
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "@POLICY@": policy,
        "@TITLE@": html.escape(scene.title),
        "@STYLE@": style,
        "@SCENE@": _inert(_document(scene)),
        "@SCRIPT@": script,
    }
    page = _resource("page.html")
    pieces = []
    while page:  # one pass: what is filled in is never looked into again
        at = {mark: page.find(mark) for mark in parts if mark in page}
        if not at:
            break
        mark = min(at, key=lambda each: at[each])
        pieces += [page[: at[mark]], parts[mark]]
        page = page[at[mark] + len(mark) :]
    return "".join([*pieces, page])


def _document(scene: Scene) -> dict[str, Any]:
    return {
        "title": scene.title,
        "modules": [
            {
                "name": dot.name,
                "path": dot.path,
                "group": dot.group,
                "x": round(dot.circle.x, 1),
                "y": round(dot.circle.y, 1),
                "r": round(dot.circle.radius, 1),
                "loc": dot.loc,
                "functions": dot.functions,
                "tier": dot.tier,
                "coverage": dot.coverage,
                "hotness": dot.hotness,
                "layer": dot.layer,
                "reach": None if dot.reach is None else round(dot.reach, 4),
                "marks": dot.marks,
                "reasons": dot.reasons,
                "error": dot.error,
            }
            for dot in scene.dots
        ],
        "groups": [
            {
                "id": ring.id,
                "label": ring.label,
                "x": round(ring.circle.x, 1),
                "y": round(ring.circle.y, 1),
                "r": round(ring.circle.radius, 1),
            }
            for ring in scene.rings
        ],
        "edges": scene.edges,
    }


def _inert(document: object) -> str:
    """JSON that ends no element and starts none."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _resource(name: str) -> str:
    return resources.files(_HERE).joinpath(name).read_text("utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
