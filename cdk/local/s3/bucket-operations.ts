/** Buckets, and what they delete by themselves. */
import type { AwsResponse } from '../endpoint/aws-service.ts';
import type { WatchedRequest } from '../endpoint/exchange.ts';
import { expiryCutoff, type LifecycleRule } from './lifecycle.ts';
import { objectListing } from './listing.ts';
import { xml } from './object-operations.ts';
import type { S3Store } from './store.ts';
import { xmlDocument } from './xml.ts';

export function listBuckets(store: S3Store, accountId: string): AwsResponse {
  const Bucket = store.buckets
    .all()
    .map(({ name, createdAt }) => ({ Name: name, CreationDate: createdAt.toISOString() }));
  return xml(xmlDocument('ListAllMyBucketsResult', { Owner: { ID: accountId }, Buckets: { Bucket } }));
}

export function createBucket(store: S3Store, bucket: string): AwsResponse {
  store.buckets.create(bucket, store.now());
  return { status: 200, headers: { location: `/${bucket}` }, body: '' };
}

export function headBucket(store: S3Store, bucket: string, region: string): AwsResponse {
  store.buckets.check(bucket);
  return { status: 200, headers: { 'x-amz-bucket-region': region }, body: '' };
}

export function deleteBucket(store: S3Store, bucket: string): AwsResponse {
  store.buckets.delete(bucket);
  return { status: 204, headers: {}, body: '' };
}

export function listObjects(store: S3Store, bucket: string, { query }: WatchedRequest): AwsResponse {
  store.buckets.check(bucket);
  return xml(objectListing(store.objects, bucket, query));
}

/** Carries out the lifecycle rules of all buckets. */
export function sweepBuckets(store: S3Store): void {
  for (const [bucket, { lifecycle }] of store.rules) {
    for (const rule of lifecycle.filter(({ Status }) => Status === 'Enabled')) {
      expireObjects(store, bucket, rule);
      abortUploads(store, bucket, rule);
    }
  }
}

function expireObjects(store: S3Store, bucket: string, { Prefix, ExpirationInDays }: LifecycleRule): void {
  if (ExpirationInDays === undefined) return;
  const before = expiryCutoff(ExpirationInDays, store.now());
  for (const object of store.objects.olderThan(bucket, Prefix, before)) {
    store.objects.delete(object);
    store.blobs.remove(object.segments);
  }
}

function abortUploads(store: S3Store, bucket: string, { Prefix, AbortIncompleteMultipartUpload }: LifecycleRule): void {
  if (AbortIncompleteMultipartUpload === undefined) return;
  const before = expiryCutoff(AbortIncompleteMultipartUpload.DaysAfterInitiation, store.now());
  for (const upload of store.uploads.inBucket(bucket)) {
    if (upload.key.startsWith(Prefix) && upload.initiatedAt.getTime() <= before)
      store.blobs.remove(store.uploads.end(upload));
  }
}
