/** Buckets, their settings, and what they delete by themselves. */
import type { AwsResponse } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { WatchedRequest } from '../endpoint/exchange.ts';
import { verifyBody } from './checksums.ts';
import { corsRules } from './cors.ts';
import { expiredBefore, type LifecycleRule, lifecycleRules } from './lifecycle.ts';
import { listObjectsV1, listObjectsV2 } from './listing.ts';
import { xml } from './object-operations.ts';
import { type BucketDocument, documentOf } from './operation.ts';
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

/** us-east-1 has no name here, for history's sake. */
export function bucketLocation(store: S3Store, bucket: string, region: string): AwsResponse {
  store.buckets.check(bucket);
  return xml(xmlDocument('LocationConstraint', region === 'us-east-1' ? '' : region));
}

/** Nothing is versioned here. */
export function bucketVersioning(store: S3Store, bucket: string): AwsResponse {
  store.buckets.check(bucket);
  return xml(xmlDocument('VersioningConfiguration', ''));
}

export function putDocument(store: S3Store, bucket: string, request: WatchedRequest): AwsResponse {
  verifyBody(request.headers, request.body);
  const kind = documentOf(request.query);
  const body = request.body.toString();
  checkDocument(kind, body);
  store.buckets.setDocument(bucket, kind, body);
  return { status: kind === 'policy' ? 204 : 200, headers: {}, body: '' };
}

export function getDocument(store: S3Store, bucket: string, { query }: WatchedRequest): AwsResponse {
  const kind = documentOf(query);
  const body = store.buckets.document(bucket, kind);
  return { status: 200, headers: { 'content-type': kind === 'policy' ? 'application/json' : 'application/xml' }, body };
}

export function deleteDocument(store: S3Store, bucket: string, { query }: WatchedRequest): AwsResponse {
  store.buckets.setDocument(bucket, documentOf(query), undefined);
  return { status: 204, headers: {}, body: '' };
}

export function listObjects(store: S3Store, bucket: string, { query }: WatchedRequest): AwsResponse {
  store.buckets.check(bucket);
  return xml((query.has('list-type') ? listObjectsV2 : listObjectsV1)(store.objects, bucket, query));
}

/** Carries out the lifecycle rules of all buckets. */
export function sweepBuckets(store: S3Store): void {
  for (const { name } of store.buckets.all()) {
    const configuration = store.buckets.findDocument(name, 'lifecycle');
    if (configuration === undefined) continue;
    for (const rule of lifecycleRules(configuration)) {
      expireObjects(store, name, rule);
      abortUploads(store, name, rule);
    }
  }
}

function expireObjects(store: S3Store, bucket: string, { prefix, expireAfterDays }: LifecycleRule): void {
  if (expireAfterDays === undefined) return;
  const before = expiredBefore(expireAfterDays, store.now());
  for (const object of store.objects.olderThan(bucket, prefix, before)) {
    store.objects.delete(object);
    store.blobs.remove(object.segments);
  }
}

function abortUploads(store: S3Store, bucket: string, { prefix, abortUploadsAfterDays }: LifecycleRule): void {
  if (abortUploadsAfterDays === undefined) return;
  const before = expiredBefore(abortUploadsAfterDays, store.now());
  for (const upload of store.uploads.inBucket(bucket)) {
    if (upload.key.startsWith(prefix) && upload.initiatedAt.getTime() <= before)
      store.blobs.remove(store.uploads.end(upload));
  }
}

/** Throws on settings that would be stored without having an effect. */
function checkDocument(kind: BucketDocument, body: string): void {
  if (kind === 'cors') corsRules(body);
  else if (kind === 'lifecycle') lifecycleRules(body);
  else checkJson(body);
}

function checkJson(body: string): void {
  try {
    JSON.parse(body);
  } catch {
    throw new CallRefusal(400, 'MalformedPolicy', "Policies must be valid JSON and the first byte must be '{'");
  }
}
