"""What the service at the other end can do, asked at the start and corrected by what it refuses.

`anthropic` servers take the schema, the tools, the effort and the cache marks beside the prompt. `plain` ones (Ollama,
llama.cpp and most others that speak the protocol) drop or refuse them: there the schema stands in the instructions, no
tools are offered, and the answer is found in whatever the model writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal
from urllib.parse import urlsplit

ServerKind = Literal["anthropic", "plain"]
ServerChoice = Literal["auto", "anthropic", "plain"]

OWN_HOST: Final = "api.anthropic.com"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What may stand in a request to one model. `search`: the service's own web search."""

    structured: bool = True
    tools: bool = True
    effort: bool = True
    caching: bool = True
    search: bool = False


FULL: Final = Capabilities()
PLAIN: Final = Capabilities(structured=False, tools=False, effort=False, caching=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """What was learnt of the service. `models` is None where it does not list them; `notices` are lines for people.

    `own` is Anthropic's own service, which searches the web unless it says otherwise; any other must say that it does.
    """

    kind: ServerKind
    models: tuple[str, ...] | None
    by_model: dict[str, Capabilities]
    notices: tuple[str, ...] = ()
    own: bool = False

    def of(self, model: str) -> Capabilities:
        """What may stand in a request to `model`."""
        return self.by_model.get(model, replace(FULL, search=self.own) if self.kind == "anthropic" else PLAIN)


def is_own(base_url: str) -> bool:
    """Whether the address is Anthropic's own service."""
    return (urlsplit(base_url).hostname or "").casefold() == OWN_HOST


def offer(listed: Sequence[Any] | None, wanted: Iterable[str], base_url: str, choice: ServerChoice) -> Offer:
    """What the service offers, from its list of models (the SDK's types; None where it gave none).

    With "auto" a server counts as `anthropic` where it is Anthropic's own or lists a model with its capabilities.
    """
    described = [one for one in listed or () if hasattr(getattr(one, "capabilities", None), "structured_outputs")]
    kind: ServerKind = "anthropic" if is_own(base_url) or described else "plain"
    if choice != "auto":
        kind = choice
    own = kind == "anthropic" and is_own(base_url)
    by_model = {one.id: _of(one.capabilities, own) for one in described} if kind == "anthropic" else {}
    names = tuple(str(one.id) for one in listed) if listed else None
    return Offer(kind, names, by_model, tuple(_notices(listed or (), wanted, names)), own)


def _of(capabilities: Any, own: bool) -> Capabilities:
    tools = getattr(capabilities, "server_tools", None)
    return Capabilities(
        structured=_supported(capabilities, "structured_outputs"),
        effort=_supported(capabilities, "effort"),
        search=bool(getattr(getattr(tools, "web_search", None), "supported", own)),
    )


def _supported(capabilities: Any, name: str) -> bool:
    """A capability that is not spoken of counts as there: the list only names what may be missing."""
    return bool(getattr(getattr(capabilities, name, None), "supported", True))


def _notices(listed: Sequence[Any], wanted: Iterable[str], names: Sequence[str] | None) -> Iterable[str]:
    by_name = {str(one.id): one for one in listed}
    for model in dict.fromkeys(wanted):
        if names and model not in by_name:
            yield f"the service does not list {model}; it lists {', '.join(names[:6])}"
        elif model in by_name and getattr(by_name[model], "lifecycle", "active") != "active":
            retires = getattr(by_name[model], "retires_at", None)
            when = f", it retires on {retires:%Y-%m-%d}" if retires else ""
            yield f"{model} is {by_name[model].lifecycle}{when}: set another [claude] model"
