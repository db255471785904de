import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../functions/webhooks/rules/placeholders.ts';
import { trimCharacters } from '../../../functions/webhooks/rules/trim-characters.ts';

describe('blanks at the ends of a text', () => {
  it('are left out, and no others', () => {
    const text = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', 'a', 'b') });
    fc.assert(
      fc.property(text, (given) => {
        expect(trimCharacters(given, ' ')).toBe(given.replace(/^ +/, '').replace(/ +$/, ''));
        expect(trimCharacters(given, ' \t')).toBe(given.replace(/^[ \t]+/, '').replace(/[ \t]+$/, ''));
      }),
    );
  });

  // One that looks for the end of every run of blanks takes half a minute for each of these.
  it('or inside, even many thousands of them, take no noticeable time', () => {
    const blanks = ' '.repeat(250_000);
    const name = `x${blanks}y`;
    for (let n = 0; n < 20; n += 1) expect(piecesOf(`{{${blanks}${name}${blanks}}}`)).toMatchObject([{ name }]);
  });
});
