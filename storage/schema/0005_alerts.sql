-- Alerts on several channels, why each was raised or not, and what a person silenced or noted.

-- What a cooldown counts by: urgency, what happened, leading symbol. Empty where a cooldown kept the alert back.
ALTER TABLE alert ADD COLUMN kind TEXT NOT NULL DEFAULT '';
CREATE INDEX alert_of_kind ON alert (kind, created_at) WHERE kind <> '';
CREATE INDEX alert_newest ON alert (created_at, key);

-- 'dead': it will never arrive, `error` says why. 'skipped': too old to be told when its turn came. `channel` is a label;
-- addresses with their secrets are never stored.
ALTER TABLE delivery ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'sent', 'dead', 'skipped'));
ALTER TABLE delivery ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE delivery ADD COLUMN held TEXT NOT NULL DEFAULT '';         -- why it was kept back; such alerts go out together
ALTER TABLE delivery ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0; -- attempts whose answer never came
ALTER TABLE delivery ADD COLUMN message TEXT NOT NULL DEFAULT '';      -- key of the message it last went out with
ALTER TABLE delivery ADD COLUMN error TEXT NOT NULL DEFAULT '';
UPDATE delivery SET state = 'sent' WHERE delivered_at IS NOT NULL;
DROP INDEX delivery_waiting;
CREATE INDEX delivery_waiting ON delivery (channel, due_at) WHERE state = 'waiting';
CREATE INDEX delivery_dead ON delivery (channel) WHERE state = 'dead';

-- Why a revision of an item alerted or did not. `trace` is JSON: one [gate, verdict, detail] for each gate it came to.
CREATE TABLE alert_decision (
    item       INTEGER NOT NULL REFERENCES item (id),
    revision   INTEGER NOT NULL,
    decided_at INTEGER NOT NULL,
    outcome    TEXT    NOT NULL,
    alert      TEXT,                           -- key of the alert it raised
    trace      TEXT    NOT NULL,
    PRIMARY KEY (item, revision)
) STRICT, WITHOUT ROWID;

-- What a person does not want to hear of until a moment; kind 'all' is a snooze. Lifted ones are kept, so that an undo
-- can be undone.
CREATE TABLE mute (
    id        INTEGER PRIMARY KEY,
    kind      TEXT    NOT NULL CHECK (kind IN ('ticker', 'source', 'story', 'event', 'all')),
    value     TEXT    NOT NULL,
    shown     TEXT    NOT NULL,                -- as a person reads it
    made_at   INTEGER NOT NULL,
    until     INTEGER NOT NULL,
    made_by   TEXT    NOT NULL,
    lifted_at INTEGER
) STRICT;
CREATE INDEX mute_active ON mute (until) WHERE lifted_at IS NULL;

-- What a person wrote about a story.
CREATE TABLE note (
    card       INTEGER PRIMARY KEY REFERENCES card (key),
    text       TEXT    NOT NULL,
    written_at INTEGER NOT NULL
) STRICT;
