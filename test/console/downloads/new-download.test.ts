import { describe, expect, it } from 'vitest';
import { newDownload, startDownload } from '../../../functions/console/downloads/new-download.screen.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const token = (id: string, availableDownloads: number) => ({
  id,
  planId: 'basic',
  availableDownloads,
  createdAt: '2026-11-20T08:00:00Z',
});
const ANSWERS = {
  'GET schemas/products': { type: 'products', fields: [], views: [] },
  'GET data/products': { estimatedTotal: 11, records: [] },
  'GET accounts/demo/data-tokens': { items: [token('t1', 100), token('t2', 5)] },
  'POST requests': { id: 7 },
};
const ORDER = { type: 'products', q: 'name:a', view: '', format: 'json', records: '', tokenId: '' };

/** The fields of a page's form, as a browser sends them when nothing was changed. */
const fieldsIn = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input[^>]* name="(\w+)"[^>]* value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      (value ?? '').replaceAll('&quot;', '"'),
    ]),
  );

describe('the order of a download', () => {
  const pageOf = async () => {
    const page = await renderedScreen(newDownload, { query: { type: 'products', q: 'name:a' }, answers: ANSWERS });
    expect(page.html).toContain('>Start for 11 credits</button>');
    return { ...ORDER, ...fieldsIn(page.html) };
  };
  const started = async (form: Record<string, string>) =>
    renderedScreen(startDownload, { form: { ...form, act: 'start' }, answers: ANSWERS });

  it('is started as the page shows it, its format and view with it', async () => {
    const { calls, to } = await started({ ...(await pageOf()), format: 'csv' });
    expect(calls.find(({ name }) => name === 'POST requests')?.body).toEqual({
      type: 'products',
      q: 'name:a',
      format: 'csv',
      records: 11,
      tokenId: 't1',
    });
    expect(to).toBe('/console/t/demo/downloads/7');
  });

  it.each([{ records: '3' }, { tokenId: 't2' }])(
    'is shown again, and not started, after its cost changed: %o',
    async (change) => {
      const { calls, html, text } = await started({ ...(await pageOf()), ...change });
      expect(calls.some(({ name }) => name === 'POST requests')).toBe(false);
      expect(text).toContain('The download was not started.');
      if ('records' in change) expect(html).toContain('>Start for 3 credits</button>');
      else expect(text).toContain('too few credits');
    },
  );

  it('is calculated again by the other button', async () => {
    const form = { ...(await pageOf()), records: '3', act: 'calculate' };
    const { calls, to } = await renderedScreen(startDownload, { form, answers: ANSWERS });
    expect(calls).toEqual([]);
    expect(to).toBe('/console/t/demo/downloads/new?type=products&q=name%3Aa&format=json&records=3');
  });
});
