import type { Context } from 'aws-lambda';
import { publishFaults } from '#shared/telemetry/faults';
import { tenantIn, withLogFields } from '#shared/telemetry/log';
import { originOf } from '#shared/telemetry/origin';

/**
 * A Lambda handler whose log lines name the invocation, and tenant and origin if the event is the input of a state that has
 * them. What it has counted is published however it ends.
 */
export function invocation<Event, Result>(work: (event: Event, context: Context) => Promise<Result>) {
  return (event: Event, context: Context): Promise<Result> =>
    withLogFields({ function_request_id: context.awsRequestId, ...tenantIn(event), ...originOf(event) }, async () => {
      try {
        return await work(event, context);
      } finally {
        await publishFaults();
      }
    });
}
