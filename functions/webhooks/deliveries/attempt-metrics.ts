import { metric } from '#shared/telemetry/metrics';
import type { Attempt } from '../runs/attempt.ts';
import type { Run } from '../runs/run.ts';

/**
 * Writes one log line with all facts of an attempt and counts attempts by outcome. It contains no URL, header or body.
 */
export function logAttempt(run: Run, attempt: Attempt, now: number): void {
  metric(
    'attempt',
    {
      dimensions: { outcome: attempt.outcome },
      values: {
        WebhookAttempts: { value: 1, unit: 'Count' },
        WebhookAttemptDuration: { value: attempt.timings?.totalMillis ?? 0, unit: 'Milliseconds' },
      },
      facts: {
        tenant: run.tenant,
        run: run.id,
        configuration: run.configurationId,
        attempt: attempt.attempt,
        part: attempt.part,
        maxAttempts: run.maxAttempts,
        responseCode: attempt.statusCode,
        timings: attempt.timings,
        sinceTriggeredMs: attempt.startedAt - run.createdAt,
      },
    },
    now,
  );
}
