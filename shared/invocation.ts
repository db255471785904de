import type { Context } from 'aws-lambda';
import { publishFaults } from '#shared/telemetry/faults';
import { tenantIn, withLogFields } from '#shared/telemetry/log';

/**
 * A Lambda handler whose log lines name the invocation, and the tenant if the event is the input of a state that has one. What
 * it has counted is published however it ends.
 */
export function invocation<Event, Result>(work: (event: Event, context: Context) => Promise<Result>) {
  return (event: Event, context: Context): Promise<Result> =>
    withLogFields({ function_request_id: context.awsRequestId, ...tenantIn(event) }, async () => {
      try {
        return await work(event, context);
      } finally {
        await publishFaults();
      }
    });
}
