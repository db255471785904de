import { describe, expect, it } from 'vitest';
import { mapColumns } from '../../../functions/console/imports/new-import.screens.tsx';
import { renderedScreen } from '../../support/console/rendered-screen.tsx';

const FILE = { key: 'imports/a.csv', name: 'a.csv', bytes: '30', head: 'aWQs', type: '' };
const preview = (more: object = {}) => ({
  columns: [
    { name: 'Town', suggestion: 'city' },
    { name: 'Shop Title', suggestion: 'name' },
    { name: 'Extra', suggestion: null },
  ],
  fields: ['categories', 'city', 'id', 'name'],
  rows: [{ line: 2, item: { categories: ['Cafes', 'Bars'], city: 'Rome', name: 'A' } }],
  ...more,
});
const mapped = async (answer: object, form: Record<string, string | string[]> = {}) =>
  renderedScreen(mapColumns, {
    form: { ...FILE, ...form },
    answers: { 'POST loyalty/imports/preview': answer },
  });
const STATED = { column: ['Town', 'Shop Title', 'Extra'] };

describe('the mapping of the columns of a file', () => {
  it('shows the name first, then the fields in the order of the file, and which columns are left out', async () => {
    const { html, text } = await mapped(preview());
    const titles = [...html.matchAll(/<th scope="col"[^>]*>(?:<[^>]*>)*([^<]+)/g)].map(([, title]) => title);
    expect(titles).toEqual(['Line', 'Result', 'name', 'city', 'categories']);
    expect(text).toContain('Cafes, Bars');
    expect(text).toContain('Left out: 1 of 3 columns (Extra).');
  });

  it('says at a column that its field is none, and previews the others', async () => {
    const unknownFields = { titel: 'titel does not exist in business schema; did you mean title?' };
    const { html, text } = await mapped(preview({ unknownFields }), { ...STATED, field: ['city', 'titel', ''] });
    expect(html).toMatch(/value="titel"[^>]*aria-invalid[^>]*aria-describedby="field-column-1-wrong"/);
    expect(html).toMatch(/id="field-column-1-wrong">titel does not exist in business schema; did you mean title\?/);
    expect(html.match(/class="wrong"/g)).toHaveLength(1);
    expect(text).toContain('There is no field titel. The preview leaves its column out.');
    expect(text).toContain('Accepted');
    const inherited = await mapped(preview(), { ...STATED, field: ['city', 'constructor', ''] });
    expect(inherited.html).not.toContain('class="wrong"');
  });
});
