import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** How the next calls end: never, by a lost connection, or by an answer of DynamoDB. */
export type Ending =
  | 'never'
  | 'lost'
  | { readonly status: number; readonly error: string; readonly members?: object }
  | { readonly status: number; readonly text: string };

/** An endpoint that ends every call in the same way, so that the real SDK makes its real errors of it. */
export async function failingDynamoDb() {
  const state: { ending: Ending; calls: number } = { ending: 'never', calls: 0 };
  const server = createServer((request, response) => {
    state.calls += 1;
    const { ending } = state;
    if (ending === 'never') return;
    if (ending === 'lost') {
      request.socket.destroy();
      return;
    }
    const body =
      'text' in ending
        ? ending.text
        : JSON.stringify({
            __type: `com.amazonaws.dynamodb.v20120810#${ending.error}`,
            message: 'as told',
            ...ending.members,
          });
    response.writeHead(ending.status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    state,
    client: clientOf(port),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A client whose endpoint nobody listens at. A port that was free a moment ago could be another test's by now. */
export const unreachableClient = (): DynamoDBClient => clientOf(1);

const clientOf = (port: number) =>
  new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
    maxAttempts: 1,
  });
