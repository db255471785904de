import { describe, expect, it } from 'vitest';
import { importScreen } from '../../../functions/console/imports/import.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const job = (id: string, name: string, startedAt: string, rejected = 0) => ({
  id,
  type: 'places',
  key: `uploads/${id}`,
  name,
  status: 'COMPLETED',
  bytes: 100,
  bytesDone: 100,
  lines: 3,
  imported: 1,
  deleted: 0,
  rejected,
  startedAt,
  updatedAt: startedAt,
});
const FIRST = job('first', 'cafes.csv', '2026-11-23T08:00:00Z', 1);
const FIXED = job('fixed', 'cafes-fixed.csv', '2026-11-23T09:00:00Z');
const OTHER = job('other', 'cafes-2.csv', '2026-11-23T10:00:00Z');

const pageOf = (one: typeof FIRST, ...items: (typeof FIRST)[]) =>
  renderedScreen(importScreen, {
    path: { id: one.id },
    answers: {
      [`GET loyalty/imports/${one.id}`]: { ...one, rejections: [{ line: 2, reason: 'name is missing', cells: ['a'] }] },
      'GET loyalty/imports': { items },
    },
  });

describe('the page of an import', () => {
  it('leads to that of its fixed rows and back, and no longer asks to fix them', async () => {
    const before = await pageOf(FIRST, OTHER, FIRST);
    expect(before.html).toMatch(/class="button small primary"[^>]*>Fix and import again/);
    expect(before.text).not.toContain('Imports of the same file');
    const after = await pageOf(FIRST, OTHER, FIXED, FIRST);
    expect(after.html).toMatch(/class="button small"[^>]*>Fix and import again/);
    expect(after.text).toContain('This file or its fixed rows were imported since: see below.');
    expect([after.links.get('cafes-fixed.csv'), after.links.has('cafes-2.csv')]).toEqual([
      '/console/t/demo/imports/fixed',
      false,
    ]);
    expect((await pageOf(FIXED, OTHER, FIXED, FIRST)).links.get('cafes.csv')).toBe('/console/t/demo/imports/first');
  });
});
