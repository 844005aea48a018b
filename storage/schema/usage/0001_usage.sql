-- What model calls cost, and their replies. A file of its own beside the database, because the cap of a day holds for
-- all programs of a user together: the monitor, and scripts that score while it runs.
--
-- Money is in nano-USD (1e-9 USD). A day is a date as the user's zone has it.

-- What a day has cost, everything reserved included.
CREATE TABLE spend (
    day  TEXT    PRIMARY KEY,
    nano INTEGER NOT NULL CHECK (nano >= 0)
) STRICT, WITHOUT ROWID;

-- Money set aside for a call that is under way. Settling replaces it by what the call cost; one that is never settled
-- stays in its day's sum, since nobody knows whether the call was charged.
CREATE TABLE reservation (
    id   INTEGER PRIMARY KEY AUTOINCREMENT,
    day  TEXT    NOT NULL,
    nano INTEGER NOT NULL
) STRICT;

-- Replies by the digest of their request, compressed.
CREATE TABLE reply (
    digest  TEXT    PRIMARY KEY,
    kept_at INTEGER NOT NULL,
    body    BLOB    NOT NULL
) STRICT;
CREATE INDEX reply_kept_at ON reply (kept_at);
