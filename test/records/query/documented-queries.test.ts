import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readQuery } from '../../../functions/records/query/read-query.ts';
import { RECORD_TYPES } from '../../../functions/records/schemas/schema.ts';

const README = readFileSync(join(import.meta.dirname, '../../../functions/records/README.md'), 'utf8');
const [, paragraph = ''] = /^Queries: ([^]*?)\n\n/m.exec(README) ?? [];
const queries = [...paragraph.matchAll(/`([^`]+)`/g)]
  .map(([, text = '']) => text)
  .filter((text) => !/^(AND|OR|NOT)$/.test(text));

it('the README of the records has examples of queries', () => {
  expect(queries.length).toBeGreaterThan(5);
});

it.each(queries)('the documented query %s is one of some record type', (query) => {
  const refusals = RECORD_TYPES.map((type) => readQuery(query, type)).map((read) => (read.ok ? '' : read.message));
  expect(refusals, refusals.join('\n')).toContain('');
});
