-- Calls to a model by the nodes of investigations: the columns of `call`, with the investigation, its round and the node
-- in place of the item, its revision and the agent.
CREATE TABLE investigation_call (
    id                 INTEGER PRIMARY KEY,
    investigation      INTEGER NOT NULL REFERENCES investigation (key) ON DELETE CASCADE,
    round              INTEGER NOT NULL,
    node               TEXT    NOT NULL,
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
CREATE INDEX call_of_investigation ON investigation_call (investigation);
