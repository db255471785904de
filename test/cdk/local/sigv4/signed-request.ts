/** Requests signed by AWS's own signer, in the form in which they arrive. */
import { SignatureV4 } from '@smithy/signature-v4';
import { uriEncode } from '../../../../cdk/local/sigv4/canonical.ts';
import type { ReceivedRequest } from '../../../../cdk/local/sigv4/received.ts';
import { Sha256 } from '../../../support/cloud/signed-call.ts';

export const SIGNER = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret' };
export const SIGNED_AT = new Date('2026-03-01T12:00:00Z');

export interface Draft {
  readonly service: string;
  readonly method: string;
  /** Encoded once. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function signerFor(service: string, sessionToken?: string): SignatureV4 {
  return new SignatureV4({
    service,
    region: 'us-east-1',
    credentials: { ...SIGNER, sessionToken },
    sha256: Sha256,
    // S3 signs paths as they are.
    uriEscapePath: service !== 's3',
    applyChecksum: service === 's3',
  });
}

export async function signed(draft: Draft): Promise<ReceivedRequest> {
  const request = await signerFor(draft.service).sign(requestOf(draft), { signingDate: SIGNED_AT });
  return received(draft, request);
}

export async function presigned(draft: Draft, expiresIn: number): Promise<ReceivedRequest> {
  const request = requestOf({ ...draft, body: '' });
  request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
  const result = await signerFor(draft.service).presign(request, {
    signingDate: SIGNED_AT,
    expiresIn,
    unsignableHeaders: new Set(['x-amz-content-sha256']),
  });
  const { 'x-amz-content-sha256': _unsigned, ...headers } = result.headers;
  return received(draft, { ...result, headers });
}

function requestOf({ method, path, query, headers, body }: Draft) {
  return {
    method,
    protocol: 'http:',
    hostname: '127.0.0.1',
    path,
    query: { ...query },
    headers: withHost(headers),
    body,
  };
}

function withHost(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { host: '127.0.0.1:4566', ...headers };
}

type Query = Record<string, string | string[] | null>;

function received(draft: Draft, request: { headers: Record<string, string>; query?: Query }): ReceivedRequest {
  const pairs = Object.entries(request.query ?? {}).flatMap(([name, values]) =>
    [values ?? ''].flat().map((value) => `${uriEncode(name)}=${uriEncode(value)}`),
  );
  const headers = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return {
    method: draft.method,
    path: draft.path,
    rawQuery: pairs.join('&'),
    headers: Object.fromEntries(headers),
    body: Buffer.from(draft.body),
  };
}
