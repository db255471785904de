import type { WebhookTrigger } from '#shared/events/webhook-trigger';
import { isoTime } from '#shared/formats/timestamp';

/** The triggers of this domain and the variables that rules may use. */
type AnnouncedData = {
  'Quota threshold reached': {
    readonly quota: 'live' | 'test';
    readonly percent: number;
    readonly used: number;
    readonly limit: number;
    readonly resetsAt: string | null;
  };
  'Plan changed': {
    readonly plan: string;
    readonly previousPlan: string;
    readonly state: string;
    readonly previousState: string;
    /** Grows with each change, whatever the order in which events arrive. */
    readonly version: number;
  };
  'Payment failed': PaymentData;
  'Payment settled': PaymentData;
  'Invoice is written': {
    readonly invoice: string;
    readonly amount: string;
    readonly currency: string;
    readonly reason: string;
  };
};
type PaymentData = {
  readonly payment: string;
  readonly plan: string;
  readonly state: string;
};
type Trigger = keyof AnnouncedData;

/** An event that is stored together with its change and published from there. */
export interface Announcement extends Omit<WebhookTrigger, 'module'> {
  readonly trigger: Trigger;
}

interface About<Name extends Trigger> {
  readonly tenant: string;
  /** Names the event among those of the tenant, so that it is announced once. */
  readonly id: string;
  readonly data: AnnouncedData[Name];
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

const RECORD_TYPES: Readonly<Record<Trigger, string>> = {
  'Quota threshold reached': 'quota',
  'Plan changed': 'plan',
  'Payment failed': 'payment',
  'Payment settled': 'payment',
  'Invoice is written': 'invoice',
};
