-- Prices on signals, and how the evidence sources are doing.

-- What a symbol cost when a signal's item became public (after_s 0) and so many seconds later. `change_pct` is against
-- the price at after_s 0. State 'none' is final, and `reason` says why there is no price.
CREATE TABLE price_mark (
    item       INTEGER NOT NULL REFERENCES item (id),
    symbol     TEXT    NOT NULL,
    after_s    INTEGER NOT NULL,
    moment     INTEGER NOT NULL,               -- publication (or first seen) plus after_s
    state      TEXT    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'known', 'none')),
    retry_at   INTEGER NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    price      REAL,
    change_pct REAL,
    traded_at  INTEGER,                        -- end of the bar the price closes
    width_s    INTEGER,                        -- of that bar
    currency   TEXT    NOT NULL DEFAULT '',
    source     TEXT    NOT NULL DEFAULT '',
    reason     TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (item, symbol, after_s)
) STRICT, WITHOUT ROWID;
CREATE INDEX price_mark_due ON price_mark (retry_at) WHERE state = 'waiting';
CREATE INDEX signal_scored ON signal (scored_at) WHERE linked IS NOT NULL;

-- An evidence source as the running monitor last saw it.
CREATE TABLE evidence_source (
    name        TEXT    PRIMARY KEY,
    standing    TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    requests    INTEGER NOT NULL,
    latency_ms  REAL,
    last_ok_at  INTEGER,
    next_try_at INTEGER,
    seen_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
