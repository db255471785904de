import { expect, it } from 'vitest';
import { codesFor, codeText } from '../../../functions/console/reviews/invalid-codes.ts';
import { INVALID_CODES, INVALID_REASONS, isCodeFor } from '../../../functions/images/verdict/codes.ts';

it('the codes of the form are those that the management API takes, in its words', () => {
  for (const type of ['receipt', 'image'] as const) {
    const taken = INVALID_CODES.filter((code) => isCodeFor(type, code));
    expect(codesFor(type)).toEqual(taken.map((code) => [String(code), INVALID_REASONS[code]]));
  }
  expect(codesFor('of-tomorrow')).toHaveLength(19);
  expect(codeText(17)).toBe(INVALID_REASONS[17]);
  expect(codeText(99)).toBe('Code 99');
});
