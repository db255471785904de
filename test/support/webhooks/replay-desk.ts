import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type {
  BulkReplayFilter,
  BulkReplayKey,
  PageTicket,
} from '../../../functions/webhooks/bulk-replays/bulk-replay.ts';
import { countingReplay } from '../../../functions/webhooks/bulk-replays/bulk-replay-items.dynamodb.ts';
import { bulkReplayStore } from '../../../functions/webhooks/bulk-replays/bulk-replay-store.dynamodb.ts';
import { cancelBulkReplay, startBulkReplay } from '../../../functions/webhooks/bulk-replays/manage-bulk-replays.ts';
import { replayPage } from '../../../functions/webhooks/bulk-replays/replay-page.ts';
import { wakeBulkReplays } from '../../../functions/webhooks/bulk-replays/wake-bulk-replays.ts';
import type { Configuration } from '../../../functions/webhooks/configurations/configuration.ts';
import { configurationStore } from '../../../functions/webhooks/configurations/configuration-store.dynamodb.ts';
import { PAUSED } from '../../../functions/webhooks/pauses/pause.ts';
import { type EndedRun, hasEnded, type Run, snapshotOf } from '../../../functions/webhooks/runs/run.ts';
import { runItem, runKey } from '../../../functions/webhooks/runs/run-items.dynamodb.ts';
import { runLog } from '../../../functions/webhooks/runs/run-log.dynamodb.ts';
import { created, failed } from '../../../functions/webhooks/runs/run-machine.ts';
import { runStore } from '../../../functions/webhooks/runs/run-store.dynamodb.ts';
import { newId } from '../../../shared/ids.ts';
import { marshalled } from '../../../shared/table/table.dynamodb.ts';
import { putItem } from '../../../shared/table/writes.dynamodb.ts';
import type { LocalEndpoint } from '../cloud/local-endpoint.ts';
import { createWebhooksTable } from '../cloud/local-table.ts';
import { Mortality } from '../faults/mortal-clients.ts';

export interface DeskOptions {
  readonly mortality?: Pick<Mortality, 'bind' | 'live'>;
  /** The clock of the process. */
  readonly now?: number;
}

interface DeskTenant {
  readonly tenant: string;
  readonly configuration: Configuration;
}

/** When bulk replays of the desk are started. */
export const START = Date.UTC(2026, 10, 1);
const RETENTION_DAYS = 30;

/** Bulk replays, with the queue under control of the test: every message is recorded, none is delivered by itself. */
export async function createReplayDesk(endpoint: LocalEndpoint, name: string) {
  const table = await createWebhooksTable(endpoint, name);
  const replays = bulkReplayStore(table);
  const configurations = configurationStore(table);
  const runs = runStore({ table, retentionDays: RETENTION_DAYS, countingReplay: countingReplay(table) });
  let tenants = 0;
  let moments = 0;
  const pausedTenants = new Set<string>();

  function depsOf({ mortality = new Mortality(), now = START + 1_000 }: DeskOptions) {
    const client = mortality.bind(table.client);
    const mortal = { name: table.name, client };
    const sent: PageTicket[] = [];
    return {
      sent,
      replays: bulkReplayStore(mortal),
      retentionDays: RETENTION_DAYS,
      log: runLog(mortal),
      runs: runStore({ table: mortal, retentionDays: RETENTION_DAYS, countingReplay: countingReplay(mortal) }),
      configurations: configurationStore(mortal),
      send: (ticket: PageTicket) => mortality.live(async () => void sent.push(ticket)),
      deliveringFrom: async (tenant: string) => (pausedTenants.has(tenant) ? PAUSED : 0),
      now: () => now,
      perSecond: 20,
      pageRuns: 3,
    };
  }

  async function allRuns(tenant: string): Promise<Run[]> {
    const runs: Run[] = [];
    let cursor: string | undefined;
    do {
      const page = await runLog(table).list(tenant, {}, { limit: 100, ...(cursor !== undefined && { cursor }) });
      runs.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return runs;
  }

  return {
    table,
    replays,
    pausedTenants,
    runs,
    configurations,

    /** A tenant with a configuration. */
    async tenant(): Promise<DeskTenant> {
      tenants += 1;
      const tenant = `tenant-${tenants}`;
      const id = newId('cfg');
      const at = new Date(START - 86_400_000).toISOString();
      const configuration: Configuration = {
        id,
        tenant,
        name: id,
        targetUrl: 'https://example.com/hooks',
        retryIntervalSeconds: 0,
        retryTimeoutSeconds: 30,
        maxAttempts: 1,
        description: '',
        authentication: { type: 'none' },
        enabled: true,
        createdAt: at,
        updatedAt: at,
      };
      await configurations.add(configuration);
      return { tenant, configuration };
    },

    /** A run that has failed, later than the one before. */
    async failedRun({ tenant, configuration }: DeskTenant, own: Partial<EndedRun> = {}): Promise<Run> {
      moments += 1;
      const createdAt = START - 20_000_000 + moments * 1_000;
      const run = created({
        id: newId('run'),
        tenant,
        eventId: newId('evt'),
        ruleId: 'rule_1',
        module: 'dsar',
        trigger: 'DSAR starts',
        record: `subject request: ${moments}`,
        idempotencyKey: crypto.randomUUID(),
        createdAt,
        ...snapshotOf(configuration),
      });
      const made = { ...failed(run, 'http_status', createdAt + 500)!, ...own };
      return runs.create(made, { body: Buffer.from('{}'), headers: [], createdAt: made.createdAt });
    },

    deleteConfiguration: (tenant: string, id: string) => configurations.remove({ tenant, id }),

    /** Starts a bulk replay; `sent` is what was put into the queue. */
    async start(tenant: string, filter: Partial<BulkReplayFilter> = {}, options: DeskOptions = {}) {
      const { sent, ...deps } = depsOf(options);
      const key = { tenant, id: newId('rpl'), now: options.now ?? START };
      const replay = await startBulkReplay(deps, { from: 0, ...filter }, key);
      return { replay, sent };
    },

    /** Does a page; returns what was put into the queue. */
    async run(ticket: PageTicket, options: DeskOptions = {}): Promise<PageTicket[]> {
      const { sent, ...deps } = depsOf(options);
      await replayPage(deps, ticket);
      return sent;
    },

    async runAll(tickets: readonly PageTicket[]): Promise<void> {
      const queue = [...tickets];
      for (let ticket = queue.shift(); ticket; ticket = queue.shift()) queue.push(...(await this.run(ticket)));
    },

    /** What the waker sends for a tenant. */
    async wake(tenant: string, now: number, options: DeskOptions = {}): Promise<PageTicket[]> {
      const { sent, ...deps } = depsOf(options);
      await wakeBulkReplays(deps, now);
      return sent.filter((ticket) => ticket.tenant === tenant);
    },

    cancel: (key: BulkReplayKey, options: DeskOptions = {}) =>
      cancelBulkReplay(depsOf(options).replays, key, START + 2_000),

    async replay(key: BulkReplayKey) {
      const replay = await replays.byId(key);
      if (!replay) throw new Error(`There is no bulk replay ${key.id}.`);
      return replay;
    },

    allRuns,

    /** The runs that a bulk replay made. */
    async replaysMade({ tenant, id }: BulkReplayKey): Promise<Run[]> {
      return (await allRuns(tenant)).filter(({ bulkReplay }) => bulkReplay === id);
    },

    /** Lets every replay that has not ended fail. */
    async failAll(tenant: string): Promise<void> {
      for (const run of await allRuns(tenant)) {
        if (run.replayOf === undefined || hasEnded(run)) continue;
        const ended = failed(run, 'http_status', run.createdAt + 500)!;
        await putItem(table, runItem(ended, ended.completedAt + 30 * 86_400_000));
      }
    },

    /** Completes every replay that a bulk replay has made so far. */
    async deliverAll(tenant: string): Promise<void> {
      for (const { id, replayOf, bulkReplay } of await allRuns(tenant)) {
        if (replayOf === undefined || bulkReplay === undefined) continue;
        await table.client.send(
          new UpdateItemCommand({
            TableName: table.name,
            Key: marshalled(runKey({ tenant, id: replayOf })),
            UpdateExpression: 'SET resolvedBy = :replay',
            ExpressionAttributeValues: marshalled({ ':replay': id }),
          }),
        );
      }
    },
  };
}

export type ReplayDesk = Awaited<ReturnType<typeof createReplayDesk>>;
