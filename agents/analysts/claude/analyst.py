"""The claude analyst: an agent's draft and its second reading, each a bounded conversation with the service."""

from __future__ import annotations

from agents.analysts.claude.call import Caller
from agents.analysts.claude.conversation import Conversation
from agents.analysts.protocol import Brief, Revision
from agents.budget import OUTPUT_TOKENS, Ledger
from agents.models import AgentName, Assessment, Engine


class ClaudeAnalyst:
    """Thinks for the agents with the model of each. Fails with a cause and never with a number."""

    def __init__(self, caller: Caller, ledger: Ledger, default_model: str) -> None:
        self._caller = caller
        self._ledger = ledger
        self._default = default_model

    @property
    def engine(self) -> Engine:
        return "claude"

    @property
    def model(self) -> str | None:
        """The model of the agents that have none of their own."""
        return self._default

    async def draft(self, agent: AgentName, brief: Brief) -> Assessment:
        """The first score, after the further questions the agent chose to ask."""
        return await Conversation(self._caller, agent, brief).draft()

    async def revise(self, agent: AgentName, brief: Brief, draft: Assessment) -> Revision:
        """What the agent finds wrong with its draft on a second reading."""
        return await Conversation(self._caller, agent, brief).revise(draft)

    async def rests(self) -> str | None:
        """Why nothing would be answered at the moment (the key, a limit, the budget), with how to mend it; or None."""
        if failure := self._caller.halted:
            return failure.detail
        settings = self._caller.settings
        priced = [price for model in settings.models.values() if (price := settings.prices.get(model))]
        if not priced:
            return None
        spent = await self._ledger.spent(settings.today())
        least = min(price.ceiling(0, OUTPUT_TOKENS) for price in priced)
        if spent + least <= settings.cap_nano:
            return None
        return "today's model budget is spent: new items are scored by rules ([claude] daily_budget_usd)"

    async def prepare(self) -> None:
        """Loads the SDK and asks the service what it offers, so that the first item need not wait for it."""
        await self._caller.offer()
