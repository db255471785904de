import { expect, it } from 'vitest';
import { codesFor, codeText } from '../../../functions/console/reviews/invalid-codes.ts';

it('the form offers the codes that the management API accepts for the type, with the texts of the interface', () => {
  const codes = (type: string) => codesFor(type).map(([code]) => Number(code));
  expect(codes('receipt')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16, 17, 18]);
  expect(codes('image')).toEqual([0, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18]);
  expect(codesFor('image')).toContainEqual(['17', 'Image appears to have been altered']);
});

it('a type or a code that is not known yet is shown all the same', () => {
  expect(codesFor('of-tomorrow')).toHaveLength(19);
  expect(codeText(99)).toBe('Code 99');
});
