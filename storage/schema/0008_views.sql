-- What a person keeps in order to look at the list that way again.

-- A filter with a name. `filter` is JSON (storage.views); `place` is the number it is recalled by.
CREATE TABLE view (
    name     TEXT    PRIMARY KEY,
    filter   TEXT    NOT NULL,
    place    INTEGER NOT NULL,
    saved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
