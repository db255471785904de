/** The objects of all buckets. Every change is one synchronous step, so that its precondition still holds when it happens. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { prepared } from '../endpoint/database.ts';
import type { Segment } from './blobs.ts';
import type { Checksum } from './checksums.ts';
import { checkWrite, type Preconditions } from './preconditions.ts';

export interface ObjectContent {
  readonly size: number;
  /** The entity tag, without quotes. */
  readonly etag: string;
  /** The headers that are returned with the object: content type and the like, metadata, storage class. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksum: Checksum | undefined;
  readonly segments: readonly Segment[];
}

export interface StoredObject extends ObjectContent {
  readonly bucket: string;
  readonly key: string;
  readonly modifiedAt: Date;
}

export interface Replacement {
  readonly object: StoredObject;
  readonly freed: readonly Segment[];
}

export interface Address {
  readonly bucket: string;
  readonly key: string;
}

const SQL = {
  find: 'SELECT * FROM objects WHERE bucket = ? AND key = ?',
  put: 'INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  delete: 'DELETE FROM objects WHERE bucket = ? AND key = ?',
  after: 'SELECT * FROM objects WHERE bucket = ? AND key > ? ORDER BY key',
  from: 'SELECT * FROM objects WHERE bucket = ? AND key >= ? ORDER BY key',
};

export class Objects {
  private readonly database: DatabaseSync;
  private readonly statements: Readonly<Record<keyof typeof SQL, StatementSync>>;

  constructor(database: DatabaseSync) {
    this.database = database;
    this.statements = prepared(database, SQL);
  }

  find({ bucket, key }: Address): StoredObject | undefined {
    const row = this.statements.find.get(bucket, key);
    return row && objectIn(row);
  }

  /** Replaces what is there if the preconditions hold. The bytes that are free then must outlive the transaction. */
  put(
    address: Address,
    content: ObjectContent,
    when: { readonly now: Date; readonly only: Preconditions },
  ): Replacement {
    const before = this.find(address);
    checkWrite(when.only, before);
    const { bucket, key } = address;
    const { size, etag, headers, checksum, segments } = content;
    this.statements.put.run(
      bucket,
      key,
      size,
      etag,
      when.now.getTime(),
      JSON.stringify(headers),
      checksum ? JSON.stringify(checksum) : null,
      JSON.stringify(segments),
    );
    return { object: { ...address, ...content, modifiedAt: when.now }, freed: before?.segments ?? [] };
  }

  /** @returns What was there. */
  delete(address: Address, only: Preconditions = {}): StoredObject | undefined {
    const before = this.find(address);
    checkWrite({ ifMatch: only.ifMatch }, before);
    if (before) this.statements.delete.run(address.bucket, address.key);
    return before;
  }

  /** Yields objects in key order. The caller must not change objects before it has read all. */
  *inOrder(bucket: string, start: { readonly after: string } | { readonly from: string }): Generator<StoredObject> {
    const rows =
      'after' in start
        ? this.statements.after.iterate(bucket, start.after)
        : this.statements.from.iterate(bucket, start.from);
    for (const row of rows) yield objectIn(row);
  }

  /** Objects of a prefix that were written before a moment. */
  olderThan(bucket: string, prefix: string, moment: number): StoredObject[] {
    const rows = this.database
      .prepare(
        'SELECT * FROM objects WHERE bucket = ? AND key >= ? AND substr(key, 1, length(?)) = ? AND modified_at <= ?',
      )
      .all(bucket, prefix, prefix, prefix, moment);
    return rows.map(objectIn);
  }

  blobNames(): string[] {
    return this.database
      .prepare("SELECT json_extract(value, '$.blob') AS blob FROM objects, json_each(objects.segments)")
      .all()
      .map((row) => String(row['blob']));
  }
}

export function noSuchKey({ key }: Address): CallRefusal {
  return new CallRefusal(404, 'NoSuchKey', `The specified key does not exist: ${key}`);
}

export function checksumIn(value: SQLOutputValue | undefined): Checksum | undefined {
  return typeof value === 'string' ? JSON.parse(value) : undefined;
}

function objectIn(row: Record<string, SQLOutputValue>): StoredObject {
  return {
    bucket: String(row['bucket']),
    key: String(row['key']),
    size: Number(row['size']),
    etag: String(row['etag']),
    modifiedAt: new Date(Number(row['modified_at'])),
    headers: JSON.parse(String(row['headers'])),
    checksum: checksumIn(row['checksum']),
    segments: JSON.parse(String(row['segments'])),
  };
}
