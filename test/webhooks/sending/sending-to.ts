import { networkInterfaces } from 'node:os';
import { afterEach, type TestContext } from 'vitest';
import { httpsSender } from '../../../functions/webhooks/sending/sender.https.ts';
import type { OutgoingRequest, Send, SendResult } from '../../../functions/webhooks/sending/sending.ts';
import { readPrivateTargets, readTarget } from '../../../functions/webhooks/sending/target-policy.ts';
import type { ResolveHost } from '../../../functions/webhooks/sending/vetted-addresses.ts';
import { makeCertificates } from '../../support/cloud/certificates.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';

/** A name that is in no DNS; the sender under test gets its addresses. */
export const HOST = 'hooks.example.com';
const certificates = makeCertificates(['localhost', '127.0.0.1', '::1', HOST]);

const started: Receiver[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((one) => one.close()));
});

/** An endpoint that lives until the end of the test. */
export async function receiver(options: Parameters<typeof startReceiver>[0] = {}): Promise<Receiver> {
  const one = await startReceiver({ certificates, ...options });
  started.push(one);
  return one;
}

/** Skips a test that calls ::1 on a machine that has none. */
export function needsIpv6({ skip }: TestContext): void {
  const has = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
  skip(!has, 'This machine has no ::1.');
}

/** A sender that trusts the endpoint. */
export const sender = (options: { resolveHost?: ResolveHost; extraCa?: string } = {}): Send =>
  httpsSender({ extraCa: certificates.caPem, ...options });

/** A request that may go to this machine. */
export function requestTo(url: string, changes: Partial<OutgoingRequest> = {}): OutgoingRequest {
  const read = readTarget(url, readPrivateTargets(new URL(url).host));
  if (!read.ok) throw new Error(read.reason);
  return {
    target: read.target,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from('{}'),
    timeoutMillis: 10_000,
    connectionGroup: 'tenant#configuration',
    ...changes,
  };
}

/** The answer of a look-up. */
export const addresses = (...list: readonly string[]) =>
  list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

export const textOf = (result: SendResult) => Buffer.from(result.body?.bytes ?? []).toString('latin1');

/** The failure of a result, or `answered`. */
export const failureOf = (result: SendResult) => (result.kind === 'not-answered' ? result.failure : result.kind);

/** The status line and headers of an answer as on the wire. */
export const head = (status: string, ...lines: readonly string[]) =>
  `${[`HTTP/1.1 ${status}`, ...lines].join('\r\n')}\r\n\r\n`;
