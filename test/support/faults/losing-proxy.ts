import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What of a call is lost: the call, before the engine sees it, or its answer, when the engine has carried it out. */
export type Loss = 'call' | 'answer';

/** Stands before a DynamoDB engine, passes calls on, and loses some of them by a broken connection. */
export async function losingProxy(engineUrl: string) {
  const state: { loses: (operation: string) => Loss | undefined; calls: string[] } = {
    loses: () => undefined,
    calls: [],
  };
  const server = createServer((call, answer) => {
    // Nobody waits for a call whose caller has gone.
    serve(call, answer).catch(() => answer.destroy());
  });
  async function serve(call: IncomingMessage, answer: ServerResponse): Promise<void> {
    const operation = String(call.headers['x-amz-target']).split('.').at(-1) ?? '';
    state.calls.push(operation);
    const loss = state.loses(operation);
    const body: Buffer[] = [];
    for await (const chunk of call) body.push(chunk as Buffer);
    if (loss === 'call') {
      call.socket.destroy();
      return;
    }
    const { status, headers, text } = await passedOn(engineUrl, call.headers, Buffer.concat(body));
    if (loss === 'answer') call.socket.destroy();
    else
      answer.writeHead(status, { 'content-type': headers['content-type'] ?? 'application/x-amz-json-1.0' }).end(text);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    state,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function passedOn(url: string, headers: IncomingHttpHeaders, body: Buffer) {
  const call = request(url, { method: 'POST', headers: { ...headers, host: new URL(url).host } });
  call.end(body);
  const [answer] = await once(call, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: Number(answer.statusCode), headers: answer.headers, text: Buffer.concat(chunks) };
}

/** Loses the first calls of an operation, each in this way, and none of the others. */
export function losingFirst(operation: string, ...losses: Loss[]): (called: string) => Loss | undefined {
  const left = [...losses];
  return (called) => (called === operation ? left.shift() : undefined);
}
