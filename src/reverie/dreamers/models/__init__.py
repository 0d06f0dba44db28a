"""Models and agents as one more author: asked over a light client, held to the same proof.

Nobody is asked unless the settings say whom. What comes back is text that nobody trusts: it is
parsed strictly, and run only in the sandbox.
"""

from reverie.dreamers.models.client import ModelClient
from reverie.dreamers.models.exchange import Prompt, Reply, Usage

__all__ = ["ModelClient", "Prompt", "Reply", "Usage"]
