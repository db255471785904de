import { describe, expect, it } from 'vitest';
import { deliveryLog } from '../../../functions/console/runs/delivery-log.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';
import { runAnswer } from '../../support/console/run-answers.ts';

const failed = runAnswer({ id: 'run_failed', status: 'FAILED', attempts: 2 });
const logOf = (...items: object[]) =>
  renderedScreen(deliveryLog, {
    query: { period: '7d', status: 'FAILED' },
    answers: {
      'GET runs': { items },
      'GET modules': { items: [] },
      'GET api-configurations': { items: [] },
      'GET accounts/demo': { active: true, apiIntegration: true },
    },
  });
const boxes = (html: string) =>
  [...html.matchAll(/<input type="checkbox" name="run" value="(\w+)"/g)].map(([, id]) => id);

describe('the delivery log', () => {
  it('has a box for each run that can be replayed, in a form that keeps the filter', async () => {
    const { html } = await logOf(
      failed,
      runAnswer({ id: 'run_good' }),
      runAnswer({ id: 'run_replay', status: 'FAILED', replayOf: 'run_0' }),
      runAnswer({ id: 'run_resolved', status: 'FAILED', resolved: true }),
      runAnswer({ id: 'run_spent', status: 'FAILED', replays: 3 }),
    );
    expect(boxes(html)).toEqual(['run_failed']);
    expect(html).toContain('action="/console/t/demo/runs/-/replay"');
    expect(html).toMatch(/name="log" value="status=FAILED&amp;[^"]*period=7d"/);
  });

  it('has no form if no run can be replayed', async () => {
    const { html } = await logOf(runAnswer({ id: 'run_good' }));
    expect(html).not.toContain('method="post"');
    expect(html).not.toContain('Replay selected');
  });

  it('has a column of attempts, and marks replays', async () => {
    const { text, html } = await logOf(failed, runAnswer({ id: 'run_replay', replayOf: 'run_0' }));
    expect(text).toContain('Attempts');
    expect(text).toContain('2 of 3');
    expect(html.match(/title="Replay of run_0"/g)).toHaveLength(1);
  });

  it('leads to a run whose id is entered, and says of a part of one that it must be whole', async () => {
    const answers = {
      'GET runs/run_good': runAnswer({ id: 'run_good' }),
      'GET runs': { items: [] },
      'GET modules': { items: [] },
      'GET api-configurations': { items: [] },
      'GET accounts/demo': { active: true, apiIntegration: true },
    };
    const { to } = await renderedScreen(deliveryLog, { query: { record: 'run_good' }, answers });
    expect(to).toBe('/console/t/demo/runs/run_good');
    const { text } = await renderedScreen(deliveryLog, { query: { record: 'run_g' }, answers });
    expect(text).toContain('Enter a source record or a run id as a whole.');
  });

  it('has no primary button, because all of them replay', async () => {
    expect((await logOf(failed)).html).not.toContain('primary');
  });
});
