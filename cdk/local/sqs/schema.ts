const isGrouped = (message: 'NEW' | 'OLD') => `${message}.group_id IS NOT NULL AND ${message}.queue NOT LIKE '%.fifo'`;

const MAYBE_OLDEST = `UPDATE group_loads SET oldest_at = NEW.visible_at, oldest_id = NEW.id
  WHERE queue = NEW.queue AND id = NEW.group_id
    AND (oldest_at, oldest_id) > (NEW.visible_at, NEW.id);`;

const ARRIVED = `INSERT INTO group_loads (queue, id, averaged_at, sent_at, oldest_at, oldest_id)
  VALUES (NEW.queue, NEW.group_id, NEW.sent_at, NEW.sent_at, NEW.visible_at, NEW.id)
  ON CONFLICT DO UPDATE SET sent_at = max(sent_at, excluded.sent_at);
  ${MAYBE_OLDEST}`;

const OLDEST_GONE = `UPDATE group_loads SET (oldest_at, oldest_id) = (SELECT visible_at, id FROM messages
    WHERE queue = OLD.queue AND group_id = OLD.group_id ORDER BY visible_at, id LIMIT 1)
  WHERE queue = OLD.queue AND id = OLD.group_id AND oldest_id = OLD.id;`;

/** Deletes a group with its last message, so that its earlier load no longer makes it noisy. */
const LEFT = `DELETE FROM group_loads WHERE queue = OLD.queue AND id = OLD.group_id AND oldest_id = OLD.id
    AND NOT EXISTS (SELECT 1 FROM messages WHERE queue = OLD.queue AND group_id = OLD.group_id);
  ${OLDEST_GONE}`;

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS queues (
  name TEXT PRIMARY KEY,
  attributes TEXT NOT NULL,
  -- Always {}: tags are refused, and data folders of earlier versions have the column.
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
CREATE INDEX IF NOT EXISTS messages_held_until ON messages (queue, visible_at) WHERE receipt IS NOT NULL;

-- State of before the rule of AWS was followed here.
DROP TRIGGER IF EXISTS message_sent;
DROP TRIGGER IF EXISTS message_changed;
DROP TRIGGER IF EXISTS message_deleted;
DROP TABLE IF EXISTS fair_groups;
DROP INDEX IF EXISTS messages_held;

-- The messages in flight of standard queues at averaged_at, and how many they were on average before.
CREATE TABLE IF NOT EXISTS queue_loads (
  queue TEXT PRIMARY KEY REFERENCES queues (name) ON DELETE CASCADE,
  in_flight INTEGER NOT NULL,
  average REAL NOT NULL,
  averaged_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The same of each group that has messages, so that no receive counts a long queue again. Its oldest message is the one
-- that is visible first, if not yet then later. Triggers know which one that is and when a message was last sent.
CREATE TABLE IF NOT EXISTS group_loads (
  queue TEXT NOT NULL REFERENCES queues (name) ON DELETE CASCADE,
  id TEXT NOT NULL,
  in_flight INTEGER NOT NULL DEFAULT 0,
  average REAL NOT NULL DEFAULT 0,
  averaged_at INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  oldest_at INTEGER NOT NULL,
  oldest_id INTEGER NOT NULL,
  PRIMARY KEY (queue, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS group_loads_by_oldest ON group_loads (queue, oldest_at, oldest_id);
CREATE INDEX IF NOT EXISTS group_loads_by_noise ON group_loads (queue, max(in_flight, average));

CREATE TRIGGER IF NOT EXISTS group_message_sent AFTER INSERT ON messages WHEN ${isGrouped('NEW')} BEGIN ${ARRIVED} END;
CREATE TRIGGER IF NOT EXISTS group_message_deleted AFTER DELETE ON messages WHEN ${isGrouped('OLD')} BEGIN ${LEFT} END;
CREATE TRIGGER IF NOT EXISTS group_message_moved AFTER UPDATE OF queue ON messages
  WHEN ${isGrouped('NEW')} AND NEW.queue <> OLD.queue BEGIN ${LEFT} ${ARRIVED} END;
CREATE TRIGGER IF NOT EXISTS group_message_hidden AFTER UPDATE OF visible_at ON messages
  WHEN ${isGrouped('NEW')} AND NEW.queue = OLD.queue AND NEW.visible_at > OLD.visible_at BEGIN ${OLDEST_GONE} END;
CREATE TRIGGER IF NOT EXISTS group_message_shown AFTER UPDATE OF visible_at ON messages
  WHEN ${isGrouped('NEW')} AND NEW.queue = OLD.queue AND NEW.visible_at < OLD.visible_at BEGIN ${MAYBE_OLDEST} END;

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
