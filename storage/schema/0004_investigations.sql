-- Investigations: what was asked, each node's result the moment it was there, and the answer.

-- One question. `case_json` and `answer_json` are JSON; the answer is NULL until the run has ended. `recheck_at` is when
-- the next information on its open hypotheses comes out, NULL where none is expected; `changed` says what the last
-- re-check found different.
CREATE TABLE investigation (
    key         INTEGER PRIMARY KEY,
    case_id     TEXT    NOT NULL UNIQUE,
    symbol      TEXT    NOT NULL,
    question    TEXT    NOT NULL,
    asked_at    INTEGER NOT NULL,
    at          INTEGER,
    case_json   TEXT    NOT NULL,
    answer_json TEXT,
    answered_at INTEGER,
    onset_at    INTEGER,
    verdict     TEXT,
    headline    TEXT    NOT NULL DEFAULT '',
    recheck_at  INTEGER,
    rechecked_at INTEGER,
    changed     TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX investigation_newest ON investigation (asked_at DESC, key DESC);
CREATE INDEX investigation_due ON investigation (recheck_at) WHERE recheck_at IS NOT NULL;
CREATE INDEX investigation_unfinished ON investigation (symbol, asked_at DESC) WHERE answer_json IS NULL;

-- What one node of the graph found in one round, as JSON.
CREATE TABLE investigation_node (
    investigation INTEGER NOT NULL REFERENCES investigation (key) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    node          TEXT    NOT NULL,
    kept_at       INTEGER NOT NULL,
    result        TEXT    NOT NULL,
    PRIMARY KEY (investigation, round, node)
) STRICT, WITHOUT ROWID;
