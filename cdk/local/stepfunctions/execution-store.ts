/** Executions, their history and their task tokens in SQLite. Every step is one transaction, so a kill loses none. */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, transaction } from '../endpoint/database.ts';
import type { Execution, HistoryEvent, Status } from './execution/execution.ts';
import type { Stepped } from './execution/step.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS machines (arn TEXT PRIMARY KEY, created_at INTEGER NOT NULL) STRICT;

-- What executions began with; they keep it when the template changes.
CREATE TABLE IF NOT EXISTS revisions (
  id TEXT PRIMARY KEY,
  definition TEXT NOT NULL,
  role TEXT NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS executions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  arn TEXT NOT NULL UNIQUE,
  machine TEXT NOT NULL,
  revision TEXT NOT NULL REFERENCES revisions (id),
  status TEXT NOT NULL,
  stopped_at INTEGER,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS executions_of_machine ON executions (machine, number);
CREATE INDEX IF NOT EXISTS executions_by_status ON executions (status, stopped_at);

CREATE TABLE IF NOT EXISTS history (
  execution TEXT NOT NULL REFERENCES executions (arn) ON DELETE CASCADE,
  id INTEGER NOT NULL,
  event TEXT NOT NULL,
  PRIMARY KEY (execution, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS tokens (
  token TEXT PRIMARY KEY,
  execution TEXT NOT NULL REFERENCES executions (arn) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tokens_of_execution ON tokens (execution);
`;

export interface Revision {
  readonly id: string;
  /** The definition, as text. */
  readonly definition: string;
  readonly roleArn: string;
  readonly updatedAt: number;
}

export interface StoredExecution {
  readonly number: number;
  readonly execution: Execution;
  readonly revision: Revision;
}

export interface Page {
  readonly limit: number;
  /** The last number of the page before. */
  readonly after: number | undefined;
}

const SELECT_EXECUTION = `SELECT e.number, e.state, r.id, r.definition, r.role, r.updated_at
  FROM executions e JOIN revisions r ON r.id = e.revision`;

export class ExecutionStore {
  private readonly database: DatabaseSync;

  /** @param file null keeps nothing. */
  constructor(file: string | null) {
    this.database = openDatabase(file, SCHEMA);
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  /** Returns when the machine was created. */
  createdAt(machineArn: string, now: number): number {
    this.database.prepare('INSERT OR IGNORE INTO machines VALUES (?, ?)').run(machineArn, now);
    const row = this.database.prepare('SELECT created_at FROM machines WHERE arn = ?').get(machineArn);
    return Number(row?.['created_at']);
  }

  revision(
    machineArn: string,
    { definition, roleArn }: Pick<Revision, 'definition' | 'roleArn'>,
    now: number,
  ): Revision {
    const id = createHash('sha256')
      .update(JSON.stringify([machineArn, definition, roleArn]))
      .digest('hex')
      .slice(0, 32);
    this.database.prepare('INSERT OR IGNORE INTO revisions VALUES (?, ?, ?, ?)').run(id, definition, roleArn, now);
    const row = this.database.prepare('SELECT updated_at FROM revisions WHERE id = ?').get(id);
    return { id, definition, roleArn, updatedAt: Number(row?.['updated_at']) };
  }

  add({ execution, events }: Stepped, revision: Revision): void {
    const { arn, machineArn } = execution.identity;
    transaction(this.database, () => {
      this.database
        .prepare('INSERT INTO executions (arn, machine, revision, status, state) VALUES (?, ?, ?, ?, ?)')
        .run(arn, machineArn, revision.id, execution.status, JSON.stringify(execution));
      this.addEvents(arn, events);
    });
  }

  save({ execution, events }: Stepped): void {
    const { arn } = execution.identity;
    transaction(this.database, () => {
      this.database
        .prepare('UPDATE executions SET status = ?, stopped_at = ?, state = ? WHERE arn = ?')
        .run(execution.status, execution.stoppedAt, JSON.stringify(execution), arn);
      this.addEvents(arn, events);
      const addToken = this.database.prepare('INSERT OR IGNORE INTO tokens VALUES (?, ?)');
      for (const { activity } of execution.frames) {
        if (activity.kind === 'task' && activity.waitsForToken) addToken.run(activity.token, arn);
      }
    });
  }

  remove(arn: string): void {
    this.database.prepare('DELETE FROM executions WHERE arn = ?').run(arn);
  }

  /** Deletes executions that ended before this time. */
  removeStoppedBefore(at: number): void {
    this.database.prepare(`DELETE FROM executions WHERE status <> 'RUNNING' AND stopped_at < ?`).run(at);
  }

  byArn(arn: string): StoredExecution | undefined {
    const row = this.database.prepare(`${SELECT_EXECUTION} WHERE e.arn = ?`).get(arn);
    return row && keptIn(row);
  }

  byToken(token: string): StoredExecution | undefined {
    const row = this.database
      .prepare(`${SELECT_EXECUTION} WHERE e.arn = (SELECT execution FROM tokens WHERE token = ?)`)
      .get(token);
    return row && keptIn(row);
  }

  running(): readonly StoredExecution[] {
    return this.database.prepare(`${SELECT_EXECUTION} WHERE e.status = 'RUNNING' ORDER BY e.number`).all().map(keptIn);
  }

  /** The newest first. */
  ofMachine(machineArn: string, status: Status | undefined, { limit, after }: Page): readonly StoredExecution[] {
    const statusClause = status === undefined ? '' : 'AND e.status = ?';
    return this.database
      .prepare(
        `${SELECT_EXECUTION} WHERE e.machine = ? AND e.number < ? ${statusClause} ORDER BY e.number DESC LIMIT ?`,
      )
      .all(machineArn, after ?? Number.MAX_SAFE_INTEGER, ...(status === undefined ? [] : [status]), limit)
      .map(keptIn);
  }

  history(arn: string, { limit, after, reverse }: Page & { readonly reverse: boolean }): readonly HistoryEvent[] {
    const [order, compare] = reverse ? ['DESC', '<'] : ['ASC', '>'];
    const bound = after ?? (reverse ? Number.MAX_SAFE_INTEGER : 0);
    return this.database
      .prepare(`SELECT event FROM history WHERE execution = ? AND id ${compare} ? ORDER BY id ${order} LIMIT ?`)
      .all(arn, bound, limit)
      .map((row) => JSON.parse(String(row['event'])));
  }

  private addEvents(arn: string, events: readonly HistoryEvent[]) {
    const add = this.database.prepare('INSERT INTO history VALUES (?, ?, ?)');
    for (const event of events) add.run(arn, event.id, JSON.stringify(event));
  }
}

function keptIn(row: Readonly<Record<string, unknown>>): StoredExecution {
  return {
    number: Number(row['number']),
    execution: JSON.parse(String(row['state'])),
    revision: {
      id: String(row['id']),
      definition: String(row['definition']),
      roleArn: String(row['role']),
      updatedAt: Number(row['updated_at']),
    },
  };
}
