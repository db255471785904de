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
CREATE INDEX IF NOT EXISTS messages_by_turn ON messages (queue, group_id, visible_at, id);
CREATE INDEX IF NOT EXISTS messages_held ON messages (queue, group_id, visible_at) WHERE receipt IS NOT NULL;

-- What is known of the groups of standard queues, so that no receive counts a long queue again. A row is
-- true until outdated_at, which triggers set to 0 when a message of the group changes.
CREATE TABLE IF NOT EXISTS fair_groups (
  queue TEXT NOT NULL REFERENCES queues (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  in_flight INTEGER NOT NULL,
  oldest_at INTEGER,
  oldest_id INTEGER,
  outdated_at INTEGER,
  PRIMARY KEY (queue, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS fair_groups_by_turn ON fair_groups (queue, in_flight, oldest_at, oldest_id)
  WHERE oldest_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS fair_groups_outdated ON fair_groups (queue, outdated_at);

CREATE TRIGGER IF NOT EXISTS message_sent AFTER INSERT ON messages
  WHEN NEW.group_id IS NOT NULL AND NEW.queue NOT LIKE '%.fifo' BEGIN
  INSERT INTO fair_groups (queue, id, in_flight, outdated_at) VALUES (NEW.queue, NEW.group_id, 0, 0)
    ON CONFLICT DO UPDATE SET outdated_at = 0 WHERE outdated_at IS NOT 0;
END;
CREATE TRIGGER IF NOT EXISTS message_changed AFTER UPDATE OF queue, visible_at, receipt ON messages
  WHEN NEW.group_id IS NOT NULL AND NEW.queue NOT LIKE '%.fifo' BEGIN
  UPDATE fair_groups SET outdated_at = 0 WHERE queue = OLD.queue AND id = OLD.group_id;
  INSERT INTO fair_groups (queue, id, in_flight, outdated_at) VALUES (NEW.queue, NEW.group_id, 0, 0)
    ON CONFLICT DO UPDATE SET outdated_at = 0 WHERE outdated_at IS NOT 0;
END;
CREATE TRIGGER IF NOT EXISTS message_deleted AFTER DELETE ON messages
  WHEN OLD.group_id IS NOT NULL AND OLD.queue NOT LIKE '%.fifo' BEGIN
  UPDATE fair_groups SET outdated_at = 0 WHERE queue = OLD.queue AND id = OLD.group_id AND outdated_at IS NOT 0;
END;

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
