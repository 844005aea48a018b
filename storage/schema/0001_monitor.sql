-- The monitor: sources, items, stories as cards, scores with their evidence, alerts.
--
-- Every time is an integer: microseconds since 1970-01-01 00:00 UTC. Text is already cleaned.
-- An urgency is a rank: 3 FLASH, 2 ALERT, 1 NOTE, 0 FYI, NULL not scored.
-- Row numbers (key, id) are given in the order of acceptance and are never used again.

-- A feed and what is known of it after its last check.
CREATE TABLE source (
    key            INTEGER PRIMARY KEY,
    source_id      TEXT    NOT NULL UNIQUE,
    name           TEXT    NOT NULL,
    url            TEXT    NOT NULL,
    tier           INTEGER NOT NULL,
    interval_s     INTEGER NOT NULL,
    builtin        INTEGER NOT NULL,
    subscribed     INTEGER NOT NULL,           -- 0: no longer configured, its items stay
    seeded_at      INTEGER,                    -- when its first document was kept; all in that one is backlog
    items          INTEGER NOT NULL DEFAULT 0, -- how many items it has given
    last_item_at   INTEGER,                    -- when the newest of them was first seen
    status         TEXT    NOT NULL DEFAULT 'new',
    etag           TEXT,
    last_modified  TEXT,
    next_check_at  INTEGER,                    -- NULL: due now
    last_checked_at INTEGER,
    last_ok_at     INTEGER,
    last_full_at   INTEGER,
    failures       INTEGER NOT NULL DEFAULT 0,
    last_error     TEXT    NOT NULL DEFAULT '',
    redirect_url   TEXT    NOT NULL DEFAULT '',
    redirect_since INTEGER,
    latency_ms     REAL
) STRICT;

-- One published thing, kept for ever under the same item_id.
CREATE TABLE item (
    id            INTEGER PRIMARY KEY,
    item_id       TEXT    NOT NULL UNIQUE,
    source        INTEGER NOT NULL REFERENCES source (key),
    source_name   TEXT    NOT NULL,            -- as the source was called when the item came
    card          INTEGER NOT NULL,            -- its story's; its own id where it opens the story
    published_at  INTEGER,
    precision     TEXT    NOT NULL,
    doubt         TEXT,
    first_seen_at INTEGER NOT NULL,
    revision      INTEGER NOT NULL DEFAULT 0,  -- edits that changed the meaning
    change        TEXT    NOT NULL DEFAULT '',
    backlog       INTEGER NOT NULL,
    syndicated    INTEGER NOT NULL,            -- a copy of another item of the story
    new_fact      INTEGER NOT NULL,            -- told what the story did not hold before
    outlet        TEXT    NOT NULL,
    tickers       TEXT    NOT NULL,            -- symbols the publisher attached, blank between
    url           TEXT    NOT NULL,
    title         TEXT    NOT NULL,
    summary       TEXT    NOT NULL,
    content_hash  TEXT    NOT NULL,
    keys          TEXT    NOT NULL             -- all identity keys it was seen under, blank between
) STRICT;
CREATE INDEX item_first_seen ON item (first_seen_at);
CREATE INDEX item_of_card ON item (card);

-- Finds an item again by any key it was seen under; a key has a meaning within one source only.
CREATE TABLE identity (
    source INTEGER NOT NULL,
    key    TEXT    NOT NULL,
    item   INTEGER NOT NULL REFERENCES item (id),
    PRIMARY KEY (source, key, item)
) STRICT, WITHOUT ROWID;

-- What an item said before an edit changed its meaning.
CREATE TABLE earlier_text (
    item         INTEGER NOT NULL REFERENCES item (id),
    revision     INTEGER NOT NULL,
    title        TEXT    NOT NULL,
    summary      TEXT    NOT NULL,
    url          TEXT    NOT NULL,
    published_at INTEGER,
    replaced_at  INTEGER NOT NULL,
    PRIMARY KEY (item, revision)
) STRICT;

-- A story as the screen shows it. `key` is the row of the item that opened the story, `item` the one shown: the
-- first with the story's highest urgency, the earliest while there is none.
CREATE TABLE card (
    key     INTEGER PRIMARY KEY REFERENCES item (id),
    item    INTEGER NOT NULL REFERENCES item (id),
    at      INTEGER NOT NULL,                  -- sorted by, newest first (see storage.stories)
    urgency INTEGER,
    section INTEGER NOT NULL GENERATED ALWAYS AS (coalesce(urgency, 0) = 0) VIRTUAL, -- 1: FYI and unscored, at the bottom
    outlets INTEGER NOT NULL DEFAULT 0,        -- independent ones; copies count once
    unread  INTEGER NOT NULL DEFAULT 1,
    starred INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX card_in_sections ON card (section, at DESC, key DESC, urgency, unread, starred);
CREATE INDEX card_by_time ON card (at DESC, key DESC, urgency, unread, starred);

-- The outlets that reported a story on their own.
CREATE TABLE card_outlet (
    card   INTEGER NOT NULL REFERENCES card (key),
    outlet TEXT    NOT NULL,
    PRIMARY KEY (card, outlet)
) STRICT, WITHOUT ROWID;

-- How many cards there are per urgency (-1: unscored), kept by the triggers so that nobody counts a whole history.
CREATE TABLE card_count (
    urgency INTEGER PRIMARY KEY,
    cards   INTEGER NOT NULL,
    unread  INTEGER NOT NULL
) STRICT;
INSERT INTO card_count VALUES (-1, 0, 0), (0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0);
CREATE TRIGGER card_counted AFTER INSERT ON card BEGIN
    UPDATE card_count SET cards = cards + 1, unread = unread + new.unread WHERE urgency = coalesce(new.urgency, -1);
END;
CREATE TRIGGER card_recounted AFTER UPDATE OF urgency, unread ON card
WHEN new.urgency IS NOT old.urgency OR new.unread <> old.unread BEGIN
    UPDATE card_count SET cards = cards - 1, unread = unread - old.unread WHERE urgency = coalesce(old.urgency, -1);
    UPDATE card_count SET cards = cards + 1, unread = unread + new.unread WHERE urgency = coalesce(new.urgency, -1);
END;

-- How far an item is: 'pending' until it is scored or given up ('unscored'). Both are its end.
CREATE TABLE scoring (
    item     INTEGER PRIMARY KEY REFERENCES item (id),
    card     INTEGER NOT NULL,
    state    TEXT    NOT NULL CHECK (state IN ('pending', 'scored', 'unscored')),
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER NOT NULL,                 -- when it is due, for a fresh item when it was first seen
    revision INTEGER,                          -- the newest revision that has a signal
    urgency  INTEGER,                          -- and what that signal says
    impact   REAL,
    linked   TEXT    NOT NULL DEFAULT ''       -- its symbols as the text index holds them
) STRICT;
CREATE INDEX scoring_pending ON scoring (retry_at, item) WHERE state = 'pending';
CREATE INDEX scoring_loudest ON scoring (card, urgency DESC, item) WHERE urgency IS NOT NULL;

-- The reports of one revision of an item added up. `linked` is JSON; impact and what follows are NULL while unscored.
CREATE TABLE signal (
    item        INTEGER NOT NULL REFERENCES item (id),
    revision    INTEGER NOT NULL,
    scored_at   INTEGER NOT NULL,
    urgency     INTEGER,
    degraded    INTEGER NOT NULL,
    reading     TEXT,
    novelty     REAL    NOT NULL,
    engine      TEXT    NOT NULL,
    model       TEXT,
    cost_usd    REAL,
    notes       TEXT    NOT NULL,              -- JSON
    impact      REAL,
    confidence  REAL,
    signal_type TEXT,
    event_type  TEXT,
    linked      TEXT,
    agreement   REAL,
    tone        REAL,
    agents_ok   INTEGER NOT NULL,
    PRIMARY KEY (item, revision)
) STRICT;
CREATE INDEX signal_of_event ON signal (event_type, item) WHERE event_type IS NOT NULL;

-- A score of the same revision that a later one replaced.
CREATE TABLE earlier_score (
    item      INTEGER NOT NULL REFERENCES item (id),
    revision  INTEGER NOT NULL,
    scored_at INTEGER NOT NULL,
    urgency   INTEGER,
    impact    REAL,
    PRIMARY KEY (item, revision, scored_at)
) STRICT, WITHOUT ROWID;

-- What one agent says of one revision, or why it abstains (`cause`). Assessments and critique are JSON; `final` is NULL
-- where the draft stands.
CREATE TABLE report (
    id         INTEGER PRIMARY KEY,
    item       INTEGER NOT NULL REFERENCES item (id),
    revision   INTEGER NOT NULL,
    agent      TEXT    NOT NULL,
    engine     TEXT    NOT NULL,
    model      TEXT,
    elapsed_ms REAL    NOT NULL,
    cost_usd   REAL,
    cause      TEXT,
    detail     TEXT    NOT NULL DEFAULT '',
    confidence REAL,                           -- as counted; the reported one is in the assessment
    draft      TEXT,
    critique   TEXT,
    final      TEXT,
    dropped    TEXT    NOT NULL DEFAULT '[]',  -- JSON: symbols nobody could have known
    UNIQUE (item, revision, agent)
) STRICT;

-- What one tool call returned to an agent. `findings` is JSON; `raw` is the answer as it came, cut.
CREATE TABLE evidence (
    report      INTEGER NOT NULL REFERENCES report (id) ON DELETE CASCADE,
    place       INTEGER NOT NULL,
    evidence_id TEXT    NOT NULL,
    tool        TEXT    NOT NULL,
    status      TEXT    NOT NULL,
    source      TEXT    NOT NULL,
    url         TEXT    NOT NULL,
    fetched_at  INTEGER NOT NULL,
    elapsed_ms  REAL    NOT NULL,
    detail      TEXT    NOT NULL,
    findings    TEXT    NOT NULL,
    raw         TEXT    NOT NULL,
    PRIMARY KEY (report, place)
) STRICT, WITHOUT ROWID;

-- Which items touch a symbol, newest last.
CREATE TABLE ticker (
    symbol        TEXT    NOT NULL,
    first_seen_at INTEGER NOT NULL,
    item          INTEGER NOT NULL REFERENCES item (id),
    card          INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    PRIMARY KEY (symbol, first_seen_at, item)
) STRICT, WITHOUT ROWID;

-- The outbox: alerts to be told to a person. One per story and urgency, and one for each new fact after it; the key is
-- the same on every repeat.
CREATE TABLE alert (
    key             TEXT    PRIMARY KEY,
    card            INTEGER NOT NULL REFERENCES card (key),
    item            INTEGER NOT NULL REFERENCES item (id),
    urgency         INTEGER NOT NULL,
    reason          TEXT    NOT NULL,
    created_at      INTEGER NOT NULL,
    acknowledged_at INTEGER,
    acknowledged_by TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX alert_of_card ON alert (card);
CREATE INDEX alert_sticky ON alert (created_at) WHERE acknowledged_at IS NULL AND urgency = 3;

-- An alert on one channel ("terminal").
CREATE TABLE delivery (
    alert        TEXT    NOT NULL REFERENCES alert (key),
    channel      TEXT    NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    delivered_at INTEGER,
    PRIMARY KEY (alert, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_waiting ON delivery (channel) WHERE delivered_at IS NULL;

-- Items whose entry in the text index is out of date, with the words it was made of (NULL: it has none yet). Emptied by
-- each commit, so that an entry is written once per commit whatever happened to its item (see storage.search).
CREATE TABLE unindexed (
    item    INTEGER PRIMARY KEY,
    title   TEXT,
    summary TEXT,
    source  TEXT,
    tickers TEXT
) STRICT;

-- State of the file itself.
CREATE TABLE fact (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
