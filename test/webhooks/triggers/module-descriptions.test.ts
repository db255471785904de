import { describe, expect, it } from 'vitest';
import { eventIn, NewEvent, variablesOf } from '../../../functions/webhooks/events/event.ts';
import { BUILT_IN_MODULES, MODULES } from '../../../functions/webhooks/modules/module.ts';
import { describedModules } from '../../../functions/webhooks/triggers/module-descriptions.ts';
import { builtInAnnouncements } from '../../support/contract/built-in-announcements.ts';

const COMMON = ['requestId', 'tenantId', 'createdAt', 'updatedAt'];

const modules = describedModules();
const triggers = modules.flatMap(({ id: module, triggers: all }) => all.map((one) => ({ module, ...one })));

describe('the described modules', () => {
  it('are all modules with all their triggers, under their names', () => {
    expect(modules.map(({ id, name, triggers: all }) => [id, { name, triggers: all.map((one) => one.name) }])).toEqual(
      Object.entries(MODULES),
    );
  });

  it.each(triggers)(
    'give $module, $name a sample that may be announced, with exactly the variables it lists',
    (one) => {
      const event = eventIn(NewEvent.parse(one.sample), 0);
      expect(event).toEqual(one.sample);
      expect(one.variables.map(({ name }) => name).toSorted()).toEqual(
        [...new Set([...Object.keys(variablesOf(event, 'acme')), ...COMMON])].toSorted(),
      );
      for (const { name, description } of one.variables) expect(description, name).toMatch(/^\S.*\.$/);
    },
  );

  it('list for the modules of the service what their domains announce, under the same kind of record', () => {
    const announcements = builtInAnnouncements();
    const own = triggers.filter(({ module }) => BUILT_IN_MODULES.some((one) => one === module));
    expect(announcements.map(({ module, trigger }) => `${module}: ${trigger}`).toSorted()).toEqual(
      own.map(({ module, name }) => `${module}: ${name}`).toSorted(),
    );
    for (const { module, trigger, recordType, data } of announcements) {
      const described = own.find((one) => one.module === module && one.name === trigger);
      expect(described?.sample?.recordType, trigger).toBe(recordType);
      expect(Object.keys(described?.sample?.data ?? {}).toSorted(), trigger).toEqual(Object.keys(data).toSorted());
    }
  });

  it('list the variables that the specification names for data subject requests', () => {
    const { variables } = triggers.find(({ name }) => name === 'DSAR is completed')!;
    const named =
      'requestId status locale tenantId brandId requestorEmail requestorFirstName requestorLastName ' +
      'requestorCountry requestorState requests fulfilledAt createdAt updatedAt';
    expect(variables.map(({ name }) => name)).toEqual(expect.arrayContaining(named.split(' ')));
  });
});
