"""How likely a maintainer keeps a test as it is written, read from its text alone."""

from reverie.scoring.keepability.known import Known, files_about, known_of, text_noise, value_noise
from reverie.scoring.keepability.score import Keepability, Part, score_test, score_tests

__all__ = [
    "Keepability", "Known", "Part", "files_about", "known_of", "score_test", "score_tests",
    "text_noise", "value_noise",
]  # fmt: skip
