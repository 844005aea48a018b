-- Public sources: how often each was asked, because their limits hold for all programs of a user together, and the
-- answers of those that change slowly, so that a start asks for nothing that is still fresh.
--
-- Times are microseconds since 1970-01-01 00:00 UTC.

-- One request to a source with a limit of its own. Kept for two days.
CREATE TABLE source_request (
    id     INTEGER PRIMARY KEY,
    source TEXT    NOT NULL,
    at     INTEGER NOT NULL
) STRICT;
CREATE INDEX source_request_at ON source_request (source, at);

-- An answer by the digest of its question, compressed; given again until `fresh_until`, and for a day after that where
-- the source is down.
CREATE TABLE source_answer (
    digest       TEXT    PRIMARY KEY,
    source       TEXT    NOT NULL,
    status       INTEGER NOT NULL,
    content_type TEXT    NOT NULL,
    url          TEXT    NOT NULL,
    fetched_at   INTEGER NOT NULL,
    fresh_until  INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,             -- of `body` as it is stored
    body         BLOB    NOT NULL
) STRICT;
CREATE INDEX source_answer_age ON source_answer (fresh_until);
