import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { replayedRuns, replaySelected } from '../../../functions/console/runs/selected-replays.screen.tsx';
import { refusalWords } from '../../../functions/console/runs/selected-replays.ts';
import { runOperations } from '../../../functions/webhooks/runs/runs.operations.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';
import { runAnswer } from '../../support/console/run-answers.ts';

const refusal = (status: number, code: string) => new ManagementFailure({ status, code, detail: '' });
const answers = {
  'POST runs/run_a/replay': { id: 'run_a2' },
  'POST runs/run_b/replay': refusal(409, 'resolved'),
  'POST runs/run_c/replay': refusal(504, 'timeout'),
};
const log = 'status=FAILED&period=7d&record=4711';
const submitted = (run: readonly string[]) => renderedScreen(replaySelected, { form: { run, log }, answers });

/** The page of the outcomes, to which the form leads. */
async function outcomes(run: readonly string[]) {
  const { to = '' } = await submitted(run);
  const { pathname, searchParams } = new URL(to, 'http://here');
  expect(pathname).toBe('/console/t/demo/runs/-/replayed');
  const items = [runAnswer({ id: 'run_a2', record: 'incident: 1', status: 'CREATED', replayOf: 'run_a' })];
  return renderedScreen(replayedRuns, {
    query: Object.fromEntries(searchParams),
    answers: { 'GET runs': { items } },
  });
}

describe('the replay of selected runs', () => {
  it('replays each run once', async () => {
    const { calls } = await submitted(['run_a', 'run_b', 'run_a']);
    expect(calls.map(({ name }) => name)).toEqual(['POST runs/run_a/replay', 'POST runs/run_b/replay']);
  });

  it('says which runs were replayed, and why the others were refused', async () => {
    const { text, links } = await outcomes(['run_a', 'run_b', 'run_c', 'run_d']);
    expect(text).toContain('1 run replayed, 3 refused.');
    expect(text).toContain('A replay has already succeeded.');
    expect(text).toContain('The service did not answer.');
    expect(text).toContain('It no longer exists.');
    expect(text).toMatch(/Replayed run_a incident: 1 run_a2 Created/);
    expect(links.get('run_a2')).toBe('/console/t/demo/runs/run_a2');
  });

  it('leads back to the log with its filter', async () => {
    const { links } = await outcomes(['run_a']);
    const back = new URL(links.get('Delivery log') ?? '', 'http://here');
    expect(Object.fromEntries(back.searchParams)).toEqual({ status: 'FAILED', period: '7d', record: '4711' });
  });

  it('asks for a selection if no run is selected', async () => {
    const { to, calls } = await submitted([]);
    expect(calls).toEqual([]);
    expect(new URL(to ?? '', 'http://here').searchParams.has('none-selected')).toBe(true);
  });

  it('signs the person out if the token has ended', async () => {
    const ended = { 'POST runs/run_a/replay': refusal(401, 'unauthorized') };
    const sent = renderedScreen(replaySelected, { form: { run: ['run_a'] }, answers: ended });
    await expect(sent).rejects.toThrow('401');
  });

  it('shows nothing that a forged address holds, except ids', async () => {
    const query = { made: '<b>x</b>.run_1,run_2', refused: 'run_3.<i>y</i>,run_4.toString' };
    const { html, text } = await renderedScreen(replayedRuns, { query, answers: { 'GET runs': { items: [] } } });
    expect(html).not.toMatch(/<b>|<i>/);
    expect(text).toContain('0 runs replayed, 1 refused.');
    expect(text).toContain('The service refused to replay it.');
  });

  it('has words for every refusal of the API', () => {
    for (const code of runOperations.replayRun.errors[409]) {
      expect(refusalWords(code), code).not.toBe(refusalWords('another'));
    }
  });
});
