import { expect, it } from 'vitest';
import { deprecationHeaders } from '../../../shared/loyalty/deprecation.ts';

it('a deprecation is stated as seconds since 1970 with the page about it, and not at all without a day', () => {
  const { deprecation, link } = deprecationHeaders('2026-11-01');
  expect(deprecation).toBe(`@${Date.UTC(2026, 10, 1) / 1_000}`);
  expect(link).toMatch(/^<\/docs\/loyalty#deprecation>; rel="deprecation"/);
  expect(deprecationHeaders('')).toEqual({});
});
