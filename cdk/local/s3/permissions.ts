/** The permissions that an S3 call needs. */
import type { NeededPermission } from '../endpoint/aws-service.ts';
import { bucketArn } from './buckets.ts';
import type { Address, VersionAddress } from './objects.ts';
import { addressOf, type Operation, type OperationName } from './operation.ts';

interface Request {
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

type Context = Record<string, string>;

const ACTIONS: Readonly<Record<Exclude<OperationName, 'DeleteObjects' | 'ListBuckets'>, string>> = {
  AbortMultipartUpload: 'AbortMultipartUpload',
  CompleteMultipartUpload: 'PutObject',
  CopyObject: 'PutObject',
  CreateBucket: 'CreateBucket',
  CreateMultipartUpload: 'PutObject',
  DeleteBucket: 'DeleteBucket',
  DeleteObject: 'DeleteObject',
  GetBucketVersioning: 'GetBucketVersioning',
  GetObject: 'GetObject',
  HeadBucket: 'ListBucket',
  HeadObject: 'GetObject',
  ListObjectVersions: 'ListBucketVersions',
  ListObjectsV2: 'ListBucket',
  ListParts: 'ListMultipartUploadParts',
  PutBucketVersioning: 'PutBucketVersioning',
  PutObject: 'PutObject',
  UploadPart: 'PutObject',
  UploadPartCopy: 'PutObject',
};

export function permissionsOf(operation: Operation, request: Request): NeededPermission[] {
  const { name, bucket, key } = operation;
  if (name === 'ListBuckets') return [{ action: 's3:ListAllMyBuckets', resource: '*' }];
  // Each key of a batch is checked on its own: one that may not go does not keep the others.
  if (name === 'DeleteObjects') return [];
  const resource = key === '' ? bucketArn(bucket) : objectArn(operation);
  return [
    {
      action: `s3:${ACTIONS[name]}${request.query.has('versionId') ? 'Version' : ''}`,
      resource,
      context: contextOf(request),
    },
    ...(name === 'CopyObject' || name === 'UploadPartCopy' ? [permissionToRead(copySource(request.headers))] : []),
  ];
}

function permissionToRead(address: VersionAddress): NeededPermission {
  return permissionOn('GetObject', address);
}

export function permissionToDelete(address: VersionAddress): NeededPermission {
  return permissionOn('DeleteObject', address);
}

/** A version that is named needs a permission of its own. */
function permissionOn(action: 'GetObject' | 'DeleteObject', address: VersionAddress): NeededPermission {
  const { versionId } = address;
  const resource = objectArn(address);
  if (versionId === undefined) return { action: `s3:${action}`, resource };
  return { action: `s3:${action}Version`, resource, context: { 's3:VersionId': versionId } };
}

/** A caller that may list the bucket is told that a key does not exist; any other gets AccessDenied only. */
export function permissionToKnow(bucket: string): NeededPermission {
  return { action: 's3:ListBucket', resource: bucketArn(bucket) };
}

/** The object that a copy is made of. */
export function copySource(headers: Readonly<Record<string, string>>): VersionAddress {
  const [path = '', query] = (headers['x-amz-copy-source'] ?? '').split('?');
  if (query === undefined) return { ...addressOf(path), versionId: undefined };
  const [, versionId] = /^versionId=(.*)$/.exec(query) ?? [];
  // A question that is none of S3's names no object.
  return { ...addressOf(versionId === undefined ? '' : path), versionId };
}

function objectArn({ bucket, key }: Address): string {
  return `${bucketArn(bucket)}/${key}`;
}

function contextOf({ query, headers }: Request): Context {
  const context: Context = {
    's3:authType': query.has('X-Amz-Signature') ? 'REST-QUERY-STRING' : 'REST-HEADER',
    's3:signatureversion': 'AWS4-HMAC-SHA256',
  };
  for (const name of ['delimiter', 'max-keys', 'prefix']) {
    const value = query.get(name);
    if (value !== null) context[`s3:${name}`] = value;
  }
  const versionId = query.get('versionId');
  if (versionId !== null) context['s3:VersionId'] = versionId;
  for (const name of CONTEXT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) context[`s3:${name}`] = value;
  }
  return context;
}

const CONTEXT_HEADERS = [
  'if-match',
  'if-none-match',
  'x-amz-acl',
  'x-amz-content-sha256',
  'x-amz-copy-source',
  'x-amz-metadata-directive',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-storage-class',
];
