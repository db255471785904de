import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import { type ReceiveDeps, receiveEvent } from '../../../functions/webhooks/events/receive-event.ts';
import { triggering } from '../../../functions/webhooks/events/triggering.dynamodb.ts';
import { presentSubjectRequest } from '../../../functions/webhooks/subject-requests/subject-request.ts';
import { subjectRequestById } from '../../../functions/webhooks/subject-requests/subject-requests.dynamodb.ts';
import { UNRESTRICTED } from '../../../shared/auth/account-status.ts';
import { newId } from '../../../shared/ids.ts';
import type { Table } from '../../../shared/table/table.dynamodb.ts';
import { type LocalEndpoint, startLocalEndpoint } from '../../support/cloud/local-endpoint.ts';
import { createTable, createWebhooksTable } from '../../support/cloud/local-table.ts';

let endpoint: LocalEndpoint;
let deps: ReceiveDeps;
let table: Table;
beforeAll(async () => {
  endpoint = await startLocalEndpoint();
  table = await createWebhooksTable(endpoint, 'webhooks');
  deps = triggering(
    { accounts: await createTable(endpoint, 'accounts'), webhooks: table },
    { retentionDays: 30, now: () => 0 },
  );
});
afterAll(() => endpoint.close());

const AT = Date.parse('2026-11-21T10:00:00.000Z');
const event = (own: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: 'e1',
  module: 'dsar',
  trigger: 'DSAR starts',
  recordType: 'subject request',
  recordId: '4711',
  data: { status: 'CREATED' },
  time: new Date(AT).toISOString(),
  ...own,
});
const viewOf = async (tenant: string, id = '4711') => {
  const request = await subjectRequestById(table, { tenant, id });
  return request && presentSubjectRequest(request);
};

describe('the state of a subject request', () => {
  it('is that of its newest event, in whatever order and however often events come', async () => {
    const events = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), minute: fc.nat(2) }), {
      minLength: 1,
      maxLength: 4,
      selector: ({ id }) => id,
    });
    await fc.assert(
      fc.asyncProperty(events, fc.infiniteStream(fc.nat()), async (inputs, chance) => {
        const tenant = newId('tenant');
        const all = inputs.map(({ id, minute }) =>
          event({ id, data: { status: `status of ${id}` }, time: new Date(AT + minute * 60_000).toISOString() }),
        );
        const twice = [...all, ...all].toSorted(() => ((chance.next().value ?? 0) % 2 === 0 ? 1 : -1));
        for (const one of twice) await receiveEvent(deps, { tenant, event: one, status: UNRESTRICTED });
        const [newest] = all.toSorted((a, b) => b.time.localeCompare(a.time) || b.id.localeCompare(a.id));
        expect(await viewOf(tenant)).toMatchObject({ status: newest?.data['status'], eventId: newest?.id });
      }),
      { numRuns: 25 },
    );
  });

  it('tells when the request was changed, and has no status where the event has none', async () => {
    const tenant = newId('tenant');
    await receiveEvent(deps, { tenant, event: event({ data: { updatedAt: AT - 60_000 } }), status: UNRESTRICTED });
    expect(await viewOf(tenant)).toEqual({
      id: '4711',
      status: null,
      trigger: 'DSAR starts',
      updatedAt: '2026-11-21T09:59:00.000Z',
      eventId: 'e1',
      eventTime: '2026-11-21T10:00:00.000Z',
      runs: [],
    });
  });

  it('is kept of subject requests alone, and for the own tenant', async () => {
    const [tenant, other] = [newId('tenant'), newId('tenant')];
    await receiveEvent(deps, {
      tenant,
      event: event({ module: 'breach', trigger: 'Incident created' }),
      status: UNRESTRICTED,
    });
    expect(await viewOf(tenant)).toBeUndefined();
    await receiveEvent(deps, { tenant, event: event(), status: UNRESTRICTED });
    expect([await viewOf(other), await viewOf(tenant, '4712')]).toEqual([undefined, undefined]);
    expect(await viewOf(tenant)).toMatchObject({ status: 'CREATED' });
  });
});
