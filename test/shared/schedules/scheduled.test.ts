import type { Context, ScheduledEvent } from 'aws-lambda';
import { describe, expect, it, vi } from 'vitest';
import { scheduled } from '../../../shared/schedules/scheduled.dynamodb.ts';

describe('a function that a schedule calls', () => {
  it('does its work, and fails as it does, where the run cannot be recorded', async () => {
    vi.stubEnv('SCHEDULE', 'webhooks/SweepRuns');
    vi.stubEnv('SCHEDULE_RUNS_TABLE', 'no table');
    const event = { time: '2026-11-15T10:30:00Z' } as ScheduledEvent;
    const context = { awsRequestId: 'id' } as Context;
    let done = 0;
    const handler = scheduled(async () => {
      done += 1;
      if (done === 2) throw new Error('its own');
    });
    await handler(event, context);
    await expect(handler(event, context)).rejects.toThrow('its own');
    expect(done).toBe(2);
    vi.unstubAllEnvs();
  });
});
