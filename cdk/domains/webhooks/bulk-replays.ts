import type { Construct } from 'constructs';
import { sendsTo, setting } from '../../constructs/functions/bindings.ts';
import { everyMinute } from '../../constructs/functions/schedules.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { WorkQueue } from '../../constructs/functions/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';

const PAGE_SECONDS = 60;
/** The tenants whose bulk replays run at full pace at the same time. */
const TENANTS_AT_A_TIME = 10;

/** Replays of many failed runs at once. */
export function addBulkReplays(scope: Construct, { data: { accounts, webhooks }, edge: { api } }: Foundations): void {
  const { replaysPerSecond, webhookRetentionDays } = settingsOf(scope);
  const { table } = webhooks;
  const retention = { RETENTION_DAYS: setting(webhookRetentionDays) };
  const looksAtPauses = { ACCOUNTS_TABLE: accounts.table.allows({ 'ACCOUNT#': ['GetItem'] }) };
  const replays = new WorkQueue(scope, 'Replays', { workerTimeoutSeconds: PAGE_SECONDS });
  api.serve(scope, 'webhooks/bulk-replays/bulk-replays', {
    bindings: {
      ...accounts.auditing,
      ...retention,
      ...looksAtPauses,
      WEBHOOKS_TABLE: table.allows(
        { 'BULK_REPLAY#': ['GetItem', 'PutItem', 'UpdateItem'], 'RUNNING_BULK_REPLAY#': ['PutItem', 'DeleteItem'] },
        { lists: ['BULK_REPLAYS#'] },
      ),
      REPLAYS_QUEUE: sendsTo(replays.queue),
    },
    ifItFails: 'Tenants cannot start or stop the replay of many failed webhooks, or see how far it has come.',
  });

  const replayPage = new ServiceFunction(scope, 'webhooks/bulk-replays/replay-page', {
    sendsToItself: true,
    timeoutSeconds: PAGE_SECONDS,
    bindings: {
      ...retention,
      ...looksAtPauses,
      WEBHOOKS_TABLE: table.allows(
        {
          'RUN#': ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
          'CONFIGURATION#': ['GetItem', 'ConditionCheckItem'],
          'BULK_REPLAY#': ['GetItem', 'UpdateItem'],
          'RUNNING_BULK_REPLAY#': ['DeleteItem'],
        },
        { indexes: { Log: 'LOG#', Failed: 'FAILED#' } },
      ),
      REPLAYS_QUEUE: sendsTo(replays.queue),
      REPLAYS_PER_SECOND: setting(replaysPerSecond),
    },
    ifItFails: 'Bulk replays that tenants have started make no progress.',
  });
  replays.workedOnBy(replayPage, { maxConcurrency: TENANTS_AT_A_TIME });

  const wakeBulkReplays = new ServiceFunction(scope, 'webhooks/bulk-replays/wake-bulk-replays', {
    isCalledEveryMinute: true,
    timeoutSeconds: 55,
    bindings: {
      ...looksAtPauses,
      WEBHOOKS_TABLE: table.allows({ 'BULK_REPLAY#': ['GetItem', 'UpdateItem'] }, { lists: ['RUNNING_BULK_REPLAYS'] }),
      REPLAYS_QUEUE: sendsTo(replays.queue),
    },
    ifItFails: 'A bulk replay whose worker died at a bad moment is not resumed.',
  });
  everyMinute(scope, 'WakeBulkReplaysEveryMinute', wakeBulkReplays, 'Wakes bulk replays that have fallen silent.');
}
