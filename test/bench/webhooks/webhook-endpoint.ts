import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arrival, ReceiverMessage, ReceiverOrder } from './webhook-receiver.ts';

/** With sub-millisecond steps, and the same for all processes of a machine. */
export const epochMillis = () => performance.timeOrigin + performance.now();

/** The receiver's process, from outside. */
export interface Endpoint {
  readonly url: string;
  readonly caPem: string;
  /** POSTs since the last call. */
  arrivals(): Promise<readonly Arrival[]>;
  /** POSTs to `/hang` are answered from now on; those that hang already are not. */
  answer(): void;
  close(): Promise<void>;
}

export async function startEndpointProcess(): Promise<Endpoint> {
  const child = fork(join(import.meta.dirname, 'webhook-receiver.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const next = async (): Promise<ReceiverMessage> => (await once(child, 'message'))[0];
  const ready = await next();
  if (ready.kind !== 'ready') throw new Error('The receiver did not start.');
  const order = (what: ReceiverOrder) => child.send(what);
  return {
    url: ready.url,
    caPem: ready.caPem,
    async arrivals() {
      const answer = next();
      order('arrivals?');
      const message = await answer;
      return message.kind === 'arrivals' ? message.arrivals : [];
    },
    answer: () => void order('answer'),
    async close() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
