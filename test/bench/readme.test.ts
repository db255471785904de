import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { smallestSizes } from './smallest-sizes.ts';

const README = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');

it('the README lists every bench with the variables that set how much it measures', () => {
  const rows = [...README.matchAll(/^\| `([a-z-]+)` \|(.*)$/gm)].map(
    ([, name = '', text = '']) => [name, text] as const,
  );
  const sizes = smallestSizes('');
  expect(rows.map(([name]) => name).sort()).toEqual(Object.keys(sizes).sort());
  for (const [name, text] of rows) {
    const variables = Object.keys(Object.entries(sizes).find(([bench]) => bench === name)?.[1] ?? {});
    expect(
      variables.filter((variable) => !text.includes(`\`${variable}\``)),
      name,
    ).toEqual([]);
  }
});
