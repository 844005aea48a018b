"""Text that gives orders to its reader. Instructions are not events, so they are blanked out before the item is read.

Blanking keeps every offset; what follows an order inside the same paragraph belongs to it and goes too, because an
attacker writes the rest. It can therefore only take away from a score.
"""

from __future__ import annotations

import re
from typing import Final

_TASK: Final = (
    r"(?:Ignore|Disregard|Forget|Pretend|Imagine|Act as|You (?:are|must|should|will|have)|Write|Compose|Draft|Explain|"
    r"Describe|Translate|Summari[sz]e|Generate|Introduce|Replace|Substitute|Convert|Modify|Render|Rearrange|Scramble|"
    r"Jumble|Misspell|Anagram|Remove|Group|Combine|Include|Add|Integrate|Augment|Enhance|Provide|Use|Repeat|Print|"
    r"Output|"
    r"Return|Respond|Reply|Answer|Score|Rate|Tag|Set|Mark|Classify|Assign|Override|Break down|Tell|Give|Show|List|"
    r"Create|"
    r"Develop|Produce|Insert|Append|Say|Please|Assistant|System|In your)"
)
_TO_READER: Final = (
    r"(?:your|you|yourself|instructions?|prompts?|response|reply|answer|output|message|previous|above|json|"
    r"impact|urgency|FLASH|score[sd]?|1\.0|event_type|signal_type|ticker|poem|essay)"
)
_ORDER: Final = re.compile(
    rf"(?:(?<=[.!?:;\n\])>*\"'\u201d-])\s*|(?<=\w)\s+|^\s*)(?P<order>{_TASK}\b(?=[^\n]{{0,160}}?\b{_TO_READER}\b)[^\n]*)",
    re.M,
)
_QUESTION: Final = re.compile(
    r"(?:(?<=[.!?\n\"'])\s*|(?<= [-–—|]) )(?P<order>(?:What(?:'s| is| are| were)|How (?:do|does|can|would|should)|Who |"
    r"Can you|Could you|Would you|"
    r"Explain|Describe|Provide|Write|Compose|Draft|Develop|Break down|Translate)\b[^\n]*)"
)
_SPOKEN: Final = re.compile(
    r"(?P<order>\b(?:ignore|disregard|forget|override) (?:all |any |the |your |previous |prior |earlier |above )+"
    r"(?:instructions?|prompts?|rules?|guidance)[^\n]*)",
    re.I,
)
_JOINT: Final = re.compile(r"[.!?:\n] ?|[-–—|] ")
_HINT: Final = re.compile(rf"\b{_TO_READER}\b|\?", re.I)


def without_orders(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with orders blanked by spaces, and the orders as they stood."""
    if not _JOINT.search(text) and not _HINT.search(text):
        return text, ()
    found: list[str] = []

    def blank(match: re.Match[str]) -> str:
        order = match["order"]
        found.append(order.strip())
        start = match.start("order") - match.start()
        return match.group()[:start] + " " * len(order)

    for pattern in (_SPOKEN, _ORDER, _QUESTION):
        text = pattern.sub(blank, text)
    return text, tuple(found)
