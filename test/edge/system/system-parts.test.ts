import { describe, expect, it } from 'vitest';
import { partsIn } from '../../../functions/edge/system/system-parts.ts';

const stack = (name: string, outputs: Readonly<Record<string, string>>) => ({
  stack: `five-services-prod-${name}`,
  outputs: new Map(Object.entries(outputs)),
});

describe('the parts of a deployment', () => {
  it('are those that its stacks name in their outputs, and no others', () => {
    const parts = partsIn([
      stack('edge', { ApiUrl: 'https://api', AlarmApiErrors: 'alarm-1', EventBus: 'bus' }),
      stack('webhooks', {
        QueueReplays: 'https://sqs/1/replays',
        DeadLettersReplays: 'https://sqs/1/lost-replays',
        GivenUpRunChanges: 'https://sqs/1/changes',
        AlarmFaults: 'alarm-2',
        AlarmOldestDueRun: 'alarm-3',
        DueWorkRuns: 'alarm-3',
        ScheduleSweepRuns: '1',
        Queue: 'a name of nothing',
      }),
      stack('places', { GivenUpAnnouncements: 'https://sqs/1/places', AlarmFaults: 'alarm-4' }),
      stack('images', {}),
    ]);
    expect(parts).toEqual({
      queues: [{ name: 'Replays', url: 'https://sqs/1/replays' }],
      deadLetters: [
        { name: 'Replays', url: 'https://sqs/1/lost-replays', redriveAs: 'Replays' },
        { name: 'webhooks/RunChanges', url: 'https://sqs/1/changes' },
        { name: 'places/Announcements', url: 'https://sqs/1/places' },
      ],
      alarms: [
        { name: 'edge/ApiErrors', alarm: 'alarm-1' },
        { name: 'webhooks/Faults', alarm: 'alarm-2' },
        { name: 'webhooks/OldestDueRun', alarm: 'alarm-3' },
        { name: 'places/Faults', alarm: 'alarm-4' },
      ],
      dueWork: [{ name: 'webhooks/Runs', alarm: 'alarm-3' }],
      schedules: [{ name: 'webhooks/SweepRuns', everyMinutes: 1 }],
    });
  });
});
