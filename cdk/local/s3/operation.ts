/**
 * Finds the S3 operation of a request. Requests that are not listed are refused: an unknown sub-resource must never be
 * treated as the plain operation, because `PUT key?tagging` would then overwrite the object.
 */
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { uriDecode } from '../sigv4/canonical.ts';

export type OperationName = (typeof ROUTES)[number]['name'];

export interface Operation {
  readonly name: OperationName;
  /** Empty for operations on the account. */
  readonly bucket: string;
  /** The key as the caller means it, not encoded; empty for operations on a bucket. */
  readonly key: string;
}

const RESPONSE_OVERRIDES = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
].map((header) => `response-${header}`);
const COPY = 'x-amz-copy-source';

/** The first matching route wins, so the special ones come before the plain ones. */
const ROUTES = [
  route('ListBuckets', 'GET', 'account'),

  route('DeleteObjects', 'POST', 'bucket', { needs: ['delete'] }),
  route('ListObjectsV2', 'GET', 'bucket', {
    needs: ['list-type'],
    takes: ['prefix', 'delimiter', 'max-keys', 'encoding-type', 'continuation-token', 'start-after', 'fetch-owner'],
  }),
  route('ListObjectVersions', 'GET', 'bucket', {
    needs: ['versions'],
    takes: ['prefix', 'delimiter', 'max-keys', 'encoding-type', 'key-marker', 'version-id-marker'],
  }),
  route('GetBucketVersioning', 'GET', 'bucket', { needs: ['versioning'] }),
  route('PutBucketVersioning', 'PUT', 'bucket', { needs: ['versioning'] }),
  route('CreateBucket', 'PUT', 'bucket'),
  route('HeadBucket', 'HEAD', 'bucket'),
  route('DeleteBucket', 'DELETE', 'bucket'),

  route('UploadPartCopy', 'PUT', 'object', { needs: ['partNumber', 'uploadId'], header: COPY }),
  route('UploadPart', 'PUT', 'object', { needs: ['partNumber', 'uploadId'] }),
  route('CopyObject', 'PUT', 'object', { header: COPY }),
  route('PutObject', 'PUT', 'object'),
  route('ListParts', 'GET', 'object', {
    needs: ['uploadId'],
    takes: ['max-parts', 'part-number-marker', 'encoding-type'],
  }),
  route('GetObject', 'GET', 'object', { takes: ['versionId', ...RESPONSE_OVERRIDES] }),
  route('HeadObject', 'HEAD', 'object', { takes: ['versionId', ...RESPONSE_OVERRIDES] }),
  route('AbortMultipartUpload', 'DELETE', 'object', { needs: ['uploadId'] }),
  route('DeleteObject', 'DELETE', 'object', { takes: ['versionId'] }),
  route('CreateMultipartUpload', 'POST', 'object', { needs: ['uploads'] }),
  route('CompleteMultipartUpload', 'POST', 'object', { needs: ['uploadId'] }),
];

/** Headers that request features which this S3 lacks. Ignoring them would mislead the caller. */
const UNSUPPORTED_HEADERS = [
  'x-amz-bypass-governance-retention',
  'x-amz-grant-',
  'x-amz-mfa',
  'x-amz-object-lock-',
  'x-amz-server-side-encryption-customer-',
  'x-amz-tagging',
  'x-amz-website-redirect-location',
  'x-amz-write-offset-bytes',
];

interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

export function operationOf(request: RequestLine): Operation {
  const { bucket, key } = addressOf(request.path);
  const scope = key === '' ? (bucket === '' ? 'account' : 'bucket') : 'object';
  const names = [...new Set(request.query.keys())].filter(
    (name) => !name.toLowerCase().startsWith('x-amz-') && name !== 'x-id',
  );
  const route = ROUTES.find(
    (candidate) =>
      candidate.method === request.method &&
      candidate.scope === scope &&
      candidate.needs.every((name) => names.includes(name)) &&
      (candidate.header === undefined || request.headers[candidate.header] !== undefined),
  );
  const unknown = names.find((name) => !route?.needs.includes(name) && !route?.takes.includes(name));
  if (!route || unknown !== undefined) {
    throw notImplemented(
      `${request.method} of ${scope === 'account' ? 'the account' : `an ${scope}`}${unknown === undefined ? '' : ` with ?${unknown}`}`,
    );
  }
  const header = Object.keys(request.headers).find((name) =>
    UNSUPPORTED_HEADERS.some((refused) => name.startsWith(refused)),
  );
  if (header !== undefined) throw notImplemented(`the header ${header}`);
  return { name: route.name, bucket, key };
}

/** Bucket and key of a path or of `x-amz-copy-source`. */
export function addressOf(path: string): { readonly bucket: string; readonly key: string } {
  const trimmed = path.startsWith('/') ? path.slice(1) : path;
  const slash = trimmed.indexOf('/');
  if (slash < 0) return { bucket: uriDecode(trimmed), key: '' };
  return { bucket: uriDecode(trimmed.slice(0, slash)), key: uriDecode(trimmed.slice(slash + 1)) };
}

export function notImplemented(what: string): CallRefusal {
  return new CallRefusal(501, 'NotImplemented', `The local cloud does not have ${what} of S3.`);
}

interface RouteOptions {
  readonly needs?: readonly string[];
  readonly takes?: readonly string[];
  readonly header?: string;
}

function route<Name extends string>(
  name: Name,
  method: string,
  scope: 'account' | 'bucket' | 'object',
  options: RouteOptions = {},
) {
  const { needs = [], takes = [], header } = options;
  return { name, method, scope, needs, takes, header };
}
