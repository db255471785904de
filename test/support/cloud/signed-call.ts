/** Signed calls by hand, to services for which no SDK client is installed. */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Credentials } from '../../../cdk/local/endpoint/endpoint.ts';

interface SignedRequest {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: Credentials;
  readonly service: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Sends a POST. */
export async function signedPost(request: SignedRequest): Promise<Response> {
  const { endpoint, region, credentials, service, path, headers, body } = request;
  const { host } = new URL(endpoint);
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  const signed = await signer.sign({
    method: 'POST',
    protocol: 'http:',
    hostname: host,
    path,
    headers: { host, ...headers },
    body,
  });
  return fetch(endpoint + path, { method: 'POST', headers: signed.headers, body });
}

type Bytes = string | ArrayBuffer | ArrayBufferView;

/** What the signer of the SDK asks for. */
export class Sha256 {
  private readonly hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: Bytes) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Bytes): void {
    this.hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }

  reset(): void {}
}

function bytesOf(data: Bytes): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}
