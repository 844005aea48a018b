-- Addresses of feeds without the credentials they may carry: the real one comes from the configuration alone.

-- A digest of the real address, by which a source that moves is told from one that stays. Empty: not known yet.
ALTER TABLE source ADD COLUMN url_key TEXT NOT NULL DEFAULT '';
UPDATE source SET url_key = url_key(url);
UPDATE source SET redirect_url = '', redirect_since = NULL WHERE public_url(redirect_url) <> redirect_url;
UPDATE source SET url = public_url(url);

-- What may go after a while (storage.retention). A row is found by the item it belongs to, since SQLite looks for what
-- still refers to an item that goes; two large tables are found by other columns and do without the reference.
CREATE INDEX card_shows ON card (item);
CREATE INDEX alert_of_item ON alert (item);
CREATE TABLE identity_kept (
    source INTEGER NOT NULL,
    key    TEXT    NOT NULL,
    item   INTEGER NOT NULL,
    PRIMARY KEY (source, key, item)
) STRICT, WITHOUT ROWID;
INSERT INTO identity_kept SELECT source, key, item FROM identity;
DROP TABLE identity;
ALTER TABLE identity_kept RENAME TO identity;
CREATE TABLE ticker_kept (
    symbol        TEXT    NOT NULL,
    first_seen_at INTEGER NOT NULL,
    item          INTEGER NOT NULL,
    card          INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    PRIMARY KEY (symbol, first_seen_at, item)
) STRICT, WITHOUT ROWID;
INSERT INTO ticker_kept SELECT symbol, first_seen_at, item, card, source FROM ticker;
DROP TABLE ticker;
ALTER TABLE ticker_kept RENAME TO ticker;
CREATE TRIGGER card_uncounted AFTER DELETE ON card BEGIN
    UPDATE card_count SET cards = cards - 1, unread = unread - old.unread WHERE urgency = coalesce(old.urgency, -1);
END;
