/** Keys compare by their UTF-8 bytes, as S3 lists them: that is SQLite's own order. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS buckets (
  name TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS blobs (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS objects (
  bucket TEXT NOT NULL REFERENCES buckets (name),
  key TEXT NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  headers TEXT NOT NULL,
  checksum TEXT,
  segments TEXT NOT NULL,
  PRIMARY KEY (bucket, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS uploads (
  id TEXT PRIMARY KEY,
  bucket TEXT NOT NULL REFERENCES buckets (name),
  key TEXT NOT NULL,
  headers TEXT NOT NULL,
  checksum_algorithm TEXT,
  checksum_type TEXT NOT NULL,
  initiated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS uploads_by_key ON uploads (bucket, key, id);

CREATE TABLE IF NOT EXISTS parts (
  upload TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  checksum TEXT,
  segments TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (upload, number)
) STRICT;
`;
