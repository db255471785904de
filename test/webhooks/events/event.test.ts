import { describe, expect, it } from 'vitest';
import { refuseForgery, statedEvent, variablesOf } from '../../../functions/webhooks/events/event.ts';

import { MODULE_IDS, OWN_MODULES } from '../../../functions/webhooks/rules/module.ts';

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

describe('an event of the service itself', () => {
  const outcome = (event: Parameters<typeof refuseForgery>[0], source?: string) => {
    try {
      refuseForgery(event, source);
      return 'taken';
    } catch (error) {
      return error;
    }
  };

  it.each(OWN_MODULES)('of %s is taken from that domain alone', (module) => {
    const id = `${module}-1`;
    for (const source of [undefined, '', 'consents', ...MODULE_IDS]) {
      const expected = source === module ? 'taken' : expect.objectContaining({ status: 403, code: 'module-reserved' });
      expect(outcome({ id, module }, source), source).toEqual(expected);
    }
  });

  it.each(OWN_MODULES)('of %s never has the id of an event from outside', (own) => {
    const reserved = expect.objectContaining({ status: 403, code: 'id-reserved' });
    expect(outcome({ id: `${own}-1`, module: 'dsar' })).toEqual(reserved);
    expect(outcome({ id: `${own}-1`, module: 'consent' }, own)).toEqual(reserved);
    expect(outcome({ id: `${own}1`, module: 'dsar' })).toBe('taken');
  });
});
