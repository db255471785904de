import { SQSClient } from '@aws-sdk/client-sqs';
import { noSuch, Refusal } from '#shared/errors';
import { DeadLetters, NoDeadLetter } from '#shared/queue/dead-letters.sqs';
import { callLimits } from '#shared/quotas/call-limits';
import type { DeadLettersAt } from './system-parts.ts';

/** The dead letters of one queue. Those of streams only point into the stream, so they are not shown. */
export function deadLettersIn(queues: readonly DeadLettersAt[], queue: string, client: SQSClient = ownClient()) {
  const url = queues.find(({ redriveAs }) => redriveAs === queue)?.url;
  if (url === undefined) noSuch('queue');
  const letters = new DeadLetters(client, () => url);
  return {
    list: () => letters.list(queue),
    one: (id: string) => letters.one(queue, id).catch(refused),
    drop: (id: string) => letters.drop(queue, id).catch(refused),

    /** Sends all dead letters back to work. Returns about how many they are. */
    async redrive(): Promise<number> {
      const { waiting } = await letters.state(queue);
      if (await letters.startRedrive(queue)) return waiting;
      throw new Refusal(409, 'redrive-in-progress', 'These letters are being sent back already.');
    },
  };
}

function refused(error: unknown): never {
  if (!(error instanceof NoDeadLetter)) throw error;
  const detail = 'There is no such letter, or somebody else is reading it. Try again after two minutes.';
  throw new Refusal(404, 'not-found', detail);
}

let client: SQSClient | undefined;
const ownClient = () =>
  (client ??= new SQSClient({
    maxAttempts: 4,
    requestHandler: callLimits(5_000),
    useQueueUrlAsEndpoint: false,
  }));
