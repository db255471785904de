/** ListObjectsV2. */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import type { XmlContent } from '../endpoint/xml-text.ts';
import { uriEncode } from '../sigv4/canonical.ts';
import type { Objects, StoredObject } from './objects.ts';
import { xmlDocument } from './xml.ts';

interface Page {
  readonly objects: readonly StoredObject[];
  readonly commonPrefixes: readonly string[];
  /** The start of the next page, if there is one. */
  readonly next: string | undefined;
}

interface Question {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  readonly after: string;
  readonly maximum: number;
}

const PAGE_MAX = 1000;
/** Sorts behind every key that starts like the text before it. */
const LAST = '\u{10FFFF}';

export function objectListing(objects: Objects, bucket: string, query: URLSearchParams): string {
  if (query.get('list-type') !== '2') throw new CallRefusal(400, 'InvalidArgument', 'list-type must be 2');
  const token = query.get('continuation-token');
  const question = questionIn(bucket, query, token === null ? query.get('start-after') : decodedToken(token));
  const page = pageOf(objects, question);
  return xmlDocument('ListBucketResult', {
    ...listingFields(question, page, query),
    KeyCount: page.objects.length + page.commonPrefixes.length,
    ContinuationToken: token ?? undefined,
    NextContinuationToken: page.next === undefined ? undefined : Buffer.from(page.next).toString('base64url'),
    StartAfter: optional(query.get('start-after'), query),
  });
}

function pageOf(objects: Objects, { bucket, prefix, delimiter, after, maximum }: Question): Page {
  const page: StoredObject[] = [];
  const commonPrefixes: string[] = [];
  let last = after;
  let isTruncated = false;
  let from: { readonly after: string } | { readonly from: string } | undefined =
    Buffer.compare(Buffer.from(after), Buffer.from(prefix)) < 0 ? { from: prefix } : { after };
  // Each pass reads on to the next common prefix, then jumps behind it: its keys are not read one by one.
  while (from !== undefined && !isTruncated) {
    const start = from;
    from = undefined;
    for (const object of objects.inOrder(bucket, start)) {
      if (!object.key.startsWith(prefix)) break;
      isTruncated = page.length + commonPrefixes.length >= maximum;
      if (isTruncated) break;
      const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length);
      if (end < 0) {
        page.push(object);
        last = object.key;
        continue;
      }
      const commonPrefix = object.key.slice(0, end + delimiter.length);
      commonPrefixes.push(commonPrefix);
      last = commonPrefix + LAST;
      from = { after: last };
      break;
    }
  }
  return { objects: page, commonPrefixes, next: isTruncated && maximum > 0 ? last : undefined };
}

function questionIn(bucket: string, query: URLSearchParams, after: string | null): Question {
  const maximum = query.get('max-keys') ?? String(PAGE_MAX);
  if (!/^\d+$/.test(maximum))
    throw new CallRefusal(400, 'InvalidArgument', 'Provided max-keys not an integer or within integer range');
  return {
    bucket,
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    after: after ?? '',
    maximum: Math.min(Number(maximum), PAGE_MAX),
  };
}

function listingFields(
  { bucket, prefix, delimiter, maximum }: Question,
  page: Page,
  query: URLSearchParams,
): { readonly [name: string]: XmlContent | readonly XmlContent[] | undefined } {
  const encode = encoder(query);
  return {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: maximum,
    EncodingType: query.get('encoding-type') ?? undefined,
    IsTruncated: page.next !== undefined,
    Contents: page.objects.map((object) => ({
      Key: encode(object.key),
      LastModified: object.modifiedAt.toISOString(),
      ETag: `"${object.etag}"`,
      Size: object.size,
      StorageClass: object.headers['x-amz-storage-class'] ?? 'STANDARD',
    })),
    CommonPrefixes: page.commonPrefixes.map((common) => ({ Prefix: encode(common) })),
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
