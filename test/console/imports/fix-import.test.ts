import { describe, expect, it } from 'vitest';
import { importFixed } from '../../../functions/console/imports/fix-import.screens.tsx';
import { ManagementFailure } from '../../../functions/console/management/management.ts';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const JOB = {
  id: 'job',
  type: 'places',
  key: 'uploads/a.csv',
  name: 'a.csv',
  status: 'done',
  bytes: 100,
  bytesDone: 100,
  lines: 3,
  imported: 1,
  deleted: 0,
  rejected: 2,
  startedAt: '2026-11-23T12:00:00.000Z',
  updatedAt: '2026-11-23T12:00:00.000Z',
  columns: ['id', 'name'],
  rejections: [
    { line: 2, reason: 'name is missing', cells: ['a', ''] },
    { line: 3, reason: 'too many cells', cells: ['b', 'B', 'C'] },
  ],
};
const API = 'loyalty/imports';
const TYPED = {
  row: ['0', '1'],
  'cell-0': ['a', 'typed "name"'],
  'text-1': 'b,typed text',
  'without-1': 'on',
};

const fixed = (form: Record<string, string | readonly string[]>, answers: Record<string, unknown> = {}) =>
  renderedScreen(importFixed, { path: { id: 'job' }, form, answers: { [`GET ${API}/job`]: JOB, ...answers } });

describe('rejected rows that are imported again', () => {
  const LINKS = { key: 'k', uploadId: 'u', partBytes: 5_000_000, links: [{ part: 1, url: 'https://part' }] };

  it('are uploaded as they were typed, and lead to their import', async () => {
    const { calls, to } = await fixed(TYPED, {
      [`POST ${API}/uploads`]: LINKS,
      [`POST ${API}`]: { key: 'k' },
    });
    expect(calls.find(({ name }) => name === 'PUT https://part')?.body).toBe('id,name\na,"typed ""name"""\n');
    expect(to).toContain('key=k');
  });

  it.each([
    ['the upload', {}, 413],
    ['the import', { [`POST ${API}/uploads`]: LINKS }, 503],
  ])('come back as they were typed, with the reason, if %s is refused', async (_what, answers, status) => {
    const refusal = new ManagementFailure({ status, code: 'refused', detail: 'It cannot be imported now.' });
    const {
      html,
      text,
      status: answered,
    } = await fixed(TYPED, {
      [`POST ${API}/uploads`]: refusal,
      [`POST ${API}`]: refusal,
      ...answers,
    });
    expect(answered).toBe(status);
    expect(text).toContain('It cannot be imported now.');
    expect(html).toContain('value="typed &quot;name&quot;"');
    expect(html).toMatch(/<textarea[^>]*>b,typed text<\/textarea>/);
    expect(html).toMatch(/name="without-1"[^>]* checked/);
    expect(html).not.toMatch(/name="without-0"[^>]* checked/);
  });

  it('come back as they were typed if all are left out', async () => {
    const { html, status } = await fixed({ ...TYPED, 'without-0': 'on' });
    expect(status).toBe(400);
    expect(html).toContain('value="typed &quot;name&quot;"');
    expect(html.match(/ checked/g)).toHaveLength(2);
  });
});
