/**
 * The objects of all buckets, in their versions. Every change is one synchronous step, so that its precondition still holds
 * when it happens.
 */
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { prepared, transaction } from '../endpoint/database.ts';
import type { Segment } from './blobs.ts';
import type { Buckets } from './buckets.ts';
import type { Checksum } from './checksums.ts';
import { checkWrite, type Preconditions } from './preconditions.ts';
import { NULL_VERSION, newVersionId, sequenceIn } from './version-ids.ts';

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
  readonly versionId: string;
  readonly modifiedAt: Date;
}

/** A version of an object, or a delete marker, which is a version without content. */
export interface StoredVersion extends StoredObject {
  readonly isDeleteMarker: boolean;
  readonly isLatest: boolean;
  /** Orders the versions of a key: the latest has the highest one. */
  readonly sequence: number;
}

export interface Replacement {
  readonly object: StoredObject;
  readonly freed: readonly Segment[];
}

export interface Deletion {
  /** The delete marker that was made, or the version that was removed; undefined if nothing was there. */
  readonly version: StoredVersion | undefined;
  readonly freed: readonly Segment[];
}

export interface Address {
  readonly bucket: string;
  readonly key: string;
}

/** Names one version of an object, or without an id the latest one. */
export interface VersionAddress extends Address {
  readonly versionId: string | undefined;
}

/** The place in the order of keys and versions at which reading begins. */
export interface Position {
  readonly key: string;
  /** Versions of this key are read if their sequence is lower; those of later keys all are. */
  readonly below: number;
}

const NO_CONTENT: ObjectContent = { size: 0, etag: '', headers: {}, checksum: undefined, segments: [] };

const ORDERED = `SELECT * FROM versions WHERE bucket = ? AND key >= ? AND (key > ? OR sequence < ?)`;
const SQL = {
  latest: 'SELECT * FROM versions WHERE bucket = ? AND key = ? ORDER BY sequence DESC LIMIT 1',
  version: 'SELECT * FROM versions WHERE bucket = ? AND key = ? AND id = ?',
  insert: 'INSERT INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)',
  delete: 'DELETE FROM versions WHERE bucket = ? AND key = ? AND id = ?',
  replace: 'UPDATE versions SET replaced_at = ? WHERE bucket = ? AND key = ? AND replaced_at IS NULL',
  promote: 'UPDATE versions SET replaced_at = NULL WHERE bucket = ? AND key = ? AND sequence = ?',
  objects: `${ORDERED} AND replaced_at IS NULL AND is_marker = 0 ORDER BY key`,
  versions: `${ORDERED} ORDER BY key, sequence DESC`,
};

export class Objects {
  private readonly database: DatabaseSync;
  private readonly buckets: Buckets;
  private readonly statements: Readonly<Record<keyof typeof SQL, StatementSync>>;

  constructor(database: DatabaseSync, buckets: Buckets) {
    this.database = database;
    this.buckets = buckets;
    this.statements = prepared(database, SQL);
  }

  /** Returns the object that a caller sees who names no version. */
  find(address: Address): StoredObject | undefined {
    return visible(this.version({ ...address, versionId: undefined }));
  }

  version({ bucket, key, versionId }: VersionAddress): StoredVersion | undefined {
    const row =
      versionId === undefined
        ? this.statements.latest.get(bucket, key)
        : this.statements.version.get(bucket, key, versionId);
    return row && versionIn(row);
  }

  /** Replaces what is there if the preconditions hold. The bytes that are free then must outlive the transaction. */
  put(
    address: Address,
    content: ObjectContent,
    when: { readonly now: Date; readonly only: Preconditions },
  ): Replacement {
    return transaction(this.database, () => {
      checkWrite(when.only, this.find(address));
      const { version, freed } = this.add(address, { ...content, isDeleteMarker: false }, when.now);
      return { object: version, freed };
    });
  }

  /** Deletes the object, which leaves a delete marker where the bucket has kept versions. */
  delete(address: Address, when: { readonly now: Date; readonly only?: Preconditions }): Deletion {
    return transaction(this.database, () => {
      checkWrite({ ifMatch: when.only?.ifMatch }, this.find(address));
      if (this.buckets.versioning(address.bucket) === undefined)
        return this.deleteVersion({ ...address, versionId: NULL_VERSION });
      return this.add(address, { ...NO_CONTENT, isDeleteMarker: true }, when.now);
    });
  }

  /** Removes one version for ever. The version before it is the latest one again. */
  deleteVersion(address: Address & { readonly versionId: string }): Deletion {
    return transaction(this.database, () => {
      const { bucket, key, versionId } = address;
      const version = this.version(address);
      if (!version) return { version, freed: [] };
      this.statements.delete.run(bucket, key, versionId);
      const latest = version.isLatest ? this.version({ bucket, key, versionId: undefined }) : undefined;
      if (latest) this.statements.promote.run(bucket, key, latest.sequence);
      return { version, freed: version.segments };
    });
  }

  /** Yields objects in key order. The caller must not change objects before it has read all. */
  *objectsFrom(bucket: string, start: Position): Generator<StoredObject> {
    const { key, below } = start;
    for (const row of this.statements.objects.iterate(bucket, key, key, below)) yield versionIn(row);
  }

  /** Yields versions and delete markers in key order, the newest of a key first, under the same condition. */
  *versionsFrom(bucket: string, start: Position): Generator<StoredVersion> {
    const { key, below } = start;
    for (const row of this.statements.versions.iterate(bucket, key, key, below)) yield versionIn(row);
  }

  /** Returns the position behind this version, whether or not it still exists. */
  behind({ versionId, ...address }: Address & { readonly versionId: string }): Position {
    const sequence = sequenceIn(versionId) ?? this.version({ ...address, versionId })?.sequence;
    // A null version that is gone has no position: its key begins again, so that no version is left out.
    return sequence === undefined ? from(address.key) : { key: address.key, below: sequence };
  }

  /** Returns objects of a prefix that were written before a moment. */
  olderThan(bucket: string, prefix: string, moment: number): StoredObject[] {
    return this.select('replaced_at IS NULL AND is_marker = 0 AND modified_at <= ?', { bucket, prefix, moment });
  }

  /** Returns versions of a prefix that were replaced before a moment. */
  replacedBefore(bucket: string, prefix: string, moment: number): StoredVersion[] {
    return this.select('replaced_at <= ?', { bucket, prefix, moment });
  }

  /** Returns delete markers that were made before a moment and have no versions. */
  loneMarkers(bucket: string, prefix: string, moment: number): StoredVersion[] {
    const condition = `is_marker = 1 AND modified_at <= ? AND NOT EXISTS (SELECT 1 FROM versions other
      WHERE other.bucket = versions.bucket AND other.key = versions.key AND other.sequence <> versions.sequence)`;
    return this.select(condition, { bucket, prefix, moment });
  }

  blobNames(): string[] {
    return this.database
      .prepare("SELECT json_extract(value, '$.blob') AS blob FROM versions, json_each(versions.segments)")
      .all()
      .map((row) => String(row['blob']));
  }

  /** Makes the latest version, which has the null id unless the bucket keeps versions: then it replaces that one. */
  private add(
    address: Address,
    version: ObjectContent & Pick<StoredVersion, 'isDeleteMarker'>,
    now: Date,
  ): { readonly version: StoredVersion; readonly freed: readonly Segment[] } {
    const { bucket, key } = address;
    const before = this.version({ ...address, versionId: undefined });
    // The time keeps a sequence from coming twice if the latest version is removed.
    const sequence = Math.max((before?.sequence ?? 0) + 1, now.getTime() * 1000);
    const keepsVersions = this.buckets.versioning(bucket) === 'Enabled';
    const versionId = keepsVersions ? newVersionId(sequence) : NULL_VERSION;
    const former = keepsVersions ? undefined : this.version({ ...address, versionId });
    if (former) this.statements.delete.run(bucket, key, versionId);
    this.statements.replace.run(now.getTime(), bucket, key);
    this.statements.insert.run(
      bucket,
      key,
      sequence,
      versionId,
      version.isDeleteMarker ? 1 : 0,
      version.size,
      version.etag,
      now.getTime(),
      JSON.stringify(version.headers),
      version.checksum ? JSON.stringify(version.checksum) : null,
      JSON.stringify(version.segments),
    );
    return {
      version: { ...version, bucket, key, versionId, sequence, isLatest: true, modifiedAt: now },
      freed: former?.segments ?? [],
    };
  }

  private select(
    condition: string,
    { bucket, prefix, moment }: { readonly bucket: string; readonly prefix: string; readonly moment: number },
  ): StoredVersion[] {
    return this.database
      .prepare(
        `SELECT * FROM versions WHERE bucket = ? AND key >= ? AND substr(key, 1, length(?)) = ? AND ${condition}
          ORDER BY key, sequence`,
      )
      .all(bucket, prefix, prefix, prefix, moment)
      .map(versionIn);
  }
}

/** Returns the position before the versions of this key. */
export const from = (key: string): Position => ({ key, below: Number.MAX_SAFE_INTEGER });

/** Returns the position after the versions of this key. */
export const after = (key: string): Position => ({ key, below: 0 });

function visible(version: StoredVersion | undefined): StoredVersion | undefined {
  return version?.isDeleteMarker === true ? undefined : version;
}

export function checksumIn(value: SQLOutputValue | undefined): Checksum | undefined {
  return typeof value === 'string' ? JSON.parse(value) : undefined;
}

function versionIn(row: Record<string, SQLOutputValue>): StoredVersion {
  return {
    bucket: String(row['bucket']),
    key: String(row['key']),
    sequence: Number(row['sequence']),
    versionId: String(row['id']),
    isDeleteMarker: row['is_marker'] === 1,
    isLatest: row['replaced_at'] === null,
    size: Number(row['size']),
    etag: String(row['etag']),
    modifiedAt: new Date(Number(row['modified_at'])),
    headers: JSON.parse(String(row['headers'])),
    checksum: checksumIn(row['checksum']),
    segments: JSON.parse(String(row['segments'])),
  };
}
