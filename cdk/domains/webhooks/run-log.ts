import type { Construct } from 'constructs';
import type * as GetRuns from '../../../functions/webhooks/runs/get-runs.handler.ts';
import type * as ListAttempts from '../../../functions/webhooks/runs/list-attempts.handler.ts';
import type * as ReplayRun from '../../../functions/webhooks/runs/replay-run.handler.ts';
import { allowsIndex, setting } from '../../constructs/bindings.ts';
import { ServiceFunction } from '../../constructs/service-function.ts';
import { settingsOf } from '../../settings.ts';
import type { WebhooksProps } from './webhooks-data.ts';

/** How runs fared, and the replay of one. */
export function addRunLog(scope: Construct, { api, data: { table } }: WebhooksProps): void {
  const reading = 'Tenants cannot see how their webhooks fared; the webhooks themselves go out.';
  const getRuns = new ServiceFunction<GetRuns.Env>(scope, 'GetRuns', {
    handlerOf: 'webhooks/runs/get-runs',
    bindings: { WEBHOOKS_TABLE: allowsIndex(table, 'Log', 'GetItem', 'BatchGetItem', 'Query') },
    ifItFails: reading,
  });
  const listAttempts = new ServiceFunction<ListAttempts.Env>(scope, 'ListAttempts', {
    handlerOf: 'webhooks/runs/list-attempts',
    bindings: { WEBHOOKS_TABLE: table.allows('Query') },
    ifItFails: reading,
  });
  const replayRun = new ServiceFunction<ReplayRun.Env>(scope, 'ReplayRun', {
    handlerOf: 'webhooks/runs/replay-run',
    bindings: {
      WEBHOOKS_TABLE: table.allows('GetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'),
      RETENTION_DAYS: setting(settingsOf(scope).webhookRetentionDays),
    },
    ifItFails: 'Tenants cannot replay failed webhooks.',
  });
  api.managementRoute('GET', '/manage/v1/runs', getRuns);
  api.managementRoute('GET', '/manage/v1/runs/{id}', getRuns);
  api.managementRoute('GET', '/manage/v1/runs/{id}/attempts', listAttempts);
  api.managementRoute('POST', '/manage/v1/runs/{id}/replay', replayRun);
}
