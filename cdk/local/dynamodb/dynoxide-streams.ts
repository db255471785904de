/** Adds what dynoxide lacks for records of streams: an index, without which every write reads all of them, and expiry. */
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../endpoint/database.ts';
import { dynoxideFile } from './engine-choice.ts';

/** The time for which AWS stores records of streams. */
const RETENTION_SECONDS = 86_400;
/** The number of records deleted at a time: the engine is blocked meanwhile. */
const BATCH = 1_000;

/** An index for the queries of the engine: the newest of a table, those after one, and the first and last of a shard. */
const INDEX = `CREATE INDEX IF NOT EXISTS records_by_number
  ON _stream_records (table_name, CAST(sequence_number AS INTEGER), shard_id, sequence_number)`;

// The newest record of each table stays, because the engine numbers the next one after it.
const TRIM = `DELETE FROM _stream_records WHERE id IN (
    SELECT id FROM (SELECT id, created_at FROM _stream_records ORDER BY id LIMIT :batch) WHERE created_at < :before)
  AND id NOT IN (SELECT max(id) FROM _stream_records GROUP BY table_name)`;

export class DynoxideStreams {
  private readonly database: DatabaseSync;

  /** @param dataDir of an engine that has started. */
  constructor(dataDir: string) {
    this.database = openDatabase(dynoxideFile(dataDir), `PRAGMA busy_timeout = 5000; ${INDEX}`);
  }

  /** Deletes records that are older than a day. */
  trim(now: Date): void {
    const before = Math.floor(now.getTime() / 1000) - RETENTION_SECONDS;
    const trim = this.database.prepare(TRIM);
    while (trim.run({ batch: BATCH, before }).changes > 0);
  }

  close(): void {
    this.database.close();
  }
}
