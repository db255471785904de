import type { Cloud } from '../../../cdk/local/cloud.ts';

/** The ids of the events that webhooks have received over the bus, in order. */
export async function webhookEvents({ settled, logsOf }: Pick<Cloud, 'settled' | 'logsOf'>): Promise<string[]> {
  await settled();
  return logsOf('ReceiveEvents').flatMap(({ message, event }) => (message === 'event' ? [String(event)] : []));
}
