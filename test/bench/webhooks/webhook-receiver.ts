/** The endpoint of the bench: a process of its own, so that its processor time is counted apart. Run it with `fork`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { makeCertificates } from '../../support/cloud/certificates.ts';
import { epochMillis } from './webhook-endpoint.ts';

/** `[event, milliseconds since 1970, when the run was made, whether it is answered]` of each POST. */
export type Arrival = readonly [event: string, at: number, made: number, isAnswered: boolean];

/** Asks for the arrivals since the last time, or lets `/hang` answer from now on. */
export type ReceiverOrder = 'arrivals?' | 'answer';

export type ReceiverMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly caPem: string }
  | { readonly kind: 'arrivals'; readonly arrivals: readonly Arrival[] };

await serve((message) => process.send?.(message));

async function serve(say: (message: ReceiverMessage) => void): Promise<void> {
  const { caPem, certPem, keyPem } = makeCertificates();
  let arrivals: Arrival[] = [];
  let isBack = false;
  async function receive(request: IncomingMessage, response: ServerResponse) {
    const at = epochMillis();
    const isAnswered = isBack || !request.url?.startsWith('/hang');
    const body = await buffer(request);
    const { event = '', timestamp = '' } = JSON.parse(body.toString()) as { event?: string; timestamp?: string };
    arrivals.push([event, at, Date.parse(timestamp), isAnswered]);
    if (!isAnswered) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"accepted":true}');
  }
  const server = createServer({ cert: certPem, key: keyPem }, (request, response) => {
    // A sender that breaks off is not counted.
    void receive(request, response).catch(() => undefined);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.on('message', (order: ReceiverOrder) => {
    if (order === 'answer') {
      isBack = true;
      return;
    }
    say({ kind: 'arrivals', arrivals });
    arrivals = [];
  });
  process.on('disconnect', () => process.exit(0));
  say({ kind: 'ready', url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caPem });
}
