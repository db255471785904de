import { Construct } from 'constructs';
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
    addConfigurations(this, on);
    addEvents(this, on);
    addDeliveries(this, on);
    addRuns(this, on);
    addBulkReplays(this, on);
    addErasure(this, on);
  }
}
