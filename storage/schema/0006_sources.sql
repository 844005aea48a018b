-- What `doctor` and the feeds screen tell of an evidence source besides its standing.

-- `used` of `most` requests of its hour or day had gone out; NULL without such a limit. `last_error` stays when the source
-- answers again. `skew_ms` is how far its clock was ahead of ours.
ALTER TABLE evidence_source ADD COLUMN used INTEGER;
ALTER TABLE evidence_source ADD COLUMN most INTEGER;
ALTER TABLE evidence_source ADD COLUMN last_error TEXT NOT NULL DEFAULT '';
ALTER TABLE evidence_source ADD COLUMN last_error_at INTEGER;
ALTER TABLE evidence_source ADD COLUMN skew_ms INTEGER;
