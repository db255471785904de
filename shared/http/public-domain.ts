import { timingSafeEqual } from 'node:crypto';
import { variable } from '#shared/env';
import { Refusal } from '#shared/errors';
import type { HttpEvent } from './http-handler.ts';

/** The header by which CloudFront proves that a request came through it. It replaces one that a client sends. */
export const ORIGIN_SECRET_HEADER = 'x-origin-secret';

/** The domain of a stage that has one of its own, with CloudFront before the API. */
export interface PublicDomain {
  readonly name: string;
  /** CloudFront sends it with every request; nobody else knows it. */
  readonly secret: string;
}

/**
 * Reads the domain from the environment; undefined if callers reach the API itself. Throws if the secret is missing, because
 * requests would be served that go round the firewall.
 */
export function publicDomain(): PublicDomain | undefined {
  const [name, secret] = [variable('PUBLIC_DOMAIN'), variable('ORIGIN_SECRET')];
  if (name === undefined) return undefined;
  if (secret === undefined) throw new Error('PUBLIC_DOMAIN is set without ORIGIN_SECRET.');
  return { name, secret };
}

/** Refuses a request that did not come through CloudFront, because a firewall may be there. */
export function refuseDetour({ headers }: Pick<HttpEvent, 'headers'>, { name, secret }: PublicDomain): void {
  const [sent, expected] = [Buffer.from(headers[ORIGIN_SECRET_HEADER] ?? ''), Buffer.from(secret)];
  if (sent.length === expected.length && timingSafeEqual(sent, expected)) return;
  throw new Refusal(403, 'not-through-domain', `This API is served at https://${name}.`);
}

/**
 * Gives a request that came through CloudFront the host, scheme and address that the viewer's request had: the gateway
 * reports those of the connection from CloudFront. The event itself is changed, because others remember it as a key.
 */
export function restoreViewer(event: HttpEvent, { name }: PublicDomain): void {
  const { headers, requestContext } = event;
  requestContext.http.sourceIp = viewerOf(headers['x-forwarded-for'] ?? '', requestContext.http.sourceIp);
  Object.assign(headers, { host: name, 'x-forwarded-proto': 'https' });
  delete headers[ORIGIN_SECRET_HEADER];
}

/** Returns the scheme and host by which the caller reached this service. */
export const originOf = ({ headers }: Pick<HttpEvent, 'headers'>): string =>
  `${headers['x-forwarded-proto'] ?? 'https'}://${headers['host'] ?? 'localhost'}`;

/**
 * Returns the address of the viewer. CloudFront appends it to the list, whatever the viewer sent, and the gateway appends that
 * of its own connection. Anything before is the viewer's claim. Calls of the console's server carry no list.
 */
function viewerOf(forwardedFor: string, connection: string): string {
  const addresses = forwardedFor.split(',').map((address) => address.trim());
  if (addresses.at(-1) === connection) addresses.pop();
  return addresses.at(-1) || connection;
}
