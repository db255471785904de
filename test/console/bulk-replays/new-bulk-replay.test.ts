import { describe, expect, it } from 'vitest';
import { newBulkReplay, startBulkReplay } from '../../../functions/console/bulk-replays/new-bulk-replay.screen.tsx';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { deliveryLog } from '../../../functions/console/runs/delivery-log.screen.tsx';
import { RENDERED_AT, renderedScreen } from '../../support/console/rendered-screen.tsx';

const filter = { module: 'dsar', configuration: 'cfg_1', period: '7d', record: '4711' };
const FROM = new Date(RENDERED_AT - 7 * 86_400_000).toISOString();
const TO = new Date(RENDERED_AT).toISOString();
const run = (own: object = {}) => ({ replayOf: null, replays: 0, ...own });
const answers = {
  'GET modules': { items: [{ id: 'dsar', name: 'Data Subject Requests' }] },
  'GET api-configurations': { items: [{ id: 'cfg_1', name: 'Orders' }] },
  'GET runs': { items: [run(), run({ replays: 2 }), run({ replays: 3 }), run({ replayOf: 'run_1' })] },
  'POST replays': { id: 'bulk_1' },
};
const review = (own: object = {}, query: Record<string, string> = filter) =>
  renderedScreen(newBulkReplay, { query: { ...query, review: '1' }, answers: { ...answers, ...own } });

describe('before anything is replayed', () => {
  it('the filter is chosen by a form that changes nothing', async () => {
    const { html, calls } = await renderedScreen(newBulkReplay, { query: filter, answers });
    expect(html).toContain('method="get"');
    expect(html).not.toContain('method="post"');
    expect(html).toMatch(/<option selected value="cfg_1"|<option value="cfg_1" selected/);
    expect(calls.map(({ name }) => name)).not.toContain('GET runs');
  });

  it('the filter is shown in words, with how many runs it finds that can be replayed', async () => {
    const { text, html, calls } = await review();
    expect(calls.find(({ name }) => name === 'GET runs')?.query).toMatchObject({
      status: 'FAILED',
      resolved: 'false',
      module: 'dsar',
      configuration: 'cfg_1',
      record: '4711',
      from: FROM,
    });
    for (const part of ['Last 7 days', 'Data Subject Requests', 'Orders', '4711']) expect(text).toContain(part);
    expect(text).toContain(
      'This replays 2 runs, unless they are being replayed already. 2 matching runs cannot be replayed',
    );
    expect(html).toContain('>Replay 2 runs</button>');
    for (const [name, value] of Object.entries({ ...filter, from: FROM, to: TO })) {
      expect(html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
    }
  });

  it('the runs themselves can be viewed, with the same filter', async () => {
    const { links } = await review();
    const log = new URL(links.get('Look at them first') ?? '', 'http://here');
    expect(Object.fromEntries(log.searchParams)).toEqual({ ...filter, status: 'FAILED', resolved: 'false' });
    const back = new URL(links.get('Change filter') ?? '', 'http://here');
    expect(Object.fromEntries(back.searchParams)).toEqual(filter);
    const listed = await renderedScreen(deliveryLog, {
      query: Object.fromEntries(log.searchParams),
      answers: { ...answers, 'GET runs': { items: [], reached: '' } },
    });
    expect(listed.calls[0]?.query).toMatchObject({ status: 'FAILED', resolved: 'false', record: '4711', from: FROM });
    // The log leads to the count, not to a replay.
    const again = new URL(listed.links.get('Replay all failed…') ?? '', 'http://here');
    expect(Object.fromEntries(again.searchParams)).toEqual({ ...filter, review: '1' });
  });

  it('nothing is offered where no run can be replayed, and more than a page is said to be more', async () => {
    const none = await review({ 'GET runs': { items: [run({ replays: 3 })] } });
    expect(none.text).toContain('No matching failed run can be replayed.');
    expect(none.html).not.toContain('type="submit"');
    const many = await review({ 'GET runs': { items: [run()], nextCursor: 'more' } });
    expect(many.html).toContain('>Replay 1+ runs</button>');
    expect(many.calls.filter(({ name }) => name === 'GET runs')).toHaveLength(1);
    const uncounted = await review({
      'GET runs': new ManagementFailure({ status: 504, code: 'timeout', detail: 'Late.' }),
    });
    expect(uncounted.text).toContain('The runs could not be counted.');
    expect(uncounted.html).not.toContain('type="submit"');
  });
});

describe('a bulk replay', () => {
  it('is started with the filter and the period that were counted', async () => {
    const counted = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' };
    const { to, calls } = await renderedScreen(startBulkReplay, { form: { ...filter, ...counted }, answers });
    expect(to).toBe('/console/t/demo/replays/bulk_1?notice=started');
    expect(calls[0]?.body).toEqual({ ...counted, module: 'dsar', configuration: 'cfg_1', record: '4711' });
  });

  it('that runs already is led to, and the filter stays', async () => {
    const running = new ManagementFailure({ status: 409, code: 'replay-running', detail: 'One is running.' });
    const { status, links, html } = await renderedScreen(startBulkReplay, {
      form: filter,
      answers: { ...answers, 'POST replays': running },
    });
    expect([status, links.get('View the running bulk replay')]).toEqual([409, '/console/t/demo/replays']);
    expect(html).toContain('name="record" value="4711"');
  });
});
