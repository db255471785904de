/** Copies objects of a bucket that keeps versions back from the versions that they had at a time. */
import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
  S3ServiceException,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';

export interface Bucket {
  readonly name: string;
  readonly client: S3Client;
}

interface RestoreOptions {
  /** Milliseconds since 1970. */
  readonly to: number;
  /** Only objects whose key begins with this. @default all */
  readonly keys?: string | undefined;
  /** Also copies objects that differ. @default false */
  readonly replace?: boolean | undefined;
  /** The size above which an object is copied in parts, each of this size. @default the most that S3 copies at once */
  readonly copyBytesMax?: number | undefined;
}

export interface ObjectCounts {
  readonly missing: number;
  readonly same: number;
  /** The keys of objects that differ. */
  readonly differing: readonly string[];
}

const COPY_BYTES_MAX = 5 * 1024 ** 3;

/**
 * Makes a version the latest one again if its object is missing. No version is deleted, and objects that were written later
 * stay. The oldest version is copied first, because each copy announces itself as a new object.
 */
export async function restoreObjects(
  bucket: Bucket,
  { to, keys = '', replace = false, copyBytesMax = COPY_BYTES_MAX }: RestoreOptions,
): Promise<ObjectCounts> {
  const copies: Copy[] = [];
  const differing: string[] = [];
  const counts = { missing: 0, same: 0 };
  for (const [key, { past, latest }] of await historiesOf(bucket, keys, to)) {
    if (past === undefined || past.isDeleteMarker) continue;
    if (latest === undefined || latest.isDeleteMarker) {
      counts.missing += 1;
      copies.push({ ...past, key, replaced: undefined });
    } else if (await haveSameContent(bucket, key, [past, latest])) counts.same += 1;
    else {
      differing.push(key);
      if (replace) copies.push({ ...past, key, replaced: latest });
    }
  }
  for (const copy of copies.toSorted((one, other) => one.modifiedAt - other.modifiedAt))
    await copyBack(bucket, copy, copyBytesMax);
  return { ...counts, differing };
}

interface Version {
  readonly versionId: string;
  readonly modifiedAt: number;
  readonly isDeleteMarker: boolean;
  readonly isLatest: boolean;
  readonly size: number;
  readonly etag: string;
}

/** The version that a key had at a time, and the one that it has now. */
interface History {
  readonly past: Version | undefined;
  readonly latest: Version | undefined;
}

interface Copy extends Version {
  readonly key: string;
  /** The version that the copy replaces. */
  readonly replaced: Version | undefined;
}

async function historiesOf(bucket: Bucket, prefix: string, to: number): Promise<Map<string, History>> {
  const histories = new Map<string, History>();
  for await (const page of pagesOf(bucket, prefix)) {
    for (const { key, ...version } of versionsOf(page)) {
      const { past, latest } = histories.get(key) ?? { past: undefined, latest: undefined };
      histories.set(key, {
        past: version.modifiedAt <= to && isLater(version, past) ? version : past,
        latest: version.isLatest ? version : latest,
      });
    }
  }
  return histories;
}

async function* pagesOf({ name, client }: Bucket, Prefix: string): AsyncGenerator<ListObjectVersionsCommandOutput> {
  let page: ListObjectVersionsCommandOutput | undefined;
  do {
    const markers = { KeyMarker: page?.NextKeyMarker, VersionIdMarker: page?.NextVersionIdMarker };
    page = await client.send(new ListObjectVersionsCommand({ Bucket: name, Prefix, ...markers }));
    yield page;
  } while (page.IsTruncated);
}

function versionsOf({ Versions = [], DeleteMarkers = [] }: ListObjectVersionsCommandOutput) {
  const entries = [
    ...Versions.map((version) => ({ ...version, isDeleteMarker: false })),
    ...DeleteMarkers.map((marker) => ({ ...marker, Size: 0, ETag: '', isDeleteMarker: true })),
  ];
  return entries.map(
    ({ Key = '', VersionId = '', LastModified, IsLatest = false, Size = 0, ETag = '', isDeleteMarker }) => ({
      key: Key,
      versionId: VersionId,
      modifiedAt: LastModified?.getTime() ?? 0,
      isDeleteMarker,
      isLatest: IsLatest,
      size: Size,
      etag: ETag,
    }),
  );
}

/**
 * S3 lists whole seconds. If two versions have the same second, the latest one of the key is later, or else the one that is
 * listed first, and a version rather than a delete marker of the same page.
 */
const isLater = (version: Version, other: Version | undefined) =>
  other === undefined ||
  version.modifiedAt > other.modifiedAt ||
  (version.modifiedAt === other.modifiedAt && version.isLatest);

/** Compares the bytes if the entity tags differ: they also do between copies in other parts, and with a key of KMS. */
async function haveSameContent(
  bucket: Bucket,
  key: string,
  [one, other]: readonly [Version, Version],
): Promise<boolean> {
  if (one.versionId === other.versionId) return true;
  if (one.size !== other.size) return false;
  return one.etag === other.etag || (await digestOf(bucket, key, one)) === (await digestOf(bucket, key, other));
}

async function digestOf({ name, client }: Bucket, Key: string, { versionId }: Version): Promise<string> {
  const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key, VersionId: versionId }));
  const hash = createHash('sha256');
  for await (const chunk of Body as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

async function copyBack(bucket: Bucket, copy: Copy, copyBytesMax: number): Promise<void> {
  const { key, versionId, replaced } = copy;
  const call = {
    Bucket: bucket.name,
    Key: key,
    CopySource: `${bucket.name}/${encodeURIComponent(key)}?versionId=${versionId}`,
  };
  // What somebody has written since the listing stays.
  const condition = replaced ? { IfMatch: replaced.etag } : { IfNoneMatch: '*' };
  try {
    if (copy.size > copyBytesMax)
      await copyInParts(bucket.client, { ...call, condition }, { copy, partBytes: copyBytesMax });
    else await bucket.client.send(new CopyObjectCommand({ ...call, ...condition }));
  } catch (error) {
    const isConflict = error instanceof S3ServiceException && error.name === 'PreconditionFailed';
    throw isConflict ? new Error(`${key} was written meanwhile. Repeat the command.`, { cause: error }) : error;
  }
}

interface CopyCall {
  readonly Bucket: string;
  readonly Key: string;
  readonly CopySource: string;
  readonly condition: { readonly IfMatch: string } | { readonly IfNoneMatch: string };
}

/**
 * Copies headers and metadata apart from the parts, which have none. The bucket's rule removes the upload a day after a
 * failure.
 */
async function copyInParts(
  client: S3Client,
  { Bucket, Key, CopySource, condition }: CopyCall,
  { copy, partBytes }: { readonly copy: Copy; readonly partBytes: number },
): Promise<void> {
  const head = await client.send(new HeadObjectCommand({ Bucket, Key, VersionId: copy.versionId }));
  const { ContentType, ContentEncoding, ContentDisposition, Metadata } = head;
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key, ContentType, ContentEncoding, ContentDisposition, Metadata }),
  );
  const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
  for (let start = 0; start < copy.size; start += partBytes) {
    const PartNumber = Parts.length + 1;
    const CopySourceRange = `bytes=${start}-${Math.min(start + partBytes, copy.size) - 1}`;
    const part = { Bucket, Key, UploadId, PartNumber, CopySource, CopySourceRange };
    const { CopyPartResult } = await client.send(new UploadPartCopyCommand(part));
    Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
  }
  await client.send(
    new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts }, ...condition }),
  );
}
