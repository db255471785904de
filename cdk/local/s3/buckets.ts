/** Buckets and their settings. */
import type { DatabaseSync } from 'node:sqlite';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { BucketDocument } from './operation.ts';

/** Puts the policies of buckets into effect. */
export interface BucketPolicies {
  set(bucketArn: string, policy: string | undefined): void;
}

export interface Bucket {
  readonly name: string;
  readonly createdAt: Date;
}

const MISSING_DOCUMENTS: Readonly<Record<BucketDocument, readonly [code: string, message: string]>> = {
  cors: ['NoSuchCORSConfiguration', 'The CORS configuration does not exist'],
  lifecycle: ['NoSuchLifecycleConfiguration', 'The lifecycle configuration does not exist'],
  policy: ['NoSuchBucketPolicy', 'The bucket policy does not exist'],
};

export class Buckets {
  private readonly database: DatabaseSync;
  private readonly policies: BucketPolicies;
  /** Asked about on every call. */
  private readonly names: Set<string>;

  constructor(database: DatabaseSync, policies: BucketPolicies) {
    this.database = database;
    this.policies = policies;
    this.names = new Set(this.all().map(({ name }) => name));
    for (const row of database.prepare("SELECT bucket, body FROM bucket_documents WHERE kind = 'policy'").all()) {
      policies.set(bucketArn(String(row['bucket'])), String(row['body']));
    }
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

  delete(name: string): void {
    this.check(name);
    const used = this.database
      .prepare(
        'SELECT EXISTS (SELECT 1 FROM objects WHERE bucket = ?) OR EXISTS (SELECT 1 FROM uploads WHERE bucket = ?) AS used',
      )
      .get(name, name);
    if (used?.['used'] === 1)
      throw new CallRefusal(409, 'BucketNotEmpty', 'The bucket you tried to delete is not empty');
    this.database.prepare('DELETE FROM buckets WHERE name = ?').run(name);
    this.names.delete(name);
    this.policies.set(bucketArn(name), undefined);
  }

  setDocument(bucket: string, kind: BucketDocument, body: string | undefined): void {
    this.check(bucket);
    if (kind === 'policy') this.policies.set(bucketArn(bucket), body);
    if (body === undefined)
      this.database.prepare('DELETE FROM bucket_documents WHERE bucket = ? AND kind = ?').run(bucket, kind);
    else this.database.prepare('INSERT OR REPLACE INTO bucket_documents VALUES (?, ?, ?)').run(bucket, kind, body);
  }

  document(bucket: string, kind: BucketDocument): string {
    this.check(bucket);
    const body = this.findDocument(bucket, kind);
    if (body === undefined) throw new CallRefusal(404, ...MISSING_DOCUMENTS[kind]);
    return body;
  }

  findDocument(bucket: string, kind: BucketDocument): string | undefined {
    const row = this.database
      .prepare('SELECT body FROM bucket_documents WHERE bucket = ? AND kind = ?')
      .get(bucket, kind);
    return row === undefined ? undefined : String(row['body']);
  }
}

export function bucketArn(name: string): string {
  return `arn:aws:s3:::${name}`;
}
