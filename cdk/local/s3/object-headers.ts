/** The headers that an object keeps from its write, and those of its reads. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { Versioning } from './buckets.ts';
import { checksumHeader } from './checksums.ts';
import type { ObjectContent, StoredObject, StoredVersion } from './objects.ts';

type Headers = Readonly<Record<string, string>>;

const STORED_HEADERS = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];
const S3_STORED_HEADERS = [
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
  'x-amz-storage-class',
];
const METADATA = 'x-amz-meta-';
const METADATA_BYTES_MAX = 2048;
const ACLS = ['private', 'bucket-owner-full-control'];

export function keptHeaders(headers: Headers): Record<string, string> {
  const acl = headers['x-amz-acl'];
  if (acl !== undefined && !ACLS.includes(acl)) {
    throw new CallRefusal(400, 'AccessControlListNotSupported', 'The bucket does not allow ACLs');
  }
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith(METADATA));
  const bytes = metadata.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name.slice(METADATA.length)) + Buffer.byteLength(value),
    0,
  );
  if (bytes > METADATA_BYTES_MAX) {
    throw new CallRefusal(400, 'MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size');
  }
  const system = Object.entries(headers).filter(
    ([name]) => STORED_HEADERS.includes(name) || S3_STORED_HEADERS.includes(name),
  );
  return { 'content-type': 'binary/octet-stream', ...Object.fromEntries([...system, ...metadata]) };
}

/** Returns the headers of the encryption that every object has by default. */
export function encryptionHeaders(headers: Headers): Record<string, string> {
  const entries = ['x-amz-server-side-encryption', 'x-amz-server-side-encryption-aws-kms-key-id'].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { 'x-amz-server-side-encryption': 'AES256', ...Object.fromEntries(entries) };
}

export function writtenHeaders({ etag, headers, checksum }: ObjectContent): Record<string, string> {
  return {
    etag: `"${etag}"`,
    ...encryptionHeaders(headers),
    ...(checksum ? { [checksumHeader(checksum.algorithm)]: checksum.value, 'x-amz-checksum-type': checksum.type } : {}),
  };
}

/** Returns the id of a version that was written. S3 names it only while the bucket keeps versions. */
export function writtenVersionHeaders({ versionId }: StoredObject, versioning: Versioning): Record<string, string> {
  return versioning === 'Enabled' ? { 'x-amz-version-id': versionId } : {};
}

/** Returns the id of a version that is read, under this name. A bucket that has never kept versions does not name it. */
export function readVersionHeaders(
  { versionId }: StoredObject,
  versioning: Versioning,
  name = 'x-amz-version-id',
): Record<string, string> {
  return versioning === undefined ? {} : { [name]: versionId };
}

export function deleteMarkerHeaders({ versionId }: StoredVersion): Record<string, string> {
  return { 'x-amz-delete-marker': 'true', 'x-amz-version-id': versionId };
}

/** @param request Its query may override headers, its headers may ask for the checksum. */
export function readHeaders(
  object: StoredObject,
  request: { readonly query: URLSearchParams; readonly headers: Headers },
): Record<string, string> {
  const { checksum } = object;
  const result: Record<string, string> = {
    'accept-ranges': 'bytes',
    'last-modified': object.modifiedAt.toUTCString(),
    etag: `"${object.etag}"`,
    ...object.headers,
    ...encryptionHeaders(object.headers),
  };
  if (checksum && request.headers['x-amz-checksum-mode']?.toUpperCase() === 'ENABLED') {
    result[checksumHeader(checksum.algorithm)] = checksum.value;
    result['x-amz-checksum-type'] = checksum.type;
  }
  for (const name of STORED_HEADERS) {
    const override = request.query.get(`response-${name}`);
    if (override !== null) result[name] = override;
  }
  return result;
}
