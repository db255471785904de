import { describe, expect, it } from 'vitest';
import { Refusal } from '../../shared/errors.ts';
import { decodeCursor, encodeCursor } from '../../shared/http/cursor.ts';

const POSITION = { pk: 'A#1', sk: 'A', position: '2026' };
const NAMES = Object.keys(POSITION);

describe('a cursor', () => {
  it('leads back to its position in its own list, and nowhere else', () => {
    const cursor = encodeCursor('mine', POSITION);
    expect(decodeCursor('mine', cursor, NAMES)).toEqual(POSITION);
    expect(() => decodeCursor('yours', cursor, NAMES)).toThrow(Refusal);
    expect(decodeCursor('mine', undefined, NAMES)).toBeUndefined();
  });

  it.each([
    ['a name too few', { pk: 'A#1', sk: 'A' }],
    ['a name too many', { ...POSITION, more: 'x' }],
    ['an empty key', { ...POSITION, sk: '' }],
    ['a key that no table takes', { ...POSITION, sk: 'é'.repeat(513) }],
  ])('with %s is refused', (_what, position) => {
    expect(() => decodeCursor('mine', encodeCursor('mine', position), NAMES)).toThrow('The cursor does not belong');
  });

  it.each(['', 'x', 'bm90IGpzb24', Buffer.from('[1]').toString('base64url')])('%j is refused', (text) => {
    expect(() => decodeCursor('mine', text, NAMES)).toThrow(Refusal);
  });
});
