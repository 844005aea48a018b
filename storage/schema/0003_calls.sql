-- Calls to a model, and scores that stand only until the model has answered.

-- The part of a request that is the same for every item: instructions, tools, schema, as JSON.
CREATE TABLE prompt (
    id     INTEGER PRIMARY KEY,
    digest TEXT    NOT NULL UNIQUE,
    text   TEXT    NOT NULL
) STRICT;

-- One call of one agent for one revision of an item, exact words both ways. `messages` and `reply` are compressed.
-- `cause` is NULL where the answer was usable; `cost_nano` is in 1e-9 USD, NULL without a known price.
CREATE TABLE call (
    id                 INTEGER PRIMARY KEY,
    item               INTEGER NOT NULL REFERENCES item (id),
    revision           INTEGER NOT NULL,
    agent              TEXT    NOT NULL,
    stage              TEXT    NOT NULL,
    model              TEXT    NOT NULL,
    prompt_version     TEXT    NOT NULL,
    prompt             INTEGER NOT NULL REFERENCES prompt (id),
    messages           BLOB    NOT NULL,
    reply              BLOB    NOT NULL,
    started_at         INTEGER NOT NULL,
    elapsed_ms         REAL    NOT NULL,
    cause              TEXT,
    detail             TEXT    NOT NULL,
    request_id         TEXT    NOT NULL,
    input_tokens       INTEGER NOT NULL,
    output_tokens      INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cache_read_tokens  INTEGER NOT NULL,
    cost_nano          INTEGER,
    cached             INTEGER NOT NULL,
    attempts           INTEGER NOT NULL
) STRICT;
CREATE INDEX call_of_item ON call (item, revision, agent);

-- A provisional score came from the rules while the model was thinking; its item is still pending.
ALTER TABLE signal ADD COLUMN provisional INTEGER NOT NULL DEFAULT 0;

-- What code changed to keep a model's word within its bounds, a line each, as JSON.
ALTER TABLE report ADD COLUMN held TEXT NOT NULL DEFAULT '[]';
