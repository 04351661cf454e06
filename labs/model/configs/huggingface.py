"""A transformer from the config.json that Hugging Face keeps beside a model."""

from collections.abc import Mapping
from dataclasses import replace

from labs.model.configs.families import FAMILIES
from labs.model.configs.fields import Fields
from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.inputs import count
from labs.model.transformers.transformer import Transformer

KNOWN = ", ".join(FAMILIES)


def read_config(*, config: str | Mapping[str, object], sequence: int | None = None) -> Transformer:
    """Return the transformer that a config.json describes.

    A field that is missing takes the value that the family's own code gives it, and only where published files leave it
    out. A window that limits attention, a quantisation and layers of multi-token prediction are not read.

        hidden = hidden_size, layers = num_hidden_layers, heads = num_attention_heads, …

    Args:
        config: text of the file, or what json.loads makes of it
        sequence: tokens of one training sequence; the longest the config allows where None [1]

    Returns:
        the transformer

    Raises:
        ModelError: text that is no JSON object, a family that is not known, fields that are missing or wrong

    Source:
        huggingface/transformers, src/transformers/models/<family>/configuration_<family>.py and modeling_<family>.py

    >>> from labs.model.transformers.parameter_count import parameters
    >>> text = '{"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, '
    >>> parameters(model=read_config(config=text + '"vocab_size": 50257}')).total
    124439808
    """
    values = _parsed(config)
    family = values.get("model_type")
    if family is None:
        raise ModelError("expected model_type in a config.json, found none", argument="config", hint=f"one of {KNOWN}")
    if not isinstance(family, str) or family not in FAMILIES:
        hint = _within(values) or (_spelt(family) if isinstance(family, str) else None)
        raise ModelError(
            f"expected model_type to be one of {KNOWN}, found {shown(family)}", argument="config", hint=hint
        )
    found = FAMILIES[family](Fields(family, values))
    name = values.get("_name_or_path")
    length = found.sequence if sequence is None else count("sequence", sequence)
    return replace(found, name=name if isinstance(name, str) and name else family, sequence=length)


def _within(values: Mapping[str, object]) -> str | None:
    """Return where a model of text and pictures has its language model."""
    for name in ("text_config", "language_config", "llm_config"):
        inner = values.get(name)
        if isinstance(inner, Mapping) and inner.get("model_type") in FAMILIES:
            return f"its language model stands in {name}: give that object alone"
    return None


def _spelt(family: str) -> str | None:
    """Return the family that is written so but for case and signs; one of another name is another model."""
    bare = {_bare(name): name for name in FAMILIES}
    return f'did you mean "{bare[_bare(family)]}"?' if _bare(family) in bare else None


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _parsed(config: str | Mapping[str, object]) -> Mapping[str, object]:
    if isinstance(config, Mapping):
        return config
    if not isinstance(config, str):
        raise ModelError(f"expected the text of a config.json, found {shown(config)}", argument="config")
    # Imported here: it would be a tenth of the model's import, and few readers bring a config.
    import json

    try:
        values = json.loads(config)
    except json.JSONDecodeError as error:
        raise ModelError(
            f"expected config to be JSON, found a mistake in line {error.lineno}, column {error.colno} ({error.msg})",
            argument="config",
        ) from None
    except ValueError:  # a number of more digits than Python reads
        message = "expected config to hold numbers of a few digits, found a longer one"
        raise ModelError(message, argument="config") from None
    except RecursionError:
        raise ModelError("expected config to be JSON of few levels, found too many", argument="config") from None
    if not isinstance(values, dict):
        raise ModelError("expected config to be a JSON object, found another value", argument="config")
    return values
