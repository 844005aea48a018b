"""One bounded, costed, recorded call to the service.

In this order: our own cache, a halt that is on, a turn of the limiter, money reserved, the request, money settled, the
answer read and checked, the call kept. A call that the service refuses for now is repeated within its deadline.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from time import perf_counter
from typing import Any, Final, TypeVar

from agents.analysts.claude.capabilities import PLAIN, Capabilities, Offer, ServerChoice, is_own
from agents.analysts.claude.failures import CallFailed, Failure, of_status
from agents.analysts.claude.halts import Halts
from agents.analysts.claude.message import Answer, keepable, read_message, read_searches, read_usage
from agents.analysts.claude.prices import cost
from agents.analysts.claude.rate import Limiter, Need
from agents.analysts.claude.request import Order, build_request, dump, wants_plain
from agents.analysts.claude.trace import Trace
from agents.analysts.claude.transport import Answered, Transport
from agents.analysts.claude.validate import BadReply
from agents.budget import ATTEMPTS, SEARCH_TOKENS, USUAL_SEARCH_TOKENS, BudgetSpent, Ledger, Price
from agents.calls import CallBook, ModelCall, ReplyCache
from agents.models import AgentName

log = logging.getLogger(__name__)
T = TypeVar("T")

EXPECTED_OUTPUT: Final = 600
"""Tokens an answer is expected to take of the service's output limit."""
BYTES_PER_TOKEN: Final = 4
KEPT: Final = 40_000
"""Longest reply that is kept, in characters."""
BACK_OFF_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user decided. `today` gives the day the budget counts by, `now` the time calls are dated with."""

    models: Mapping[AgentName, str]
    prices: Mapping[str, Price]
    cap_nano: int
    max_extra_calls: int
    now: Callable[[], datetime]
    today: Callable[[], date]
    server: ServerChoice = "auto"
    use_cache: bool = True


class Caller:
    """Makes calls. `halted` is the failure that stops all of them at the moment, None where nothing does."""

    def __init__(
        self,
        transport: Transport,
        limiter: Limiter,
        ledger: Ledger,
        settings: Settings,
        *,
        cache: ReplyCache | None = None,
        book: CallBook | None = None,
    ) -> None:
        self._transport = transport
        self._limiter = limiter
        self._ledger = ledger
        self._cache = cache
        self._book = book
        self._halts = Halts()
        self._learning = asyncio.Lock()
        self._offer: Offer | None = None
        self._plain: set[str] = set()
        self.settings = settings

    @property
    def halted(self) -> Failure | None:
        """What stops every call at the moment."""
        return self._halts.of()

    async def offer(self) -> Offer:
        """What the service can do; asked once."""
        async with self._learning:
            if self._offer is None:
                self._offer = await self._transport.offer(self.settings.models.values(), self.settings.server)
                for notice in self._offer.notices:
                    log.warning("%s", notice)
            return self._offer

    async def capabilities(self, model: str) -> Capabilities:
        """What may stand in a request to `model`."""
        return PLAIN if model in self._plain else (await self.offer()).of(model)

    async def make(self, order: Order[T]) -> T:
        """The order's answer, read. Raises CallFailed; every call that was sent is kept and on the bill."""
        model = order.bill.model = order.model(self.settings.models)
        able = await self.capabilities(model)
        request = build_request(order, model, able)
        fixed = {key: value for key, value in request.items() if key not in ("messages", "model", "max_tokens")}
        trace = Trace(model, dump(fixed), dump(request["messages"]), self.settings.now())
        try:
            async with asyncio.timeout_at(order.until) as deadline:
                return await self._through(order, request, trace)
        except TimeoutError:
            if not deadline.expired():
                raise
            what = "no answer" if trace.attempts else "no turn among the calls under way"
            failure = Failure("timeout", f"{what} after {perf_counter() - trace.begun:.0f} s")
            await self._keep(order, trace, failure)
            raise CallFailed(failure) from None

    async def _through(self, order: Order[T], request: dict[str, Any], trace: Trace) -> T:
        try:
            known = await self._cached(order, trace)
            return await self._paid(order, request, trace) if known is None else known
        except CallFailed as failed:
            if trace.attempts:
                await self._keep(order, trace, failed.failure)
            if not order.searches and wants_plain(failed.failure, request):
                if trace.model not in self._plain:
                    log.warning("%s refuses structured output (%s): it is asked in words", trace.model, failed.detail)
                self._plain.add(trace.model)
                return await self.make(order)
            raise

    async def _cached(self, order: Order[T], trace: Trace) -> T | None:
        """The answer out of our own cache. One that can no longer be read is asked for again."""
        found = await self._cache.find(trace.digest) if self._cache and self.settings.use_cache else None
        if found is None:
            return None
        try:
            value = order.read(read_message(found, whole=not order.searches))
        except (CallFailed, BadReply):
            return None
        trace.reply, trace.cached = found, True
        await self._keep(order, trace, None)
        return value

    async def _paid(self, order: Order[T], request: dict[str, Any], trace: Trace) -> T:
        """Puts the request to the service until it takes it, at most ATTEMPTS times."""
        while True:
            answer: Answer | None = None
            try:
                self._halts.refuse(trace.model)
                answer = await self._attempt(order, request, trace)
                value = order.read(answer)
            except BadReply as error:
                said = answer.text if answer else ""
                raise CallFailed(Failure("malformed", str(error)), said) from None
            except CallFailed as failed:
                if not failed.failure.again or trace.attempts >= ATTEMPTS:
                    raise
                await asyncio.sleep(_pause(failed.failure, trace.attempts))
                continue
            if self._cache:
                await self._cache.keep(trace.digest, trace.reply, now=self.settings.now())
            await self._keep(order, trace, None)
            return value

    async def _attempt(self, order: Order[T], request: dict[str, Any], trace: Trace) -> Answer:
        """One request. Whatever happens to it, what it may have cost stays reserved until it is known."""
        if trace.size > order.most_bytes(self.settings.max_extra_calls):
            raise CallFailed(Failure("error", f"the request grew to {trace.size} bytes, beyond the stated worst case"))
        need = Need(trace.size // BYTES_PER_TOKEN + order.searches * USUAL_SEARCH_TOKENS, EXPECTED_OUTPUT)
        more = order.stage == "draft"
        async with self._limiter.turn(order.item_id, need, urgent=order.urgent, agent=order.agent, more=more):
            self._halts.refuse(trace.model)
            price = self._price(trace.model)
            trace.priced = price is not None
            reservation = await self._reserve(price, trace, order)
            trace.attempts += 1
            answered = await self._post(request, reservation, trace)
            self._limiter.learn(answered.headers, need)
            refused = self._refused(answered, trace.model, searching=bool(order.searches))
        trace.reply, trace.request_id = keepable(answered.body)[:KEPT], answered.request_id
        if refused:
            await self._settle(reservation, trace, 0)
            raise CallFailed(refused)
        used = read_usage(answered.body)
        if used is not None:
            trace.usage = used
            await self._settle(reservation, trace, cost(price, used, read_searches(answered.body)) or 0)
        return read_message(answered.body, whole=not order.searches)

    async def _post(self, request: dict[str, Any], reservation: int | None, trace: Trace) -> Answered:
        try:
            return await self._transport.post(request)
        except CallFailed as failed:
            if failed.failure.again:
                await self._settle(reservation, trace, 0)
            raise

    async def _reserve(self, price: Price | None, trace: Trace, order: Order[Any]) -> int | None:
        if price is None:
            return None
        most = price.ceiling(trace.size + order.searches * SEARCH_TOKENS, order.most_output, order.searches)
        try:
            reservation = await self._ledger.reserve(most, day=self.settings.today(), cap_nano=self.settings.cap_nano)
        except BudgetSpent as error:
            raise CallFailed(Failure("budget", str(error))) from None
        trace.pending_nano += most
        return reservation

    async def _settle(self, reservation: int | None, trace: Trace, nano: int) -> None:
        """Replaces the reservation of this attempt by what it cost."""
        if reservation is None:
            return
        await self._ledger.settle(reservation, nano)
        trace.pending_nano, trace.spent_nano = 0, trace.spent_nano + nano

    def _price(self, model: str) -> Price | None:
        """The model's price. Without one the daily cap cannot hold, so the paid service is not called."""
        price = self.settings.prices.get(model)
        if price is None and is_own(self._transport.base_url):
            mend = f"add it to [claude.prices], for example {model} = {{ input = 1.0, output = 5.0 }}"
            raise CallFailed(Failure("budget", f"{model} has no known price, so the daily budget cannot hold: {mend}"))
        return price

    def _refused(self, answered: Answered, model: str, *, searching: bool) -> Failure | None:
        """The failure an answer other than 200 is; what stops others stops them before one more gets a turn."""
        if answered.status == 200:
            return None
        failure = of_status(answered.status, answered.headers, answered.body, self.settings.now(), model=model)
        if searching and answered.status == 403:  # the organisation may have switched off its searches and nothing else
            failure = replace(failure, cause="error", halts=False)
        if answered.status == 429 and failure.again and failure.after_s:
            self._limiter.hold(failure.after_s)
        if failure.halts:
            self._halts.begin(failure, model)
        return failure

    async def _keep(self, order: Order[T], trace: Trace, failure: Failure | None) -> None:
        order.bill.add(trace.cost_nano, 0 if trace.cached else trace.usage.total)
        if self._book is None:
            return
        await self._book.keep(
            ModelCall(
                item_id=order.item_id,
                revision=order.revision,
                agent=order.agent,
                stage=order.stage,
                model=trace.model,
                prompt_version=order.version,
                fixed=trace.fixed,
                messages=trace.messages,
                reply=trace.reply,
                started_at=trace.started_at,
                elapsed_ms=(perf_counter() - trace.begun) * 1000,
                cause=failure.cause if failure else None,
                detail=failure.detail if failure else "",
                request_id=trace.request_id,
                usage=trace.usage,
                cost_nano=trace.cost_nano,
                cached=trace.cached,
                attempts=trace.attempts,
            )
        )


def _pause(failure: Failure, attempts: int) -> float:
    """How long to wait before the next attempt: what the service asks, else twice as long each time, with jitter."""
    if failure.after_s:
        return failure.after_s
    return BACK_OFF_S * 2.0 ** (attempts - 1) * random.uniform(0.75, 1.25)
