import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { parkedOf } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { admission } from '../../../functions/webhooks/slots/admission.dynamodb.ts';
import { dynamoDbClient } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions } from '../../support/cloud/local-cloud.ts';
import { elapsed } from '../../support/runner/machine-time.ts';
import { type WebhookTenant, webhookTenant } from '../../support/webhooks/webhook-tenant.ts';
import { type Rate, startClock } from '../processor-clock.ts';
import { sizeOf } from '../size.ts';
import { epochMillis } from './webhook-endpoint.ts';
import type { Arrival } from './webhook-receiver.ts';
import { RULES, type WebhookService, withWebhookService } from './webhook-service.ts';

const RUNS = Math.ceil(sizeOf('RUNS', 20_000) / RULES) * RULES;
/** Of a stage for development, which the local cloud runs: see `cdk/settings.ts`. */
const SLOTS = { all: 4, whileSilent: 2 };
/** So many may be under way or in a queue while the endpoint is silent. */
const NOT_PARKED_MAX = 3 * SLOTS.all;
/** Of the median rate: full slots. */
const FULL = 0.8;
const TARGETS = { ratio: 0.8, firstPostSeconds: 5, fullSlotsSeconds: 10 };
const GRACE_PERIOD_MILLIS = 120_000;

/**
 * How fast a backlog goes out when its endpoint answers again: the whole service on the local cloud. Beside it the same
 * number of runs for an endpoint that always answered. `RUNS` sets how many.
 */
export async function benchWebhookBacklog(): Promise<void> {
  console.log(`\nBacklog of ${RUNS.toLocaleString('en')} runs of one configuration, ${RULES} made with each event`);
  await withWebhookService(async (webhooks) => {
    const steady = await alwaysAnswered(webhooks);
    const backlog = await silentFirst(webhooks);
    console.table({
      'endpoint that always answers': rowOf(steady),
      'endpoint that was silent': rowOf(backlog),
    });
    const ratio = perSecond(backlog.posts) / perSecond(steady.posts);
    console.log(
      [
        `Silent, it got ${backlog.hung} POSTs. ${backlog.parked} runs were parked when it answered again.`,
        `First POST after ${backlog.firstPost.toFixed(2)} s (target: at most ${TARGETS.firstPostSeconds}).`,
        `${SLOTS.all} slots taken after ${backlog.allSlots.toFixed(2)} s, ${FULL} of the median rate after ${backlog.fullRate.toFixed(2)} s (target: at most ${TARGETS.fullSlotsSeconds}).`,
        `Throughput to that of the endpoint that always answers: ${ratio.toFixed(2)} (target: at least ${TARGETS.ratio}).`,
        `After all were made ${(backlog.rate.perSecond / steady.rate.perSecond).toFixed(2)}, and ${(backlog.rate.perCpuSecond / steady.rate.perCpuSecond).toFixed(2)} by processor time: that of the whole local cloud.`,
      ].join('\n'),
    );
  });
}

interface Delivered {
  /** Seconds in which the runs were made. */
  readonly made: number;
  /** When each POST came. */
  readonly posts: readonly number[];
  /** When the last run had been made; for the silent endpoint, when it answered again. */
  readonly madeAt: number;
  /** Of the POSTs after that, when no runs are made beside. */
  readonly rate: Rate;
}

const perSecond = (posts: readonly number[]) => posts.length / ((posts.at(-1)! - posts[0]!) / 1000);

const after = ({ posts, madeAt }: Pick<Delivered, 'posts' | 'madeAt'>) => posts.filter((at) => at >= madeAt).length;

function rowOf(delivered: Delivered) {
  const { made, posts, rate } = delivered;
  return {
    'runs made in, s': made.toFixed(1),
    'first to last POST, s': ((posts.at(-1)! - posts[0]!) / 1000).toFixed(1),
    'runs a second': perSecond(posts).toFixed(1),
    'POSTs after all were made': after(delivered),
    'a second then': rate.perSecond.toFixed(1),
    'a CPU second then': rate.perCpuSecond.toFixed(1),
  };
}

async function alwaysAnswered(webhooks: WebhookService): Promise<Delivered> {
  const tenant = await webhookTenant(webhooks.service, 'steady');
  await webhooks.webhook(tenant, '/steady', { rules: RULES });
  // Functions start, connections open.
  await webhooks.makeRuns(tenant, 4 * RULES);
  await answered(webhooks, 4 * RULES);
  const making = async () => {
    const made = await webhooks.makeRuns(tenant, RUNS);
    return { made, madeAt: epochMillis(), clock: startClock() };
  };
  const [{ clock, ...made }, posts] = await Promise.all([making(), answered(webhooks, RUNS)]);
  return { ...made, posts, rate: clock.rate(after({ ...made, posts })) };
}

interface Backlog extends Delivered {
  /** Attempts while the endpoint was silent. */
  readonly hung: number;
  readonly parked: number;
  /** Seconds from when the endpoint answered again. */
  readonly firstPost: number;
  readonly allSlots: number;
  readonly fullRate: number;
}

/** Makes the runs while the endpoint is silent; when they are parked it answers at once. */
async function silentFirst(webhooks: WebhookService): Promise<Backlog> {
  const { endpoint, service } = webhooks;
  const tenant = await webhookTenant(service, 'backlog');
  // No run may end while the endpoint is silent.
  const attempts = { retryTimeoutSeconds: 1, retryIntervalSeconds: 0, maxAttempts: 20 };
  const configuration = await webhooks.webhook(tenant, '/hang', { rules: RULES, ...attempts });
  const table = { name: service.cloud.outputs['WebhooksTable']!, client: dynamoDbClient(clientOptions(service.cloud)) };
  const load = admission({ table, limits: SLOTS, chance: Math.random });
  const made = await webhooks.makeRuns(tenant, RUNS);
  const parked = await allParked(table, tenant, configuration);
  const hung = (await endpoint.arrivals()).length;

  endpoint.answer();
  const backAt = epochMillis();
  const clock = startClock();
  const allSlotsAt = async () => {
    for (;;) {
      const { slots } = await load.load({ tenant: tenant.tenant, configurationId: configuration });
      if ([...slots.values()].filter((until) => until > Date.now()).length === SLOTS.all) return epochMillis();
      await elapsed(50);
    }
  };
  const [posts, slotsAt] = await Promise.all([answered(webhooks, RUNS), allSlotsAt()]);
  return {
    made,
    madeAt: backAt,
    posts,
    rate: clock.rate(RUNS),
    hung,
    parked,
    firstPost: (posts[0]! - backAt) / 1000,
    allSlots: (slotsAt - backAt) / 1000,
    fullRate: (fullRateAt(posts) - backAt) / 1000,
  };
}

/** Waits until nearly all runs are parked. @returns how many are */
async function allParked(
  table: { readonly name: string; readonly client: DynamoDBClient },
  { tenant }: WebhookTenant,
  configuration: string,
): Promise<number> {
  for (;;) {
    let count = 0;
    let start: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const page: QueryCommandOutput = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'Parked',
          Select: 'COUNT',
          KeyConditionExpression: 'parked = :parked',
          ExpressionAttributeValues: { ':parked': { S: parkedOf(tenant, configuration) } },
          ExclusiveStartKey: start,
        }),
      );
      count += page.Count ?? 0;
      start = page.LastEvaluatedKey;
    } while (start);
    if (count >= RUNS - NOT_PARKED_MAX) return count;
    await elapsed(500);
  }
}

/** Waits for so many POSTs that are answered. @returns when each came, in order */
async function answered({ endpoint }: WebhookService, count: number): Promise<readonly number[]> {
  const posts: number[] = [];
  for (let last = Date.now(); posts.length < count; await elapsed(100)) {
    const arrived = (await endpoint.arrivals()).filter(isAnswered);
    if (arrived.length > 0) last = Date.now();
    posts.push(...arrived.map(([, at]) => at));
    if (Date.now() - last > GRACE_PERIOD_MILLIS) throw new Error(`${posts.length} of ${count} runs were posted.`);
  }
  return posts.toSorted((a, b) => a - b);
}

const isAnswered = ([, , , is]: Arrival) => is;

/** From when on the POSTs of a second are nearly as many as in the median second. */
function fullRateAt(posts: readonly number[]): number {
  const first = posts[0]!;
  const seconds = Map.groupBy(posts, (at) => Math.floor((at - first) / 1000));
  // The last second is not whole.
  const counts = [...seconds.values()].slice(0, -1).map(({ length }) => length);
  const median = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
  const needed = Math.max(1, Math.floor(FULL * median));
  const full = posts.findIndex((at, n) => (posts[n + needed - 1] ?? Number.POSITIVE_INFINITY) - at < 1000);
  return posts[full] ?? Number.NaN;
}
