"""The repositories and source distributions that first contact is tried on.

Chosen by rules, written down before any of them was tried with `reverie run`.

`SDISTS`: the list of the most downloaded projects of the index (hugovk/top-pypi-packages, 6 April
2026) from the top, in its order. A project is taken when the newest final release on the index has
a source distribution of at most 6 MB, with no source of a language that is compiled (`.c`, `.cc`,
`.cpp`, `.h`, `.pyx`, `.pxd`, `.rs`, `.go`, `.cu`, `.f`, `.f90`) and with a file of tests
(`test_*.py`, `*_test.py`, `test.py`, `tests.py`), and when it is in neither list of repositories.
The first 34; after them only applications (they declare a console script), until these are ten.

`NEW`: the list was not at hand any more, so names in the order in which they are remembered to
follow on it, without those of the other lists: oauthlib, rsa, requests-toolbelt,
google-cloud-storage, google-cloud-core, google-resumable-media, proto-plus, virtualenv, distlib,
rich, pygments, exceptiongroup, pluggy, iniconfig, sniffio, tenacity, tqdm, pyparsing, pyjwt,
websockets, psutil, keyring, jaraco-classes, jeepney, shellingham, pexpect, ptyprocess, nodeenv,
pre-commit, identify. The first 14 that meet the same conditions. Some may be among the forty that
were once given to `reverie prepare`, whose names were not kept; none was given to `reverie run`.

`MIXED`: one or two names of each kind that other lists are thin of, as they are remembered, none of
them in another list or named in the docs: single modules (six, schedule, bottle), unittest suites
(jsonpatch, mako, pycparser, mkdocs, bottle, yamllint), `src` layouts (blinker, cattrs, hpack),
tox alone (codespell, asgiref, vulture), applications (yamllint, vulture, mkdocs, codespell,
sqlite-utils), and a popular library of one package (cssselect). Ten as the newest source
distribution that has a file of tests (reserve, in this order: jsonpointer, parsel,
semantic-version), six as a clone.

`UNTRIED`: the other pure-Python repositories of the collection of mirrors that the cases from
real histories come from; none was given to `reverie prepare` before.

`TRIED`: every repository of the local collection of mirrored public Python projects whose newest
commit has no source of another language that is compiled, in the order of their names. These were
tried with `reverie prepare` while the environments were built: their figures are not blind.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sdist:
    """A source distribution of the index."""

    name: str
    version: str
    rank: int | None = None
    """Its place in the list of downloads; None: remembered."""
    is_application: bool = False

    @property
    def title(self) -> str:
        """As it is named in the results."""
        return f"{self.name} {self.version}"


SDISTS = (
    Sdist("urllib3", "2.8.0", 4),
    Sdist("certifi", "2026.10.18", 5),
    Sdist("typing-extensions", "4.16.0", 6),
    Sdist("requests", "2.34.2", 7),
    Sdist("aiobotocore", "3.10.0", 11),
    Sdist("pydantic", "2.14.3", 20),
    Sdist("s3transfer", "0.19.3", 22),
    Sdist("anyio", "4.16.0", 28),
    Sdist("pytest", "9.2.0", 31, is_application=True),
    Sdist("s3fs", "2026.9.0", 35),
    Sdist("platformdirs", "4.14.5", 36),
    Sdist("annotated-types", "0.8.0", 37),
    Sdist("pip", "26.3", 38, is_application=True),
    Sdist("wheel", "0.48.0", 39, is_application=True),
    Sdist("importlib-metadata", "10.2.0", 42),
    Sdist("filelock", "4.2.10", 43),
    Sdist("pathspec", "1.1.1", 44),
    Sdist("httpx", "0.28.1", 46, is_application=True),
    Sdist("typing-inspection", "0.4.5", 47),
    Sdist("httpcore", "1.0.9", 49),
    Sdist("pytz", "2026.6", 50),
    Sdist("zipp", "4.1.2", 51),
    Sdist("pyasn1", "0.6.5", 53),
    Sdist("google-auth", "2.62.2", 58),
    Sdist("uvicorn", "0.54.0", 59, is_application=True),
    Sdist("google-api-core", "2.44.0", 61),
    Sdist("tzdata", "2026.6", 62),
    Sdist("colorama", "0.4.6", 65),
    Sdist("googleapis-common-protos", "1.76.0", 66),
    Sdist("starlette", "1.10.0", 68),
    Sdist("trove-classifiers", "2026.9.21.13", 76, is_application=True),
    Sdist("fastapi", "0.162.7", 77, is_application=True),
    Sdist("referencing", "0.37.0", 79),
    Sdist("pyasn1-modules", "0.4.2", 81),
    Sdist("docutils", "0.23", 107, is_application=True),
    Sdist("typer", "0.29.1", 111, is_application=True),
    Sdist("websocket-client", "1.9.2", 123, is_application=True),
)

NEW = (
    Sdist("oauthlib", "4.0.1"),
    Sdist("requests-toolbelt", "1.0.0"),
    Sdist("google-cloud-core", "2.8.0"),
    Sdist("google-resumable-media", "2.11.0"),
    Sdist("proto-plus", "1.29.0"),
    Sdist("exceptiongroup", "1.3.1"),
    Sdist("pluggy", "1.7.0"),
    Sdist("iniconfig", "2.3.1"),
    Sdist("sniffio", "1.3.1"),
    Sdist("tenacity", "9.2.1"),
    Sdist("pyjwt", "2.15.1"),
    Sdist("keyring", "25.7.0"),
    Sdist("jeepney", "0.9.0"),
    Sdist("shellingham", "1.5.4"),
)

MIXED: tuple[Sdist | str, ...] = (
    Sdist("jsonpatch", "1.47"),
    Sdist("blinker", "1.9.0"),
    Sdist("cssselect", "1.6.0"),
    Sdist("asgiref", "3.13.0"),
    Sdist("hpack", "4.2.0"),
    Sdist("mako", "1.4.3"),
    Sdist("yamllint", "1.38.0", is_application=True),
    Sdist("vulture", "2.16", is_application=True),
    Sdist("pycparser", "3.12"),
    Sdist("cattrs", "26.2.1"),
    "benjaminp/six",
    "dbader/schedule",
    "bottlepy/bottle",
    "simonw/sqlite-utils",
    "mkdocs/mkdocs",
    "codespell-project/codespell",
)

UNTRIED = (
    "Suor/funcy",
    "davidhalter/parso",
    "grantjenks/python-sortedcontainers",
    "gruns/furl",
    "gweis/isodate",
    "jmespath/jmespath.py",
    "jquast/wcwidth",
    "life4/textdistance",
    "msiemens/tinydb",
    "pypa/packaging",
    "python-validators/validators",
    "scrapy/w3lib",
    "tkem/cachetools",
)

TRIED = (
    "PyCQA/pycodestyle",
    "PyCQA/pyflakes",
    "Python-Markdown/markdown",
    "alecthomas/voluptuous",
    "andialbrecht/sqlparse",
    "arrow-py/arrow",
    "asottile/pyupgrade",
    "astanin/python-tabulate",
    "chardet/chardet",
    "cookiecutter/cookiecutter",
    "dateutil/dateutil",
    "erikrose/parsimonious",
    "executablebooks/markdown-it-py",
    "facelessuser/soupsieve",
    "hukkin/tomli",
    "hynek/structlog",
    "jaraco/inflect",
    "jazzband/prettytable",
    "keleshev/schema",
    "kjd/idna",
    "lark-parser/lark",
    "lepture/mistune",
    "mahmoud/boltons",
    "marshmallow-code/marshmallow",
    "more-itertools/more-itertools",
    "mozilla/bleach",
    "networkx/networkx",
    "pallets/click",
    "pallets/itsdangerous",
    "pallets/jinja",
    "pallets/werkzeug",
    "python-attrs/attrs",
    "python-humanize/humanize",
    "python-hyper/h11",
    "python-jsonschema/jsonschema",
    "python-semver/python-semver",
    "pytoolz/toolz",
    "r1chardj0n3s/parse",
    "sdispater/tomlkit",
    "sloria/environs",
    "theskumar/python-dotenv",
    "un33k/python-slugify",
)
