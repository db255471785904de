import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PasswordRules, randomPassword } from '../../../../cdk/local/secretsmanager/random-password.ts';

const EVERY: PasswordRules = {
  length: 32,
  exclude: '',
  lowercase: true,
  uppercase: true,
  numbers: true,
  punctuation: true,
  space: false,
  requireEachKind: true,
};

describe('a random password', () => {
  it('has its length, one of each included kind and nothing that is excluded', () => {
    const rules = fc.record({
      length: fc.integer({ min: 4, max: 64 }),
      exclude: fc.constantFrom('', '"@/\\', 'abcXYZ019', '0123456789'),
      lowercase: fc.constant(true),
      uppercase: fc.boolean(),
      numbers: fc.boolean(),
      punctuation: fc.boolean(),
      space: fc.boolean(),
      requireEachKind: fc.boolean(),
    });
    fc.assert(
      fc.property(rules, (given) => {
        const password = randomPassword(given);
        expect(password).toHaveLength(given.length);
        expect(Array.from(password).filter((character) => given.exclude.includes(character))).toEqual([]);
        const kinds = [
          [/[a-z]/, given.lowercase],
          [/[A-Z]/, given.uppercase],
          [/[0-9]/, given.numbers && given.exclude !== '0123456789'],
          [/[!-/:-@[-`{-~]/, given.punctuation],
        ] as const;
        for (const [kind, included] of kinds) {
          if (!included) expect(password).not.toMatch(kind);
          else if (given.requireEachKind) expect(password).toMatch(kind);
        }
        if (!given.space) expect(password).not.toContain(' ');
      }),
    );
  });

  it('is another one each time', () => {
    expect(new Set(Array.from({ length: 100 }, () => randomPassword(EVERY))).size).toBe(100);
  });

  it('draws every character that it may, also the space', () => {
    const rules = { ...EVERY, lowercase: false, uppercase: false, punctuation: false, space: true };
    const seen = new Set(Array.from({ length: 200 }, () => randomPassword(rules)).join(''));
    expect([...seen].sort().join('')).toBe(' 0123456789');
  });

  it('cannot be shorter than the kinds that it must hold, nor made of nothing', () => {
    expect(() => randomPassword({ ...EVERY, length: 3 })).toThrow('A password of 3 cannot hold');
    const none = { ...EVERY, lowercase: false, uppercase: false, numbers: false, punctuation: false };
    expect(() => randomPassword(none)).toThrow('Every character is excluded.');
  });
});
