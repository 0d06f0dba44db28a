"""A model as the author of a function for a specification."""

from reverie.dreamers.generate.authors import Author
from reverie.dreamers.generate.spec import Spec
from reverie.dreamers.models.client import ModelClient
from reverie.dreamers.models.prompts import ask_for_function
from reverie.dreamers.models.replies import read_function
from reverie.model.codec import plain


def function_author(client: ModelClient) -> Author:
    """Asks the model for the function; its answer is parsed strictly."""

    def write(spec: Spec, name: str) -> str:
        named = f"def {name}({', '.join(spec.parameters)})"
        line = named if spec.signature is None else spec.signature.line
        examples = plain(spec.examples)
        return read_function(client.ask(ask_for_function(spec.sentence, line, examples)).text, name)

    return write
