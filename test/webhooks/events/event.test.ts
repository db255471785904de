import { describe, expect, it } from 'vitest';
import { statedEvent, variablesOf } from '../../../functions/webhooks/events/event.ts';

const NOW = Date.UTC(2026, 10, 1);
const stated = { id: 'e1', module: 'dsar', trigger: 'DSAR starts', recordType: 'subject request', recordId: '4711' };

describe('the variables of an event', () => {
  it('are its data, its record, its time and the tenant', () => {
    const event = statedEvent(() => NOW).parse({ ...stated, data: { locale: 'en-GB' } });
    const time = '2026-11-01T00:00:00.000Z';
    const own = { requestId: '4711', tenantId: 'acme', createdAt: time, updatedAt: time };
    expect(variablesOf(event, 'acme')).toEqual({ ...own, locale: 'en-GB' });
  });

  it('name the record and the tenant of the event, whatever its data says; its times may be those of the data', () => {
    const data = { requestId: 'forged', tenantId: 'other', createdAt: 'then', updatedAt: 'later' };
    const event = statedEvent(() => NOW).parse({ ...stated, data });
    const own = { requestId: '4711', tenantId: 'acme' };
    expect(variablesOf(event, 'acme')).toEqual({ ...data, ...own });
  });
});
