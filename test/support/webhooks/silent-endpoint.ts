/** The backlog of an endpoint that never answers, on a running service, until the last run of it has failed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESERVED_MILLIS } from '../../../functions/webhooks/deliveries/start-parked.ts';
import { LOAD, LOAD_ITEM } from '../../../functions/webhooks/table-keys.ts';
import { dynamoDbClient, getItem, type Table } from '../../../shared/table/table.dynamodb.ts';
import { clientOptions } from '../cloud/local-cloud.ts';
import { type RunningService, startService } from '../cloud/running-service.ts';
import { polled } from '../runner/machine-time.ts';
import { type Post, type Receiver, startReceiver } from './receiver.ts';
import { type WebhookTenant, webhookTenant } from './webhook-tenant.ts';

export interface SilentBacklog {
  readonly service: RunningService;
  readonly tenant: WebhookTenant;
  readonly receiver: Receiver;
  readonly table: Table;
  readonly runs: readonly string[];
  readonly begunAt: number;
  /**
   * Waits until all runs have ended, however long the machine takes; fails once the endpoint gets no POSTs any more.
   * @returns the seconds since the first event
   */
  ended(): Promise<number>;
  statuses(): Promise<Record<string, number>>;
  /** Waits until the endpoint counts as silent. @returns since when it does */
  silentFrom(): Promise<number>;
  close(): Promise<void>;
}

const RULES = 10;
const TIMEOUT_SECONDS = 1;
/** Longer than an attempt whose worker was killed waits for the next one. */
const SILENCE_MILLIS_MAX = 300_000;

/** @param runs a multiple of ten. Each has two attempts of a second, with no interval between them. */
export async function silentBacklog(runs: number): Promise<SilentBacklog> {
  const folder = mkdtempSync(join(tmpdir(), 'silent-endpoint-'));
  const receiver = await startReceiver({ answer: () => 'hang' });
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.caPem);
  const service = await startService({
    parameters: { WebhookPrivateTargets: `127.0.0.1:${receiver.port}`, WebhookExtraCaFile: ca },
  });
  service.cloud.stopSchedules({ allBut: 'Webhooks/' });
  const tenant = await webhookTenant(service, 'acme');
  const { configuration } = await tenant.webhook(receiver.url, {
    retryIntervalSeconds: 0,
    retryTimeoutSeconds: TIMEOUT_SECONDS,
    maxAttempts: 2,
  });
  for (let n = 1; n < RULES; n += 1) {
    const body = { event: 'started', request: '{{requestId}}' };
    await tenant.call('POST', 'rules', {
      module: 'dsar',
      trigger: 'DSAR starts',
      apiConfigurationId: configuration,
      body,
    });
  }
  const { outputs } = service.cloud;
  const table = { name: outputs['WebhooksTable'] ?? '', client: dynamoDbClient(clientOptions(service.cloud)) };
  const begunAt = Date.now();
  const ids: string[] = [];
  while (ids.length < runs) ids.push(...(await tenant.announce()));

  const statuses = async () => {
    const counts: Record<string, number> = {};
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const page: { items: { status: string; error: string }[]; nextCursor?: string } = await tenant.get(
        `runs?configuration=${configuration}&limit=100${cursor && `&cursor=${cursor}`}`,
      );
      for (const { status, error } of page.items) {
        const name = status === 'FAILED' ? error : status;
        counts[name] = (counts[name] ?? 0) + 1;
      }
      cursor = page.nextCursor;
    }
    return counts;
  };

  return {
    service,
    tenant,
    receiver,
    table,
    runs: ids,
    begunAt,
    statuses,
    async ended() {
      let [posts, until] = [-1, 0];
      for (;;) {
        const { CREATED: created = 0, IN_PROGRESS: begun = 0, ...ended } = await statuses();
        if (Object.values(ended).reduce((sum, n) => sum + n, 0) >= ids.length) return (Date.now() - begunAt) / 1_000;
        if (receiver.posts.length > posts) [posts, until] = [receiver.posts.length, Date.now() + SILENCE_MILLIS_MAX];
        if (Date.now() > until) {
          throw new Error(`No POST any more: ${JSON.stringify({ created, begun, ...ended })}`);
        }
        await sleep(2_000);
      }
    },
    silentFrom: () =>
      polled(
        async () => (await getItem(table, { pk: `${LOAD}acme#${configuration}`, sk: LOAD_ITEM }))?.['silentFrom'],
        (since) => since !== undefined,
      ),
    async close() {
      await service.close();
      await receiver.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const keyOf = ({ headers }: Post) => String(headers['x-service-idempotency-key']);

/**
 * Kills the workers that make attempts, each time after the first POST of another run. First attempts are made before
 * retries, because they were due before them: so no attempt loses its worker three times, and no run fails by that.
 */
export async function killDeliveries({ service, receiver }: SilentBacklog, times: number): Promise<void> {
  const { faults } = service.cloud;
  const runsSeen = () => new Set(receiver.posts.map(keyOf)).size;
  for (let kills = 0; kills < times; kills += 1) {
    const before = runsSeen();
    await polled(runsSeen, (seen) => seen > before);
    await polled(
      async () => (await faults.killRunning('DeliverSlow')) + (await faults.killRunning('DeliverFast')),
      (killed) => killed > 0,
    );
  }
}

/** The POSTs of each run, by its key. */
export const postsByKey = ({ receiver }: SilentBacklog) => Map.groupBy(receiver.posts, keyOf);

/** The most POSTs that were under way when one came, of those that came from a time on; 0 when there was none. */
export const mostAtATime = (posts: readonly Post[], from = 0): number =>
  Math.max(
    0,
    ...posts
      .filter(({ at }) => at.getTime() >= from)
      .map((post) => posts.filter(({ at, overAt }) => at <= post.at && !(overAt && overAt <= post.at)).length),
  );

/** A slot that was reserved just before the endpoint became silent may be used for an attempt until then. */
export const fullySilentFrom = (silentFrom: number) => silentFrom + RESERVED_MILLIS + 2 * TIMEOUT_SECONDS * 1_000;
