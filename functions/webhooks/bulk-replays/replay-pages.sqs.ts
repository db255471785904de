import * as z from 'zod';
import { sendMessage } from '#shared/queue/message-lease.sqs';
import type { PageTicket } from './bulk-replay.ts';

export const PageMessage = z.strictObject({ tenant: z.string(), id: z.string(), page: z.number().int() });

/** The queue of pages. The message group makes it fair: one tenant's bulk replay does not hold up another's. */
export const replayPages = (queue: string) => ({
  send: (ticket: PageTicket, delaySeconds: number) =>
    sendMessage(queue, ticket, { group: ticket.tenant, delaySeconds }),
});
