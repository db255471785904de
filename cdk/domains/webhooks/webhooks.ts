import { Construct } from 'constructs';
import { addBulkReplays } from './bulk-replays.ts';
import { addConfigurations } from './configurations.ts';
import { addDeliveries } from './deliveries.ts';
import { addEvents } from './events.ts';
import { addRunLog } from './run-log.ts';
import type { WebhooksProps } from './webhooks-data.ts';

/** Outbound webhooks: where they go, which events fire them, and how they are delivered. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, props: WebhooksProps) {
    super(scope, id);
    addConfigurations(this, props);
    addEvents(this, props);
    addDeliveries(this, props);
    addRunLog(this, props);
    addBulkReplays(this, props);
  }
}
