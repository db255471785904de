import { expect, it } from 'vitest';
import { codesFor, codeText } from '../../../functions/console/reviews/invalid-codes.ts';
import { INVALID_CODES, INVALID_REASONS, isCodeFor } from '../../../shared/loyalty/invalid-codes.ts';

it('the form offers the codes that the management API accepts, with its texts', () => {
  for (const type of ['receipt', 'image'] as const) {
    const accepted = INVALID_CODES.filter((code) => isCodeFor(type, code));
    expect(codesFor(type)).toEqual(accepted.map((code) => [String(code), INVALID_REASONS[code]]));
  }
  expect(codesFor('of-tomorrow')).toHaveLength(19);
  expect(codeText(17)).toBe(INVALID_REASONS[17]);
  expect(codeText(99)).toBe('Code 99');
});
