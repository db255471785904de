import type { DatabaseSync } from 'node:sqlite';
import { transaction } from '../endpoint/database.ts';

/**
 * Keys compare by their UTF-8 bytes, as S3 lists them: that is SQLite's own order. The latest version of a key is the one
 * that nothing has replaced.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS buckets (
  name TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS blobs (
  name TEXT PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS versioning (
  bucket TEXT PRIMARY KEY REFERENCES buckets (name) ON DELETE CASCADE,
  status TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS versions (
  bucket TEXT NOT NULL REFERENCES buckets (name),
  key TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  id TEXT NOT NULL,
  is_marker INTEGER NOT NULL,
  size INTEGER NOT NULL,
  etag TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  headers TEXT NOT NULL,
  checksum TEXT,
  segments TEXT NOT NULL,
  replaced_at INTEGER,
  PRIMARY KEY (bucket, key, sequence DESC)
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

/** Moves the objects of a data folder that was made before buckets could have versions. */
export function moveObjects(database: DatabaseSync): void {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'objects'").get()) return;
  transaction(database, () => database.exec(MOVE_OBJECTS));
}

const MOVE_OBJECTS = `
INSERT INTO versions
  SELECT bucket, key, 1, 'null', 0, size, etag, modified_at, headers, checksum, segments, NULL FROM objects;
DROP TABLE objects;
`;
