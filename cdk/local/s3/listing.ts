/** ListObjectsV2 and ListObjectVersions. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { XmlContent } from '../endpoint/xml-text.ts';
import { uriEncode } from '../sigv4/canonical.ts';
import { after, from, type Objects, type Position, type StoredObject, type StoredVersion } from './objects.ts';
import { checkedVersionId } from './version-ids.ts';
import { xmlDocument } from './xml.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly commonPrefixes: readonly string[];
  /** The last item or common prefix, if there is a next page. */
  readonly last: Item | string | undefined;
}

interface Question {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  readonly maximum: number;
}

const PAGE_MAX = 1000;
/** Sorts behind every key that starts like the text before it. */
const LAST = '\u{10FFFF}';

export function objectListing(objects: Objects, bucket: string, query: URLSearchParams): string {
  if (query.get('list-type') !== '2') throw new CallRefusal(400, 'InvalidArgument', 'list-type must be 2');
  const token = query.get('continuation-token');
  const question = questionIn(bucket, query);
  const start = token === null ? query.get('start-after') : decodedToken(token);
  const page = pageOf(question, after(start ?? ''), (position) => objects.objectsFrom(bucket, position));
  const next = typeof page.last === 'string' ? page.last + LAST : page.last?.key;
  return xmlDocument('ListBucketResult', {
    ...listingFields(question, page, query),
    Contents: page.items.map((object) => contentFields(object, query)),
    KeyCount: page.items.length + page.commonPrefixes.length,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: next === undefined ? undefined : Buffer.from(next).toString('base64url'),
    StartAfter: optional(query.get('start-after'), query),
  });
}

/** @param owner Who owns all objects. */
export function versionListing(
  objects: Objects,
  bucket: string,
  { query, owner }: { readonly query: URLSearchParams; readonly owner: string },
): string {
  const question = questionIn(bucket, query);
  const start = versionStart(objects, question, query);
  const { last, ...page } = pageOf(question, start, (position) => objects.versionsFrom(bucket, position));
  const fieldsOf = (version: StoredVersion) => ({
    VersionId: version.versionId,
    IsLatest: version.isLatest,
    Owner: { ID: owner },
  });
  return xmlDocument('ListVersionsResult', {
    ...listingFields(question, { ...page, last }, query),
    KeyMarker: optional(query.get('key-marker'), query) ?? '',
    VersionIdMarker: query.get('version-id-marker') ?? '',
    NextKeyMarker: optional((typeof last === 'string' ? last : last?.key) ?? null, query),
    NextVersionIdMarker: typeof last === 'string' ? undefined : last?.versionId,
    Version: page.items
      .filter(({ isDeleteMarker }) => !isDeleteMarker)
      .map((version) => ({ ...contentFields(version, query), ...fieldsOf(version) })),
    DeleteMarker: page.items
      .filter(({ isDeleteMarker }) => isDeleteMarker)
      .map((marker) => ({
        Key: encoder(query)(marker.key),
        LastModified: marker.modifiedAt.toISOString(),
        ...fieldsOf(marker),
      })),
  });
}

function versionStart(objects: Objects, { bucket, prefix, delimiter }: Question, query: URLSearchParams): Position {
  const key = query.get('key-marker') ?? '';
  const versionId = query.get('version-id-marker');
  if (versionId !== null && key === '')
    throw new CallRefusal(400, 'InvalidArgument', 'A version-id marker cannot be specified without a key marker.');
  if (versionId === '') throw new CallRefusal(400, 'InvalidArgument', 'A version-id marker cannot be empty.');
  if (versionId !== null) return objects.behind({ bucket, key, versionId: checkedVersionId(versionId) });
  return after(commonPrefixOf(key, { prefix, delimiter }) === key ? key + LAST : key);
}

function commonPrefixOf(
  key: string,
  { prefix, delimiter }: Pick<Question, 'prefix' | 'delimiter'>,
): string | undefined {
  const end = delimiter === '' || !key.startsWith(prefix) ? -1 : key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}

function pageOf<Item extends StoredObject>(
  { prefix, delimiter, maximum }: Question,
  start: Position,
  itemsFrom: (position: Position) => Iterable<Item>,
): Page<Item> {
  const items: Item[] = [];
  const commonPrefixes: string[] = [];
  let last: Item | string | undefined;
  let isTruncated = false;
  let next: Position | undefined =
    Buffer.compare(Buffer.from(start.key), Buffer.from(prefix)) < 0 ? from(prefix) : start;
  // Each pass reads on to the next common prefix, then jumps behind it: its keys are not read one by one.
  while (next !== undefined && !isTruncated) {
    const position = next;
    next = undefined;
    for (const item of itemsFrom(position)) {
      if (!item.key.startsWith(prefix)) break;
      isTruncated = items.length + commonPrefixes.length >= maximum;
      if (isTruncated) break;
      const commonPrefix = commonPrefixOf(item.key, { prefix, delimiter });
      if (commonPrefix === undefined) {
        items.push(item);
        last = item;
        continue;
      }
      commonPrefixes.push(commonPrefix);
      last = commonPrefix;
      next = after(commonPrefix + LAST);
      break;
    }
  }
  return { items, commonPrefixes, last: isTruncated ? last : undefined };
}

function questionIn(bucket: string, query: URLSearchParams): Question {
  const maximum = query.get('max-keys') ?? String(PAGE_MAX);
  if (!/^\d+$/.test(maximum))
    throw new CallRefusal(400, 'InvalidArgument', 'Provided max-keys not an integer or within integer range');
  return {
    bucket,
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    maximum: Math.min(Number(maximum), PAGE_MAX),
  };
}

function listingFields(
  { bucket, prefix, delimiter, maximum }: Question,
  { commonPrefixes, last }: Pick<Page<unknown>, 'commonPrefixes' | 'last'>,
  query: URLSearchParams,
) {
  const encode = encoder(query);
  return {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: maximum,
    EncodingType: query.get('encoding-type') ?? undefined,
    IsTruncated: last !== undefined,
    CommonPrefixes: commonPrefixes.map((common) => ({ Prefix: encode(common) })),
  };
}

function contentFields(object: StoredObject, query: URLSearchParams): { readonly [name: string]: XmlContent } {
  return {
    Key: encoder(query)(object.key),
    LastModified: object.modifiedAt.toISOString(),
    ETag: `"${object.etag}"`,
    Size: object.size,
    StorageClass: object.headers['x-amz-storage-class'] ?? 'STANDARD',
  };
}

function optional(value: string | null, query: URLSearchParams): string | undefined {
  return value === null ? undefined : encoder(query)(value);
}

/** XML cannot hold every key; callers may ask for URL encoding. */
function encoder(query: URLSearchParams): (text: string) => string {
  return query.get('encoding-type') === 'url' ? (text) => uriEncode(text).replaceAll('%2F', '/') : (text) => text;
}

function decodedToken(token: string): string {
  const text = Buffer.from(token, 'base64url').toString();
  if (text !== '') return text;
  throw new CallRefusal(400, 'InvalidArgument', 'The continuation token provided is incorrect');
}
