/** Finds the signer of a request, or refuses it: signature, time, session token and payload are all checked here. */
import { timingSafeEqual } from 'node:crypto';
import { CallRefusal } from '../endpoint/call-refusal.ts';
import { canonicalRequest, sha256Hex } from './canonical.ts';
import { decodeChunked } from './chunked-payload.ts';
import { type Claim, claimOf } from './claim.ts';
import type { ReceivedRequest } from './received.ts';
import { hmac, type SigningKeys } from './signing-key.ts';

export interface Signer {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface Authentication<S extends Signer> {
  readonly signer: S;
  readonly presigned: boolean;
  /** The body without its `aws-chunked` framing. */
  readonly body: Buffer;
  /** Headers as received, joined by those that followed the body or stood in a presigned URL. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Verification<S extends Signer> {
  readonly region: string;
  readonly keys: SigningKeys;
  readonly now: () => Date;
  signerOf(accessKeyId: string): S | undefined;
}

const SKEW_MAX_MS = 15 * 60 * 1000;

export function authenticate<S extends Signer>(
  request: ReceivedRequest,
  verification: Verification<S>,
): Authentication<S> {
  const claim = claimOf(request);
  const signer = verification.signerOf(claim.accessKeyId);
  if (!signer) {
    throw new CallRefusal(
      403,
      'InvalidAccessKeyId',
      'The AWS Access Key Id you provided does not exist in our records.',
    );
  }
  checkScope(claim, verification.region);
  checkTime(claim, verification.now());
  checkSessionToken(claim, signer);
  checkEverythingSigned(request, claim);
  const payload = payloadOf(request, claim);
  const key = verification.keys.of(signer.secretAccessKey, claim.scope);
  checkSignature(request, claim, { key, payload });
  if (/^[0-9a-f]{64}$/.test(payload) && payload !== sha256Hex(request.body)) {
    throw new CallRefusal(
      400,
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  const presigned = claim.expiresSeconds !== null;
  if (!payload.startsWith('STREAMING-')) {
    return { signer, presigned, body: request.body, headers: presigned ? hoisted(request) : request.headers };
  }
  return { signer, presigned, ...unframed(request, payload, { key, claim }) };
}

function checkScope({ scope }: Claim, region: string): void {
  if (scope.region === region) return;
  throw new CallRefusal(
    400,
    'AuthorizationHeaderMalformed',
    `The authorization is malformed; the region '${scope.region}' is wrong; expecting '${region}'`,
  );
}

function checkTime({ timestamp, expiresSeconds }: Claim, now: Date): void {
  const signedAt = Date.parse(timestamp.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  const skewed = (clock: number) => !(Math.abs(clock - signedAt) <= SKEW_MAX_MS);
  // A test may have moved this clock while SDKs sign by the machine's clock, so both are accepted.
  if (expiresSeconds === null && skewed(now.getTime()) && skewed(Date.now())) {
    throw new CallRefusal(
      403,
      'RequestTimeTooSkewed',
      'The difference between the request time and the current time is too large.',
    );
  }
  if (expiresSeconds === null) return;
  if (now.getTime() > signedAt + expiresSeconds * 1000)
    throw new CallRefusal(403, 'AccessDenied', 'Request has expired');
  if (signedAt - now.getTime() > SKEW_MAX_MS && signedAt - Date.now() > SKEW_MAX_MS) {
    throw new CallRefusal(403, 'AccessDenied', 'Request is not valid yet');
  }
}

function checkSessionToken({ sessionToken }: Claim, signer: Signer): void {
  if (sessionToken === signer.sessionToken) return;
  throw new CallRefusal(400, 'InvalidToken', 'The provided token is malformed or otherwise invalid.');
}

function checkEverythingSigned(request: ReceivedRequest, { signedHeaders }: Claim): void {
  const unsigned = Object.keys(request.headers).filter(
    (name) => name.startsWith('x-amz-') && !signedHeaders.includes(name),
  );
  if (unsigned.length === 0) return;
  throw new CallRefusal(
    403,
    'AccessDenied',
    `There were headers present in the request which were not signed: ${unsigned.join(', ')}`,
  );
}

/** The hash that was signed in place of the body. */
function payloadOf(request: ReceivedRequest, { scope, expiresSeconds }: Claim): string {
  const declared = request.headers['x-amz-content-sha256'];
  if (declared === undefined)
    return expiresSeconds !== null && scope.service === 's3' ? 'UNSIGNED-PAYLOAD' : sha256Hex(request.body);
  if (scope.service !== 's3' || /^(UNSIGNED-PAYLOAD|[0-9a-f]{64})$/.test(declared)) return declared;
  if (/^STREAMING-(UNSIGNED-PAYLOAD-TRAILER|AWS4-HMAC-SHA256-PAYLOAD(-TRAILER)?)$/.test(declared)) return declared;
  throw new CallRefusal(
    400,
    'InvalidArgument',
    'x-amz-content-sha256 must be UNSIGNED-PAYLOAD, STREAMING-UNSIGNED-PAYLOAD-TRAILER, STREAMING-AWS4-HMAC-SHA256-PAYLOAD, STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER or a valid sha256 value.',
  );
}

function checkSignature(
  request: ReceivedRequest,
  { timestamp, scope, signedHeaders, signature }: Claim,
  { key, payload }: { readonly key: Buffer; readonly payload: string },
): void {
  const canonical = canonicalRequest(request, scope.service, { headers: signedHeaders, payloadHash: payload });
  const credentialScope = `${scope.date}/${scope.region}/${scope.service}/aws4_request`;
  const expected = hmac(key, `AWS4-HMAC-SHA256\n${timestamp}\n${credentialScope}\n${sha256Hex(canonical)}`);
  if (timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return;
  throw new CallRefusal(
    403,
    'SignatureDoesNotMatch',
    `The request signature we calculated does not match the signature you provided. Check your key and signing method. The canonical request was:\n${canonical}`,
  );
}

function unframed(request: ReceivedRequest, payload: string, signing: { readonly key: Buffer; readonly claim: Claim }) {
  const { body, trailers } = decodeChunked(request.body, payload, signing);
  const announced = (request.headers['x-amz-trailer'] ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);
  const length = request.headers['x-amz-decoded-content-length'];
  if (length !== undefined && Number(length) !== body.length) {
    throw new CallRefusal(400, 'IncompleteBody', 'The body has not the length of x-amz-decoded-content-length.');
  }
  for (const name of announced) {
    if (trailers[name] === undefined)
      throw new CallRefusal(400, 'MalformedTrailerError', `The announced trailer ${name} is missing.`);
  }
  const headers: Record<string, string> = { ...request.headers };
  for (const name of announced) headers[name] = trailers[name] ?? '';
  const encoding = (headers['content-encoding'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && part !== 'aws-chunked');
  if (encoding.length > 0) headers['content-encoding'] = encoding.join(',');
  else delete headers['content-encoding'];
  return { body, headers };
}

/** Presigned URLs may carry `x-amz-…` headers as parameters of the same name. */
function hoisted(request: ReceivedRequest): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { ...request.headers };
  for (const [name, value] of new URLSearchParams(request.rawQuery)) {
    const header = name.toLowerCase();
    if (header.startsWith('x-amz-') && !NOT_HOISTED.test(header)) headers[header] ??= value;
  }
  return headers;
}

/**
 * The signature's own parameters, and checksums: SDKs sign the checksum of an empty body into URLs for uploads, and S3
 * pays no attention to it.
 */
const NOT_HOISTED =
  /^x-amz-(algorithm|credential|date|expires|signedheaders|signature|security-token|content-sha256|checksum-|sdk-checksum-)/;
