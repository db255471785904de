import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyHash, newKey, provenKey } from '../../../shared/auth/self-proving-key.ts';

const SECRETS = { 1: 'a'.repeat(64), 2: 'b'.repeat(64) };
const KINDS = ['cv_live', 'cv_test'];
const made = (secrets: Record<string, string> = SECRETS) =>
  newKey({ kind: 'cv_live', tenant: 'acme-inc', id: 'k1' }, secrets).key;

describe('a key that proves itself', () => {
  it('names its tenant, its kind and its id, and is recognised by its hash', () => {
    const { key, hash } = newKey({ kind: 'cv_test', tenant: 'acme-inc', id: 'k7' }, SECRETS);
    expect(key).toMatch(/^cv_test_acme-inc_k7_[a-z0-9]{24}_2[a-z0-9]{50}$/);
    expect(provenKey(key, KINDS, SECRETS)).toEqual({ kind: 'cv_test', tenant: 'acme-inc', id: 'k7', hash });
    expect(hash).toBe(keyHash(key));
  });

  it('is never made twice', () => {
    expect(new Set(Array.from({ length: 100 }, () => made())).size).toBe(100);
  });

  it('is refused when any character of it is another one', () => {
    const key = made();
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom(...Array.from('abcxyz059_-A~.')), (at, character) => {
        fc.pre(key[at] !== character);
        const changed = key.slice(0, at) + character + key.slice(at + 1);
        expect(provenKey(changed, KINDS, SECRETS)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it('is refused when it is cut, prolonged, or of another interface', () => {
    const key = made();
    for (let length = 0; length < key.length; length += 1) {
      expect(provenKey(key.slice(0, length), KINDS, SECRETS)).toBeUndefined();
    }
    for (const other of [`${key}0`, `${key}_`, `${key}_x`, ` ${key}`, key.toUpperCase(), 'x'.repeat(100_000)]) {
      expect(provenKey(other, KINDS, SECRETS)).toBeUndefined();
    }
    expect(provenKey(key, ['mk'], SECRETS)).toBeUndefined();
  });

  it('is accepted while the secret that it was made with is listed, and not after', () => {
    const old = made({ 1: SECRETS[1] });
    expect(provenKey(old, KINDS, SECRETS)).toBeDefined();
    expect(provenKey(old, KINDS, { 2: SECRETS[2] })).toBeUndefined();
    expect(provenKey(made({ 1: 'c'.repeat(64) }), KINDS, SECRETS)).toBeUndefined();
  });

  it('takes no secret from the names that every object has', () => {
    expect(provenKey('cv_live_a_b_c___proto__', KINDS, SECRETS)).toBeUndefined();
  });
});
