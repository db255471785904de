import type { EventData } from '#shared/events/built-in-events';
import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import { isoTime } from '#shared/formats/timestamp';

type Trigger = keyof typeof RECORD_TYPES;

/** An event that is stored together with its change and published from there. */
export interface Announcement extends Omit<WebhookTrigger, 'module'> {
  readonly trigger: Trigger;
}

interface About<Name extends Trigger> {
  readonly tenant: string;
  /** Names the event among those of the tenant, so that it is announced once. */
  readonly id: string;
  readonly data: EventData<'conversions', Name>;
  readonly now: number;
}

/** @param recordType the subject of the event, for the delivery log */
export const announcement = <Name extends Trigger>(
  trigger: Name,
  { tenant, id, data, now }: About<Name>,
): Announcement => ({
  tenant,
  id: `conversions-${id}`,
  trigger,
  recordType: RECORD_TYPES[trigger],
  recordId: id,
  data,
  time: isoTime(now),
});

const RECORD_TYPES = {
  'Quota threshold reached': 'quota',
  'Plan changed': 'plan',
  'Payment failed': 'payment',
  'Payment settled': 'payment',
  'Invoice is written': 'invoice',
} as const;
