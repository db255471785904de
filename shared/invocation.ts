import type { Context } from 'aws-lambda';
import { publishFaults } from '#shared/telemetry/faults';
import { withLogFields } from '#shared/telemetry/log';

/** A Lambda handler whose log lines name the invocation, and whose counted metrics are published however it ends. */
export function invocation<Event, Result>(work: (event: Event, context: Context) => Promise<Result>) {
  return (event: Event, context: Context): Promise<Result> =>
    withLogFields({ function_request_id: context.awsRequestId }, async () => {
      try {
        return await work(event, context);
      } finally {
        await publishFaults();
      }
    });
}
