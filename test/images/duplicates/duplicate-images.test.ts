import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { duplicatesAmong, strongest } from '../../../functions/images/duplicates/duplicate-images.ts';
import { areDistinct, dayAndTotal, fingerprintOf } from '../../../functions/images/duplicates/fingerprint.ts';
import { pointersOf } from '../../../functions/images/duplicates/pointer.ts';
import { hashDistance } from '../../../functions/images/pictures/perceptual-hash.ts';
import type { Status } from '../../../functions/images/validations/validation.ts';
import type { ValidationType } from '../../../shared/loyalty/invalid-codes.ts';

const BITS = 256;
const bits = fc.bigInt({ min: 0n, max: 2n ** BigInt(BITS) - 1n });
const perceptualHashOf = (value: bigint) => value.toString(16).padStart(BITS / 4, '0');
/** The perceptual hash with so many bits turned over, the first ones of each part first. */
const turned = (value: bigint, count: number) =>
  perceptualHashOf(
    Array.from({ length: count }, (_, n) => BigInt((n * 16) % BITS) + BigInt(Math.floor((n * 16) / BITS))).reduce(
      (sum, bit) => sum ^ (1n << bit),
      value,
    ),
  );

const ZERO = perceptualHashOf(0n);
/** Ids count with the time of creation, unless that is stated. */
const record = (
  id: string,
  status: Status,
  validationType: ValidationType = 'receipt',
  createdAt = new Date(Number(id)).toISOString(),
) => ({ validation: { id, status, validationType, createdAt } });
const own = (perceptualHash: string, content?: string, type: ValidationType = 'receipt') => ({
  ...record('20', 'pending', type),
  perceptualHash,
  content,
});
const before = (perceptualHash: string, content?: string) => ({
  ...record('10', 'valid'),
  perceptualHash,
  content,
});

describe('the validation that already has an image', () => {
  it.each([
    ['valid and older', '10', 'valid', true],
    ['valid and younger', '30', 'valid', true],
    ['pending and older', '10', 'pending', true],
    ['pending and younger', '30', 'pending', false],
    ['pending and older, by an id that is shorter', '9', 'pending', true],
    ['refused', '10', 'invalid', false],
    ['not complete', '10', 'incomplete', false],
  ] as const)('is one that is %s: %s', (_what, id, status, isDuplicate) => {
    const [result] = duplicatesAmong(record('20', 'pending'), [record(id, status)]);
    expect(result).toEqual(
      isDuplicate ? { validation: id, by: 'bytes', certain: true, undecided: status === 'pending' } : undefined,
    );
  });

  it('is the one that was created first, whatever the ids are', () => {
    const [first, second] = ['2026-03-05T10:00:00.000Z', '2026-03-05T10:00:01.000Z'];
    const [older, younger] = [record('30', 'pending', 'receipt', first), record('20', 'pending', 'receipt', second)];
    expect([duplicatesAmong(older, [younger]), duplicatesAmong(younger, [older])]).toEqual([
      [],
      [{ validation: '30', by: 'bytes', certain: true, undecided: true }],
    ]);
  });

  it('is exactly one of two that arrive together, so that one of them proceeds', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 10 ** 15 }), {
          minLength: 2,
          maxLength: 2,
        }),
        ([a, b]) => {
          const [one, other] = [record(String(a), 'pending'), record(String(b), 'pending')];
          const duplicates = [duplicatesAmong(one, [other]), duplicatesAmong(other, [one])];
          expect(duplicates.filter(({ length }) => length === 1)).toHaveLength(1);
        },
      ),
    );
  });

  it('does not exist for receipts that look alike with different content', () => {
    expect(duplicatesAmong(own(ZERO, '2026-03-05 1999'), [before(ZERO, '2026-03-06 1999')])).toEqual([]);
  });

  it('is certain for receipts that look alike with the same content', () => {
    for (const differing of [0, 40]) {
      const result = duplicatesAmong(own(ZERO, '2026-03-05 1999'), [before(turned(0n, differing), '2026-03-05 1999')]);
      expect(result).toEqual([{ validation: '10', by: 'perceptualHash', certain: true, undecided: false }]);
    }
  });

  it('is doubtful for receipts that look alike if one of them was not read', () => {
    for (const [mine, theirs] of [
      [undefined, '2026-03-05 1999'],
      ['2026-03-05 1999', undefined],
      [undefined, undefined],
    ]) {
      const result = duplicatesAmong(own(ZERO, mine), [before(ZERO, theirs)]);
      expect(result).toEqual([{ validation: '10', by: 'perceptualHash', certain: false, undecided: false }]);
    }
  });

  it.each([
    [0, true],
    [10, true],
    [11, false],
    [40, false],
    [41, undefined],
  ])('of pictures of other things differs in %d bits: certain is %s', (differing, certain) => {
    const [result] = duplicatesAmong(own(ZERO, undefined, 'image'), [before(turned(0n, differing))]);
    expect(result?.certain).toBe(certain);
  });

  it('is the certain one of several', () => {
    const result = duplicatesAmong(own(ZERO, 'x'), [
      before(ZERO),
      { ...record('7', 'valid'), perceptualHash: ZERO, content: 'x' },
    ]);
    expect(result).toEqual([{ validation: '7', by: 'perceptualHash', certain: true, undecided: false }]);
  });
});

describe('the validations that already have an image', () => {
  const waiting = (id: string, certain = true) => ({ validation: id, by: 'bytes' as const, certain, undecided: true });
  const awarded = (id: string, certain: boolean) => ({ ...waiting(id, certain), undecided: false });

  it('are all pending ones, once each, if none was certainly awarded for it', () => {
    const matches = [waiting('1', false), waiting('2'), waiting('1'), awarded('3', false)];
    expect(strongest(matches)).toEqual([awarded('3', false), waiting('2'), waiting('1')]);
  });

  it('are only the awarded one if it certainly was', () => {
    expect(strongest([waiting('1'), awarded('3', true), awarded('2', false)])).toEqual([awarded('3', true)]);
  });
});

describe('the lookup keys of an image', () => {
  it('are its bytes, and sixteen parts of its perceptual hash', () => {
    expect(pointersOf({ sha256: 'ab' })).toEqual(['bytes#ab']);
    const parts = pointersOf({ perceptualHash: '0123456789abcdef'.repeat(4) });
    expect(parts).toHaveLength(16);
    expect(parts.slice(0, 2)).toEqual(['band#0#0123', 'band#1#4567']);
  });

  it('find every picture that differs in fewer bits than there are parts', () => {
    fc.assert(
      fc.property(bits, fc.uniqueArray(fc.nat({ max: BITS - 1 }), { maxLength: 15 }), (value, changed) => {
        const other = perceptualHashOf(changed.reduce((sum, bit) => sum ^ (1n << BigInt(bit)), value));
        expect(hashDistance(perceptualHashOf(value), other)).toBe(changed.length);
        const parts = new Set(pointersOf({ perceptualHash: perceptualHashOf(value) }));
        expect(pointersOf({ perceptualHash: other }).some((part) => parts.has(part))).toBe(true);
      }),
    );
  });

  it('require a perceptual hash of the right length', () => {
    expect(() => pointersOf({ perceptualHash: 'ab' })).toThrow('64');
  });
});

describe('the fingerprint of a purchase', () => {
  const purchase = {
    store: 'Green Valley, Ltd.',
    date: '2026-03-05',
    time: '09:07',
    total: 1_999,
  };

  it('is the same for every spelling of the store and any transaction number', () => {
    const digest = fingerprintOf(purchase);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(
      fingerprintOf({
        ...purchase,
        store: 'GREEN VALLEY LTD',
        transaction: 'T-1',
      }),
    ).toBe(digest);
  });

  it('differs for another store, day, minute or total', () => {
    const others = [{ store: 'Blue Valley' }, { date: '2026-03-06' }, { time: '09:08' }, { total: 1_998 }];
    const all = [purchase, ...others.map((other) => ({ ...purchase, ...other }))].map(fingerprintOf);
    expect(new Set(all).size).toBe(5);
  });

  it.each(['store', 'date', 'time', 'total'] as const)('does not exist without its %s', (member) => {
    expect(fingerprintOf({ ...purchase, [member]: undefined })).toBeUndefined();
  });

  it('needs neither store nor minute for receipts that look alike', () => {
    expect(dayAndTotal(purchase)).toBe('2026-03-05 1999');
    expect(dayAndTotal({ ...purchase, date: undefined })).toBeUndefined();
    expect(dayAndTotal({ ...purchase, total: undefined })).toBeUndefined();
  });

  it('shows two purchases only if both numbers were read and differ', () => {
    expect([areDistinct('1', '2'), areDistinct('1', '1'), areDistinct(undefined, '2')]).toEqual([true, false, false]);
  });
});
