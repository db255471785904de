import * as z from 'zod';
import { sendMessage } from '#shared/queue/message-lease.sqs';
import type { PageTicket } from './bulk-replay.ts';

export const PageMessage = z.strictObject({ tenant: z.string(), id: z.string(), page: z.number().int() });

/** Pages to do. The group makes the queue fair: one tenant's replay does not hold up another's. */
export const replayPages = (queue: string) => ({
  send: (ticket: PageTicket, delaySeconds: number) =>
    sendMessage(queue, ticket, { group: ticket.tenant, delaySeconds }),
});
