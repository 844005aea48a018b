"""What the model may cost an investigation at most: every request and answer has a stated size, every role its calls.

calls of a collector     1 to read + one for each further question + SPARE_CALLS, in each round
calls of the Adjudicator one in each round
bytes of a request       FIXED + DATA + a further answer for each question + what is shown again for a repair
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from agents.budget import SPARE_CALLS, Price
from agents.investigation.bound import Caps

FIXED_BYTES: Final = 11_000
"""The most the instructions and the schema of one role take."""
DATA_BYTES: Final = 24_000
"""The most the case and its records take in a prompt."""
ANSWER_BYTES: Final = 6_000
"""The most the answers to the questions of one turn take, for each question."""
ECHO_BYTES: Final = 3_000
"""The most of what a reader has said that is shown to it again before its next turn."""
REPAIR_BYTES: Final = 5_000
"""The most a malformed answer and the complaint about it take."""
OUTPUT_TOKENS: Final = 6_000
"""The most an answer may hold, thinking included; sent as `max_tokens`."""
MOST_QUESTIONS: Final = 4
"""No configuration allows more further questions: a longer request costs more for each token."""


def request_bytes(questions: int) -> int:
    """The longest request after so many further questions; no tokenizer makes more than one token of a byte."""
    return FIXED_BYTES + DATA_BYTES + questions * (ANSWER_BYTES + ECHO_BYTES) + SPARE_CALLS * REPAIR_BYTES


def claude_caps(price: Price | None, questions: int, deadline_s: float) -> Caps:
    """The limits of a run whose records a model reads; `deadline_s` is what one call may take. Without a price its
    calls are counted and its cost is not known."""
    asked = min(questions, MOST_QUESTIONS)
    calls = 1 + asked + SPARE_CALLS
    caps = Caps()
    dearest = max(price.input, price.cache_write, price.cache_read) if price else 0
    return replace(
        caps,
        model_calls=calls,
        collector_timeout_s=caps.collector_timeout_s + calls * deadline_s,
        input_tokens=request_bytes(asked),
        output_tokens=OUTPUT_TOKENS,
        usd_in=dearest / 1000,
        usd_out=price.output / 1000 if price else 0.0,
    )
