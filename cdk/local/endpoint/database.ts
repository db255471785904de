/** A SQLite database of the endpoint: on disk it survives the end of the process at any moment. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** @param file null keeps it in memory. */
export function openDatabase(file: string | null, schema: string): DatabaseSync {
  if (file !== null) mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file ?? ':memory:');
  // Committed data is with the operating system: a killed process loses nothing, only a power failure could.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;');
  database.exec(schema);
  return database;
}

/** Prepares statements, under the names of their texts. */
export function prepared<Name extends string>(database: DatabaseSync, texts: Readonly<Record<Name, string>>) {
  const statements = Object.entries<string>(texts).map(([name, sql]) => [name, database.prepare(sql)] as const);
  return Object.fromEntries(statements) as Readonly<Record<Name, StatementSync>>;
}

/** All or nothing. Nothing else runs in between, because nothing here waits. Within a transaction it is a part of that one. */
export function transaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec('BEGIN');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}
