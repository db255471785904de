/** The signer that a request names, read from the Authorization header or from the query of a presigned URL. */

import { CallRefusal } from '../endpoint/call-refusal.ts';
import { queryParameters } from './canonical.ts';
import type { ReceivedRequest } from './received.ts';

export interface Claim {
  readonly accessKeyId: string;
  readonly scope: Scope;
  /** `20260131T120000Z` */
  readonly timestamp: string;
  /** The names of the signed headers, in the order of signing. */
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly sessionToken: string | undefined;
  /** The lifetime of a presigned URL; null for a signed header. */
  readonly expiresSeconds: number | null;
}

export interface Scope {
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const EXPIRES_SECONDS_MAX = 7 * 24 * 3600;

/** The service that the caller meant, even if the rest of the claim is invalid. */
export function claimedService(request: ReceivedRequest): string | undefined {
  const credential =
    /Credential=([^,\s]+)/.exec(request.headers['authorization'] ?? '')?.[1] ?? parameter(request, 'X-Amz-Credential');
  return credential?.split('/').at(-2);
}

/** Returns whether the request carries no signature of any kind. */
export function isUnsigned(request: ReceivedRequest): boolean {
  const names = queryParameters(request.rawQuery).map(([name]) => name);
  return (
    request.headers['authorization'] === undefined &&
    !names.some((name) => name === 'AWSAccessKeyId' || name.toLowerCase().startsWith('x-amz-'))
  );
}

export function claimOf(request: ReceivedRequest): Claim {
  const header = request.headers['authorization'];
  const presigned =
    parameter(request, 'X-Amz-Signature') !== undefined || parameter(request, 'X-Amz-Algorithm') !== undefined;
  if (header !== undefined && presigned) {
    throw new CallRefusal(
      400,
      'InvalidArgument',
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    );
  }
  if (header !== undefined) return headerClaim(request, header);
  if (presigned) return queryClaim(request);
  if (parameter(request, 'AWSAccessKeyId') !== undefined) {
    // Version 1 of the AWS CLI still signs like this in us-east-1, unless it is configured otherwise.
    throw new CallRefusal(400, 'InvalidRequest', 'Please use AWS4-HMAC-SHA256: signature version 2 is not accepted.');
  }
  throw new CallRefusal(403, 'AccessDenied', 'Request is missing Authentication Token');
}

function headerClaim(request: ReceivedRequest, header: string): Claim {
  const fields = new Map<string, string>();
  const [algorithm, rest] = [header.slice(0, header.indexOf(' ')), header.slice(header.indexOf(' ') + 1)];
  for (const field of rest.split(',')) {
    const equals = field.indexOf('=');
    fields.set(field.slice(0, equals).trim(), field.slice(equals + 1).trim());
  }
  const timestamp = request.headers['x-amz-date'] ?? compactDate(request.headers['date']);
  return {
    ...claim({
      algorithm,
      credential: fields.get('Credential'),
      signedHeaders: fields.get('SignedHeaders'),
      signature: fields.get('Signature'),
      timestamp,
    }),
    sessionToken: request.headers['x-amz-security-token'],
    expiresSeconds: null,
  };
}

function queryClaim(request: ReceivedRequest): Claim {
  const expires = parameter(request, 'X-Amz-Expires');
  if (expires === undefined || !/^\d+$/.test(expires) || Number(expires) < 1 || Number(expires) > EXPIRES_SECONDS_MAX) {
    throw new CallRefusal(
      400,
      'AuthorizationQueryParametersError',
      'X-Amz-Expires must be between 1 and 604800 seconds',
    );
  }
  return {
    ...claim({
      algorithm: parameter(request, 'X-Amz-Algorithm'),
      credential: parameter(request, 'X-Amz-Credential'),
      signedHeaders: parameter(request, 'X-Amz-SignedHeaders'),
      signature: parameter(request, 'X-Amz-Signature'),
      timestamp: parameter(request, 'X-Amz-Date'),
    }),
    sessionToken: parameter(request, 'X-Amz-Security-Token'),
    expiresSeconds: Number(expires),
  };
}

interface ClaimText {
  readonly algorithm: string | undefined;
  readonly credential: string | undefined;
  readonly signedHeaders: string | undefined;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
}

function claim({ algorithm, credential, signedHeaders, signature, timestamp }: ClaimText) {
  if (algorithm !== ALGORITHM) throw malformed(`The authorization mechanism must be ${ALGORITHM}.`);
  const [accessKeyId, date, region, service, terminator, ...more] = credential?.split('/') ?? [];
  if (!accessKeyId || !date || !region || !service || terminator !== 'aws4_request' || more.length > 0) {
    throw malformed('The Credential must be <access key id>/<date>/<region>/<service>/aws4_request.');
  }
  if (!signature || !/^[0-9a-f]{64}$/.test(signature)) throw malformed('The Signature must be 64 hexadecimal digits.');
  if (!timestamp || !/^\d{8}T\d{6}Z$/.test(timestamp)) {
    throw new CallRefusal(403, 'AccessDenied', 'AWS authentication requires a valid Date or x-amz-date header');
  }
  if (!timestamp.startsWith(date)) throw malformed('The date of the Credential is not the date of the request.');
  const names = signedHeaders?.split(';') ?? [];
  if (!names.includes('host')) throw malformed('The host header must be signed.');
  return { accessKeyId, scope: { date, region, service }, timestamp, signedHeaders: names, signature };
}

function malformed(message: string): CallRefusal {
  return new CallRefusal(400, 'AuthorizationHeaderMalformed', `The authorization is malformed: ${message}`);
}

function compactDate(date: string | undefined): string | undefined {
  const instant = Date.parse(date ?? '');
  return Number.isNaN(instant) ? undefined : new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '');
}

function parameter(request: ReceivedRequest, name: string): string | undefined {
  return queryParameters(request.rawQuery).find(([candidate]) => candidate === name)?.[1];
}
