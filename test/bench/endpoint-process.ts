/** An AWS endpoint in a process of its own, so that its processor time is not that of the code which calls it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REGION } from '../support/cloud/local-endpoint.ts';
import type { EndpointMessage } from './endpoint-child.ts';

export interface EndpointProcess {
  readonly url: string;
  /** The id of the one secret that it holds. */
  readonly secretId: string;
  clientOptions(): {
    readonly endpoint: string;
    readonly region: string;
    readonly credentials: EndpointMessage['credentials'];
    readonly maxAttempts: number;
  };
  close(): Promise<void>;
}

/** @param secret the text of the secret */
export async function startEndpointProcess(secret: string): Promise<EndpointProcess> {
  const child = fork(join(import.meta.dirname, 'endpoint-child.ts'), [secret], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [{ url, secretId, credentials }] = (await once(child, 'message')) as [EndpointMessage];
  return {
    url,
    secretId,
    clientOptions: () => ({ endpoint: url, region: REGION, credentials, maxAttempts: 1 }),
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
