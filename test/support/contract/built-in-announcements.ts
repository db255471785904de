import { announcement } from '../../../functions/conversions/billing/announcements/announcement.ts';
import { validationEvent } from '../../../functions/images/announcements/validation-event.ts';
import { decided, withReview } from '../../../functions/images/validations/validation.ts';
import { checkInEvent } from '../../../functions/places/announcements/check-in-event.ts';
import { downloadEnded } from '../../../functions/records/announcements/download-ended.ts';
import type { WebhookTrigger } from '../../../shared/events/webhook-trigger.ts';
import { importEnded } from '../../../shared/import/import-ended.ts';
import { newImportJob } from '../../../shared/import/import-job.ts';
import { newValidation } from '../images/validations.ts';
import { downloadRequest } from '../records/download-requests.ts';

const AT = '2026-11-21T10:00:00.000Z';

type Quota = Parameters<typeof announcement<'Quota threshold reached'>>[1]['data'];
type PlanChange = Parameters<typeof announcement<'Plan changed'>>[1]['data'];
type Payment = Parameters<typeof announcement<'Payment failed'>>[1]['data'];
type Invoice = Parameters<typeof announcement<'Invoice is written'>>[1]['data'];

/** An announcement for each trigger of the service's own modules. The compiler refuses a superfluous or missing member. */
export function builtInAnnouncements(): readonly WebhookTrigger[] {
  const about = { tenant: 'acme', id: '1', now: 0 };
  const quota: Quota = { quota: 'test', percent: 50, used: 125, limit: 250, resetsAt: null };
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
