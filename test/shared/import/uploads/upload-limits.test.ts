import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { partsOf, UPLOAD_BYTES_MAX } from '../../../../shared/import/uploads/upload-limits.ts';

const MIB = 1024 ** 2;

it('a file of any size has at most 100 parts that S3 takes, of which none is empty', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: UPLOAD_BYTES_MAX }), (bytes) => {
      const { partBytes, parts } = partsOf(bytes);
      expect(parts).toBeLessThanOrEqual(100);
      expect(partBytes).toBeGreaterThanOrEqual(5 * MIB);
      expect((parts - 1) * partBytes).toBeLessThan(bytes);
      expect(parts * partBytes).toBeGreaterThanOrEqual(bytes);
    }),
  );
});

it.each([
  [1, 1],
  [8 * MIB, 1],
  [8 * MIB + 1, 2],
  [UPLOAD_BYTES_MAX, 100],
])('a file of %i bytes has %i parts', (bytes, parts) => {
  expect(partsOf(bytes).parts).toBe(parts);
});
