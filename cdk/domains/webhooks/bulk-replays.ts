import type { Construct } from 'constructs';
import type * as CancelBulkReplay from '../../../functions/webhooks/bulk-replays/cancel-bulk-replay.handler.ts';
import type * as GetBulkReplays from '../../../functions/webhooks/bulk-replays/get-bulk-replays.handler.ts';
import type * as ReplayPage from '../../../functions/webhooks/bulk-replays/replay-page.handler.ts';
import type * as StartBulkReplay from '../../../functions/webhooks/bulk-replays/start-bulk-replay.handler.ts';
import type * as WakeBulkReplays from '../../../functions/webhooks/bulk-replays/wake-bulk-replays.handler.ts';
import { allowsIndex, sendsTo, setting } from '../../constructs/bindings.ts';
import { everyMinute } from '../../constructs/every-minute.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { WorkQueue } from '../../constructs/work-queue.ts';
import { settingsOf } from '../../settings.ts';
import type { WebhooksProps } from './webhooks-data.ts';

/** Replays of many failed runs at once. */
export function addBulkReplays(scope: Construct, { api, data: { table } }: WebhooksProps): void {
  const { replaysPerSecond, webhookRetentionDays } = settingsOf(scope);
  const retention = setting(webhookRetentionDays);
  const starting = 'Tenants cannot start or stop the replay of many failed webhooks, or see how far it is.';
  const replaying = 'Bulk replays that tenants have started do not go on.';
  const replays = new WorkQueue(scope, 'Replays', { workerTimeoutSeconds: 60, ifItFails: replaying });

  const startBulkReplay = new ServiceFunction<StartBulkReplay.Env>(scope, 'StartBulkReplay', {
    handlerOf: 'webhooks/bulk-replays/start-bulk-replay',
    bindings: {
      WEBHOOKS_TABLE: table.allows('PutItem'),
      REPLAYS_QUEUE: sendsTo(replays.queue),
      RETENTION_DAYS: retention,
    },
    ifItFails: starting,
  });
  const getBulkReplays = new ServiceFunction<GetBulkReplays.Env>(scope, 'GetBulkReplays', {
    handlerOf: 'webhooks/bulk-replays/get-bulk-replays',
    bindings: { WEBHOOKS_TABLE: table.lists('GetItem') },
    ifItFails: starting,
  });
  const cancelBulkReplay = new ServiceFunction<CancelBulkReplay.Env>(scope, 'CancelBulkReplay', {
    handlerOf: 'webhooks/bulk-replays/cancel-bulk-replay',
    bindings: { WEBHOOKS_TABLE: table.allows('GetItem', 'UpdateItem', 'DeleteItem') },
    ifItFails: starting,
  });
  api.managementRoute('POST', '/manage/v1/replays', startBulkReplay);
  api.managementRoute('GET', '/manage/v1/replays', getBulkReplays);
  api.managementRoute('GET', '/manage/v1/replays/{id}', getBulkReplays);
  api.managementRoute('DELETE', '/manage/v1/replays/{id}', cancelBulkReplay);

  const replayPage = new ServiceFunction<ReplayPage.Env>(scope, 'ReplayPage', {
    handlerOf: 'webhooks/bulk-replays/replay-page',
    sendsToItself: true,
    timeoutSeconds: 60,
    bindings: {
      WEBHOOKS_TABLE: allowsIndex(
        table,
        'Log',
        'GetItem',
        'BatchGetItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
        'ConditionCheckItem',
      ),
      REPLAYS_QUEUE: sendsTo(replays.queue),
      RETENTION_DAYS: retention,
      REPLAYS_PER_SECOND: setting(replaysPerSecond),
    },
    ifItFails: replaying,
  });
  // So many tenants are replayed for at full pace at the same time.
  replays.workedOnBy(replayPage, { maxConcurrency: 10 });

  const wakeBulkReplays = new ServiceFunction<WakeBulkReplays.Env>(scope, 'WakeBulkReplays', {
    handlerOf: 'webhooks/bulk-replays/wake-bulk-replays',
    timeoutSeconds: 55,
    bindings: { WEBHOOKS_TABLE: table.lists('GetItem', 'UpdateItem'), REPLAYS_QUEUE: sendsTo(replays.queue) },
    ifItFails: 'A bulk replay whose worker died at a bad moment does not go on.',
  });
  everyMinute(scope, 'WakeReplays', wakeBulkReplays, 'Has workers look at bulk replays of which nothing was heard.');
}
