/** The names of buckets, and which of them keep versions. */
import type { DatabaseSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';

export interface Bucket {
  readonly name: string;
  readonly createdAt: Date;
}

/** Undefined for a bucket that has never kept versions. */
export type Versioning = 'Enabled' | 'Suspended' | undefined;

export class Buckets {
  private readonly database: DatabaseSync;
  /** Asked about on every call. */
  private readonly names: Set<string>;
  private readonly versionings: Map<string, Versioning>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.names = new Set(this.all().map(({ name }) => name));
    const rows = database.prepare('SELECT * FROM versioning').all();
    this.versionings = new Map(
      rows.map((row) => [String(row['bucket']), row['status'] === 'Enabled' ? 'Enabled' : 'Suspended']),
    );
  }

  all(): Bucket[] {
    const rows = this.database.prepare('SELECT * FROM buckets ORDER BY name').all();
    return rows.map((row) => ({ name: String(row['name']), createdAt: new Date(Number(row['created_at'])) }));
  }

  exists(name: string): boolean {
    return this.names.has(name);
  }

  /** Throws when there is no such bucket. */
  check(name: string): void {
    if (!this.names.has(name))
      throw new CallRefusal(404, 'NoSuchBucket', `The specified bucket does not exist: ${name}`);
  }

  /** Creating one's own bucket again succeeds, as it does in us-east-1. */
  create(name: string, now: Date): void {
    const valid = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes('..') && !/^[\d.]+$/.test(name);
    if (!valid) throw new CallRefusal(400, 'InvalidBucketName', `The specified bucket is not valid: ${name}`);
    this.database.prepare('INSERT OR IGNORE INTO buckets VALUES (?, ?)').run(name, now.getTime());
    this.names.add(name);
  }

  versioning(name: string): Versioning {
    return this.versionings.get(name);
  }

  setVersioning(name: string, status: 'Enabled' | 'Suspended'): void {
    this.check(name);
    this.database.prepare('INSERT OR REPLACE INTO versioning VALUES (?, ?)').run(name, status);
    this.versionings.set(name, status);
  }

  delete(name: string): void {
    this.check(name);
    const used = this.database
      .prepare(
        'SELECT EXISTS (SELECT 1 FROM versions WHERE bucket = ?) OR EXISTS (SELECT 1 FROM uploads WHERE bucket = ?) AS used',
      )
      .get(name, name);
    if (used?.['used'] === 1)
      throw new CallRefusal(409, 'BucketNotEmpty', 'The bucket you tried to delete is not empty');
    this.database.prepare('DELETE FROM buckets WHERE name = ?').run(name);
    this.names.delete(name);
    this.versionings.delete(name);
  }
}

export function bucketArn(name: string): string {
  return `arn:aws:s3:::${name}`;
}
