/** SQS, fast and slow: makes the attempt that a message names, if it is still to be made. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { positiveInteger, readEnv, traceId } from '#shared/env';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { kmsSecrets } from '../configurations/secrets.kms.ts';
import { lanes, privateTargets, retention, secretsKey, webhooksTable } from '../environment.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import { httpsSender } from '../sending/sender.https.ts';
import { readPrivateTargets } from '../sending/target.ts';
import { admission } from './admission.dynamodb.ts';
import { tellAttempt } from './attempt-metrics.ts';
import { type DeliverDeps, deliverRun } from './deliver-run.ts';
import { postRun } from './post-run.ts';
import { deliveries, TicketMessage } from './tickets.sqs.ts';

export const Env = z.object({
  ...webhooksTable,
  ...lanes,
  ...secretsKey,
  ...retention,
  ...privateTargets,
  LANE: z.enum(['fast', 'slow']),
  ATTEMPTS_PER_CONFIGURATION: positiveInteger,
  EXTRA_CA_FILE: z.string(),
});
const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);
const secrets = kmsSecrets({ key: env.SECRETS_KEY });
const extraCa = env.EXTRA_CA_FILE && readFileSync(env.EXTRA_CA_FILE, 'utf8');
const deps: DeliverDeps = {
  runs: runStore({ table, retentionDays: env.RETENTION_DAYS }),
  configurations: configurationStore(table),
  admission: admission({ table, slots: env.ATTEMPTS_PER_CONFIGURATION, chance: Math.random }),
  secretOf: async ({ tenant, id, authentication }) => {
    if (authentication.type === 'none') return {};
    const secret = await secrets.decrypt(authentication.secret, { tenant, configuration: id });
    return secret === undefined ? undefined : { secret };
  },
  post: postRun(httpsSender({ ...(extraCa && { extraCa }) }), readPrivateTargets(env.PRIVATE_TARGETS)),
  send: deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE }).send,
  tell: (run, attempt) => tellAttempt(run, attempt, Date.now()),
  now: () => Date.now(),
  newToken: randomUUID,
  chance: Math.random,
};

// Concurrent: a slow endpoint holds up no other message of the batch.
export const handler = queueHandler(
  TicketMessage,
  async ({ message, remainingMillis }) => {
    if (message) await deliverRun(deps, message, { lane: env.LANE, remainingMillis, traceId: traceId() });
  },
  { isConcurrent: true, logged: (message) => ({ run: message?.run }) },
);
