/** Uploading an object in parts. */
import type { AwsResponse } from '../endpoint/aws-service.ts';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { transaction } from '../endpoint/database.ts';
import type { WatchedRequest } from '../endpoint/exchange.ts';
import { collected, type Segment } from './blobs.ts';
import { byteRange } from './byte-range.ts';
import {
  algorithmNamed,
  type Checksum,
  checksumOf,
  checksumOfStream,
  claimedChecksum,
  compositeChecksum,
  mismatch,
  verifyBody,
} from './checksums.ts';
import { encryptionHeaders, keptHeaders, writtenHeaders, writtenVersionHeaders } from './object-headers.ts';
import { checkTarget, foundForCopy, md5, sourceVersionHeaders, xml } from './object-operations.ts';
import type { Address } from './objects.ts';
import { copySource } from './permissions.ts';
import { checkWrite, preconditionsIn } from './preconditions.ts';
import type { S3Store } from './store.ts';
import { chosenParts, multipartEtag, type NamedPart, type Part, partNumber, type Upload } from './uploads.ts';
import { childrenOf, parseXml, textOf, xmlDocument } from './xml.ts';

const LISTED_MAX = 1000;

export async function createUpload(
  store: S3Store,
  address: Address,
  { headers }: WatchedRequest,
): Promise<AwsResponse> {
  checkTarget(store, address);
  const checksumAlgorithm = algorithmNamed(headers['x-amz-checksum-algorithm']);
  const checksumType = checksumTypeFor(checksumAlgorithm, headers['x-amz-checksum-type']);
  const upload = store.uploads.start({
    ...address,
    headers: keptHeaders(headers),
    checksumAlgorithm,
    checksumType,
    initiatedAt: store.now(),
  });
  const response = xml(
    xmlDocument('InitiateMultipartUploadResult', { Bucket: address.bucket, Key: address.key, UploadId: upload.id }),
  );
  const checksumHeaders: Record<string, string> = checksumAlgorithm
    ? { 'x-amz-checksum-algorithm': checksumAlgorithm, 'x-amz-checksum-type': checksumType }
    : {};
  return { ...response, headers: { ...response.headers, ...encryptionHeaders(upload.headers), ...checksumHeaders } };
}

export async function uploadPart(store: S3Store, address: Address, request: WatchedRequest): Promise<AwsResponse> {
  const { query, headers, body } = request;
  const upload = uploadNamed(store, address, query);
  verifyBody(headers, body);
  const part = await storePart(store, upload, {
    number: partNumber(query.get('partNumber')),
    body,
    claimed: claimedChecksum(headers),
  });
  return { status: 200, headers: writtenHeaders({ ...part, headers: upload.headers }), body: '' };
}

export async function uploadPartCopy(store: S3Store, address: Address, request: WatchedRequest): Promise<AwsResponse> {
  const { query, headers } = request;
  const upload = uploadNamed(store, address, query);
  const source = foundForCopy(store, copySource(headers), request);
  const range = byteRange(headers['x-amz-copy-source-range'], source.size) ?? { start: 0, end: source.size - 1 };
  const body = await collected(store.blobs.read(source.segments, range));
  const part = await storePart(store, upload, {
    number: partNumber(query.get('partNumber')),
    body,
    claimed: undefined,
  });
  const result = { ETag: `"${part.etag}"`, LastModified: part.modifiedAt.toISOString() };
  return xml(xmlDocument('CopyPartResult', result), sourceVersionHeaders(store, source));
}

export async function completeUpload(store: S3Store, address: Address, request: WatchedRequest): Promise<AwsResponse> {
  const { headers, principal, query, body } = request;
  const upload = uploadNamed(store, address, query);
  const named = namedParts(body);
  const checksum = await checksumOfParts(store, upload, chosenParts(store.uploads.partsOf(upload), named));
  const claimed = claimedChecksum(headers);
  if (claimed && checksum?.algorithm === claimed.algorithm && checksum.value !== claimed.value) {
    throw mismatch(claimed.algorithm);
  }
  const when = { now: store.now(), only: preconditionsIn(headers) };
  const { object, freed, leftOver } = transaction(store.database, () => {
    // Calculating checksums takes time: another call may have ended the upload or replaced a part.
    uploadNamed(store, address, query);
    const parts = chosenParts(store.uploads.partsOf(upload), named);
    const segments = parts.flatMap((part) => part.segments);
    const size = parts.reduce((sum, part) => sum + part.size, 0);
    const content = { size, etag: multipartEtag(parts), headers: upload.headers, checksum, segments };
    checkWrite(when.only, store.objects.find(address));
    const all = store.uploads.end(upload);
    return { leftOver: without(all, segments), ...store.objects.put(address, content, when) };
  });
  store.blobs.remove([...freed, ...leftOver]);
  store.created(object, 'CompleteMultipartUpload', principal.arn);
  return xml(
    xmlDocument('CompleteMultipartUploadResult', {
      Location: `http://${headers['host']}/${address.bucket}/${address.key}`,
      Bucket: address.bucket,
      Key: address.key,
      ETag: `"${object.etag}"`,
      ...(checksum ? { [`Checksum${checksum.algorithm}`]: checksum.value, ChecksumType: checksum.type } : {}),
    }),
    writtenVersionHeaders(object, store.buckets.versioning(address.bucket)),
  );
}

export async function abortUpload(store: S3Store, address: Address, { query }: WatchedRequest): Promise<AwsResponse> {
  const upload = uploadNamed(store, address, query);
  store.blobs.remove(store.uploads.end(upload));
  return { status: 204, headers: {}, body: '' };
}

export async function listParts(store: S3Store, address: Address, { query }: WatchedRequest): Promise<AwsResponse> {
  const upload = uploadNamed(store, address, query);
  const marker = Number(query.get('part-number-marker') ?? 0);
  const maximum = Math.min(Number(query.get('max-parts') ?? LISTED_MAX), LISTED_MAX);
  const following = store.uploads.partsOf(upload).filter(({ number }) => number > marker);
  const page = following.slice(0, maximum);
  return xml(
    xmlDocument('ListPartsResult', {
      Bucket: address.bucket,
      Key: address.key,
      UploadId: upload.id,
      PartNumberMarker: marker,
      NextPartNumberMarker: page.at(-1)?.number ?? 0,
      MaxParts: maximum,
      IsTruncated: following.length > page.length,
      StorageClass: 'STANDARD',
      ChecksumAlgorithm: upload.checksumAlgorithm,
      ChecksumType: upload.checksumAlgorithm && upload.checksumType,
      Part: page.map((part) => ({
        PartNumber: part.number,
        LastModified: part.modifiedAt.toISOString(),
        ETag: `"${part.etag}"`,
        Size: part.size,
        ...(part.checksum ? { [`Checksum${part.checksum.algorithm}`]: part.checksum.value } : {}),
      })),
    }),
  );
}

interface NewPart {
  readonly number: number;
  readonly body: Buffer;
  readonly claimed: Pick<Checksum, 'algorithm' | 'value'> | undefined;
}

async function storePart(store: S3Store, upload: Upload, { number, body, claimed }: NewPart): Promise<Part> {
  const algorithm = upload.checksumAlgorithm;
  if (claimed && algorithm && claimed.algorithm !== algorithm) {
    throw new CallRefusal(
      400,
      'InvalidRequest',
      `Checksum Type mismatch occurred, expected checksum Type: ${algorithm}, actual checksum Type: ${claimed.algorithm}`,
    );
  }
  const used = claimed ?? (algorithm && { algorithm, value: checksumOf(algorithm, body) });
  const { part, freed } = await store.withBytes(body, (segments) => {
    const part: Part = {
      number,
      size: body.length,
      etag: md5(body),
      checksum: used && { ...used, type: 'FULL_OBJECT' },
      segments,
      modifiedAt: store.now(),
    };
    // Writing takes time: the upload may be over by now.
    store.uploads.of(upload, upload.id);
    return { part, freed: store.uploads.putPart(upload, part) };
  });
  store.blobs.remove(freed);
  return part;
}

function uploadNamed(store: S3Store, address: Address, query: URLSearchParams): Upload {
  store.buckets.check(address.bucket);
  return store.uploads.of(address, query.get('uploadId') ?? '');
}

function namedParts(body: Buffer): NamedPart[] {
  const parts = childrenOf(parseXml(body.toString()), 'Part').map((element) => ({
    number: partNumber(textOf(element, 'PartNumber') ?? null),
    etag: (textOf(element, 'ETag') ?? '').replaceAll('"', ''),
    checksum: element.children.find(({ name }) => name.startsWith('Checksum'))?.text,
  }));
  if (parts.length === 0) throw new CallRefusal(400, 'MalformedXML', 'You must specify at least one part');
  return parts;
}

function checksumTypeFor(algorithm: Upload['checksumAlgorithm'], requestedType: string | undefined): Checksum['type'] {
  const type = requestedType === undefined ? (algorithm === 'CRC64NVME' ? 'FULL_OBJECT' : 'COMPOSITE') : requestedType;
  const possible =
    type === 'FULL_OBJECT' ? algorithm?.startsWith('CRC') !== false : type === 'COMPOSITE' && algorithm !== 'CRC64NVME';
  if (possible) return type === 'FULL_OBJECT' ? 'FULL_OBJECT' : 'COMPOSITE';
  throw new CallRefusal(
    400,
    'InvalidRequest',
    `The ${type} checksum type cannot be used with the ${algorithm} checksum algorithm.`,
  );
}

async function checksumOfParts(
  store: S3Store,
  { checksumAlgorithm: algorithm, checksumType: type }: Upload,
  parts: readonly Part[],
): Promise<Checksum | undefined> {
  if (!algorithm) return undefined;
  if (type === 'COMPOSITE') {
    return {
      algorithm,
      type,
      value: compositeChecksum(
        algorithm,
        parts.map((part) => part.checksum?.value ?? ''),
      ),
    };
  }
  const end = parts.reduce((sum, part) => sum + part.size, 0) - 1;
  const stream = store.blobs.read(
    parts.flatMap((part) => part.segments),
    { start: 0, end },
  );
  return { algorithm, type, value: await checksumOfStream(algorithm, stream) };
}

function without(segments: readonly Segment[], used: readonly Segment[]): Segment[] {
  const names = new Set(used.map(({ blob }) => blob));
  return segments.filter(({ blob }) => !names.has(blob));
}
