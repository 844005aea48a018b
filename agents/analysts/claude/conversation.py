"""What one agent says and is told, turn by turn; how many turns there are is decided here and not by the model.

Draft    the item and its evidence; then at most as many further questions as the enquiry has left; then the draft
Revise   the same again with the draft
Each     one spare call: a repair of a malformed answer, or the repeat of a call that was lost
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

from agents.analysts.claude import prompts
from agents.analysts.claude.call import Caller
from agents.analysts.claude.failures import CallFailed
from agents.analysts.claude.message import Answer, Asked
from agents.analysts.claude.request import Order
from agents.analysts.claude.validate import AssessmentReply, BadReply, RevisionReply, read_reply
from agents.analysts.protocol import Brief, Revision
from agents.budget import REPLY_BYTES, SPARE_CALLS
from agents.calls import Stage
from agents.models import AgentName, Assessment, Evidence, ToolName

T = TypeVar("T")

REPAIRED: Final = 4_000
"""Characters of a malformed answer that are shown to the model again."""
SYMBOLS: Final = 6


class Conversation:
    """One agent on one item."""

    def __init__(self, caller: Caller, agent: AgentName, brief: Brief) -> None:
        self._caller = caller
        self._agent = agent
        self._brief = brief
        self._messages: list[dict[str, Any]] = []
        self._spare = SPARE_CALLS

    async def draft(self) -> Assessment:
        """The draft, after at most the allowed further questions. Raises CallFailed."""
        self._say(prompts.material(self._brief))
        offered = await self._offered()
        while True:
            may_ask = bool(offered) and self._questions_left() > 0
            given = await self._turn("draft", partial(_assessment_or_asked, may_ask=may_ask), offered, may_ask)
            if isinstance(given, Assessment):
                return given
            await self._put(given)

    async def revise(self, draft: Assessment) -> Revision:
        """The faults of the draft and the assessment without them. Raises CallFailed."""
        self._say(f"{prompts.material(self._brief)}\n\n{prompts.own_draft(draft)}")
        return await self._turn("revise", lambda answer: read_reply(RevisionReply, answer.text).revision())

    async def _turn(
        self, stage: Stage, read: Callable[[Answer], T], tools: tuple[ToolName, ...] = (), may_ask: bool = False
    ) -> T:
        """One answer of the model; uses the spare call where it is malformed or was lost."""
        while True:
            order = Order(
                agent=self._agent,
                item_id=self._brief.item.id,
                revision=self._brief.item.revision,
                stage=stage,
                messages=tuple(self._messages),
                read=read,
                bill=self._brief.bill,
                tools=tools,
                may_ask=may_ask,
                urgent=self._brief.urgent,
                until=self._brief.until,
            )
            try:
                return await self._caller.make(order)
            except CallFailed as failed:
                repairable = failed.failure.lost or failed.cause == "malformed"
                if not repairable or self._spare == 0:
                    raise _after_repair(failed, self._spare) from None
                self._spare -= 1
                if not failed.failure.lost:
                    self._complain(failed)

    def _say(self, text: str) -> None:
        self._messages.append({"role": "user", "content": text})

    def _complain(self, failed: CallFailed) -> None:
        """Shows the model its malformed answer and what is wrong with it."""
        if failed.text:
            self._messages.append({"role": "assistant", "content": failed.text[:REPAIRED]})
            self._say(f"That was not valid: {failed.detail}. Send the corrected JSON object and nothing else.")

    def _questions_left(self) -> int:
        return self._brief.enquiry.left if self._brief.enquiry else 0

    async def _offered(self) -> tuple[ToolName, ...]:
        """The tools the agent may ask, where the server takes tools at all."""
        if not self._questions_left():
            return ()
        model = self._caller.settings.models[self._agent]
        able = await self._caller.capabilities(model)
        return self._brief.enquiry.tools if self._brief.enquiry and able.tools else ()

    async def _put(self, answer: Answer) -> None:
        """Puts the questions of one answer to the tools and gives back what they say, each in its place."""
        self._messages.append({"role": "assistant", "content": list(answer.content)})
        results = [await self._result(asked) for asked in answer.asked]
        self._messages.append({"role": "user", "content": results})

    async def _result(self, asked: Asked) -> dict[str, Any]:
        found: Evidence | str = "give `words` as a string and `symbols` as a list of tickers"
        enquiry, given = self._brief.enquiry, asked.given
        if enquiry and isinstance(given, dict) and isinstance(given.get("words"), str):
            symbols = given.get("symbols", [])
            if isinstance(symbols, list) and all(isinstance(symbol, str) for symbol in symbols):
                found = await enquiry.ask(asked.tool, given["words"], symbols[:SYMBOLS])
        result: dict[str, Any] = {"type": "tool_result", "tool_use_id": asked.id}
        if isinstance(found, str):
            return {**result, "content": found, "is_error": True}
        return {**result, "content": prompts.answer(found)}


def _assessment_or_asked(answer: Answer, may_ask: bool) -> Assessment | Answer:
    """The draft in `answer`, or the answer itself where it asks tools and may."""
    if not answer.asked:
        return read_reply(AssessmentReply, answer.text).assessment()
    if not may_ask:
        raise BadReply("it asks a tool although no question is left")
    if len(json.dumps(answer.content).encode()) > REPLY_BYTES:
        raise BadReply(f"its questions are longer than {REPLY_BYTES} bytes")
    return answer


def _after_repair(failed: CallFailed, spare: int) -> CallFailed:
    """The failure, saying so where it is the second of its kind."""
    if spare or failed.cause != "malformed":
        return failed
    return CallFailed(replace(failed.failure, detail=f"{failed.detail} (after one repair)"), failed.text)
