import { describe, expect, it } from 'vitest';
import { announcement } from '../../../functions/conversions/billing/announcements/announcement.ts';
import { validationEvent } from '../../../functions/images/announcements/validation-event.ts';
import { decided, withReview } from '../../../functions/images/validations/validation.ts';
import { checkInEvent } from '../../../functions/places/announcements/check-in-event.ts';
import { downloadEnded } from '../../../functions/records/announcements/download-ended.ts';
import { eventIn, NewEvent, variablesOf } from '../../../functions/webhooks/events/event.ts';
import { BUILT_IN_MODULES, MODULES } from '../../../functions/webhooks/modules/module.ts';
import { describedModules } from '../../../functions/webhooks/triggers/module-descriptions.ts';
import type { WebhookTrigger } from '../../../shared/events/webhook-trigger.ts';
import { importEnded } from '../../../shared/import/import-ended.ts';
import { newImportJob } from '../../../shared/import/import-job.ts';
import { newValidation } from '../../support/images/validations.ts';
import { downloadRequest } from '../../support/records/download-requests.ts';

const COMMON = ['requestId', 'tenantId', 'createdAt', 'updatedAt'];
const AT = '2026-11-21T10:00:00.000Z';

const modules = describedModules();
const triggers = modules.flatMap(({ id: module, triggers: all }) => all.map((one) => ({ module, ...one })));

type Quota = Parameters<typeof announcement<'Quota threshold reached'>>[1]['data'];
type PlanChange = Parameters<typeof announcement<'Plan changed'>>[1]['data'];
type Payment = Parameters<typeof announcement<'Payment failed'>>[1]['data'];
type Invoice = Parameters<typeof announcement<'Invoice is written'>>[1]['data'];

/** The announcements of the service's domains. The compiler refuses a superfluous or missing member. */
function announced(): readonly WebhookTrigger[] {
  const about = { tenant: 'acme', id: '1', now: 0 };
  const quota: Quota = { quota: 'live', percent: 50, used: 1, limit: 2, resetsAt: null };
  const plan: PlanChange = { plan: '', previousPlan: '', state: '', previousState: '', version: 1 };
  const payment: Payment = { payment: '', plan: '', state: '' };
  const invoice: Invoice = { invoice: '', amount: '', currency: '', reason: '' };
  const ofConversions = [
    announcement('Quota threshold reached', { ...about, data: quota }),
    announcement('Plan changed', { ...about, data: plan }),
    announcement('Payment failed', { ...about, data: payment }),
    announcement('Payment settled', { ...about, data: payment }),
    announcement('Invoice is written', { ...about, data: invoice }),
  ].map((one) => ({ ...one, module: 'conversions' }));
  const visit = { id: 'chk_1', tenant: 'acme', app: 'a', customer: 'c', place: 'p', placeName: 'P', brand: 'B' };
  const validation = newValidation();
  const object = { key: 'acme/a.csv', etag: 'e', sequencer: '1', bytes: 1 };
  const others = [
    downloadEnded(downloadRequest({ completedAt: AT })),
    importEnded({ ...newImportJob(object, 'places', 0), status: 'COMPLETED' }, 'acme'),
    checkInEvent({ ...visit, points: 1, distance: 1, at: AT, nextAt: 1 }),
    validationEvent(decided(validation, { outcome: 'invalid', code: 1, reason: '' }, AT)),
    validationEvent(withReview(validation, { requestedAt: AT, until: AT, doubts: [] })),
  ];
  return [...ofConversions, ...others.flatMap((one) => one ?? [])];
}

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
    const told = announced();
    const own = triggers.filter(({ module }) => BUILT_IN_MODULES.some((one) => one === module));
    expect(told.map(({ module, trigger }) => `${module}: ${trigger}`).toSorted()).toEqual(
      own.map(({ module, name }) => `${module}: ${name}`).toSorted(),
    );
    for (const { module, trigger, recordType, data } of told) {
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
