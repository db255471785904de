export const SCHEMA = `
CREATE TABLE IF NOT EXISTS queues (
  name TEXT PRIMARY KEY,
  attributes TEXT NOT NULL,
  tags TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) STRICT;

-- A message is in flight while it has a receipt and is not visible, delayed while it has none and is not visible.
CREATE TABLE IF NOT EXISTS messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  queue TEXT NOT NULL REFERENCES queues (name) ON DELETE CASCADE,
  message_id TEXT NOT NULL,
  body TEXT NOT NULL,
  attributes TEXT NOT NULL,
  trace_header TEXT,
  group_id TEXT,
  deduplication_id TEXT,
  sender TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  visible_at INTEGER NOT NULL,
  first_received_at INTEGER,
  receive_count INTEGER NOT NULL DEFAULT 0,
  receipt TEXT,
  dead_letter_source TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at, id);
CREATE INDEX IF NOT EXISTS messages_by_group ON messages (queue, group_id, id);

CREATE TABLE IF NOT EXISTS deduplications (
  queue TEXT NOT NULL REFERENCES queues (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (queue, id)
) STRICT;

CREATE TABLE IF NOT EXISTS move_tasks (
  handle TEXT PRIMARY KEY,
  source_arn TEXT NOT NULL,
  destination_arn TEXT,
  status TEXT NOT NULL,
  moved INTEGER NOT NULL,
  to_move INTEGER NOT NULL,
  failure TEXT,
  started_at INTEGER NOT NULL
) STRICT;
`;
