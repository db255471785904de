import { describe, expect, it } from 'vitest';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { retryScreen, runScreen } from '../../../functions/console/runs/run.screen.tsx';
import { RENDERED_AT, renderedScreen } from '../../support/console/rendered-screen.tsx';
import { runAnswer, sentAttempt } from '../../support/console/run-answers.ts';

const busy = sentAttempt({ attempt: 1, outcome: 'http_status', responseCode: 503, responseBody: '{"busy":[1]}' });
const late = sentAttempt({ attempt: 2, outcome: 'timeout', responseCode: null, responseBody: null });

const shown = (own: object, query: Record<string, string> = {}) =>
  renderedScreen(runScreen, {
    path: { id: 'run_1' },
    query,
    answers: {
      'GET runs/run_1': {
        ...runAnswer({ id: 'run_1', status: 'FAILED', error: 'timeout', completedAt: '2026-11-23T11:00:00.000Z' }),
        targetUrl: 'https://cases.example.com/hooks',
        payload: '{"request":"4711","of":"<b>us</b>"}',
        headers: [{ name: 'Authorization', value: 'Bearer ***' }],
        attemptLog: [busy, late],
        ...own,
      },
      'GET runs': { items: [] },
    },
  });

describe('the page of a run', () => {
  it('says why it failed and what to do', async () => {
    const { text } = await shown({});
    expect(text).toContain('cases.example.com did not respond within 30 s. Respond first');
  });

  it('shows request and response of the last attempt, and of another one that the address names', async () => {
    const last = await shown({});
    expect(last.text).toContain('Response attempt 2');
    expect(last.text).toContain('There was no response.');
    expect(last.text).toContain('POST https://cases.example.com/ hooks');
    expect(last.html).toContain(
      '<span class="json-key">&quot;request&quot;</span>: <span class="json-text">&quot;4711&quot;</span>',
    );
    expect(last.html).not.toContain('<b>us');
    expect(last.links.get('Attempt 1')).toMatch(/runs\/run_1\?attempt=1\.0$/);
    const first = await shown({}, { attempt: '1.0' });
    expect(first.text).toContain('Response attempt 1');
    expect(first.text).toContain('503 Service Unavailable');
    expect(first.text).toContain('Headers of the last attempt');
    expect(first.html).toContain('<span class="json-key">&quot;busy&quot;</span>');
    expect((await shown({}, { attempt: 'x' })).text).toContain('Response attempt 2');
  });

  it('draws the attempts in two tones', async () => {
    const { html } = await shown({});
    const tones = new Set(html.match(/fill-\w+/g));
    expect(tones).toEqual(new Set(['fill-soft', 'fill-accent']));
  });

  it('never says that the next attempt was a moment ago', async () => {
    const next = (millis: number) =>
      shown({
        status: 'IN_PROGRESS',
        completedAt: null,
        error: 'http_status',
        attemptLog: [busy],
        nextAttemptAt: new Date(RENDERED_AT + millis).toISOString(),
      });
    const [past, coming] = [await next(-199), await next(7_000)];
    expect(past.text).toContain('Next attempt now');
    expect(past.text).not.toContain('ms ago');
    expect(coming.text).toContain('Next attempt in 7 s');
    expect(coming.text).toContain('answered 503 Service Unavailable.');
  });
});

describe('a run that waits for its next attempt', () => {
  const waiting = { status: 'IN_PROGRESS', completedAt: null, nextAttemptAt: '2026-11-23T13:00:00.000Z' };

  it('can be retried at once', async () => {
    const { html, text } = await shown(waiting);
    expect(text).toContain('Retry now');
    expect(html).toContain('action="/console/t/demo/runs/run_1/retry"');
  });

  it.each([
    ['is due', { nextAttemptAt: '2026-11-23T12:00:00.000Z' }],
    ['is in progress', { nextAttemptAt: null }],
    ['has no slot', { waitsForEndpoint: true }],
    ['is paused', { paused: true }],
  ])('cannot be retried while it %s', async (_state, own) =>
    expect((await shown({ ...waiting, ...own })).text).not.toContain('Retry now'),
  );

  it.each([
    ['says that it begins', {}, '/console/t/demo/runs/run_1?notice=retrying'],
    [
      'shows the run as it is where it has gone on meanwhile',
      new ManagementFailure({ status: 409, code: 'not-waiting', detail: 'Due.' }),
      '/console/t/demo/runs/run_1',
    ],
  ])('%s', async (_what, answer, to) => {
    const sent = await renderedScreen(retryScreen, {
      path: { id: 'run_1' },
      answers: { 'POST runs/run_1/retry': answer },
    });
    expect(sent.to).toBe(to);
  });

  it('says why it was refused', async () => {
    const failure = new ManagementFailure({ status: 409, code: 'api-integration-off', detail: 'Webhooks are off.' });
    const { status, text } = await renderedScreen(retryScreen, {
      path: { id: 'run_1' },
      answers: { 'POST runs/run_1/retry': failure },
    });
    expect([status, text]).toEqual([409, expect.stringContaining('Webhooks are off.')]);
  });
});
