import { expect, it } from 'vitest';
import { editDistance } from '../../../shared/formats/edit-distance.ts';

it('the edit distance counts swapped neighbours as one difference, and may stop above its limit', () => {
  expect(editDistance('abcd', 'abdc', 3)).toBe(1);
  expect(editDistance('kitten', 'sitting', 3)).toBe(3);
  expect(editDistance('kitten', 'sitting', Number.POSITIVE_INFINITY)).toBe(3);
  expect(editDistance('a', 'bcdef', 2)).toBeGreaterThan(2);
});
