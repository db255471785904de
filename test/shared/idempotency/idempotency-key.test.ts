import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../../functions/conversions/serving/read-json.ts';
import { answerName, fingerprint, keyIn, textFingerprint } from '../../../shared/idempotency/idempotency-key.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const printed = (text: string) => fingerprint(readJson(text));

describe('an Idempotency-Key', () => {
  it.each([
    ['a bare token', 'abc-123', 'abc-123'],
    ['a string', '"abc-123"', 'abc-123'],
    ['a string with escapes', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
    ['blanks around it', '  abc  ', 'abc'],
    ['255 characters', 'k'.repeat(255), 'k'.repeat(255)],
    ['255 characters in quotes', `"${'k'.repeat(255)}"`, 'k'.repeat(255)],
    ['other signs that can be seen', "!#$%&'*+.^_`|~,;:/?@()[]{}<>=", "!#$%&'*+.^_`|~,;:/?@()[]{}<>="],
  ])('is %s', (_what, header, key) => {
    expect(keyIn(header)).toBe(key);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['an empty string', '""'],
    ['256 characters', 'k'.repeat(256)],
    ['256 characters in quotes', `"${'k'.repeat(256)}"`],
    ['a blank inside', 'a b'],
    ['a blank inside a string', '"a b"'],
    ['two of them', '"a", "b"'],
    ['a string with parameters', '"a";b=1'],
    ['a quote that is not closed', '"a'],
    ['a quote in a token', 'a"b'],
    ['a backslash in a token', String.raw`a\b`],
    ['an escape of another letter', String.raw`"\a"`],
    ['letters beyond ASCII', 'schlüssel'],
    ['a control character', 'a\u007f'],
    ['a line break', 'a\nb'],
  ])('is not %s', (_what, header) => {
    expect(keyIn(header)).toBeUndefined();
  });

  it('is the same bare and as a string, for every key that may stand bare', () => {
    const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)) });
    fc.assert(
      fc.property(visible, (key) => {
        fc.pre(key.length > 0 && key.length <= 255 && !/["\\]/.test(key));
        expect([keyIn(key), keyIn(`"${key}"`)]).toEqual([key, key]);
      }),
    );
  });
});

describe('the name of an answer', () => {
  it('is another one for another tenant, mode, method, path or key, and does not show the key', () => {
    const scope = { tenant: 'acme', caller: 'live', method: 'POST', path: '/v1/convert' };
    const names = [
      answerName(scope, 'secret-key'),
      answerName({ ...scope, tenant: 'other' }, 'secret-key'),
      answerName({ ...scope, caller: 'test' }, 'secret-key'),
      answerName({ ...scope, method: 'PUT' }, 'secret-key'),
      answerName({ ...scope, path: '/v1/enrich' }, 'secret-key'),
      answerName(scope, 'secret-key-2'),
    ];
    expect(new Set(names).size).toBe(names.length);
    expect(names.join()).not.toContain('secret-key');
    expect(answerName({ ...scope }, 'secret-key')).toBe(names[0]);
  });

  it('keeps its parts apart', () => {
    const scope = { tenant: 'acme', method: 'POST', caller: 'live' };
    expect(answerName({ ...scope, path: '/a' }, 'b","c')).not.toBe(answerName({ ...scope, path: '/a","b' }, 'c'));
  });
});

/** JSON text of a value in another spelling: members in another order, with spaces, and letters as escapes. */
function respelled(value: unknown): string {
  if (Array.isArray(value)) return `[ ${value.map(respelled).join(' , ')}\n]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).toReversed();
    return `{\t${members.map(([name, member]) => `${escapes(name)} : ${respelled(member)}`).join(' ,\r\n')} }`;
  }
  return typeof value === 'string' ? escapes(value) : JSON.stringify(value);
}
const escapes = (text: string) =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;

describe('a fingerprint', () => {
  const json = fc.jsonValue({ maxDepth: 5, stringUnit: CODE_POINT });

  it('is the same for texts that mean the same JSON', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(printed(respelled(value))).toBe(printed(JSON.stringify(value)));
      }),
    );
  });

  it('is another one for JSON that means something else', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        // As JavaScript writes them: it has only one text for 0 and -0.
        const [a, b] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))];
        expect(printed(JSON.stringify(a)) === printed(JSON.stringify(b))).toBe(isDeepStrictEqual(a, b));
      }),
    );
  });

  it('tells digits beyond 2^53 and behind the point apart', () => {
    const prints = ['9007199254740993', '9007199254740992', '9007199254740992.0', '1.10', '1.1', '1e400', '2e400'].map(
      (digits) => printed(`{"value":${digits}}`),
    );
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('tells a number from a text, and from an object that looks like what JavaScript keeps of it', () => {
    const prints = ['1.10', '"1.10"', '{"rawJSON":"1.10"}', '[1.10]'].map((value) => printed(`{"value":${value}}`));
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('takes in members named __proto__', () => {
    expect(printed('{"__proto__":{"a":1}}')).not.toBe(printed('{"__proto__":{"a":2}}'));
    expect(printed('{"__proto__":{"a":1}}')).not.toBe(printed('{}'));
  });

  it('tells a text that is no JSON from a JSON string of the same letters', () => {
    expect(textFingerprint('abc')).not.toBe(printed('"abc"'));
    expect(textFingerprint('"abc"')).not.toBe(printed('"abc"'));
    expect(textFingerprint('{')).not.toBe(textFingerprint('['));
  });
});
