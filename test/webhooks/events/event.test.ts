import { describe, expect, it } from 'vitest';
import { eventIn, NewEvent, refuseForgery, variablesOf } from '../../../functions/webhooks/events/event.ts';
import { BUILT_IN_MODULES, MODULE_IDS, sourcesOf } from '../../../functions/webhooks/modules/module.ts';
import { declaredNames } from '../../../functions/webhooks/triggers/module-descriptions.ts';

const NOW = Date.UTC(2026, 10, 1);
const input = { id: 'e1', module: 'dsar', trigger: 'DSAR starts', recordType: 'subject request', recordId: '4711' };

const declared = Object.fromEntries(declaredNames('dsar', 'DSAR starts').map((name) => [name, null]));
const variables = (data: Record<string, unknown>) =>
  variablesOf(eventIn(NewEvent.parse({ ...input, data }), NOW), 'acme');

describe('the variables of an event', () => {
  it('are its data, its record, its time and the tenant, and what its trigger declares', () => {
    const time = '2026-11-01T00:00:00.000Z';
    const own = { requestId: '4711', tenantId: 'acme', createdAt: time, updatedAt: time };
    expect(declared).toMatchObject({ status: null, locale: null, fulfilledAt: null });
    expect(variables({ locale: 'en-GB' })).toEqual({ ...declared, ...own, locale: 'en-GB' });
  });

  it('name the record and the tenant of the event, whatever its data says; its times may be those of the data', () => {
    const data = { requestId: 'forged', tenantId: 'other', createdAt: 'then', updatedAt: 'later' };
    const own = { requestId: '4711', tenantId: 'acme' };
    expect(variables(data)).toEqual({ ...declared, ...data, ...own });
  });

  it('have timestamps in ISO 8601, also when the event brought seconds or milliseconds', () => {
    const iso = '2026-11-21T10:00:00.000Z';
    const millis = Date.parse(iso);
    for (const fulfilledAt of [millis, millis / 1_000, String(millis), String(millis / 1_000), iso]) {
      expect(variables({ fulfilledAt, submittedAt: fulfilledAt })).toMatchObject({
        fulfilledAt: iso,
        submittedAt: iso,
      });
    }
    const others = { fulfilledAt: 7, format: millis, startsAt: '2026', fooAt: null, barAt: [millis] };
    expect(variables(others)).toMatchObject(others);
  });
});

describe('an event', () => {
  it.each<[string, unknown]>([
    ['no id', { ...input, id: '' }],
    ['no such module', { ...input, module: 'weather' }],
    ['a trigger of another module', { ...input, trigger: 'Incident created' }],
    ['data that is a list', { ...input, data: [1] }],
    ['an invalid time', { ...input, time: 'soon' }],
    ['a member too many', { ...input, more: 1 }],
    ['nothing', null],
  ])('is refused with %s', (_what, stated) => {
    expect(NewEvent.safeParse(input).success).toBe(true);
    expect(NewEvent.safeParse(stated).success).toBe(false);
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

  it('is of one of these modules', () => {
    expect(BUILT_IN_MODULES).toEqual(['conversions', 'places', 'images', 'downloads']);
  });

  it.each(BUILT_IN_MODULES)('of %s is taken from its domains alone', (module) => {
    const id = `${module}-1`;
    for (const source of [undefined, '', 'consents', 'records', ...MODULE_IDS]) {
      const isOwn = source !== undefined && sourcesOf(module).includes(source);
      const expected = isOwn ? 'taken' : expect.objectContaining({ status: 403, code: 'module-reserved' });
      expect(outcome({ id, module }, source), source).toEqual(expected);
    }
  });

  it.each(BUILT_IN_MODULES)('of %s never has the id of an event from outside', (own) => {
    expect(sourcesOf(own)).toEqual(own === 'downloads' ? ['records', 'places'] : [own]);
    const reserved = expect.objectContaining({ status: 403, code: 'id-reserved' });
    expect(outcome({ id: `${own}-1`, module: 'dsar' })).toEqual(reserved);
    expect(outcome({ id: `${own}-1`, module: 'consent' }, own)).toEqual(reserved);
    expect(outcome({ id: `${own}1`, module: 'dsar' })).toBe('taken');
  });
});
