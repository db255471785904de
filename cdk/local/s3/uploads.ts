/** Multipart uploads: parts are stored until they are completed into an object or aborted. */
import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { Segment } from './blobs.ts';
import { type Algorithm, algorithmNamed, type Checksum } from './checksums.ts';
import { type Address, checksumIn } from './objects.ts';

export interface Upload extends Address {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly checksumAlgorithm: Algorithm | undefined;
  readonly checksumType: Checksum['type'];
  readonly initiatedAt: Date;
}

export interface Part {
  readonly number: number;
  readonly size: number;
  /** The entity tag, without quotes. */
  readonly etag: string;
  readonly checksum: Checksum | undefined;
  readonly segments: readonly Segment[];
  readonly modifiedAt: Date;
}

/** A part as the completing caller names it. */
export interface NamedPart {
  readonly number: number;
  readonly etag: string;
  readonly checksum: string | undefined;
}

const PART_BYTES_MIN = 5 * 1024 * 1024;
const PART_NUMBER_MAX = 10_000;

export class Uploads {
  private readonly database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  start(upload: Omit<Upload, 'id'>): Upload {
    const id = randomBytes(24).toString('base64url');
    this.database
      .prepare('INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        id,
        upload.bucket,
        upload.key,
        JSON.stringify(upload.headers),
        upload.checksumAlgorithm ?? null,
        upload.checksumType,
        upload.initiatedAt.getTime(),
      );
    return { ...upload, id };
  }

  /** Throws unless this upload is for this object. */
  of({ bucket, key }: Address, id: string): Upload {
    const row = this.database
      .prepare('SELECT * FROM uploads WHERE id = ? AND bucket = ? AND key = ?')
      .get(id, bucket, key);
    if (row) return uploadIn(row);
    throw new CallRefusal(
      404,
      'NoSuchUpload',
      'The specified multipart upload does not exist. The upload ID might be invalid, or the multipart upload might have been aborted or completed.',
    );
  }

  /** Returns the uploads of a bucket in the order of their keys. */
  inBucket(bucket: string): Upload[] {
    return this.database.prepare('SELECT * FROM uploads WHERE bucket = ? ORDER BY key, id').all(bucket).map(uploadIn);
  }

  /** @returns The bytes of a former part of this number. */
  putPart(upload: Upload, part: Part): readonly Segment[] {
    const before = this.database
      .prepare('SELECT segments FROM parts WHERE upload = ? AND number = ?')
      .get(upload.id, part.number);
    this.database
      .prepare('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(
        upload.id,
        part.number,
        part.size,
        part.etag,
        part.checksum ? JSON.stringify(part.checksum) : null,
        JSON.stringify(part.segments),
        part.modifiedAt.getTime(),
      );
    return before === undefined ? [] : JSON.parse(String(before['segments']));
  }

  partsOf(upload: Upload): Part[] {
    return this.database.prepare('SELECT * FROM parts WHERE upload = ? ORDER BY number').all(upload.id).map(partIn);
  }

  /** @returns The bytes of all its parts. */
  end(upload: Upload): Segment[] {
    const segments = this.partsOf(upload).flatMap((part) => part.segments);
    this.database.prepare('DELETE FROM uploads WHERE id = ?').run(upload.id);
    return segments;
  }

  blobNames(): string[] {
    return this.database
      .prepare("SELECT json_extract(value, '$.blob') AS blob FROM parts, json_each(parts.segments)")
      .all()
      .map((row) => String(row['blob']));
  }
}

export function partNumber(text: string | null): number {
  const number = Number(text);
  if (text !== null && /^\d+$/.test(text) && number >= 1 && number <= PART_NUMBER_MAX) return number;
  throw new CallRefusal(
    400,
    'InvalidArgument',
    `Part number must be an integer between 1 and ${PART_NUMBER_MAX}, inclusive`,
  );
}

/** The parts that the caller names, in order, or a refusal. */
export function chosenParts(stored: readonly Part[], named: readonly NamedPart[]): Part[] {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const parts = named.map(({ number, etag, checksum }) => {
    const part = byNumber.get(number);
    if (!part || part.etag !== etag || (checksum !== undefined && part.checksum?.value !== checksum)) {
      throw new CallRefusal(
        400,
        'InvalidPart',
        `One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part's entity tag. (part ${number})`,
      );
    }
    return part;
  });
  if (parts.some((part, i) => i > 0 && part.number <= (parts[i - 1]?.number ?? 0))) {
    throw new CallRefusal(
      400,
      'InvalidPartOrder',
      'The list of parts was not in ascending order. The parts list must be specified in order by part number.',
    );
  }
  if (parts.slice(0, -1).some(({ size }) => size < PART_BYTES_MIN)) {
    throw new CallRefusal(400, 'EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size');
  }
  return parts;
}

/** The entity tag of an object made of parts. */
export function multipartEtag(parts: readonly Part[]): string {
  const digests = Buffer.concat(parts.map(({ etag }) => Buffer.from(etag, 'hex')));
  return `${createHash('md5').update(digests).digest('hex')}-${parts.length}`;
}

function uploadIn(row: Record<string, SQLOutputValue>): Upload {
  const algorithm = row['checksum_algorithm'];
  return {
    id: String(row['id']),
    bucket: String(row['bucket']),
    key: String(row['key']),
    headers: JSON.parse(String(row['headers'])),
    checksumAlgorithm: algorithmNamed(typeof algorithm === 'string' ? algorithm : undefined),
    checksumType: row['checksum_type'] === 'FULL_OBJECT' ? 'FULL_OBJECT' : 'COMPOSITE',
    initiatedAt: new Date(Number(row['initiated_at'])),
  };
}

function partIn(row: Record<string, SQLOutputValue>): Part {
  return {
    number: Number(row['number']),
    size: Number(row['size']),
    etag: String(row['etag']),
    checksum: checksumIn(row['checksum']),
    segments: JSON.parse(String(row['segments'])),
    modifiedAt: new Date(Number(row['modified_at'])),
  };
}
