import { describe, expect, it } from 'vitest';
import type { SystemParts } from '../../../functions/edge/system/system-parts.ts';
import {
  type AlarmState,
  type Figures,
  type MetricAt,
  systemState,
} from '../../../functions/edge/system/system-state.ts';

const NOW = Date.parse('2026-11-15T10:30:00.000Z');
const at = (name: string) => ({ name, url: `https://sqs.us-east-1.amazonaws.com/1/five-services-prod-${name}` });
const PARTS: SystemParts = {
  queues: [at('Imports'), at('Replays')],
  deadLetters: [{ ...at('LostImports'), name: 'Imports', redriveAs: 'Imports' }, at('webhooks/RunChanges')],
  alarms: [
    { name: 'webhooks/Faults', alarm: 'faults' },
    { name: 'webhooks/OldestDueRun', alarm: 'due' },
    { name: 'webhooks/Gone', alarm: 'gone' },
  ],
  dueWork: [{ name: 'webhooks/Runs', alarm: 'due' }],
  schedules: [],
};
const alarm = (own: Partial<AlarmState> = {}): AlarmState => ({
  state: 'OK',
  since: '2026-11-14T00:00:00.000Z',
  reason: 'no datapoints',
  description: 'Webhooks are late. Tenants wait. Runbook: cdk/README.md, Oldest due run',
  ...own,
});
const DUE: MetricAt = { namespace: 'FiveServices/prod', name: 'OldestDueRun', dimensions: { service: 'webhooks' } };
const ALARMS = new Map([
  ['faults', alarm({ state: 'ALARM', description: 'Something else' })],
  ['due', alarm({ metric: DUE })],
]);

interface Measurements {
  readonly counts?: Readonly<Record<string, readonly [number, number, number]>>;
  readonly newest?: readonly (number | undefined)[];
}
/** Remembers which metrics it was asked for. */
function figuresOf({ counts = {}, newest = [] }: Measurements) {
  const asked: MetricAt[] = [];
  const figures: Figures = {
    counts: async (url) => {
      const [waiting, inFlight, delayed] = counts[url.slice(url.lastIndexOf('prod-') + 5)] ?? [0, 0, 0];
      return { waiting, inFlight, delayed };
    },
    alarms: async (names) => new Map([...ALARMS].filter(([name]) => names.includes(name))),
    newest: async (metrics, now) => {
      expect(now).toBe(NOW);
      asked.push(...metrics);
      return newest;
    },
  };
  return { asked, figures };
}

describe('the state of the system', () => {
  it('is what waits, what was given up, what sounds and how late due work is', async () => {
    const { asked, figures } = figuresOf({
      counts: { Imports: [3, 2, 1], LostImports: [2, 1, 0] },
      newest: [65, 999, 12],
    });
    expect(await systemState(PARTS, figures, NOW)).toEqual({
      measuredAt: '2026-11-15T10:30:00.000Z',
      queues: [
        { name: 'Imports', waiting: 3, inFlight: 2, delayed: 1, oldestSeconds: 65 },
        // It was emptied since its age was measured.
        { name: 'Replays', waiting: 0, inFlight: 0, delayed: 0 },
      ],
      deadLetters: [
        { name: 'Imports', count: 3, redriveAs: 'Imports' },
        { name: 'webhooks/RunChanges', count: 0 },
      ],
      alarms: [
        {
          name: 'webhooks/Faults',
          state: 'ALARM',
          since: '2026-11-14T00:00:00.000Z',
          reason: 'no datapoints',
          meaning: 'Something else',
        },
        {
          name: 'webhooks/OldestDueRun',
          state: 'OK',
          since: '2026-11-14T00:00:00.000Z',
          reason: 'no datapoints',
          meaning: 'Webhooks are late. Tenants wait.',
          runbook: 'Oldest due run',
        },
      ],
      dueWork: [{ name: 'webhooks/Runs', oldestSeconds: 12 }],
    });
    expect(asked).toEqual([
      ...['Imports', 'Replays'].map((name) => ({
        namespace: 'AWS/SQS',
        name: 'ApproximateAgeOfOldestMessage',
        dimensions: { QueueName: `five-services-prod-${name}` },
      })),
      DUE,
    ]);
  });

  it('states no age that nobody has measured, and no lateness where nothing is due', async () => {
    const { figures } = figuresOf({ counts: { Imports: [0, 0, 1] } });
    const { queues, dueWork } = await systemState(PARTS, figures, NOW);
    expect(queues[0]).toEqual({ name: 'Imports', waiting: 0, inFlight: 0, delayed: 1 });
    expect(dueWork).toEqual([{ name: 'webhooks/Runs', oldestSeconds: 0 }]);
  });

  it('is empty where nothing is deployed', async () => {
    const nothing: SystemParts = { queues: [], deadLetters: [], alarms: [], dueWork: [], schedules: [] };
    const state = await systemState(nothing, figuresOf({}).figures, NOW);
    expect(state).toEqual({ measuredAt: expect.any(String), queues: [], deadLetters: [], alarms: [], dueWork: [] });
  });
});
