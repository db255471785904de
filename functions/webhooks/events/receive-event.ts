import type { AccountStatus, StatusOf } from '#shared/auth/account-status';
import type { NoteSubjectRequest, SubjectRequest } from '../subject-requests/subject-request.ts';
import { variablesOf, type WebhookEvent } from './event.ts';
import { type TriggerDeps, triggerRuns } from './trigger-runs.ts';

export interface ReceiveDeps extends TriggerDeps {
  readonly statusOf: StatusOf;
  readonly noteSubjectRequest: NoteSubjectRequest;
}

/** An event of a tenant, with the status of the tenant's account. */
export interface ReceivedEvent {
  readonly tenant: string;
  readonly event: WebhookEvent;
  readonly status: Pick<AccountStatus, 'apiIntegration'>;
}

/**
 * Makes the runs that an event fires, and stores the state of the subject request that it is about. Both are
 * idempotent.
 * @returns the ids of the runs; none while the tenant's webhooks are switched off
 */
export async function receiveEvent(
  deps: TriggerDeps & Pick<ReceiveDeps, 'noteSubjectRequest'>,
  { tenant, event, status: { apiIntegration } }: ReceivedEvent,
): Promise<string[]> {
  const runs = apiIntegration ? await triggerRuns(deps, tenant, event) : [];
  if (event.module === 'dsar') await deps.noteSubjectRequest(subjectRequestOf(tenant, event, runs), deps.now());
  return runs;
}

function subjectRequestOf(tenant: string, event: WebhookEvent, runs: readonly string[]): SubjectRequest {
  const { status, updatedAt } = variablesOf(event, tenant);
  return {
    id: event.recordId,
    tenant,
    ...(typeof status === 'string' && { status }),
    trigger: event.trigger,
    updatedAt: typeof updatedAt === 'string' ? updatedAt : event.time,
    runs,
    eventId: event.id,
    eventAt: Date.parse(event.time),
  };
}
