import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHashOf } from '../../../functions/conversions/enrich/content-hash.ts';
import { parseExactly } from '../../../shared/formats/exact-json.ts';
import { CODE_POINT } from '../../support/runner/code-points.ts';

const hashOfText = (text: string) => contentHashOf(parseExactly(text));

const text = fc.string({ unit: CODE_POINT, maxLength: 20 });
const records = fc.dictionary(text, fc.jsonValue({ stringUnit: CODE_POINT, maxDepth: 3 }), { maxKeys: 6 });

describe('the hash of a record', () => {
  it('is SHA-256 of its canonical JSON', () => {
    const record = { b: [1, 2.5, null], a: { z: 'ä', y: true } };
    const canonical = '{"a":{"y":true,"z":"ä"},"b":[1,2.5,null]}';
    expect(contentHashOf(record)).toBe(`sha256:${createHash('sha256').update(canonical).digest('hex')}`);
    fc.assert(
      fc.property(records, (fields) => {
        const expected = createHash('sha256')
          .update(canonicalize(fields) ?? '')
          .digest('hex');
        expect(hashOfText(JSON.stringify(fields))).toBe(`sha256:${expected}`);
      }),
    );
  });

  it('does not depend on the order of members', () => {
    expect(hashOfText('{"a":1,"b":{"c":2,"d":3}}')).toBe(hashOfText('{"b":{"d":3,"c":2},"a":1}'));
    expect(hashOfText('{"a":[1,2]}')).not.toBe(hashOfText('{"a":[2,1]}'));
  });

  it.each([
    ['1.10', '1.1'],
    ['1e2', '100'],
    ['0.1e1', '1'],
    ['-0', '0'],
    ['-0.0e5', '0'],
    ['1E+2', '100.000'],
    ['0.000001230', '1.23e-6'],
    ['12345678901234567890', '12345678901234567890.0'],
    ['1e400', '10e399'],
    ['-1e-400', '-0.1e-399'],
  ])('takes %s and %s for one number', (one, other) => {
    expect(hashOfText(`{"a":${one}}`)).toBe(hashOfText(`{"a":${other}}`));
  });

  it.each([
    ['9007199254740993', '9007199254740992'],
    ['0.1', '0.10000000000000001'],
    ['1e400', '1e401'],
    ['1e400', '-1e400'],
    ['1e-400', '0'],
    ['1', 'true'],
    ['1', '"1"'],
    ['null', '"null"'],
  ])('tells %s from %s', (one, other) => {
    expect(hashOfText(`{"a":${one}}`)).not.toBe(hashOfText(`{"a":${other}}`));
  });

  it('counts members named like those of all objects', () => {
    const hashes = ['{}', '{"__proto__":1}', '{"__proto__":{"a":1}}', '{"constructor":1}', '{"toJSON":1}'].map(
      hashOfText,
    );
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('does not exist for text that is not valid Unicode, at any depth', () => {
    for (const text of ['{"a":"\\ud800"}', '{"\\udc00":1}', '{"a":[{"b":["x\\ud800y"]}]}'])
      expect(hashOfText(text)).toBeUndefined();
    expect(hashOfText('{"a":"\\ud83d\\ude00"}')).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is found for numbers of very many digits', () => {
    const long = '9'.repeat(100_000);
    expect(hashOfText(`{"a":${long}}`)).not.toBe(hashOfText(`{"a":${long.slice(0, -1)}8}`));
    expect(hashOfText(`{"a":${'1'.padEnd(100_000, '0')}}`)).toBe(hashOfText('{"a":1e99999}'));
    expect(hashOfText(`{"a":1e${long.slice(0, 2_000)}}`)).toMatch(/^sha256:/);
  });
});
