"""What the service says went wrong, as a cause, a wait and a way to mend it."""

from __future__ import annotations

import json

import pytest

from agents.analysts.claude.failures import of_status, of_transport, wait_of
from tests.agents.builders import NOW


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "Tue, 10 Mar 2026 18:31:00 GMT"}, 60.0),
        ({"retry-after": "Tue, 10 Mar 2026 18:29:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "4294967296"}, 4294967296.0),
    ],
)
def test_how_long_the_service_asks_to_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, NOW) == seconds


@pytest.mark.parametrize("body", ["", "<html>", "[]", '{"error": "x"}', '{"error": {"message": null}}', "[" * 50_000])
@pytest.mark.parametrize("status", [400, 401, 404, 418, 429, 500, 529, 599])
def test_any_body_of_any_status_is_some_failure(status: int, body: str) -> None:
    failure = of_status(status, {}, body, NOW, model="m")
    assert failure.detail
    assert failure.again == (status in (429, 500, 529, 599))


def test_what_the_service_says_is_cleaned_and_cut() -> None:
    body = json.dumps({"error": {"type": "api_error", "message": "\x1b]0;OWNED\x07 " + "down " * 500}})
    detail = of_status(500, {}, body, NOW, model="m").detail
    assert detail.isprintable()
    assert len(detail) < 300


class ConnectError(Exception):
    """Named as the transport's own."""


class ReadError(Exception):
    """Named as the transport's own."""


@pytest.mark.parametrize(("cause", "lost"), [(ConnectError(), False), (ReadError(), True)])
def test_only_a_call_that_was_sent_can_be_lost(cause: Exception, lost: bool) -> None:
    outer = RuntimeError("Connection error.")
    outer.__cause__ = cause
    failure = of_transport(outer)
    assert (failure.lost, failure.again) == (lost, not lost)
    assert type(cause).__name__ in failure.detail
