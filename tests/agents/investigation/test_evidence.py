from __future__ import annotations

from functools import partial

from agents.investigation.evidence import weigh, without_copies
from agents.investigation.models import Evidence, Record
from agents.investigation.readings.causes import Reading
from tests.agents.investigation.builders import ONSET, a_record, an_anchor

mof = partial(a_record, source="Ministry of Finance Japan", url="https://www.mof.go.jp/english/1.html")


def weighed(record: Record, *, own_act: bool = True) -> Evidence:
    reading = Reading(record, "fx_intervention/jpy", "fx_intervention", "Intervention", True, own_act=own_act)
    return weigh(reading, an_anchor(), "currency", "PrimarySource", 1)


def test_a_record_that_dates_its_act_is_timed_by_the_act_though_published_months_later() -> None:
    late = mof("Intervention operations", when="2024-08-06T23:50", effective="2024-05-14T00:00")
    found = weighed(late)
    assert (found.rank, found.timing, found.time_kind) == ("A", "lead", "effective")
    assert found.effective_at is not None


def test_what_came_out_before_the_move_is_no_record_of_an_act_in_it() -> None:
    early = mof("Intervention operations", when="14 05:30", effective="2024-05-14T00:00")
    found = weighed(early)
    assert (found.timing, found.time_kind) == ("lead", "published")
    assert (
        weighed(mof("Intervention operations", when="14 06:30", effective="2024-05-14T00:00")).time_kind == "effective"
    )


def test_without_the_day_of_the_act_the_publication_counts() -> None:
    found = weighed(mof("Intervention operations, monthly total", when="2024-05-31T10:00"))
    assert (found.rank, found.timing, found.time_kind) == ("A", "lag", "published")


def test_an_effective_time_in_a_newspaper_is_not_believed() -> None:
    told = a_record("Ministry acted", when="15 00:00", effective="2024-05-14T00:00")
    found = weighed(told)
    assert (found.rank, found.timing, found.time_kind) == ("C", "lag", "published")


def test_an_act_that_takes_effect_after_the_move_lags_though_announced_before() -> None:
    order = mof("Order signed", when="14 05:50", effective="2024-05-15T00:00")
    assert weighed(order).timing == "lag"


def test_syndicated_copies_count_once_with_the_earliest_time() -> None:
    body = "The dollar fell more than three yen without a headline, and traders pointed at the ministry in Tokyo."
    title = "Yen vaults from 145.8 to 142 in minutes; dealers point at Tokyo"
    copy = a_record(title, f"(Reuters) {body}", source="The Straits Times", when="14 06:32", key="b")
    first = a_record(title, body, when="14 06:14", key="a")
    other = a_record("Oklahoma town rebuilds after tornado", when="14 06:00", key="c")
    assert [(record.id, copies) for record, copies in without_copies([copy, other, first])] == [("c", 0), ("a", 1)]


def test_claims_are_cleaned_like_all_text_from_outside() -> None:
    found = weighed(a_record("Yen \x1b[31mjumps\u202e", when="14 05:59"))
    assert found.claim == "Yen jumps"
    assert found.published_at is not None
    assert found.published_at < ONSET
