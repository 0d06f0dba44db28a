"""`python -m benchmarks.index.questions`: does the right function of Django come first?

Questions as a person would put them, written before any answer was looked at, each with the
functions that would do. Beside it stands wordllama, an embedding model whose weights come in its
wheel, on names and first lines of docstrings.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from benchmarks.index.__main__ import PEERS
from reverie.bootstrap import open_index
from reverie.model.sections import IndexSection, SafetySection

QUESTIONS: Mapping[str, Sequence[str]] = {
    "turn a title into a url friendly string": ["slugify"],
    "shorten text to a number of words": [
        "truncatewords", "truncatewords_html", "Truncator.words"
    ],
    "human readable file size": ["filesizeformat"],
    "how long ago was this date": ["timesince", "timesince_filter", "naturaltime"],
    "remove html tags": ["strip_tags", "striptags", "MLStripper"],
    "check password strength": ["validate_password"],
    "hash a password for storage": ["make_password"],
    "compare secrets without leaking timing": ["constant_time_compare"],
    "make a random token": ["get_random_string", "PasswordResetTokenGenerator.make_token"],
    "convert datetime to another timezone": ["localtime", "make_aware", "do_timezone"],
    "escape special characters for javascript": ["escapejs", "escapejs_filter"],
    "split camel case into words": ["camel_case_to_spaces"],
    "import a class from its dotted path": ["import_string", "cached_import"],
    "send an email": ["send_mail", "EmailMessage.send", "mail_admins", "send_mass_mail"],
    "redirect to another page": ["redirect", "RedirectView.get", "redirect_to_login"],
    "look up an object or raise 404": ["get_object_or_404", "aget_object_or_404"],
    "validate an email address": ["EmailValidator", "validate_email"],
    "compress the response": [
        "GZipMiddleware", "compress_string", "compress_sequence", "GZipMiddleware.process_response"
    ],
}  # fmt: skip

_WORDLLAMA = """
import json, re, sys
from pathlib import Path
import numpy, wordllama
symbols, questions = json.load(sys.stdin)
folder = Path(wordllama.__file__).parent
model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
parts = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\\\\d+")
texts = [" ".join(parts.findall(name)).lower() + ". " + summary for name, summary in symbols]
vectors = model.embed(texts, norm=True)
answers = {}
for question in questions:
    order = numpy.argsort(-(vectors @ model.embed([question], norm=True)[0]))
    answers[question] = [symbols[index][0] for index in order[:5]]
print(json.dumps(answers))
"""


def main() -> None:
    """Print how often a right answer is first, and among the first five."""
    package = PEERS / "packages" / "django"
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/journal.db"
        with open_index(package, IndexSection(), SafetySection(), url) as index:
            index.refresh()
            ours = {each: _names(index.search(each, 5)) for each in QUESTIONS}
            found = index.memory.find_symbols([], only_shaped=False)
            symbols = [(each.symbol.qualname, each.symbol.summary) for each in found]
    _print("words", ours)
    python = PEERS / "bin" / "python"
    if not python.exists():
        print("wordllama: not installed")
        return
    text = json.dumps([symbols, list(QUESTIONS)])
    line = [str(python), "-c", _WORDLLAMA]
    ran = subprocess.run(line, input=text, capture_output=True, text=True, timeout=120)
    if ran.returncode:
        sys.exit(f"wordllama ended with {ran.returncode}: {ran.stderr[-300:]}")
    _print("wordllama", json.loads(ran.stdout))


def _names(hits: Sequence[object]) -> list[str]:
    return [hit.found.symbol.qualname for hit in hits]  # type: ignore[attr-defined]


def _print(who: str, answers: Mapping[str, Sequence[str]]) -> None:
    first = sum(found[:1] != [] and found[0] in QUESTIONS[each] for each, found in answers.items())
    five = sum(any(name in QUESTIONS[each] for name in found) for each, found in answers.items())
    print(f"{who}: {first} of {len(QUESTIONS)} first, {five} among the first five")


if __name__ == "__main__":
    main()
