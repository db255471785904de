import { Construct } from 'constructs';
import { FixedEgress } from '../../constructs/fixed-egress.ts';
import { settingsOf } from '../../settings.ts';
import type { Foundations } from '../../stacks/foundations.ts';
import { addBulkReplays } from './bulk-replays.ts';
import { addConfigurations } from './configurations.ts';
import { addDeliveries } from './deliveries.ts';
import { addErasure } from './erasure.ts';
import { addEvents } from './events.ts';
import { addRuns } from './runs.ts';

/** Outbound webhooks: where they go, which events fire them, and how they are delivered. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, on: Foundations) {
    super(scope, id);
    const egress = settingsOf(this).fixedEgress ? new FixedEgress(this, 'Egress') : undefined;
    addConfigurations(this, on, egress);
    addEvents(this, on);
    addDeliveries(this, on, egress);
    addRuns(this, on);
    addBulkReplays(this, on);
    addErasure(this, on);
  }
}
