/** Worker of the fast and the slow queue: makes the attempt that a message names, unless it was made already. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { readEnv, traceId } from '#shared/env';
import { queueHandler } from '#shared/queue/queue-handler';
import { boundTable } from '#shared/table/table.dynamodb';
import { configurationStore } from '../configurations/configuration-store.dynamodb.ts';
import { kmsSecrets, secretsOf } from '../configurations/secrets.kms.ts';
import { limitsIn, worker } from '../environment.ts';
import { pausesIn } from '../pauses/pause.dynamodb.ts';
import { parkedRuns } from '../runs/parked-runs.dynamodb.ts';
import { runStore } from '../runs/run-store.dynamodb.ts';
import { httpsSender } from '../sending/sender.https.ts';
import { readPrivateTargets } from '../sending/target-policy.ts';
import { admission } from '../slots/admission.dynamodb.ts';
import { logAttempt } from './attempt-metrics.ts';
import { CONTINUE_FOR_MILLIS, type DeliverDeps, deliverRun } from './deliver-run.ts';
import { postRun } from './post-run.ts';
import { deliveries, TicketMessage } from './tickets.sqs.ts';

export const Env = z.object(worker);
const env = readEnv(Env);
const table = boundTable(env.WEBHOOKS_TABLE);
const extraCa = env.EXTRA_CA_FILE && readFileSync(env.EXTRA_CA_FILE, 'utf8');
const limits = limitsIn(env);
const queues = deliveries({ fast: env.FAST_QUEUE, slow: env.SLOW_QUEUE });
const deps: DeliverDeps = {
  runs: runStore({ table, retentionDays: env.RETENTION_DAYS }),
  configurations: configurationStore(table),
  parkedRuns: parkedRuns(table),
  admission: admission({ table, limits, chance: Math.random }),
  limits,
  secretsOf: secretsOf(kmsSecrets({ key: env.SECRETS_KEY })),
  deliveringFrom: pausesIn(env.ACCOUNTS_TABLE, () => Date.now()),
  post: postRun(httpsSender({ ...(extraCa && { extraCa }) }), readPrivateTargets(env.PRIVATE_TARGETS)),
  send: queues.send,
  reportAttempt: (run, attempt) => logAttempt(run, attempt, Date.now()),
  now: () => Date.now(),
  newToken: randomUUID,
  continueForMillis: CONTINUE_FOR_MILLIS,
};

// Messages are processed concurrently, so that a slow endpoint does not block the others of the batch.
export const handler = queueHandler(
  TicketMessage,
  async ({ message, remainingMillis, receiptHandle }) => {
    if (!message) return;
    const hold = (millis: number) => queues.hold(env.LANE, receiptHandle, millis);
    await deliverRun(deps, message, { lane: env.LANE, remainingMillis, traceId: traceId(), hold });
  },
  { isConcurrent: true, logged: (message) => ({ run: message?.run }) },
);
