/** The detail type of events on the bus that fire webhooks, whatever their source. */
export const WEBHOOK_TRIGGER = 'webhook.trigger';

/** The detail of such an event: the body of `POST /manage/v1/events`, and the tenant. */
export interface WebhookTrigger {
  readonly tenant: string;
  /** The same id twice makes no second run. */
  readonly id: string;
  readonly module: string;
  readonly trigger: string;
  readonly recordType: string;
  readonly recordId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly time: string;
}
