/** API function: shows, deletes and redrives the dead letters of the deployment, for operators. */
import * as z from 'zod';
import { audited, auditTable } from '#shared/audit/audited.dynamodb';
import { requireOperator } from '#shared/auth/management-caller';
import { readEnv, resource } from '#shared/env';
import { apiRoutes, json, noContent, ok } from '#shared/http/http-handler';
import { managementApi } from '#shared/http/management-api';
import { cached } from './cached-load.ts';
import { lineOf, presentDeadLetter } from './dead-letter.ts';
import { deadLettersIn } from './dead-letter-queues.sqs.ts';
import { deadLetterOperations } from './dead-letters.operations.ts';
import { outputsOf } from './stack-outputs.cloudformation.ts';
import { partsIn } from './system-parts.ts';

/** The names of the stacks, with commas between them. */
export const Env = z.object({ ...auditTable, STACKS: resource });
const env = readEnv(Env);
const api = audited(managementApi, env);
/** Outputs change with a deployment alone. */
const parts = cached(60_000, async () => partsIn(await outputsOf(env.STACKS.split(','))));
const queueAt = async (queue: string, now: number) => deadLettersIn((await parts(now)).deadLetters, queue);

export const handler = apiRoutes(api, deadLetterOperations, {
  listDeadLetters: async ({ caller, path: { queue }, now }) => {
    requireOperator(caller);
    const letters = await (await queueAt(queue, now)).list();
    return ok({ items: letters.map(lineOf) });
  },
  getDeadLetter: async ({ caller, path: { queue, id }, now }) => {
    requireOperator(caller);
    const letters = await queueAt(queue, now);
    return ok(presentDeadLetter(await letters.one(id)));
  },
  dropDeadLetter: async ({ caller, path: { queue, id }, now }) => {
    requireOperator(caller);
    const letters = await queueAt(queue, now);
    await letters.drop(id);
    return noContent();
  },
  redriveDeadLetters: async ({ caller, path: { queue }, now }) => {
    requireOperator(caller);
    const letters = await queueAt(queue, now);
    return json(202, { moving: await letters.redrive() });
  },
});
