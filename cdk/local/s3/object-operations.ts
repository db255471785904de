/** Writing, reading, copying and deleting objects. */
import { createHash } from 'node:crypto';
import type { AwsResponse } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { StreamedResponse, WatchedRequest } from '../endpoint/exchange.ts';
import type { XmlContent } from '../endpoint/xml-text.ts';
import { type ByteRange, collected, type Segment } from './blobs.ts';
import { byteRange } from './byte-range.ts';
import { claimedChecksum, verifyBody } from './checksums.ts';
import {
  deleteMarkerHeaders,
  keptHeaders,
  readHeaders,
  readVersionHeaders,
  writtenHeaders,
  writtenVersionHeaders,
} from './object-headers.ts';
import type { Address, Deletion, ObjectContent, StoredObject, VersionAddress } from './objects.ts';
import { notImplemented } from './operation.ts';
import { copySource, permissionToDelete } from './permissions.ts';
import { failed, preconditionsIn, readOutcome } from './preconditions.ts';
import { requireVersion } from './required-version.ts';
import type { S3Store } from './store.ts';
import { checkedVersionId } from './version-ids.ts';
import { childrenOf, parseXml, textOf, xmlDocument } from './xml.ts';

/** Up to this size an answer is sent in one piece. */
const SENT_AT_ONCE_BYTES = 1024 * 1024;
const KEY_BYTES_MAX = 1024;
const DELETED_AT_ONCE_MAX = 1000;

export async function putObject(store: S3Store, address: Address, request: WatchedRequest): Promise<AwsResponse> {
  checkTarget(store, address);
  const { body, headers } = request;
  verifyBody(headers, body);
  const claimed = claimedChecksum(headers);
  const { object, freed } = await store.withBytes(body, (segments) => {
    const content: ObjectContent = {
      size: body.length,
      etag: md5(body),
      headers: keptHeaders(headers),
      checksum: claimed && { ...claimed, type: 'FULL_OBJECT' },
      segments,
    };
    return store.objects.put(address, content, { now: store.now(), only: preconditionsIn(headers) });
  });
  store.blobs.remove(freed);
  store.created(object, 'PutObject', request.principal.arn);
  const headersOfVersion = writtenVersionHeaders(object, store.buckets.versioning(address.bucket));
  return { status: 200, headers: { ...writtenHeaders(object), ...headersOfVersion }, body: '' };
}

export async function getObject(
  store: S3Store,
  address: Address,
  request: WatchedRequest,
): Promise<AwsResponse | StreamedResponse> {
  const { object, range, status, headers } = readingOf(store, address, request);
  if (status === 304) return { status, headers, body: '' };
  const size = range.end - range.start + 1;
  const stream = store.blobs.read(object.segments, range);
  const withLength = { ...headers, 'content-length': String(size) };
  if (size > SENT_AT_ONCE_BYTES) return { status, headers: withLength, body: stream };
  return { status, headers: withLength, body: await collected(stream) };
}

export async function headObject(store: S3Store, address: Address, request: WatchedRequest): Promise<AwsResponse> {
  const { range, status, headers } = readingOf(store, address, request);
  const length: Record<string, string> =
    status === 304 ? {} : { 'content-length': String(range.end - range.start + 1) };
  return { status, headers: { ...headers, ...length }, body: '' };
}

export async function copyObject(store: S3Store, address: Address, request: WatchedRequest): Promise<AwsResponse> {
  checkTarget(store, address);
  const { headers, principal } = request;
  const from = copySource(headers);
  const source = foundForCopy(store, from, request);
  const replaces = headers['x-amz-metadata-directive']?.toUpperCase() === 'REPLACE';
  if (!replaces && from.versionId === undefined && from.bucket === address.bucket && from.key === address.key) {
    throw new CallRefusal(
      400,
      'InvalidRequest',
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
    );
  }
  const { segments, md5 } = await copiedBytes(store, source);
  const content: ObjectContent = {
    size: source.size,
    // A copy is one piece to S3, whatever its source was made of.
    etag: md5,
    headers: replaces ? keptHeaders(headers) : source.headers,
    checksum: source.checksum?.type === 'FULL_OBJECT' ? source.checksum : undefined,
    segments,
  };
  try {
    const { object, freed } = store.objects.put(address, content, { now: store.now(), only: preconditionsIn(headers) });
    store.blobs.remove(freed);
    store.created(object, 'CopyObject', principal.arn);
    const result = { ETag: `"${object.etag}"`, LastModified: object.modifiedAt.toISOString() };
    return xml(xmlDocument('CopyObjectResult', result), {
      ...writtenVersionHeaders(object, store.buckets.versioning(address.bucket)),
      ...sourceVersionHeaders(store, source),
    });
  } catch (error) {
    store.blobs.remove(segments);
    throw error;
  }
}

export async function deleteObject(
  store: S3Store,
  address: Address,
  { query, headers }: WatchedRequest,
): Promise<AwsResponse> {
  store.buckets.check(address.bucket);
  const versionId = query.get('versionId') ?? undefined;
  const version = remove(store, { ...address, versionId }, headers['if-match']);
  if (version?.isDeleteMarker) return { status: 204, headers: deleteMarkerHeaders(version), body: '' };
  return { status: 204, headers: versionId === undefined ? {} : { 'x-amz-version-id': versionId }, body: '' };
}

/** Each key on its own: one that must not be deleted is reported and does not block the others. */
export async function deleteObjects(store: S3Store, bucket: string, request: WatchedRequest): Promise<AwsResponse> {
  store.buckets.check(bucket);
  verifyBody(request.headers, request.body);
  const root = parseXml(request.body.toString());
  const named = childrenOf(root, 'Object');
  if (named.length === 0 || named.length > DELETED_AT_ONCE_MAX)
    throw new CallRefusal(400, 'MalformedXML', `Between 1 and ${DELETED_AT_ONCE_MAX} objects can be deleted at once.`);
  const Deleted: XmlContent[] = [];
  const errors: XmlContent[] = [];
  for (const element of named) {
    const address = { bucket, key: textOf(element, 'Key') ?? '', versionId: textOf(element, 'VersionId') };
    const named = { Key: address.key, VersionId: address.versionId };
    try {
      if (!store.allows(request.principal, permissionToDelete(address)))
        throw new CallRefusal(403, 'AccessDenied', 'Access Denied');
      const version = remove(store, address, textOf(element, 'ETag'));
      const marker = version?.isDeleteMarker && { DeleteMarker: true, DeleteMarkerVersionId: version.versionId };
      Deleted.push({ ...named, ...marker });
    } catch (error) {
      if (!(error instanceof CallRefusal)) throw error;
      errors.push({ ...named, Code: error.code, Message: error.message });
    }
  }
  const isQuiet = textOf(root, 'Quiet') === 'true';
  return xml(xmlDocument('DeleteResult', { Deleted: isQuiet ? undefined : Deleted, Error: errors }));
}

/** The source of a copy, once its own conditions hold. */
export function foundForCopy(
  store: S3Store,
  from: VersionAddress,
  { headers, principal }: WatchedRequest,
): StoredObject {
  if (from.key === '')
    throw new CallRefusal(
      400,
      'InvalidArgument',
      'Copy Source must mention the source bucket and key: sourcebucket/sourcekey',
    );
  const source = requireVersion(store, from, { principal, isCopied: true });
  const outcome = readOutcome(preconditionsIn(headers, 'x-amz-copy-source-'), source);
  if (outcome === 'not-modified') throw failed('x-amz-copy-source-if-none-match');
  return source;
}

export function checkTarget(store: S3Store, { bucket, key }: Address): void {
  store.buckets.check(bucket);
  if (Buffer.byteLength(key) > KEY_BYTES_MAX) throw new CallRefusal(400, 'KeyTooLongError', 'Your key is too long');
}

export function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}

export function xml(body: string, headers: Readonly<Record<string, string>> = {}): AwsResponse {
  return { status: 200, headers: { 'content-type': 'application/xml', ...headers }, body };
}

export function sourceVersionHeaders(store: S3Store, source: StoredObject): Record<string, string> {
  return readVersionHeaders(source, store.buckets.versioning(source.bucket), 'x-amz-copy-source-version-id');
}

interface Reading {
  readonly object: StoredObject;
  readonly range: ByteRange;
  readonly status: 200 | 206 | 304;
  readonly headers: Record<string, string>;
}

function readingOf(store: S3Store, address: Address, request: WatchedRequest): Reading {
  const { query, principal } = request;
  const versionId = query.get('versionId') ?? undefined;
  const object = requireVersion(store, { ...address, versionId }, { principal, isCopied: false });
  const whole = { start: 0, end: object.size - 1 };
  const headers: Record<string, string> = {
    ...readHeaders(object, request),
    ...readVersionHeaders(object, store.buckets.versioning(address.bucket)),
  };
  if (readOutcome(preconditionsIn(request.headers), object) === 'not-modified')
    return { object, range: whole, status: 304, headers };
  const range = byteRange(request.headers['range'], object.size);
  if (!range) return { object, range: whole, status: 200, headers };
  headers['content-range'] = `bytes ${range.start}-${range.end}/${object.size}`;
  // The checksum covers the whole object; a client would compare it with the bytes of the range.
  const partial = Object.entries(headers).filter(([name]) => !name.startsWith('x-amz-checksum-'));
  return { object, range, status: 206, headers: Object.fromEntries(partial) };
}

/** @returns The delete marker that was made, or the version that was removed. */
function remove(store: S3Store, address: VersionAddress, ifMatch: string | undefined): Deletion['version'] {
  const { versionId } = address;
  if (versionId !== undefined && ifMatch !== undefined) throw notImplemented('If-Match for a version that is named');
  const { version, freed } =
    versionId === undefined
      ? store.objects.delete(address, { now: store.now(), only: { ifMatch } })
      : store.objects.deleteVersion({ ...address, versionId: checkedVersionId(versionId) });
  store.blobs.remove(freed);
  return version;
}

/** Bytes belong to one object each, so a copy gets its own; one part after the other, however large the whole. */
async function copiedBytes(store: S3Store, source: StoredObject): Promise<{ segments: Segment[]; md5: string }> {
  const hash = createHash('md5');
  const segments: Segment[] = [];
  const letGo = store.blobs.hold(source.segments);
  try {
    for (const segment of source.segments) {
      const bytes = await collected(store.blobs.read([segment], { start: 0, end: segment.size - 1 }));
      hash.update(bytes);
      segments.push(...(await store.blobs.write(bytes)));
    }
    return { segments, md5: hash.digest('hex') };
  } catch (error) {
    store.blobs.remove(segments);
    throw error;
  } finally {
    letGo();
  }
}
