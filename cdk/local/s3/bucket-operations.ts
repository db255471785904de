/** Buckets, and what they delete by themselves. */
import type { AwsResponse } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { WatchedRequest } from '../endpoint/exchange.ts';
import { expiryCutoff, type LifecycleRule } from './lifecycle.ts';
import { objectListing, versionListing } from './listing.ts';
import { xml } from './object-operations.ts';
import { notImplemented } from './operation.ts';
import type { S3Store } from './store.ts';
import { parseXml, textOf, xmlDocument } from './xml.ts';

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

export function listVersions(
  store: S3Store,
  bucket: string,
  { query, owner }: { readonly query: URLSearchParams; readonly owner: string },
): AwsResponse {
  store.buckets.check(bucket);
  return xml(versionListing(store.objects, bucket, { query, owner }));
}

export function getVersioning(store: S3Store, bucket: string): AwsResponse {
  store.buckets.check(bucket);
  return xml(xmlDocument('VersioningConfiguration', { Status: store.buckets.versioning(bucket) }));
}

export function putVersioning(store: S3Store, bucket: string, { body }: WatchedRequest): AwsResponse {
  store.buckets.check(bucket);
  const configuration = parseXml(body.toString());
  if (textOf(configuration, 'MfaDelete') === 'Enabled') throw notImplemented('MFA delete');
  const status = textOf(configuration, 'Status');
  if (status === undefined)
    throw new CallRefusal(400, 'IllegalVersioningConfigurationException', 'The Versioning element must be specified');
  if (status !== 'Enabled' && status !== 'Suspended')
    throw new CallRefusal(400, 'MalformedXML', `A bucket cannot have the versioning ${status}.`);
  store.buckets.setVersioning(bucket, status);
  return { status: 200, headers: {}, body: '' };
}

/** Carries out the lifecycle rules of all buckets. */
export function sweepBuckets(store: S3Store): void {
  for (const [bucket, { lifecycle }] of store.rules) {
    for (const rule of lifecycle.filter(({ Status }) => Status === 'Enabled')) {
      expireVersions(store, bucket, rule);
      expireMarkers(store, bucket, rule);
      expireObjects(store, bucket, rule);
      abortUploads(store, bucket, rule);
    }
  }
}

function expireObjects(store: S3Store, bucket: string, { Prefix, ExpirationInDays }: LifecycleRule): void {
  if (ExpirationInDays === undefined) return;
  const before = expiryCutoff(ExpirationInDays, store.now());
  for (const object of store.objects.olderThan(bucket, Prefix, before)) {
    store.blobs.remove(store.objects.delete(object, { now: store.now() }).freed);
  }
}

function expireVersions(store: S3Store, bucket: string, { Prefix, NoncurrentVersionExpiration }: LifecycleRule): void {
  if (NoncurrentVersionExpiration === undefined) return;
  const before = expiryCutoff(NoncurrentVersionExpiration.NoncurrentDays, store.now());
  for (const version of store.objects.replacedBefore(bucket, Prefix, before)) {
    store.blobs.remove(store.objects.deleteVersion(version).freed);
  }
}

/** Deletes delete markers that are all that is left of their keys. As on S3, a rule with days does so, too. */
function expireMarkers(store: S3Store, bucket: string, rule: LifecycleRule): void {
  const days = rule.ExpiredObjectDeleteMarker ? 0 : rule.ExpirationInDays;
  if (days === undefined) return;
  for (const marker of store.objects.loneMarkers(bucket, rule.Prefix, expiryCutoff(days, store.now()))) {
    store.objects.deleteVersion(marker);
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
