/** All state of S3, and the listeners for changes of it. */
import type { DatabaseSync } from 'node:sqlite';
import type { NeededPermission, Principal } from '../endpoint/aws-service.ts';
import { openDatabase } from '../endpoint/database.ts';
import { Blobs, type Segment } from './blobs.ts';
import { Buckets } from './buckets.ts';
import type { CorsRule } from './cors.ts';
import type { LifecycleRule } from './lifecycle.ts';
import type { ObjectCreated } from './object-event.ts';
import { Objects, type StoredObject } from './objects.ts';
import { moveObjects, SCHEMA } from './schema.ts';
import { Uploads } from './uploads.ts';

export interface S3Options {
  readonly region: string;
  /** null keeps nothing. */
  readonly dataDir: string | null;
  readonly now: () => Date;
  allows(principal: Principal, permission: NeededPermission): boolean;
  onCreated(event: ObjectCreated): void;
}

export interface BucketRules {
  readonly lifecycle: readonly LifecycleRule[];
  readonly cors: readonly CorsRule[];
}

export class S3Store {
  readonly database: DatabaseSync;
  readonly blobs: Blobs;
  readonly buckets: Buckets;
  readonly objects: Objects;
  readonly uploads: Uploads;
  /** The rules of each bucket that a template has declared. */
  readonly rules = new Map<string, BucketRules>();
  private readonly options: S3Options;
  private lastSequence = 0n;

  constructor(options: S3Options) {
    this.options = options;
    const { dataDir } = options;
    this.database = openDatabase(dataDir === null ? null : `${dataDir}/s3.db`, SCHEMA);
    moveObjects(this.database);
    this.blobs = new Blobs(this.database, dataDir === null ? null : `${dataDir}/blobs`);
    this.buckets = new Buckets(this.database);
    this.objects = new Objects(this.database, this.buckets);
    this.uploads = new Uploads(this.database);
    // A process that was killed may have left bytes behind that nothing names.
    this.blobs.removeAllBut(new Set([...this.objects.blobNames(), ...this.uploads.blobNames()]));
  }

  now(): Date {
    return this.options.now();
  }

  allows(principal: Principal, permission: NeededPermission): boolean {
    return this.options.allows(principal, permission);
  }

  /** Keeps bytes while they are being put to use; whatever comes in between takes them away again. */
  async withBytes<T>(bytes: Buffer, use: (segments: readonly Segment[]) => T): Promise<T> {
    const segments = await this.blobs.write(bytes);
    try {
      return use(segments);
    } catch (error) {
      this.blobs.remove(segments);
      throw error;
    }
  }

  created(object: StoredObject, reason: ObjectCreated['reason'], requester: string): void {
    const { bucket, key, size, etag, versionId } = object;
    this.options.onCreated({
      bucket,
      key,
      size,
      etag,
      versionId: this.buckets.versioning(bucket) === 'Enabled' ? versionId : undefined,
      reason,
      requester,
      sequencer: this.nextSequencer(),
    });
  }

  close(): void {
    this.database.close();
  }

  /** Grows also over restarts, because it begins with the time. */
  private nextSequencer(): string {
    const fromClock = BigInt(this.now().getTime()) << 12n;
    this.lastSequence = fromClock > this.lastSequence ? fromClock : this.lastSequence + 1n;
    return this.lastSequence.toString(16).toUpperCase().padStart(18, '0');
  }
}
